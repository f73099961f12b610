// Source to VLIW code for an old AMD GPU, and the figures at its end.
#include "measure/r600/R600.h"
#include "frontend/Emit.h"
#include "measure/llvm/Bitcode.h"
#include "measure/llvm/CodeGen.h"
#include "measure/llvm/ObjectCode.h"
#include "measure/llvm/Optimise.h"
#include "measure/llvm/OtherKernels.h"
#include "measure/llvm/Problems.h"
#include "measure/r600/R600Limits.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/TargetSelect.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

constexpr StringLiteral LibrarySuffix = "-r600--.bc";
/// The processors below Evergreen have no library; all others one of a few.
constexpr StringLiteral AnyLibrary = "/cedar-r600--.bc";

constexpr uint32_t PgmResourcesLs = 0x288D4, LdsAlloc = 0x288E8;

std::unique_ptr<TargetMachine> r600Machine(StringRef Cpu) {
  LLVMInitializeAMDGPUTargetInfo();
  LLVMInitializeAMDGPUTarget();
  LLVMInitializeAMDGPUTargetMC();
  LLVMInitializeAMDGPUAsmPrinter();
  return machineOf(R600Triple, Cpu, CodeGenOptLevel::Aggressive, Reloc::Static);
}

/// Gathers errors by the function that has them, and keeps all messages off
/// the terminal.
class ErrorListener : public DiagnosticHandler {
public:
  explicit ErrorListener(Problems &Errors) : Errors(Errors) {}

  bool handleDiagnostics(const DiagnosticInfo &Info) override {
    Errors.add(Info);
    return true;
  }

private:
  Problems &Errors;
};

/// Counts each function's instructions, those within bundles one by one.
class InstructionCount : public MachineFunctionPass {
public:
  static char ID;
  explicit InstructionCount(std::map<std::string, unsigned> &Into)
      : MachineFunctionPass(ID), Into(Into) {}

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    unsigned &Count = Into[MF.getName().str()];
    for (const MachineBasicBlock &B : MF)
      for (const MachineInstr &I : B.instrs())
        Count += !I.isMetaInstruction() && !I.isBundle();
    return false;
  }

private:
  std::map<std::string, unsigned> &Into;
};

char InstructionCount::ID = 0;

/// The machine has no calls that the back end could use.
void inlineAll(Module &M) {
  for (Function &F : M)
    if (!F.isDeclaration() && !isKernel(F))
      inlineAlways(F);
}

/// The figures of each function in \p Object; none where its parts do not fit
/// together.
std::map<std::string, R600Config> configsOf(ArrayRef<char> Object,
                                            ArrayRef<FunctionCode> Code) {
  std::vector<R600Config> List =
      parseR600Config(sectionOf(Object, ".AMDGPU.config"));
  std::map<std::string, R600Config> Out;
  if (List.size() == Code.size())
    for (auto [Function, Config] : zip(Code, List))
      Out[Function.Name] = Config;
  return Out;
}

Usage figuresOf(const R600Config &Config, const FunctionCode &Code,
                unsigned Instructions) {
  Usage U;
  U.Vgprs = Config.Gprs;
  U.StackEntries = Config.StackEntries;
  U.LdsBytes = Config.LdsBytes;
  U.VgprSpills = U.ScratchBytes = 0;
  U.CodeBytes = unsigned(Code.Bytes);
  U.Instructions = Instructions;
  return U;
}

} // namespace

std::vector<R600Config> parseR600Config(StringRef Section) {
  std::vector<R600Config> Out;
  if (Section.size() % 8)
    return Out;
  for (; !Section.empty(); Section = Section.drop_front(8)) {
    uint32_t Register = support::endian::read32le(Section.data());
    uint32_t Value = support::endian::read32le(Section.data() + 4);
    if (Register == PgmResourcesLs)
      Out.push_back({Value & 0xff, Value >> 8 & 0xff, 0});
    else if (Register == LdsAlloc && !Out.empty())
      Out.back().LdsBytes = 4 * Value;
  }
  return Out;
}

R600::R600()
    : Backend(r600Family()), Context(std::make_unique<LLVMContext>()) {}
R600::~R600() = default;

Expected<std::unique_ptr<Backend>> R600::open(const std::string &Directory) {
  std::unique_ptr<R600> Out(new R600());
  Out->Directory = libclcWith(AnyLibrary, Directory);
  if (!Out->Directory.empty())
    return std::move(Out);
  return createStringError(
      "no built-in library for AMD's GPUs before GCN: install libclc (Debian: "
      "libclc-%d), or name the directory of cedar-r600--.bc with "
      "--device-libs",
      LLVM_VERSION_MAJOR);
}

std::vector<std::string> R600::files(StringRef Cpu) const {
  const R600Processor *P = r600Processor(Cpu);
  return {Directory + "/" + (P ? P->Library.str() : Cpu.str()) +
          LibrarySuffix.str()};
}

Error R600::load(StringRef Cpu) {
  std::string Path = files(Cpu).front();
  std::unique_ptr<Module> &Library = Modules[Path];
  if (Library)
    return Error::success();
  auto Read = openBitcode(Path, *Context);
  if (!Read)
    return Read.takeError();
  Library = std::move(*Read);
  return Error::success();
}

/// The optimised IR of what \p Request asks for; null where there is none, and
/// why in \p Problem.
std::unique_ptr<Module> R600::optimised(const MeasureRequest &Request,
                                        TargetMachine &TM,
                                        std::string &Problem) const {
  StringRef Cpu = Request.On.Cpu;
  frontend::Diagnosis D;
  std::unique_ptr<Module> M =
      frontend::emit(Request.What, family().arch(Cpu), *Context, D);
  if (!M) {
    Problem = "does not compile for " + Request.On.Name + ": " +
              StringRef(D.Text).split('\n').first.str();
    return nullptr;
  }
  M->setDataLayout(TM.createDataLayout());
  // All is inlined, so that no kernel depends on another one.
  removeOthers(*M, Request.Kernels);
  hideFunctions(*M);
  FunctionSet Own = definedIn(*M);
  std::unique_ptr<Module> &Library = Modules[files(Cpu).front()];
  if (!Library || !linkBitcode(*M, std::move(Library))) {
    Problem = "the built-in library does not link";
    return nullptr;
  }
  adoptTarget(*M, Own);
  inlineAll(*M);
  optimise(*M, TM, Request.Kernels);
  return M;
}

Measurement R600::compile(const MeasureRequest &Request) const {
  Measurement Out;
  Problems Errors;
  Context->setDiagnosticHandler(std::make_unique<ErrorListener>(Errors));
  const R600Processor *On = r600Processor(Request.On.Cpu);
  std::unique_ptr<TargetMachine> TM = r600Machine(Request.On.Cpu);
  if (!TM || !On) {
    Out.Problem = "this LLVM has no r600 back end for " + Request.On.Name;
    return Out;
  }
  std::unique_ptr<Module> M = optimised(Request, *TM, Out.Problem);
  if (!M)
    return Out;

  auto Memory = traceKernels(*M, *TM, On->WaveLanes, Request.Launches);
  std::map<std::string, std::optional<unsigned>> GroupSizes;
  for (Function &F : make_early_inc_range(*M)) {
    if (F.isDeclaration() || !isKernel(F))
      continue;
    KernelUsage K;
    K.Kernel = F.getName().str();
    K.Stored = Memory[K.Kernel].Stored;
    GroupSizes[K.Kernel] = requiredGroupSize(F);
    // The back end would stop at the call.
    if (auto Missing = undefinedCalls(F); !Missing.empty()) {
      K.Problem = "not measurable: calls undefined " + join(Missing, ", ");
      F.eraseFromParent();
    }
    Out.Kernels.push_back(std::move(K));
  }

  std::map<std::string, unsigned> Counts;
  SmallVector<char, 0> Object;
  Observers Watching;
  Watching.AtEnd = new InstructionCount(Counts);
  if (!generate(*M, *TM, Watching, CodeGenFileType::ObjectFile, Object)) {
    Out.Kernels.clear();
    Out.Problem = "LLVM has no code generator for " + Request.On.Name;
    return Out;
  }
  std::vector<FunctionCode> Code = functionCode(Object);
  std::map<std::string, R600Config> Configs = configsOf(Object, Code);
  for (KernelUsage &K : Out.Kernels) {
    if (!K.measured())
      continue;
    auto Own = find_if(
        Code, [&](const FunctionCode &F) { return F.Name == K.Kernel; });
    if (std::string Error = Errors.of(K.Kernel); !Error.empty())
      K.Problem = "LLVM: " + Error;
    else if (Own == Code.end() || !Configs.count(K.Kernel))
      K.Problem = "the back end reported no resources";
    if (!K.measured())
      continue;
    K.CodeHash = Own->Hash;
    K.Figures = figuresOf(Configs[K.Kernel], *Own, Counts[K.Kernel]);
    addR600Occupancy(K.Figures, *On, GroupSizes[K.Kernel]);
  }
  return Out;
}

} // namespace clrewrite::measure
