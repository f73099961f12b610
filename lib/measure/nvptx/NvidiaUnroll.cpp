// Marking loops with what NVIDIA's compiler makes of them.
//
// What runs on NVIDIA's GPUs was compiled from the source by NVIDIA, not by
// LLVM's release, and the two unroll by different limits. So LLVM is told what
// to do by metadata on each loop. NVIDIA's way was found from outside: in the
// PTX that CUDA 13.0's compiler makes for sm_90 of kernels of one loop with 4
// to 1000 iterations and bodies of 10 to 800 instructions, and in what its
// OpenCL driver 580.159.04 makes on an H200 of nests, guards, exits and vectors
// (bench/unroll.py, which holds all of it against the driver). It is what an
// older LLVM does with limits of its own:
//   - innermost loops come first, and count in those around them as what they
//     were made into;
//   - a constant count is unrolled in full while the copies have some 400
//     instructions, without those that are constants then; about four times as
//     many where that takes an array of the work-item's own out of memory
//     (1,500 are, 1,750 are or are not);
//   - any other loop without a loop in it gets copies while these have 200
//     instructions: up to 16 of a constant count, if they divide it, else up to
//     4, if it has one exit and its count is known where it is entered;
//   - the loop for the rest of these is unrolled in full, with an exit behind
//     each turn, where the loop is in another one, and stays as it is
//     elsewhere;
//   - no other loop is touched;
//   - barriers keep no loop from any of this. LLVM makes no copies of a loop
//     with a barrier that leave a rest, since work-items might take the branch
//     around the rest differently. Here all of a work-group take it alike, as
//     they come to each barrier together.
#include "measure/nvptx/NvidiaUnroll.h"
#include "measure/llvm/Optimise.h"
#include "measure/llvm/SeldomTaken.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

constexpr StringLiteral RemainderMark = "clrewrite.remainder";
constexpr StringLiteral UnhintedMark = "clrewrite.unhinted";
constexpr StringLiteral InnerMark = "clrewrite.inner"; ///< a rest in a loop
constexpr StringLiteral FullMark = "llvm.loop.unroll.full";
constexpr StringLiteral CountMark = "llvm.loop.unroll.count";
constexpr StringLiteral DisableMark = "llvm.loop.unroll.disable";
constexpr StringLiteral EnableMark = "llvm.loop.unroll.enable";
constexpr double FullSize = 406, ArrayFactor = 4, PartialSize = 200;
constexpr unsigned MostConstantCopies = 16, MostOtherCopies = 4;
/// The instructions of a loop that its copies share: the comparison at its end
/// and the branch.
constexpr double SharedSize = 2, DivisionSize = 4;

/// \p I is `1 / sqrt(x)`, which is one instruction with its root.
bool isOneByRoot(const Instruction &I) {
  using namespace PatternMatch;
  const Value *Root = nullptr;
  if (!match(&I, m_FDiv(m_FPOne(), m_Value(Root))))
    return false;
  const auto *Call = dyn_cast<CallBase>(Root);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Call->hasOneUse() && Callee->getName().contains("sqrt") &&
         !Callee->getName().contains("rsqrt");
}

bool isMulAdd(const Value *V) {
  const auto *Call = dyn_cast<IntrinsicInst>(V);
  return Call && Call->getIntrinsicID() == Intrinsic::fmuladd;
}

/// What a built-in function gives for vectors, convert_uchar4 among them, which
/// works lane by lane.
bool isByLanes(const Value *V) {
  return isa<CallBase, CastInst>(V) && !isMulAdd(V) &&
         componentsOf(V->getType()) > 1 &&
         !isa<BitCastInst, AddrSpaceCastInst>(V);
}

/// As how many instructions the operands of \p I are taken apart, where no
/// other one does it.
double takenApart(const Instruction &I) {
  SmallPtrSet<const Value *, 4> Seen;
  double Out = 0;
  for (const Value *V : I.operand_values()) {
    if (isa<Constant>(V) || !V->getType()->isVectorTy() || isByLanes(V) ||
        !Seen.insert(V).second)
      continue;
    Out += componentsOf(V->getType());
  }
  return Out;
}

/// Somebody needs the lanes that \p I gives as a vector.
bool isPutTogether(const Instruction &I) {
  return any_of(I.users(), [](const User *U) {
    return !isByLanes(U) && !isa<ExtractElementInst>(U);
  });
}

/// As how many instructions \p I counts against the limits.
double sizeOf(const Instruction &I) {
  if (isa<PHINode, BitCastInst, AddrSpaceCastInst, AllocaInst>(I) ||
      I.isDebugOrPseudoInst() || I.isLifetimeStartOrEnd())
    return 0;
  if (const auto *G = dyn_cast<GetElementPtrInst>(&I))
    return G->hasAllConstantIndices() ? 0 : 1;
  if (getLoadStorePointerOperand(&I)) {
    auto *Access = const_cast<Instruction *>(&I); // before LLVM 22
    const Type *T = getLoadStoreType(Access);
    // vload and vstore access each element, and put it into the vector or take
    // it out.
    bool Whole = getLoadStoreAlignment(Access).value() * 8 >=
                 T->getPrimitiveSizeInBits();
    if (Whole)
      return 1;
    bool OnlyLanes = isa<LoadInst>(I) && all_of(I.users(), [](const User *U) {
                       return isa<ExtractElementInst>(U);
                     });
    return OnlyLanes ? double(I.getNumUses())
                     : std::max(1.0, 2 * componentsOf(T) - 1);
  }
  if (I.isIntDivRem() || I.getOpcode() == Instruction::FDiv)
    return isOneByRoot(I) ? 0 : DivisionSize;
  if (isa<ExtractElementInst>(I) && isByLanes(I.getOperand(0)))
    return 0;
  if (const auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I);
      Shuffle &&
      (Shuffle->isIdentityWithExtract() || Shuffle->isIdentityWithPadding()))
    return 0;
  if (isMulAdd(&I))
    return 2;
  double Components = componentsOf(I.getType());
  if (isByLanes(&I))
    return std::min(2 * Components, Components + takenApart(I) +
                                        (isPutTogether(I) ? Components : 0));
  return isa<MinMaxIntrinsic>(I) ? 2 : 1;
}

/// Whether \p Pointer goes to an element of a private array that \p L picks.
bool isArrayElement(const Value *Pointer, const Loop &L) {
  const auto *Gep = dyn_cast_or_null<GetElementPtrInst>(Pointer);
  return Gep && L.contains(Gep) && !Gep->hasAllConstantIndices() &&
         isa<AllocaInst>(getUnderlyingObject(Pointer));
}

class Marking : public PassInfoMixin<Marking> {
public:
  PreservedAnalyses run(Loop &L, LoopAnalysisManager &,
                        LoopStandardAnalysisResults &AR, LPMUpdater &) {
    // A function that kernels call is looked at once it stands in them, where
    // what it is called with is known.
    if (!isKernelBody(*L.getHeader()->getParent()))
      return PreservedAnalyses::all();
    nameRemainder(L);
    if (hasHint(L))
      return PreservedAnalyses::all();
    bool Arrays = false;
    double Size = sizeOf(L, AR, Arrays);
    unsigned Trips = constantTrips(L, AR.SE);
    // The branch at the end goes, too.
    double Copy = std::max(1.0, Size - foldedSize(L, AR) - 1);
    if (Trips && Trips * Copy <= FullSize * (Arrays ? ArrayFactor : 1))
      mark(L, FullMark);
    else if (unsigned Copies = copiesOf(L, Size, Trips, AR.SE); Copies > 1)
      mark(L, CountMark, Copies);
    else
      mark(L, DisableMark);
    return PreservedAnalyses::all();
  }

private:
  /// The turns of \p L, or the most that an exit allows; 0: no exit tells.
  static unsigned constantTrips(const Loop &L, ScalarEvolution &SE) {
    unsigned Trips = 0;
    SmallVector<BasicBlock *, 4> Exits;
    L.getExitingBlocks(Exits);
    for (BasicBlock *Exit : Exits) {
      bool IsJoined = any_of(Exits, [&](BasicBlock *Other) {
        return becomeOne(*Exit, *Other, L) || becomeOne(*Other, *Exit, L);
      });
      if (unsigned Turns = SE.getSmallConstantTripCount(&L, Exit);
          Turns && !IsJoined)
        Trips = Trips ? std::min(Trips, Turns) : Turns;
    }
    return Trips;
  }

  /// Whether two exits of \p L become one that both conditions decide, so that
  /// it has no count: \p Second comes behind \p First with one instruction
  /// before its comparison at most, and both leave for the same code with the
  /// same values.
  static bool becomeOne(BasicBlock &First, BasicBlock &Second, const Loop &L) {
    constexpr unsigned Most = 3;
    if (Second.getSinglePredecessor() != &First ||
        Second.sizeWithoutDebug() > Most)
      return false;
    for (BasicBlock *To : successors(&Second))
      if (!L.contains(To) && is_contained(successors(&First), To))
        return all_of(To->phis(), [&](const PHINode &P) {
          return P.getIncomingValueForBlock(&First) ==
                 P.getIncomingValueForBlock(&Second);
        });
    return false;
  }

  /// Instructions of \p L, whose inner loops are marked; \p Arrays is set where
  /// one picks an element of a private array.
  static double sizeOf(const Loop &L, LoopStandardAnalysisResults &AR,
                       bool &Arrays) {
    double Size = 0;
    for (const BasicBlock *B : L.blocks())
      if (AR.LI.getLoopFor(B) == &L)
        for (const Instruction &I : *B) {
          Size += measure::sizeOf(I);
          Arrays |= isArrayElement(getLoadStorePointerOperand(&I), L);
        }
    for (const Loop *Inner : L) {
      int Copies = getOptionalIntLoopAttribute(Inner, CountMark).value_or(1);
      // The loop for the rest has one turn less than there are copies, and
      // counts as unrolled.
      if (!AR.SE.getSmallConstantTripCount(Inner))
        Copies += Copies - 1;
      Size += unrolledSize(sizeOf(*Inner, AR, Arrays), Copies);
    }
    return Size;
  }

  static double unrolledSize(double Size, unsigned Copies) {
    return (Size - SharedSize) * Copies + SharedSize;
  }

  /// The instructions of \p L that are constants, or constant offsets of an
  /// address, once it is unrolled in full, and its unconditional branches.
  static double foldedSize(Loop &L, LoopStandardAnalysisResults &AR) {
    SmallPtrSet<const Value *, 16> Known;
    auto isKnown = [&](const Value *V) {
      return isa<Constant>(V) || Known.contains(V);
    };
    auto startsAndStepsKnown = [&](PHINode &P) {
      if (P.getParent() != L.getHeader() || !AR.SE.isSCEVable(P.getType()))
        return false;
      const auto *R = dyn_cast<SCEVAddRecExpr>(AR.SE.getSCEV(&P));
      return R && R->getLoop() == &L && isa<SCEVConstant>(R->getStart()) &&
             isa<SCEVConstant>(R->getStepRecurrence(AR.SE));
    };
    double Size = 0;
    LoopBlocksRPO Order(&L);
    Order.perform(&AR.LI);
    for (BasicBlock *B : Order) {
      if (AR.LI.getLoopFor(B) != &L)
        continue;
      for (Instruction &I : *B) {
        if (auto *P = dyn_cast<PHINode>(&I)) {
          if (startsAndStepsKnown(*P))
            Known.insert(P);
        } else if (auto *G = dyn_cast<GetElementPtrInst>(&I)) {
          Size += all_of(G->indices(), isKnown) ? measure::sizeOf(I) : 0;
        } else if (I.isTerminator()) {
          Size += I.getNumSuccessors() == 1;
        } else if (!I.mayReadOrWriteMemory() && all_of(I.operands(), isKnown)) {
          Known.insert(&I);
          Size += measure::sizeOf(I);
        }
      }
    }
    return Size;
  }

  /// Copies that \p L gets where it is not unrolled in full.
  static unsigned copiesOf(const Loop &L, double Size, unsigned Trips,
                           ScalarEvolution &SE) {
    if (!L.isInnermost())
      return 1;
    if (Trips)
      for (unsigned Copies = MostConstantCopies; Copies > 1; Copies /= 2)
        if (Trips % Copies == 0 && unrolledSize(Size, Copies) <= PartialSize)
          return Copies;
    if (!Trips && !isCounted(L, SE))
      return 1;
    // The copies of a constant count have an exit between them, and those of
    // another a loop for the rest.
    double Limit = Trips ? PartialSize : PartialSize - 1;
    unsigned Copies = MostOtherCopies;
    while (Copies > 1 && unrolledSize(Size, Copies) > Limit)
      Copies /= 2;
    return Copies;
  }

  /// Whether the turns of \p L are known where it is entered. An unsigned
  /// variable may pass its limit where the step is no constant.
  static bool isCounted(const Loop &L, ScalarEvolution &SE) {
    if (!L.getExitingBlock())
      return false;
    const SCEV *Turns = SE.getBackedgeTakenCount(&L);
    auto divides = [](const SCEV *S) {
      const auto *D = dyn_cast<SCEVUDivExpr>(S);
      return D && !isa<SCEVConstant>(D->getRHS());
    };
    const ICmpInst *End = L.getLatchCmpInst();
    return !isa<SCEVCouldNotCompute>(Turns) &&
           !(End && End->isUnsigned() && SCEVExprContains(Turns, divides));
  }

  /// A kernel; or its body, which Clang 22 gives a function of its own.
  static bool isKernelBody(const Function &F) {
    return isKernel(F) || F.getName().starts_with("__clang_ocl_kern_imp_");
  }

  /// Has the unroller say of a loop that it left it for the rest of \p L, and
  /// what is to become of that.
  static void nameRemainder(Loop &L) {
    static constexpr StringLiteral Left = "llvm.loop.unroll.followup_remainder";
    if (findOptionMDForLoop(&L, Left) || isRemainder(L))
      return;
    LLVMContext &C = L.getHeader()->getContext();
    auto option = [&](StringRef Name) {
      return MDNode::get(C, MDString::get(C, Name));
    };
    SmallVector<Metadata *, 4> Marks{
        MDString::get(C, Left), option(RemainderMark), option(DisableMark)};
    if (!L.isOutermost())
      Marks.push_back(option(InnerMark));
    add(L, MDNode::get(C, Marks));
  }

  static void add(Loop &L, MDNode *Option) {
    L.setLoopID(makePostTransformationMetadata(L.getHeader()->getContext(),
                                               L.getLoopID(), {}, {Option}));
  }

  static bool hasHint(const Loop &L) {
    static constexpr StringLiteral Hints[] = {DisableMark, EnableMark, FullMark,
                                              CountMark};
    return any_of(Hints, [&](StringRef Name) {
      return findOptionMDForLoop(&L, Name) != nullptr;
    });
  }

  static void mark(Loop &L, StringRef Name,
                   std::optional<unsigned> Count = std::nullopt) {
    LLVMContext &C = L.getHeader()->getContext();
    SmallVector<Metadata *, 2> Parts{MDString::get(C, Name)};
    if (Count)
      Parts.push_back(ConstantAsMetadata::get(
          ConstantInt::get(Type::getInt32Ty(C), *Count)));
    add(L, MDNode::get(C, Parts));
    add(L, MDNode::get(C, MDString::get(C, UnhintedMark)));
  }
};

/// Says of all loops and barriers that they end, as NVIDIA's compiler takes for
/// granted: the turns of `for (int i = a; i < n; i += step)` are counted then,
/// although a step of 0 would go on for ever, and although a barrier might keep
/// `i += 2` from being reached, which is what tells that it does not overflow.
/// A function that is inlined without the word takes it from its caller.
class AssumingEnds : public PassInfoMixin<AssumingEnds> {
public:
  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    for (Function &F : M)
      if (!F.isDeclaration())
        F.addFnAttr(Attribute::MustProgress);
      else if (isGroupBarrier(F.getName()))
        F.addFnAttr(Attribute::WillReturn);
    return PreservedAnalyses::none();
  }
};

/// Lets barriers be copied, or stops that again.
class Barriers : public PassInfoMixin<Barriers> {
public:
  explicit Barriers(bool AreCopied) : AreCopied(AreCopied) {}

  PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
    for (Function &F : M)
      if (isGroupBarrier(F.getName())) {
        set(F);
        for (User *U : F.users())
          if (auto *Call = dyn_cast<CallBase>(U))
            set(*Call);
      }
    return PreservedAnalyses::none();
  }

private:
  /// \p Of is a function or a call.
  template <typename T> void set(T &Of) const {
    if (AreCopied)
      Of.removeFnAttr(Attribute::Convergent);
    else
      Of.addFnAttr(Attribute::Convergent);
  }

  bool AreCopied;
};

/// Has loops for a rest that are in other loops unrolled next, and marks the
/// branches around them: their blocks are in no loop then that could tell what
/// they are. A rest that always runs has no such branch: what leads to it goes
/// nowhere else in the end.
class MarkingRests : public PassInfoMixin<MarkingRests> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &Analyses) {
    constexpr unsigned MostTurns = 8; // that LLVM unrolls in full
    LLVMContext &C = F.getContext();
    auto &SE = Analyses.getResult<ScalarEvolutionAnalysis>(F);
    auto &Dominators = Analyses.getResult<DominatorTreeAnalysis>(F);
    auto &Ends = Analyses.getResult<PostDominatorTreeAnalysis>(F);
    for (Loop *L : Analyses.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
      if (!findOptionMDForLoop(L, InnerMark))
        continue;
      unsigned Turns = SE.getSmallConstantMaxTripCount(L);
      if (!Turns || Turns > MostTurns)
        continue;
      L->setLoopID(makePostTransformationMetadata(
          C, L->getLoopID(), {DisableMark},
          {MDNode::get(C, MDString::get(C, EnableMark))}));
      BasicBlock *Before = L->getLoopPredecessor();
      bool IsEmpty = Before && Before->getUniqueSuccessor();
      BasicBlock *Into = IsEmpty ? Before : L->getHeader();
      for (BasicBlock *From : predecessors(Into))
        if (auto *Guard = dyn_cast<BranchInst>(From->getTerminator());
            Guard && Guard->isConditional() && !L->contains(From) &&
            !Dominators.dominates(Into, From) && !Ends.dominates(Into, From))
          markSeldomTaken(*Guard, Guard->getSuccessor(1) == Into);
    }
    return PreservedAnalyses::all();
  }
};

/// Takes the mark that no loop is to be unrolled again from loops without a
/// hint that are not for a rest. The back end would hand it on to ptxas, which
/// unrolls some loops that NVIDIA's compiler leaves as they are.
class Unmarking : public PassInfoMixin<Unmarking> {
public:
  PreservedAnalyses run(Function &F, FunctionAnalysisManager &) {
    for (BasicBlock &B : F)
      if (MDNode *Id = B.getTerminator()->getMetadata(LLVMContext::MD_loop))
        if (findOptionMDForLoopID(Id, UnhintedMark))
          B.getTerminator()->setMetadata(
              LLVMContext::MD_loop, makePostTransformationMetadata(
                                        F.getContext(), Id, {DisableMark}, {}));
    return PreservedAnalyses::all();
  }
};

} // namespace

bool isRemainder(const Loop &L) {
  return findOptionMDForLoop(&L, RemainderMark) != nullptr;
}

void unrollAsNvidia(PassBuilder &Passes) {
  Passes.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, auto...) { MPM.addPass(AssumingEnds()); });
  Passes.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &LPM, OptimizationLevel) { LPM.addPass(Marking()); });
  Passes.registerOptimizerEarlyEPCallback([](ModulePassManager &MPM, auto...) {
    MPM.addPass(Barriers(/*AreCopied=*/true));
  });
  Passes.registerOptimizerLastEPCallback([](ModulePassManager &MPM, auto...) {
    FunctionPassManager FPM;
    FPM.addPass(MarkingRests());
    FPM.addPass(LoopUnrollPass({/*OptLevel=*/3, /*OnlyWhenForced=*/true}));
    FPM.addPass(Unmarking());
    MPM.addPass(createModuleToFunctionPassAdaptor(std::move(FPM)));
    MPM.addPass(Barriers(/*AreCopied=*/false));
  });
}

} // namespace clrewrite::measure
