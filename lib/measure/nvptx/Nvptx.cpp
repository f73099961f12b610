// Source to PTX to NVIDIA's machine code, and the figures at its end.
#include "measure/nvptx/Nvptx.h"
#include "frontend/Emit.h"
#include "measure/CompileRequest.h"
#include "measure/counts/CountWork.h"
#include "measure/execute/Execution.h"
#include "measure/llvm/Bitcode.h"
#include "measure/llvm/CodeGen.h"
#include "measure/llvm/Optimise.h"
#include "measure/llvm/OtherKernels.h"
#include "measure/nvptx/NvidiaImages.h"
#include "measure/nvptx/NvidiaLimits.h"
#include "measure/nvptx/NvidiaMath.h"
#include "measure/nvptx/NvidiaTrigonometry.h"
#include "measure/nvptx/NvidiaUnroll.h"
#include "measure/nvptx/NvptxMachine.h"
#include "measure/nvptx/Ptxas.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

constexpr StringLiteral Libclc = "/nvptx64--nvidiacl.bc";
/// Bytes of an instruction since Volta (CUDA Binary Utilities).
constexpr unsigned InstructionBytes = 16;
/// Warps of a partition where no assembler tells how many registers a kernel
/// takes: what 80 registers leave.
constexpr unsigned AssumedWarps = 6;

std::unique_ptr<TargetMachine> nvptxMachine(StringRef Cpu) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  return machineOf(NvptxTriple, Cpu);
}

/// CUDA's libdevice; empty where no toolkit is found.
std::string findLibdevice() {
  std::vector<std::string> Roots;
  for (const char *Variable : {"CUDA_PATH", "CUDA_HOME"})
    if (const char *Dir = ::getenv(Variable))
      Roots.push_back(Dir);
  Roots.insert(Roots.end(), {"/usr/local/cuda", "/opt/cuda", "/usr/lib/cuda",
                             "/usr/lib/nvidia-cuda-toolkit"});
  for (const std::string &Root : Roots)
    for (const char *Below :
         {"/nvvm/libdevice/libdevice.10.bc", "/libdevice/libdevice.10.bc"})
      if (sys::fs::exists(Root + Below))
        return Root + Below;
  return "";
}

/// Clang 22 makes each kernel a call of a second body that it marks noinline.
/// A call has registers of its own, which the kernel's figures would miss.
void inlineBodies(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration() && !isKernel(F) &&
        F.getName().starts_with("__clang_ocl_kern_imp_"))
      inlineAlways(F);
}

/// LLVM knows that work-groups have a work-item or more, and drops a test of
/// it, such as opaque-guard's; NVIDIA's compiler keeps it.
struct ForgetSizes : PassInfoMixin<ForgetSizes> {
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &);
};

PreservedAnalyses ForgetSizes::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M) {
    if (none_of(ArrayRef<StringRef>{"get_local_size", "get_num_groups",
                                    "sreg.ntid.", "sreg.nctaid."},
                [&](StringRef Each) { return F.getName().contains(Each); }))
      continue;
    F.removeRetAttr(Attribute::Range);
    for (User *Each : F.users())
      if (auto *Call = dyn_cast<CallInst>(Each)) {
        Call->removeRetAttr(Attribute::Range);
        Call->setMetadata(LLVMContext::MD_range, nullptr);
      }
  }
  return PreservedAnalyses::none();
}

/// LLVM forgets what a load through the cache for constants reads, so what is
/// counted has none of these: buffers that may overlap rule them out. Buffers
/// that would be read so are marked.
void nameLoads(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration() && isKernel(F))
      for (Argument &A : F.args()) {
        if (A.hasNoAliasAttr() && A.onlyReadsMemory())
          A.addAttr(Attribute::get(M.getContext(), UnwrittenMark));
        A.removeAttr(Attribute::NoAlias);
      }
}

struct Cost {
  MachineCounts Counts;
  std::map<std::string, double> Stored; ///< as WaveMemory has it
};
using CostMap = std::map<std::string, Cost>;

/// What the kernels of \p M cost, by name; changes \p M.
bool count(Module &M, TargetMachine &TM, const launch::FactsByKernel &Launches,
           CostMap &Into) {
  nameLoads(M);
  GpuModel Model = gpuModel(TM.getTargetCPU());
  WaveKnowledge Waves{
      traceKernels(M, TM, Model.WaveLanes, Launches, /*Remainders=*/false)};
  CountsByFunction Counts;
  Observers Watching;
  Watching.Lowering = createImageNamingPass();
  Watching.BeforeSelection =
      createExecutingPass(Launches, Model, Waves.Executed);
  Watching.AtEnd = createNvptxCountingPass(Waves, Model, Counts);
  // What is printed is of no use, but LLVM forgets the images of a module,
  // which it keeps by its address, only where it prints it.
  SmallString<0> Unused;
  if (!generate(M, TM, Watching, CodeGenFileType::AssemblyFile, Unused))
    return false;
  addCallees(Counts);
  for (auto &[Name, Count] : Counts)
    Into[Name] = {std::move(Count), Waves.Assumed[Name].Stored};
  return true;
}

/// \p Warps of a partition.
void addEstimate(KernelUsage &K, const Cost &Of, unsigned Warps,
                 StringRef Cpu) {
  K.Stored = Of.Stored;
  setEstimate(K.Figures, Of.Counts, Warps, gpuModel(Cpu));
}

Usage figuresOf(const Assembled &A, StringRef Cpu,
                std::optional<unsigned> GroupSize) {
  auto count = [](std::optional<uint64_t> V) {
    return V ? std::optional<unsigned>(unsigned(*V)) : std::nullopt;
  };
  Usage U;
  U.Vgprs = count(A.Figures.Registers);
  U.ScratchBytes = count(A.Figures.StackBytes);
  U.LdsBytes = count(A.Figures.SharedBytes);
  U.CodeBytes = A.CodeBytes;
  if (A.CodeBytes)
    U.Instructions = *A.CodeBytes / InstructionBytes;
  U.GroupMin = U.GroupMax = GroupSize;
  addNvidiaOccupancy(U, Cpu, GroupSize.value_or(AssumedGroupSize));
  return U;
}

/// An entry for each kernel of \p M. One that can't be assembled has the
/// reason, and leaves \p M: ptxas refuses a whole module for one unresolved
/// call.
std::vector<KernelUsage>
listKernels(Module &M, bool CanAssemble, const std::string &TargetName,
            std::map<std::string, std::optional<unsigned>> &GroupSizes) {
  std::vector<KernelUsage> List;
  for (Function &F : make_early_inc_range(M)) {
    if (F.isDeclaration() || !isKernel(F))
      continue;
    KernelUsage K;
    K.Kernel = F.getName().str();
    GroupSizes[K.Kernel] = requiredGroupSize(F);
    if (!CanAssemble)
      K.Problem =
          "no ptxas on PATH (CUDA toolkit) to assemble for " + TargetName;
    else if (auto Missing = undefinedCalls(F); !Missing.empty())
      K.Problem = "not measurable: calls undefined " + join(Missing, ", ");
    if (!K.Problem.empty())
      F.eraseFromParent();
    List.push_back(std::move(K));
  }
  return List;
}

} // namespace

Nvptx::Nvptx() : Backend(nvptxFamily()) {}
Nvptx::~Nvptx() = default;

Expected<std::unique_ptr<Backend>>
Nvptx::open(const BackendSettings &Settings) {
  std::unique_ptr<Nvptx> Out(new Nvptx());
  // Less than the child has in all, so that ptxas never outlives it.
  Out->Limits = Settings.Limits;
  Out->Limits.Seconds = std::max(1u, Settings.Limits.Seconds * 3 / 4);
  std::string Folder = libclcWith(Libclc, Settings.LibraryDir);
  if (Folder.empty())
    return createStringError(
        "no built-in library for NVIDIA targets: install libclc (Debian: "
        "libclc-%d), or name the directory of nvptx64--nvidiacl.bc with "
        "--device-libs",
        LLVM_VERSION_MAJOR);
  for (const std::string &Each : {Folder + Libclc.str(), findLibdevice()})
    if (!Each.empty())
      Out->Paths.push_back(Each);
  return std::move(Out);
}

std::vector<std::string> Nvptx::files(StringRef) const {
  std::vector<std::string> Out = Paths;
  Out.push_back(findPtxas());
  return Out;
}

Error Nvptx::load(StringRef) {
  if (!Libraries.empty())
    return Error::success();
  for (const std::string &Each : Paths)
    if (Error E = Libraries.open(Each))
      return E;
  return Error::success();
}

/// libclc lacks get_global_offset for NVIDIA's GPUs, and its get_global_id adds
/// none: that of every launch is 0.
static void defineGlobalOffset(Module &M) {
  Function *F = M.getFunction("_Z17get_global_offsetj");
  if (!F || !F->isDeclaration() || !F->getReturnType()->isIntegerTy())
    return;
  ReturnInst::Create(M.getContext(), ConstantInt::get(F->getReturnType(), 0),
                     BasicBlock::Create(M.getContext(), "", F));
  F->setLinkage(GlobalValue::InternalLinkage);
  F->addFnAttr(Attribute::AlwaysInline);
}

bool Nvptx::link(Module &M) const {
  FunctionSet Own = definedIn(M);
  defineGlobalOffset(M);
  defineImages(M);
  defineExponentials(M);
  defineTrigonometry(M);
  if (Error E = Libraries.link(M)) {
    consumeError(std::move(E));
    return false;
  }
  adoptTarget(M, Own);
  lowerNativeMath(M);
  return true;
}

/// Lets accesses of different types reach the same memory. LLVM goes by C's
/// rule that they don't, and NVIDIA's compiler does not: it stores a `uint` to
/// which a loop adds elements of a `ushort` buffer in each turn, and an H200
/// took 3.2 times as long for that as with a variable
/// (bench/loops/box_column.cl).
static void forgetTypes(Module &M) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      for (unsigned Kind : {LLVMContext::MD_tbaa, LLVMContext::MD_tbaa_struct})
        I.setMetadata(Kind, nullptr);
}

/// The kernels, not optimised yet; null where they don't compile, with the
/// reason in \p Problem.
std::unique_ptr<Module> Nvptx::emitted(const MeasureRequest &Request,
                                       LLVMContext &Context,
                                       const TargetMachine *TM, bool Lines,
                                       std::string &Problem) const {
  frontend::Diagnosis D;
  std::unique_ptr<Module> M = frontend::emit(
      Request.What, family().arch(Request.On.Cpu), Context, D, Lines);
  if (!M || !TM) {
    Problem = M ? "this LLVM has no NVPTX back end"
                : "does not compile for " + Request.On.Name + ": " +
                      StringRef(D.Text).split('\n').first.str();
    return nullptr;
  }
  M->setDataLayout(TM->createDataLayout());
  if (Request.Alone)
    removeOthers(*M, Request.Kernels);
  inlineBodies(*M);
  hideFunctions(*M);
  forgetTypes(*M);
  return M;
}

/// Keeps LLVM from storing a lane of a vector alone while it lives: NVIDIA's
/// compiler loads the vector, and stores it as a whole. An H200 took 7.4 times
/// as long for lanes of a private array of float4 as for the same floats.
class WholeVectors {
public:
  WholeVectors() {
    auto &All = cl::getRegisteredOptions(); // its type depends on LLVM
    auto It = All.find("disable-vector-combine");
    if (It != All.end())
      Disabled = static_cast<cl::opt<bool> *>(It->second);
    if (Disabled)
      Disabled->setValue(true);
  }
  ~WholeVectors() {
    if (Disabled)
      Disabled->setValue(false);
  }
  WholeVectors(const WholeVectors &) = delete;
  WholeVectors &operator=(const WholeVectors &) = delete;

private:
  cl::opt<bool> *Disabled = nullptr;
};

/// Links the built-in functions, and optimises; false where they don't link.
bool Nvptx::optimised(Module &M, TargetMachine &TM,
                      ArrayRef<std::string> Kernels,
                      std::string &Problem) const {
  if (!link(M)) {
    Problem = "the built-in library does not link";
    return false;
  }
  const WholeVectors Stay;
  optimise(M, TM, Kernels, [](PassBuilder &Passes) {
    // In LLVM 19 a pass of the back end's tells the sizes, at the start.
    Passes.registerPipelineStartEPCallback(
        [](ModulePassManager &MPM, auto...) { MPM.addPass(ForgetSizes()); });
    unrollAsNvidia(Passes);
    inlineTrigonometry(Passes);
  });
  return true;
}

Measurement Nvptx::compile(const MeasureRequest &Request) const {
  Measurement Out;
  StringRef Cpu = Request.On.Cpu;
  LLVMContext Context;
  std::unique_ptr<TargetMachine> TM = nvptxMachine(Cpu);
  std::unique_ptr<Module> M =
      emitted(Request, Context, TM.get(), /*Lines=*/false, Out.Problem);
  if (!M)
    return Out;
  std::string Ptxas = findPtxas();
  bool Useful = !Ptxas.empty() || Request.EstimateOnly;
  if (!Useful)
    removeOthers(*M, Request.Kernels);
  else if (!optimised(*M, *TM, Request.Kernels, Out.Problem))
    return Out;
  std::string Code = Cpu.str() + (Request.EstimateOnly ? " estimate " : " ");
  Code += formatv("{0} ", json::Value(toJSON(Request.Launches)));
  Code += bitcodeOf(*M);
  if (const Measurement *Same = Known.find(Code))
    return *Same;
  Out = generated(*M, *TM, Request, Ptxas);
  if (Out.Problem.empty())
    Known.add(std::move(Code), Out);
  return Out;
}

/// The figures of an optimised module, which changes; \p Ptxas is empty where
/// there is none.
Measurement Nvptx::generated(Module &M, TargetMachine &TM,
                             const MeasureRequest &Request,
                             StringRef Ptxas) const {
  Measurement Out;
  StringRef Cpu = Request.On.Cpu;
  bool Useful = !Ptxas.empty() || Request.EstimateOnly;
  std::map<std::string, std::optional<unsigned>> GroupSizes;
  Out.Kernels = listKernels(M, Useful, Request.On.Name, GroupSizes);
  if (none_of(Out.Kernels, [](const KernelUsage &K) { return K.measured(); }))
    return Out;

  SmallString<0> Ptx;
  CostMap Costs;
  auto assembly = [&] {
    Observers Watching;
    Watching.Lowering = createImageNamingPass();
    return generate(*CloneModule(M), TM, Watching,
                    CodeGenFileType::AssemblyFile, Ptx);
  };
  if ((!Request.EstimateOnly && !assembly()) ||
      !count(M, TM, Request.Launches, Costs)) {
    Out.Kernels.clear();
    Out.Problem = "LLVM has no code generator for " + Request.On.Name;
    return Out;
  }
  if (Request.EstimateOnly) {
    for (KernelUsage &K : Out.Kernels)
      if (K.measured())
        addEstimate(K, Costs[K.Kernel], AssumedWarps, Cpu);
    return Out;
  }
  auto Code = assemble(Ptxas, Ptx.str().str(), Cpu, Limits);
  if (!Code) {
    Out.Kernels.clear();
    Out.Problem = toString(Code.takeError());
    return Out;
  }
  for (KernelUsage &K : Out.Kernels) {
    if (!K.measured())
      continue;
    const Assembled &A = (*Code)[K.Kernel];
    K.CodeHash = A.CodeHash;
    K.Figures = figuresOf(A, Cpu, GroupSizes[K.Kernel]);
    if (!K.Figures.Vgprs) {
      K.Problem = "ptxas reported no registers";
      continue;
    }
    addEstimate(K, Costs[K.Kernel],
                K.Figures.Occupancy.value_or(0) / Partitions, Cpu);
  }
  return Out;
}

WorkReport Nvptx::work(const MeasureRequest &Request) const {
  WorkReport Out;
  LLVMContext Context;
  std::unique_ptr<TargetMachine> TM = nvptxMachine(Request.On.Cpu);
  std::unique_ptr<Module> M =
      emitted(Request, Context, TM.get(), /*Lines=*/true, Out.Problem);
  if (!M || !optimised(*M, *TM, Request.Kernels, Out.Problem))
    return Out;
  Out.Kernels =
      countWork(*M, *TM, gpuModel(Request.On.Cpu).WaveLanes, Request.Launches);
  return Out;
}

} // namespace clrewrite::measure
