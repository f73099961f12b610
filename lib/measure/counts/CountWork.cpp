// Counting what a work-item does.
//
// The optimised IR is counted, not the machine code: there, loads and stores
// are those that remain (what the compiler keeps in registers is gone, what it
// joins is one), and operations are still told from what addressing needs. Each
// block counts as often as the loops around it run: exactly where their bounds
// are in the text or given; else with the count that the estimate assumes
// (WaveTrace.h), which is noted as a guess.
//
// Both sides of a branch count, as a wave whose lanes disagree runs both; the
// work of blocks that are conditional (UnconditionalBlocks.h) is also summed
// separately.
#include "measure/counts/CountWork.h"
#include "measure/estimate/Estimate.h"
#include "measure/estimate/TripBound.h"
#include "measure/estimate/UnconditionalBlocks.h"
#include "measure/llvm/AddressSpaces.h"
#include "measure/llvm/Optimise.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

/// Floating-point operations of an intrinsic, for each component.
double flopsOf(const IntrinsicInst &I) {
  StringRef Name = I.getCalledFunction()->getName();
  switch (I.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return 2;
  case Intrinsic::sqrt:
  case Intrinsic::sin:
  case Intrinsic::cos:
  case Intrinsic::tan:
  case Intrinsic::exp:
  case Intrinsic::exp2:
  case Intrinsic::exp10:
  case Intrinsic::log:
  case Intrinsic::log2:
  case Intrinsic::log10:
  case Intrinsic::pow:
    return 1;
  default:
    break;
  }
  if (Name.consume_front("llvm.nvvm.fma."))
    return 2;
  bool Own =
      Name.consume_front("llvm.amdgcn.") || Name.consume_front("llvm.nvvm.");
  StringRef Stem = Name.take_until([](char C) { return C == '.'; });
  static constexpr StringLiteral One[] = {"rcp", "rsq",  "sqrt", "sin", "cos",
                                          "log", "exp2", "ex2",  "lg2", "div",
                                          "add", "mul",  "rsqrt"};
  return Own && is_contained(One, Stem) ? 1 : 0;
}

/// What the launch itself says, such as the size of its groups.
bool isLaunchs(const Value *Pointer) {
  const auto *C = dyn_cast<IntrinsicInst>(getUnderlyingObject(Pointer, 12));
  return C && C->getCalledFunction()->getName().ends_with("ptr");
}

/// Has such loads read private memory, which a trace of bytes passes over.
void hideLaunchs(Function &F) {
  for (BasicBlock &B : F)
    for (Instruction &I : B)
      if (auto *L = dyn_cast<LoadInst>(&I);
          L && isLaunchs(L->getPointerOperand()))
        L->setOperand(0, new AddrSpaceCastInst(
                             L->getPointerOperand(),
                             PointerType::get(F.getContext(), PrivateSpace), "",
                             L->getIterator()));
}

class Counter {
public:
  Counter(Function &F, UniformityInfo &Uniform, KernelWork &Out)
      : Layout(F.getParent()->getDataLayout()), Uniform(Uniform), Out(Out) {}

  /// Adds \p I, which runs \p Count times, conditionally unless \p Always.
  void add(const Instruction &I, double Count, bool Always) {
    Times = Count;
    Sure = Always;
    if (const auto *L = dyn_cast<LoadInst>(&I))
      return access(L->getPointerOperand(), L->getType(), true, false);
    if (const auto *S = dyn_cast<StoreInst>(&I))
      return access(S->getPointerOperand(), S->getValueOperand()->getType(),
                    false, true);
    if (const auto *A = dyn_cast<AtomicRMWInst>(&I)) {
      Out.Atomics += Times;
      return access(A->getPointerOperand(), A->getType(), true, true);
    }
    if (const auto *A = dyn_cast<AtomicCmpXchgInst>(&I)) {
      Out.Atomics += Times;
      return access(A->getPointerOperand(), A->getCompareOperand()->getType(),
                    true, true);
    }
    if (const auto *M = dyn_cast<MemIntrinsic>(&I))
      return transfer(*M);
    if (const auto *C = dyn_cast<IntrinsicInst>(&I))
      return intrinsic(*C);
    if (const auto *B = dyn_cast<BinaryOperator>(&I))
      operation(*B);
  }

private:
  const DataLayout &Layout;
  UniformityInfo &Uniform;
  KernelWork &Out;
  double Times = 0;
  bool Sure = true;

  void access(const Value *Pointer, Type *T, bool Loads, bool Stores) {
    if (!isLaunchs(Pointer))
      move(Pointer, double(Layout.getTypeStoreSize(T)), Loads, Stores);
  }

  void move(const Value *Pointer, double Bytes, bool Loads, bool Stores) {
    unsigned Space = Pointer->getType()->getPointerAddressSpace();
    bool OfMemory = Space != SharedSpace && Space != PrivateSpace;
    bool Same = OfMemory && Loads && !Stores && !Uniform.isDivergent(Pointer);
    note(Space == SharedSpace    ? Out.Local
         : Space == PrivateSpace ? Out.Private
         : Same                  ? Out.Uniform
                                 : Out.Global,
         Bytes, Loads, Stores);
    if (OfMemory && !Sure)
      note(Out.Conditional, Bytes, Loads, Stores);
  }

  void note(MemoryWork &To, double Bytes, bool Loads, bool Stores) {
    To.Loads += Loads ? Times : 0;
    To.Stores += Stores ? Times : 0;
    To.LoadBytes += Loads ? Bytes * Times : 0;
    To.StoreBytes += Stores ? Bytes * Times : 0;
  }

  void transfer(const MemIntrinsic &M) {
    const auto *N = dyn_cast<ConstantInt>(M.getLength());
    double Bytes = N ? double(N->getZExtValue()) : 0;
    move(M.getRawDest(), Bytes, false, true);
    if (const auto *T = dyn_cast<MemTransferInst>(&M))
      move(T->getRawSource(), Bytes, true, false);
  }

  void intrinsic(const IntrinsicInst &C) {
    StringRef Name = C.getCalledFunction()->getName();
    constexpr double NvidiaTexel = 16; // what PTX takes, of any image
    if (Name.starts_with("llvm.amdgcn.image.store") ||
        Name.starts_with("llvm.amdgcn.struct.buffer.store.format"))
      return note(
          Out.Images,
          double(Layout.getTypeStoreSize(C.getArgOperand(0)->getType())), false,
          true);
    if (Name.starts_with("llvm.nvvm.sust."))
      return note(Out.Images, NvidiaTexel, false, true);
    if (Name.starts_with("llvm.amdgcn.image.load") ||
        Name.starts_with("llvm.amdgcn.image.sample") ||
        Name.starts_with("llvm.amdgcn.image.gather") ||
        Name.starts_with("llvm.amdgcn.struct.buffer.load.format") ||
        Name.starts_with("llvm.nvvm.tex."))
      return note(Out.Images, double(Layout.getTypeStoreSize(C.getType())),
                  true, false);
    flops(C.getType(), flopsOf(C));
  }

  void flops(const Type *T, double Each) {
    double N = Each * componentsOf(T) * Times;
    const Type *E = T->getScalarType();
    Out.Flops += N;
    Out.HalfFlops += E->isHalfTy() ? N : 0;
    Out.DoubleFlops += E->isDoubleTy() ? N : 0;
    Out.ConditionalFlops += Sure ? 0 : N;
  }

  void operation(const BinaryOperator &B) {
    if (B.getType()->isFPOrFPVectorTy())
      flops(B.getType(), 1);
    else if (!B.getType()->getScalarType()->isIntegerTy(1))
      Out.IntOps += componentsOf(B.getType()) * Times;
  }
};

/// The parameters that \p Count depends on.
std::vector<unsigned> argumentsOf(const SCEV *Count) {
  std::vector<unsigned> Out;
  struct Finder {
    std::vector<unsigned> &Out;
    bool follow(const SCEV *S) {
      const auto *U = dyn_cast<SCEVUnknown>(S);
      const auto *A = U ? dyn_cast<Argument>(U->getValue()) : nullptr;
      if (A && !is_contained(Out, A->getArgNo()))
        Out.push_back(A->getArgNo());
      return true;
    }
    bool isDone() const { return false; }
  } Visitor{Out};
  SCEVTraversal<Finder>(Visitor).visitAll(Count);
  llvm::sort(Out);
  return Out;
}

/// What is computed for one function, as it stands.
struct Analyses {
  DominatorTree DT;
  LoopInfo Loops;
  AssumptionCache AC;
  ScalarEvolution SE;

  Analyses(Function &F, TargetLibraryInfo &TLI)
      : DT(F), Loops(DT), AC(F), SE(F, TLI, AC, DT, Loops) {}
};

class KernelCounter {
public:
  KernelCounter(Function &F, FunctionAnalysisManager &FAM, unsigned WaveLanes)
      : F(F), FAM(FAM), Library(Triple(F.getParent()->getTargetTriple())),
        TLI(Library) {
    Out.Kernel = F.getName().str();
    Out.WaveLanes = WaveLanes;
  }

  KernelWork run(const launch::LaunchFacts &Launch) {
    DenseSet<const BasicBlock *> Exact;
    {
      Analyses Before(F, TLI);
      for (const Loop *L : Before.Loops.getLoopsInPreorder())
        if (Before.SE.getSmallConstantTripCount(L))
          Exact.insert(L->getHeader());
    }
    UniformityInfo &Uniform = FAM.getResult<UniformityInfoAnalysis>(F);
    for (const auto &[I, Value] : Launch.Scalars)
      if (I < F.arg_size() && F.getArg(I)->getType()->isIntegerTy())
        F.getArg(I)->replaceAllUsesWith(
            ConstantInt::getSigned(F.getArg(I)->getType(), Value));
    hideLaunchs(F);
    Analyses Now(F, TLI);
    WaveMemory Memory = traceWave(F, Now.Loops, Now.SE, Out.WaveLanes, Launch);
    Out.WaveBytes = Memory.Bytes;
    for (const Loop *L : Now.Loops.getLoopsInPreorder())
      noteLoop(*L, Now.SE, Exact, Memory);
    UnconditionalBlocks Always(F, Now.Loops, Exact);
    Counter Count(F, Uniform, Out);
    for (BasicBlock &B : F) {
      double Times = Memory.Skipped.contains(&B) ? 0 : 1;
      for (const Loop *L = Now.Loops.getLoopFor(&B); L; L = L->getParentLoop())
        Times *= Memory.Trips.lookup(L->getHeader());
      bool Sure = Always.has(&B);
      for (const Instruction &I : B)
        Count.add(I, Times, Sure);
    }
    return std::move(Out);
  }

private:
  Function &F;
  FunctionAnalysisManager &FAM;
  TargetLibraryInfoImpl Library;
  TargetLibraryInfo TLI;
  KernelWork Out;

  void noteLoop(const Loop &L, ScalarEvolution &SE,
                const DenseSet<const BasicBlock *> &Exact,
                const WaveMemory &Memory) {
    if (Exact.contains(L.getHeader()))
      return;
    if (SE.getSmallConstantTripCount(&L)) {
      ++Out.Told;
      return;
    }
    LoopGuess G;
    G.Trips = Memory.Trips.lookup(L.getHeader());
    if (DebugLoc At = L.getStartLoc())
      G.Line = At.getLine();
    const SCEV *Count = SE.getBackedgeTakenCount(&L);
    if (!isa<SCEVCouldNotCompute>(Count)) {
      G.Arguments = argumentsOf(Count);
      std::optional<int64_t> Most = upperBound(Count);
      G.Bound = Most && double(*Most + 1) == G.Trips;
    }
    Out.Guesses.push_back(std::move(G));
  }
};

} // namespace

std::vector<KernelWork> countWork(Module &M, TargetMachine &TM,
                                  unsigned WaveLanes,
                                  const launch::FactsByKernel &Launches) {
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  PassBuilder PB(&TM);
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  std::vector<KernelWork> Out;
  for (Function &F : M) {
    if (F.isDeclaration() || !isKernel(F))
      continue;
    Out.push_back(KernelCounter(F, FAM, WaveLanes).run(factsOf(F, Launches)));
    if (auto Missing = undefinedCalls(F); !Missing.empty())
      Out.back().Problem =
          "not countable: calls undefined " + join(Missing, ", ");
  }
  llvm::sort(Out, [](const KernelWork &A, const KernelWork &B) {
    return A.Kernel < B.Kernel;
  });
  return Out;
}

} // namespace clrewrite::measure
