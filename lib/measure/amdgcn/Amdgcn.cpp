// Source to machine code for an AMD GPU, and the figures along the way.
#include "measure/amdgcn/Amdgcn.h"
#include "frontend/Emit.h"
#include "measure/CompileRequest.h"
#include "measure/amdgcn/AmdgcnBackend.h"
#include "measure/amdgcn/AmdgcnDots.h"
#include "measure/amdgcn/AmdgcnMachine.h"
#include "measure/amdgcn/AmdgcnSteps.h"
#include "measure/counts/CountWork.h"
#include "measure/counts/PressurePasses.h"
#include "measure/execute/Execution.h"
#include "measure/llvm/Bitcode.h"
#include "measure/llvm/CodeGen.h"
#include "measure/llvm/ObjectCode.h"
#include "measure/llvm/Optimise.h"
#include "measure/llvm/OtherKernels.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

/// What the kernel requires of its work-groups, or Clang assumes.
void addGroupSize(Usage &U, const Function &F) {
  StringRef Range =
      F.getFnAttribute("amdgpu-flat-work-group-size").getValueAsString();
  auto [Low, High] = Range.split(',');
  unsigned Min, Max;
  if (Low.getAsInteger(10, Min) || High.getAsInteger(10, Max))
    return;
  U.GroupMin = Min;
  U.GroupMax = Max;
}

} // namespace

Amdgcn::Amdgcn(std::unique_ptr<DeviceLibs> Libs)
    : Backend(amdgcnFamily()), Libs(std::move(Libs)) {
  registerAmdgcn();
}
Amdgcn::~Amdgcn() = default;

Error Amdgcn::load(StringRef) { return Libs->load(); }

std::vector<std::string> Amdgcn::files(StringRef) const {
  return Libs->paths();
}

TargetMachine &Amdgcn::machineFor(StringRef Cpu) const {
  std::unique_ptr<TargetMachine> &TM = Machines[Cpu.str()];
  if (!TM)
    TM = amdgcnMachine(Cpu);
  return *TM;
}

/// The optimised IR of what \p Request asks for, with line tables where
/// \p Lines; null where there is none, and why in \p Problem.
std::unique_ptr<Module> Amdgcn::optimised(const MeasureRequest &Request,
                                          LLVMContext &Context,
                                          TargetMachine &TM, bool Lines,
                                          std::string &Problem) const {
  frontend::Diagnosis D;
  std::unique_ptr<Module> M = frontend::emit(
      Request.What, family().arch(Request.On.Cpu), Context, D, Lines);
  if (!M) {
    Problem = "does not compile for " + Request.On.Name + ": " +
              StringRef(D.Text).split('\n').first.str();
    return nullptr;
  }
  M->setDataLayout(TM.createDataLayout());
  if (Request.Alone)
    removeOthers(*M, Request.Kernels);
  hideFunctions(*M);
  defineDotProducts(*M, Request.On.Cpu);
  if (Error E = Libs->link(*M, Request.On.Cpu, Request.What.Options)) {
    Problem = toString(std::move(E));
    return nullptr;
  }
  optimise(*M, TM, Request.Kernels);
  return M;
}

Measurement Amdgcn::compile(const MeasureRequest &Request) const {
  Measurement Out;
  StringRef Cpu = Request.On.Cpu;
  LLVMContext Context;
  std::map<std::string, Usage> Figures;
  Problems Errors;
  Context.setDiagnosticHandler(
      std::make_unique<ResourceListener>(Figures, Errors));

  TargetMachine &TM = machineFor(Cpu);
  std::unique_ptr<Module> M =
      optimised(Request, Context, TM, /*Lines=*/false, Out.Problem);
  if (!M)
    return Out;

  GpuModel Model = gpuModel(Cpu);
  if (auto Lanes = frontend::waveSizeAsked(Request.What.Options, Cpu))
    Model.WaveLanes = *Lanes;
  std::string Code = Cpu.str() + " " + utostr(Model.WaveLanes) + " ";
  Code += formatv("{0} ", json::Value(toJSON(Request.Launches)));
  Code += bitcodeOf(*M);
  bool Fine = Errors.empty(); // nothing that the optimiser complained of
  if (const Measurement *Same = Fine ? Known.find(Code) : nullptr)
    return *Same;
  WaveKnowledge Waves{traceKernels(*M, TM, Model.WaveLanes, Request.Launches)};
  std::map<std::string, std::vector<std::string>> Undefined;
  for (const auto &[Name, W] : Waves.Assumed)
    Undefined[Name] = undefinedCalls(*M->getFunction(Name));

  CountsByFunction Counts;
  SmallVector<char, 0> Object;
  Observers Watching;
  Watching.BeforeSelection =
      createExecutingPass(Request.Launches, Model, Waves.Executed);
  Watching.AtEnd = createAmdgcnCountingPass(Waves, Model, Counts);
  std::map<std::string, Pressure> Live;
  watchEdges(Watching, Live);
  if (!generate(*M, TM, Watching, CodeGenFileType::ObjectFile, Object)) {
    Out.Problem = "LLVM has no code generator for " + Request.On.Name;
    return Out;
  }
  addCallees(Counts);
  std::map<std::string, std::string> Hashes = codeHashes(Object);

  for (const auto &[Name, W] : Waves.Assumed) {
    KernelUsage K;
    K.Kernel = Name;
    K.Stored = W.Stored;
    K.CodeHash = Hashes[Name];
    if (const auto &Missing = Undefined[Name]; !Missing.empty())
      K.Problem = "not measurable: calls undefined " + join(Missing, ", ");
    else
      K.Problem = Errors.of(Name);
    if (K.Problem.empty() && !Figures.count(Name))
      K.Problem = "the back end reported no resources";
    if (!K.Problem.empty()) {
      Out.Kernels.push_back(std::move(K));
      continue;
    }
    K.Figures = Figures[Name];
    K.LiveAtEdges = Live[Name].Boundary;
    const MachineCounts &C = Counts[Name];
    K.Figures.Instructions = C.Instructions;
    K.Figures.CodeBytes = C.CodeBytes;
    K.Figures.WaveSize = C.WaveSize;
    addGroupSize(K.Figures, *M->getFunction(Name));
    setEstimate(K.Figures, C, K.Figures.Occupancy.value_or(1), Model);
    explainOccupancy(K.Figures, amdgcnSteps(Cpu, C.WaveSize));
    Out.Kernels.push_back(std::move(K));
  }
  if (Fine)
    Known.add(std::move(Code), Out);
  return Out;
}

PressureReport Amdgcn::pressure(const MeasureRequest &Request) const {
  PressureReport Out;
  std::map<std::string, Usage> Figures;
  Problems Errors;
  LLVMContext Context;
  Context.setDiagnosticHandler(
      std::make_unique<ResourceListener>(Figures, Errors));
  TargetMachine &TM = machineFor(Request.On.Cpu);
  std::unique_ptr<Module> M =
      optimised(Request, Context, TM, /*Lines=*/true, Out.Problem);
  if (!M)
    return Out;
  for (const Function &F : *M)
    if (!F.isDeclaration() && isKernel(F)) {
      KernelPressure &K = Out.Kernels.emplace_back();
      K.Kernel = F.getName().str();
      if (auto Missing = undefinedCalls(F); !Missing.empty())
        K.Problem = "not measurable: calls undefined " + join(Missing, ", ");
    }
  std::map<std::string, Pressure> Live;
  Observers Watching;
  watchPressure(Watching, Live, Request.What.Path);
  SmallVector<char, 0> Object;
  if (!generate(*M, TM, Watching, CodeGenFileType::ObjectFile, Object)) {
    Out.Kernels.clear();
    Out.Problem = "LLVM has no code generator for " + Request.On.Name;
    return Out;
  }
  std::map<std::string, std::string> Hashes = codeHashes(Object);
  for (KernelPressure &K : Out.Kernels) {
    K.Live = Live[K.Kernel];
    K.CodeHash = Hashes[K.Kernel];
    if (K.Problem.empty())
      K.Problem = Errors.of(K.Kernel);
  }
  llvm::sort(Out.Kernels, [](const KernelPressure &A, const KernelPressure &B) {
    return A.Kernel < B.Kernel;
  });
  return Out;
}

WorkReport Amdgcn::work(const MeasureRequest &Request) const {
  WorkReport Out;
  LLVMContext Context;
  TargetMachine &TM = machineFor(Request.On.Cpu);
  std::unique_ptr<Module> M =
      optimised(Request, Context, TM, /*Lines=*/true, Out.Problem);
  unsigned Lanes = frontend::waveSizeAsked(Request.What.Options, Request.On.Cpu)
                       .value_or(gpuModel(Request.On.Cpu).WaveLanes);
  if (M)
    Out.Kernels = countWork(*M, TM, Lanes, Request.Launches);
  return Out;
}

} // namespace clrewrite::measure
