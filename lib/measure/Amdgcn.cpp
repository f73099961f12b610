// Source to machine code for an AMD GPU, and the figures along the way.
#include "measure/Amdgcn.h"
#include "frontend/Emit.h"
#include "measure/AmdgcnMachine.h"
#include "measure/CodeGen.h"
#include "measure/CountWork.h"
#include "measure/Middle.h"
#include "measure/PressurePasses.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/TargetParser.h"
#include <mutex>

using namespace llvm;

namespace clrewrite {
namespace {

constexpr StringLiteral TripleName = "amdgcn-amd-amdhsa";

void initialise() {
  static const bool Done = [] {
    LLVMInitializeAMDGPUTargetInfo();
    LLVMInitializeAMDGPUTarget();
    LLVMInitializeAMDGPUTargetMC();
    LLVMInitializeAMDGPUAsmPrinter();
    LLVMInitializeAMDGPUAsmParser();
    return true;
  }();
  (void)Done;
}

std::unique_ptr<TargetMachine>
machine(StringRef Cpu, CodeGenOptLevel Level = CodeGenOptLevel::Aggressive) {
  initialise();
  std::string Problem;
  Triple T(TripleName);
  const llvm::Target *Found = TargetRegistry::lookupTarget(T, Problem);
  TargetOptions Options;
  Options.MCOptions.AsmVerbose = false;
  return std::unique_ptr<TargetMachine>(Found->createTargetMachine(
      T, Cpu, "", Options, Reloc::PIC_, std::nullopt, Level));
}

/// Gathers the resource remarks, and keeps other messages off the terminal.
class Listener : public DiagnosticHandler {
public:
  explicit Listener(std::map<std::string, Usage> &Into,
                    std::map<std::string, std::string> &Problems)
      : Into(Into), Problems(Problems) {}

  bool isAnalysisRemarkEnabled(StringRef Pass) const override {
    return Pass == "kernel-resource-usage";
  }
  bool isAnyRemarkEnabled() const override { return true; }

  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    if (const auto *R = dyn_cast<DiagnosticInfoOptimizationBase>(&Info)) {
      if (R->getPassName() == "kernel-resource-usage")
        take(*R);
      return true;
    }
    if (Info.getSeverity() == DS_Error) {
      std::string Text;
      raw_string_ostream OS(Text);
      DiagnosticPrinterRawOStream Printer(OS);
      Info.print(Printer);
      std::string Where;
      if (const auto *U = dyn_cast<DiagnosticInfoUnsupported>(&Info))
        Where = U->getFunction().getName().str();
      else if (const auto *L = dyn_cast<DiagnosticInfoResourceLimit>(&Info))
        Where = L->getFunction().getName().str();
      Problems[Where] = Text;
    }
    return true;
  }

private:
  std::map<std::string, Usage> &Into;
  std::map<std::string, std::string> &Problems;

  void take(const DiagnosticInfoOptimizationBase &R) {
    Usage &U = Into[R.getFunction().getName().str()];
    for (const auto &A : R.getArgs()) {
      unsigned Value = 0;
      if (StringRef(A.Val).getAsInteger(10, Value))
        continue;
      if (auto *Slot = StringSwitch<std::optional<unsigned> *>(A.Key)
                           .Case("NumVGPR", &U.Vgprs)
                           .Case("NumAGPR", &U.Agprs)
                           .Case("NumSGPR", &U.Sgprs)
                           .Case("VGPRSpill", &U.VgprSpills)
                           .Case("SGPRSpill", &U.SgprSpills)
                           .Case("ScratchSize", &U.ScratchBytes)
                           .Case("BytesLDS", &U.LdsBytes)
                           .Case("Occupancy", &U.Occupancy)
                           .Default(nullptr))
        *Slot = Value;
    }
  }
};

/// A hash of each function's bytes in an object file.
std::map<std::string, std::string> codeHashes(ArrayRef<char> Object) {
  std::map<std::string, std::string> Out;
  auto File = object::ObjectFile::createObjectFile(
      MemoryBufferRef(StringRef(Object.data(), Object.size()), "object"));
  if (!File) {
    consumeError(File.takeError());
    return Out;
  }
  for (const object::ELFSymbolRef Symbol : (*File)->symbols()) {
    auto Name = Symbol.getName();
    auto Section = Symbol.getSection();
    auto Value = Symbol.getValue();
    if (!Name || !Section || !Value || Symbol.getELFType() != ELF::STT_FUNC) {
      if (!Name)
        consumeError(Name.takeError());
      if (!Section)
        consumeError(Section.takeError());
      if (!Value)
        consumeError(Value.takeError());
      continue;
    }
    auto Bytes = (*Section)->getContents();
    if (!Bytes) {
      consumeError(Bytes.takeError());
      continue;
    }
    Out[Name->str()] =
        utohexstr(xxh3_64bits(Bytes->substr(*Value, Symbol.getSize())));
  }
  return Out;
}

Arch archOf(StringRef Cpu) {
  unsigned Attributes = AMDGPU::getArchAttrAMDGCN(AMDGPU::parseArchAMDGCN(Cpu));
  bool Fast = (Attributes & AMDGPU::FEATURE_FAST_FMA_F32) &&
              (Attributes & AMDGPU::FEATURE_FAST_DENORMAL_F32);
  return Arch{TripleName.str(), Cpu.str(), /*FlushDenormals=*/!Fast};
}

} // namespace

Arch amdgcnArch(StringRef Cpu) { return archOf(Cpu); }

Amdgcn::Amdgcn(std::unique_ptr<DeviceLibs> Libs) : Libs(std::move(Libs)) {
  initialise();
}

/// The optimised IR of what \p Request asks for, with line tables where
/// \p Lines; null where there is none, and why in \p Problem.
std::unique_ptr<Module> Amdgcn::optimised(const MeasureRequest &Request,
                                          TargetMachine &TM, bool Lines,
                                          std::string &Problem) const {
  Diagnosis D;
  std::unique_ptr<Module> M =
      emit(Request.What, archOf(Request.On.Cpu), Libs->context(), D, Lines);
  if (!M) {
    Problem = "does not compile for " + Request.On.Name + ": " +
              StringRef(D.Text).split('\n').first.str();
    return nullptr;
  }
  M->setDataLayout(TM.createDataLayout());
  reduce(*M, Request.Kernels);
  if (Error E = Libs->link(*M, Request.On.Cpu, Request.What.Options)) {
    Problem = toString(std::move(E));
    return nullptr;
  }
  optimise(*M, TM);
  return M;
}

Measurement Amdgcn::compile(const MeasureRequest &Request) const {
  Measurement Out;
  StringRef Cpu = Request.On.Cpu;
  LLVMContext &Context = Libs->context();
  std::map<std::string, Usage> Figures;
  std::map<std::string, std::string> Problems;
  Context.setDiagnosticHandler(std::make_unique<Listener>(Figures, Problems));

  std::unique_ptr<TargetMachine> TM = machine(Cpu);
  std::unique_ptr<Module> M =
      optimised(Request, *TM, /*Lines=*/false, Out.Problem);
  if (!M)
    return Out;

  GpuModel Model = gpuModel(Cpu);
  std::map<std::string, WaveMemory> Memory =
      traceKernels(*M, *TM, Model.WaveLanes);
  WaveMemory Blocks = blocksOf(Memory);
  std::map<std::string, std::vector<std::string>> Undefined;
  for (const auto &[Name, W] : Memory)
    Undefined[Name] = undefinedCalls(*M->getFunction(Name));

  std::map<std::string, MachineCounts> Counts;
  SmallVector<char, 0> Object;
  Observers Watching;
  Watching.AtEnd = createAmdgcnCountingPass(Blocks, Model, Counts);
  std::map<std::string, Pressure> Live;
  watchEdges(Watching, Live);
  if (!generate(*M, *TM, Watching, CodeGenFileType::ObjectFile, Object)) {
    Out.Problem = "LLVM has no code generator for " + Request.On.Name;
    return Out;
  }
  std::map<std::string, std::string> Hashes = codeHashes(Object);

  for (const auto &[Name, W] : Memory) {
    KernelUsage K;
    K.Kernel = Name;
    K.Stored = W.Stored;
    K.CodeHash = Hashes[Name];
    if (const auto &Missing = Undefined[Name]; !Missing.empty())
      K.Problem = "not measurable: calls undefined " + join(Missing, ", ");
    else if (auto It = Problems.find(Name); It != Problems.end())
      K.Problem = It->second;
    else if (!Figures.count(Name))
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
    WaveWork Work = C.Work;
    Work.Bytes = W.Bytes;
    Estimate E = estimate(Work, K.Figures.Occupancy.value_or(1), Model);
    K.Figures.EstCycles = E.Cycles;
    K.Figures.EstBound = E.Bound;
    Out.Kernels.push_back(std::move(K));
  }
  return Out;
}

PressureReport Amdgcn::pressure(const MeasureRequest &Request) const {
  PressureReport Out;
  std::map<std::string, Usage> Figures;
  std::map<std::string, std::string> Problems;
  Libs->context().setDiagnosticHandler(
      std::make_unique<Listener>(Figures, Problems));
  std::unique_ptr<TargetMachine> TM = machine(Request.On.Cpu);
  std::unique_ptr<Module> M =
      optimised(Request, *TM, /*Lines=*/true, Out.Problem);
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
  if (!generate(*M, *TM, Watching, CodeGenFileType::ObjectFile, Object)) {
    Out.Kernels.clear();
    Out.Problem = "LLVM has no code generator for " + Request.On.Name;
    return Out;
  }
  std::map<std::string, std::string> Hashes = codeHashes(Object);
  for (KernelPressure &K : Out.Kernels) {
    K.Live = Live[K.Kernel];
    K.CodeHash = Hashes[K.Kernel];
    if (auto It = Problems.find(K.Kernel); It != Problems.end())
      K.Problem = It->second;
  }
  llvm::sort(Out.Kernels, [](const KernelPressure &A, const KernelPressure &B) {
    return A.Kernel < B.Kernel;
  });
  return Out;
}

WorkReport Amdgcn::work(const MeasureRequest &Request,
                        const ScalarArguments &Arguments) const {
  WorkReport Out;
  std::unique_ptr<TargetMachine> TM = machine(Request.On.Cpu);
  std::unique_ptr<Module> M =
      optimised(Request, *TM, /*Lines=*/true, Out.Problem);
  if (M)
    Out.Kernels =
        countWork(*M, *TM, gpuModel(Request.On.Cpu).WaveLanes, Arguments);
  return Out;
}

/// The waves that LLVM gives kernels of \p Counts VGPRs, which do nothing but
/// clobber a register.
static std::vector<unsigned> wavesFor(ArrayRef<unsigned> Counts,
                                      StringRef Cpu) {
  LLVMContext Context;
  std::map<std::string, Usage> Figures;
  std::map<std::string, std::string> Problems;
  Context.setDiagnosticHandler(std::make_unique<Listener>(Figures, Problems));
  std::unique_ptr<TargetMachine> TM = machine(Cpu, CodeGenOptLevel::None);
  Module M("curve", Context);
  M.setTargetTriple(TM->getTargetTriple());
  M.setDataLayout(TM->createDataLayout());
  FunctionType *Void = FunctionType::get(Type::getVoidTy(Context), false);
  for (unsigned N : Counts) {
    Function *F =
        Function::Create(Void, GlobalValue::ExternalLinkage, "k" + Twine(N), M);
    F->setCallingConv(CallingConv::AMDGPU_KERNEL);
    F->addFnAttr("target-cpu", Cpu);
    F->addFnAttr("amdgpu-flat-work-group-size", "1,256");
    IRBuilder<> B(BasicBlock::Create(Context, "", F));
    B.CreateCall(InlineAsm::get(Void, "", ("~{v" + Twine(N - 1) + "}").str(),
                                /*hasSideEffects=*/true));
    B.CreateRetVoid();
  }
  SmallVector<char, 0> Object;
  std::vector<unsigned> Waves;
  if (generate(M, *TM, Observers(), CodeGenFileType::ObjectFile, Object))
    for (unsigned N : Counts)
      Waves.push_back(Figures["k" + utostr(N)].Occupancy.value_or(0));
  return Waves;
}

OccupancyCurve Amdgcn::occupancyCurve(StringRef Cpu) {
  // Waves only fall as registers rise, so where both ends of a range have the
  // same, all between do: bisect, a module for each round of midpoints.
  constexpr unsigned MostVgprs = 256;
  std::map<unsigned, unsigned> Known;
  std::vector<unsigned> Ask{1, MostVgprs};
  while (!Ask.empty()) {
    std::vector<unsigned> Waves = wavesFor(Ask, Cpu);
    if (Waves.size() != Ask.size())
      return {};
    for (auto [N, W] : zip(Ask, Waves))
      Known[N] = W;
    Ask.clear();
    for (auto It = Known.begin(); std::next(It) != Known.end(); ++It) {
      auto [Low, High] = std::pair(*It, *std::next(It));
      if (Low.second != High.second && High.first - Low.first > 1)
        Ask.push_back((Low.first + High.first) / 2);
    }
  }
  OccupancyCurve Curve;
  for (unsigned N = 1; N <= MostVgprs; ++N)
    Curve.push_back(std::prev(Known.upper_bound(N))->second);
  return Curve;
}

} // namespace clrewrite
