// The lanes of one wave are traced through the optimised IR, and the memory
// that they touch is counted.
#include "measure/estimate/WaveTrace.h"
#include "measure/Usage.h"
#include "measure/estimate/Estimate.h"
#include "measure/estimate/TripBound.h"
#include "measure/estimate/WaveLane.h"
#include "measure/llvm/AddressSpaces.h"
#include "measure/llvm/SeldomTaken.h"
#include "measure/nvptx/NvidiaUnroll.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CmpPredicate.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

constexpr unsigned SampledLanes = 16;
constexpr unsigned SampledIterations = 64; ///< of a whole loop nest
constexpr double MaxTrips = 1 << 20;
/// Below this, the most that a loop can run is taken for a number that the
/// source states.
constexpr int64_t MostCutTrips = 64;

/// One place that moves memory.
struct Access {
  const Instruction *At;
  const Value *Pointer; ///< null for images
  unsigned Bytes;
  bool Store;
};

std::optional<Access> accessOf(Instruction &I, const DataLayout &DL) {
  auto size = [&](Type *T) { return unsigned(DL.getTypeStoreSize(T)); };
  if (auto *L = dyn_cast<LoadInst>(&I))
    return Access{&I, L->getPointerOperand(), size(L->getType()), false};
  if (auto *S = dyn_cast<StoreInst>(&I))
    return Access{&I, S->getPointerOperand(),
                  size(S->getValueOperand()->getType()), true};
  if (auto *A = dyn_cast<AtomicRMWInst>(&I))
    return Access{&I, A->getPointerOperand(), size(A->getType()), true};
  if (auto *A = dyn_cast<AtomicCmpXchgInst>(&I))
    return Access{&I, A->getPointerOperand(),
                  size(A->getCompareOperand()->getType()), true};
  if (auto *C = dyn_cast<IntrinsicInst>(&I)) {
    StringRef Name = C->getCalledFunction()->getName();
    if (Name.starts_with("llvm.amdgcn.image.store") ||
        Name.starts_with("llvm.amdgcn.struct.buffer.store.format") ||
        Name.starts_with("llvm.nvvm.sust."))
      return Access{&I, nullptr, 4, true};
    if (Name.starts_with("llvm.amdgcn.image.") ||
        Name.starts_with("llvm.amdgcn.struct.buffer.load.format") ||
        Name.starts_with("llvm.nvvm.tex."))
      return Access{&I, nullptr, 4, false};
    if (auto *M = dyn_cast<MemIntrinsic>(C))
      if (auto *N = dyn_cast<ConstantInt>(M->getLength()))
        return Access{&I, M->getRawDest(), unsigned(N->getZExtValue()), true};
  }
  return std::nullopt;
}

/// Words of 4 bytes by number, in order, each once.
using Words = std::vector<int64_t>;

Words inOrder(Words List) {
  llvm::sort(List);
  List.erase(std::unique(List.begin(), List.end()), List.end());
  return List;
}

/// The words of one memory object that a wave touched, or the bytes.
struct Touched {
  Words Numbers;
  double Scale = 0; ///< sampled ones stand for Scale times as many

  double distinct(double UnitBytes = 4) const {
    return UnitBytes * double(Numbers.size()) * Scale;
  }

  /// A 64-byte line with few touched words costs a 32-byte sector.
  double moved() const {
    size_t Lines = 0;
    for (size_t I = 0; I < Numbers.size(); ++I)
      Lines += I == 0 || Numbers[I] >> 4 != Numbers[I - 1] >> 4;
    bool Scattered = Numbers.size() <= 4 * Lines;
    return Scattered ? 32.0 * double(Lines) * Scale : distinct();
  }
};

std::string objectName(const Value *Pointer) {
  // Through phis too: a pointer that a loop moves is still the same buffer's.
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, 12);
  if (Objects.size() != 1)
    return UnknownObject.str();
  const Value *Object = Objects.front();
  if (const auto *A = dyn_cast<Argument>(Object))
    return "arg " + utostr(A->getArgNo());
  return Object->hasName() ? Object->getName().str() : UnknownObject.str();
}

class Tracer {
public:
  Tracer(LoopInfo &Loops, ScalarEvolution &SE, const DominatorTree &Tree,
         const DataLayout &DL, unsigned WaveLanes, WaveMemory &Out)
      : Loops(Loops), SE(SE), Tree(Tree), DL(DL), WaveLanes(WaveLanes),
        Out(Out) {}

  /// Adds what \p A touches over the sampled lanes and iterations.
  void add(const Access &A) {
    if (!A.Pointer)
      return addImage(A);
    unsigned Space = A.Pointer->getType()->getPointerAddressSpace();
    if (!mayHoldBuffers(Space))
      return; // LDS and scratch cost no memory bandwidth of their own.
    SmallVector<const Loop *> Nest = nestOf(A);
    double Trips = 1;
    for (const Loop *L : Nest)
      Trips *= Out.Trips.lookup(L->getHeader());
    unsigned Samples = unsigned(std::min<double>(Trips, SampledIterations));
    const bool Small = A.Store && A.Bytes < 4;
    Words Here, Bytes;
    Lane Now(SE, DL, Loops, Tree, Out.Launch);
    for (unsigned S = 0; S < Samples; ++S) {
      // Count through the nest, the innermost loop fastest.
      unsigned Rest = S;
      for (const Loop *L : Nest) {
        unsigned N = std::max(1u, unsigned(Out.Trips.lookup(L->getHeader())));
        Now.Iteration[L] = Rest % N;
        Rest /= N;
      }
      for (Now.Id = 0; Now.Id < SampledLanes; ++Now.Id) {
        Now.forget();
        int64_t At = Now.value(A.Pointer);
        for (int64_t W = At >> 2; W <= (At + A.Bytes - 1) >> 2; ++W)
          Here.push_back(W);
        for (int64_t B = At; Small && B < At + A.Bytes; ++B)
          Bytes.push_back(B);
      }
    }
    double Scale = Trips / std::max(1u, Samples) * WaveLanes / SampledLanes;
    // One address for all lanes is one access, however many lanes there are.
    Here = inOrder(std::move(Here));
    std::string Object = objectName(A.Pointer);
    merge(Touches[{Object, A.Store}], Here, Scale);
    if (A.Store)
      merge(Stores[{Object, Small}], Small ? inOrder(std::move(Bytes)) : Here,
            Scale);
  }

  void finish() {
    for (const auto &[Key, T] : Touches)
      Out.Bytes += T.moved();
    for (const auto &[Key, T] : Stores)
      Out.Stored[Key.first] += T.distinct(Key.second ? 1 : 4);
  }

private:
  LoopInfo &Loops;
  ScalarEvolution &SE;
  const DominatorTree &Tree;
  const DataLayout &DL;
  unsigned WaveLanes;
  WaveMemory &Out;
  /// By the object, and whether it is stored to.
  std::map<std::pair<std::string, bool>, Touched> Touches;
  /// What is stored, by the object, in bytes where each store has less than a
  /// word: the stores of several lanes may make one.
  std::map<std::pair<std::string, bool>, Touched> Stores;

  /// The loops around \p A in which its address moves: a turn of another one
  /// touches nothing new.
  SmallVector<const Loop *> nestOf(const Access &A) const {
    const SCEV *At =
        A.Pointer ? SE.getSCEV(const_cast<Value *>(A.Pointer)) : nullptr;
    SmallVector<const Loop *> Nest;
    for (const Loop *L = Loops.getLoopFor(A.At->getParent()); L;
         L = L->getParentLoop())
      if (!At || !SE.isLoopInvariant(At, L))
        Nest.push_back(L);
    return Nest;
  }

  /// Accesses of one object share their bytes; the larger scale counts for
  /// all, weighted by the words that each brings.
  static void merge(Touched &Into, const Words &From, double Scale) {
    Words All;
    std::set_union(Into.Numbers.begin(), Into.Numbers.end(), From.begin(),
                   From.end(), std::back_inserter(All));
    size_t Before = Into.Numbers.size(), After = All.size();
    Into.Numbers = std::move(All);
    if (After)
      Into.Scale =
          (Into.Scale * double(Before) + Scale * double(After - Before)) /
          double(After);
  }

  void addImage(const Access &A) {
    double Trips = 1;
    for (const Loop *L : nestOf(A))
      Trips *= Out.Trips.lookup(L->getHeader());
    Out.Bytes += A.Bytes * Trips * WaveLanes;
    if (A.Store)
      Out.Stored["image"] += A.Bytes * Trips * WaveLanes;
  }
};

/// A test `(address & mask) == 0`, or its opposite.
struct AlignmentTest {
  const Value *Pointer;
  int64_t Mask;
  bool ForZero;

  static std::optional<AlignmentTest> in(const Value *Condition) {
    using namespace PatternMatch;
    const Value *Pointer = nullptr, *Masked = nullptr;
    const APInt *Mask = nullptr;
    CmpPredicate Compared;
    if (!match(Condition,
               m_ICmp(Compared, m_And(m_Value(Masked), m_APInt(Mask)),
                      m_Zero())) ||
        !ICmpInst::isEquality(Compared) || Mask->uge(4096) ||
        !match(Masked, m_CombineOr(m_PtrToInt(m_Value(Pointer)),
                                   m_Trunc(m_PtrToInt(m_Value(Pointer))))))
      return std::nullopt;
    return AlignmentTest{Pointer, int64_t(Mask->getZExtValue()),
                         Compared == ICmpInst::ICMP_EQ};
  }

  /// What it comes to for all lanes, where they agree.
  std::optional<bool> inAll(Lane &Now) const {
    std::optional<bool> All;
    for (Now.Id = 0; Now.Id < SampledLanes; ++Now.Id) {
      Now.forget();
      bool Holds = ((Now.value(Pointer) & Mask) == 0) == ForZero;
      if (All.value_or(Holds) != Holds)
        return std::nullopt;
      All = Holds;
    }
    return All;
  }
};

/// The most turns of a loop in which a test of its address is looked at: as
/// many as there are bytes in a vector.
constexpr int64_t MostTested = 16;

/// \p Branch goes out of \p L where its condition \p Holds.
bool leaves(const BranchInst &Branch, bool Holds, const Loop &L) {
  return !L.contains(Branch.getSuccessor(Holds ? 0 : 1));
}

/// What \p Branch finds in all lanes if it tests an address's alignment; and in
/// all turns of the loop \p Around it, if one is, unless it leaves that.
std::optional<bool> alignmentTest(const BranchInst &Branch, const Loop *Around,
                                  Lane Now) {
  std::optional<AlignmentTest> Test = AlignmentTest::in(Branch.getCondition());
  if (!Test)
    return std::nullopt;
  std::optional<bool> First = Test->inAll(Now);
  if (!First || !Around || leaves(Branch, *First, *Around))
    return First;
  for (int64_t Turn = 1; Turn < MostTested; ++Turn) {
    Now.Iteration[Around] = Turn;
    if (Test->inAll(Now) != First)
      return std::nullopt;
  }
  return First;
}

/// \p Condition compares what each turn of \p L changes by a number: how far a
/// step goes that is a size of the launch, nobody knows.
bool comparesSteps(const Value *Condition, const Loop &L, ScalarEvolution &SE) {
  const auto *Compare = dyn_cast<ICmpInst>(Condition);
  return Compare && all_of(Compare->operands(), [&](const Use &Each) {
           return SE.isSCEVable(Each->getType()) &&
                  !SCEVExprContains(SE.getSCEV(Each), [&](const SCEV *Part) {
                    const auto *Steps = dyn_cast<SCEVAddRecExpr>(Part);
                    return Steps && Steps->getLoop() == &L
                               ? !Steps->isAffine() ||
                                     !isa<SCEVConstant>(Steps->getOperand(1))
                               : isa<SCEVUnknown>(Part) &&
                                     !SE.isLoopInvariant(Part, &L);
                  });
         });
}

/// The last turn of \p L, counted from 0, where all of its ends are tests of an
/// address's alignment or compare what changes step by step: as a loop over
/// what comes before the first vector has them, or one whose turns an unroller
/// has copied with their tests.
std::optional<int64_t> lastTurn(const Loop &L, ScalarEvolution &SE, Lane Now) {
  constexpr int64_t Most = 1 << 10;
  SmallVector<BasicBlock *, 4> Ends;
  L.getExitingBlocks(Ends);
  SmallVector<std::pair<const BranchInst *, std::optional<AlignmentTest>>>
      Asked;
  for (const BasicBlock *End : Ends) {
    const auto *Branch = dyn_cast<BranchInst>(End->getTerminator());
    if (!Branch || !Branch->isConditional())
      return std::nullopt;
    Asked.push_back({Branch, AlignmentTest::in(Branch->getCondition())});
    if (!Asked.back().second && !comparesSteps(Branch->getCondition(), L, SE))
      return std::nullopt;
  }
  for (int64_t Turn = 0; Turn < Most; ++Turn) {
    Now.Iteration[&L] = Turn;
    for (const auto &[Branch, Test] : Asked) {
      std::optional<bool> Holds;
      if (!Test) {
        Now.Id = 0;
        Now.forget();
        Holds = Now.value(Branch->getCondition()) != 0;
      } else if (Turn < MostTested) {
        Holds = Test->inAll(Now);
      }
      if (Holds && leaves(*Branch, *Holds, L))
        return Turn;
    }
  }
  return std::nullopt;
}

/// A branch before a block, and the side of it that leads there.
struct Guard {
  const BasicBlock *Block;
  const Value *Condition;
  bool Holds;
};

/// The branches that lanes have taken when they come to \p At, but for those
/// that end loops before it.
SmallVector<Guard> guardsOf(const BasicBlock &At, const DominatorTree &Tree,
                            const LoopInfo &Loops) {
  SmallVector<Guard> Out;
  for (const DomTreeNode *N = Tree.getNode(&At); N; N = N->getIDom()) {
    const BasicBlock *Before = N->getBlock();
    const auto *Branch = dyn_cast<BranchInst>(Before->getTerminator());
    const Loop *Around = Loops.getLoopFor(Before);
    if (Before == &At || !Branch || !Branch->isConditional() ||
        (Around && !Around->contains(&At)))
      continue;
    for (unsigned Side : {0u, 1u})
      if (Tree.dominates(BasicBlockEdge(Before, Branch->getSuccessor(Side)),
                         &At))
        Out.push_back({Before, Branch->getCondition(), Side == 0});
  }
  return Out;
}

/// The integers that \p Condition compares are equal, or one apart as an
/// inclusive end leaves them: a loop's variable has reached its end.
bool comparesReached(const Value *Condition, Lane &Now) {
  const auto *Compare = dyn_cast<ICmpInst>(Condition);
  return Compare && Compare->getOperand(0)->getType()->isIntegerTy() &&
         std::abs(Now.value(Compare->getOperand(0)) -
                  Now.value(Compare->getOperand(1))) <= 1;
}

/// The count of a loop that nothing tells, by \p Count: where it does several
/// turns of another loop at a time, there are so many fewer.
double unknownTrips(const SCEV *Count) {
  const auto *Divided = dyn_cast<SCEVUDivExpr>(Count);
  const auto *By =
      Divided ? dyn_cast<SCEVConstant>(Divided->getRHS()) : nullptr;
  double At = By ? double(By->getAPInt().getLimitedValue(1 << 10)) : 1;
  return std::max(1.0, UnknownTrips / std::max(1.0, At));
}

/// The trip counts of a kernel's loops.
class TripCounts {
public:
  TripCounts(ScalarEvolution &SE, const DataLayout &DL, const LoopInfo &Loops,
             const DominatorTree &Tree, const launch::LaunchFacts &Launch,
             bool Remainders)
      : SE(SE), DL(DL), Loops(Loops), Tree(Tree), Launch(Launch),
        Remainders(Remainders) {}

  /// The count of \p L, which is asked for behind those of the loops before it.
  double of(const Loop *L);

private:
  ScalarEvolution &SE;
  const DataLayout &DL;
  const LoopInfo &Loops;
  const DominatorTree &Tree;
  const launch::LaunchFacts &Launch;
  bool Remainders;
  /// The last turns of loops that end in several ways.
  SmallDenseMap<const Loop *, int64_t> Last;

  double unlessCounted(const Loop *L, const Lane &Probe);
  bool endsAsTold(const Loop &Other, const Lane &Now) const;
  bool joinsBehindLoops(const BasicBlock &Join, const Loop &Behind,
                        const Lane &Now) const;
  bool hasNothingLeft(const Loop &L, Lane &Now) const;
};

/// \p Other ends where its count says, or in a turn that can be told.
bool TripCounts::endsAsTold(const Loop &Other, const Lane &Now) const {
  return !isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&Other)) ||
         Last.contains(&Other) || lastTurn(Other, SE, Now);
}

/// Loops that do not hold \p Behind stand on some way to \p Join, from where
/// all ways to it part, and all of them end as told.
bool TripCounts::joinsBehindLoops(const BasicBlock &Join, const Loop &Behind,
                                  const Lane &Now) const {
  const DomTreeNode *Above = Tree.getNode(&Join)->getIDom();
  if (!Above)
    return false;
  const BasicBlock *Parting = Above->getBlock();
  bool Any = false;
  for (const Loop *Other : Loops.getLoopsInPreorder())
    if (!Other->contains(&Behind) &&
        Tree.dominates(Parting, Other->getHeader()) &&
        !Tree.dominates(&Join, Other->getHeader())) {
      if (!endsAsTold(*Other, Now))
        return false;
      Any = true;
    }
  return Any;
}

/// \p L does what earlier loops leave over, and that is nothing: its variable
/// starts with a value that differs by whether one of them ran, and behind them
/// a condition says that it has reached its end.
bool TripCounts::hasNothingLeft(const Loop &L, Lane &Now) const {
  constexpr unsigned Most = 8;
  const BasicBlock *Before = L.getLoopPredecessor();
  if (!Before)
    return false;
  SmallSetVector<const Value *, 16> Starts;
  for (const PHINode &P : L.getHeader()->phis())
    if (P.getType()->isIntegerTy())
      Starts.insert(P.getIncomingValueForBlock(Before));
  for (unsigned I = 0; I < std::min<size_t>(Starts.size(), Most); ++I) {
    const auto *P = dyn_cast<PHINode>(Starts[I]);
    if (!P || Loops.isLoopHeader(P->getParent()))
      continue;
    for (const Value *Incoming : P->incoming_values())
      Starts.insert(Incoming);
    const BasicBlock &Join = *P->getParent();
    if (!Tree.dominates(&Join, L.getHeader()) ||
        !joinsBehindLoops(Join, L, Now))
      continue;
    for (const Guard &G : guardsOf(*L.getHeader(), Tree, Loops))
      if (Tree.dominates(&Join, G.Block) && comparesReached(G.Condition, Now) &&
          (Now.value(G.Condition) != 0) != G.Holds)
        return true;
  }
  return false;
}

double TripCounts::of(const Loop *L) {
  if (!Remainders && isRemainder(*L))
    return 0;
  if (unsigned N = SE.getSmallConstantTripCount(L))
    return N;
  const SCEV *Count = SE.getBackedgeTakenCount(L);
  // Bounds that are cut at the edge of an image, `k < min(3, w - x)`: most
  // work-items are far from it, and run all iterations.
  if (std::optional<int64_t> Most = upperBound(Count);
      Most && *Most >= 0 && *Most < MostCutTrips)
    return double(*Most + 1);
  Lane Probe(SE, DL, Loops, Tree, Launch);
  Probe.IsDataSize = true;
  for (const Loop *Outer = L->getParentLoop(); Outer;
       Outer = Outer->getParentLoop())
    Probe.Iteration[Outer] = 0;
  for (const auto &[Before, Turn] : Last)
    Probe.Iteration[Before] = Turn;
  if (isa<SCEVCouldNotCompute>(Count))
    return unlessCounted(L, Probe);
  double N = double(Probe.value(Count)) + 1;
  if (hasNothingLeft(*L, Probe))
    return 0;
  if (N < 1 || N > MaxTrips)
    N = unknownTrips(Count);
  unsigned Max = SE.getSmallConstantMaxTripCount(L);
  return !Remainders && Max ? std::min(N, double(Max)) : N;
}

/// Of a loop that ends in several ways.
double TripCounts::unlessCounted(const Loop *L, const Lane &Probe) {
  if (std::optional<int64_t> Turn = lastTurn(*L, SE, Probe)) {
    Last[L] = *Turn;
    return double(*Turn + 1);
  }
  if (unsigned Max = SE.getSmallConstantMaxTripCount(L))
    return std::min(double(Max), UnknownTrips);
  return UnknownTrips;
}

/// What `pitch >= 8 || pitch <= -8`, or its opposite, comes to for an argument:
/// `pitch + 7 > 14` without signs. vectorise-stores asks so whether rows
/// overlap, for which the made-up values are too large.
std::optional<bool> distanceTest(const Value *Condition, Lane Now) {
  using namespace PatternMatch;
  const Value *Distance = nullptr;
  const APInt *Added = nullptr, *Limit = nullptr;
  CmpPredicate Compared;
  if (!match(Condition,
             m_ICmp(Compared, m_Add(m_Value(Distance), m_APInt(Added)),
                    m_APInt(Limit))) ||
      !ICmpInst::isUnsigned(Compared) || Limit->getBitWidth() > 64 ||
      !isa<Argument>(Distance))
    return std::nullopt;
  int64_t Low = Added->getSExtValue(), Span = Limit->getSExtValue();
  bool Symmetric = Span == 2 * Low || Span == 2 * Low + 1;
  if (!Symmetric || std::abs(Low) > 16)
    return std::nullopt;
  Now.forget();
  return Now.value(Condition) != 0;
}

/// The one argument that the address \p V leads behind, a small distance added
/// or not; null elsewhere.
const Argument *addressed(const Value *V) {
  using namespace PatternMatch;
  const Value *Pointer = V;
  match(V, m_CombineOr(m_Add(m_PtrToInt(m_Value(Pointer)), m_ConstantInt()),
                       m_PtrToInt(m_Value(Pointer))));
  if (!Pointer->getType()->isPointerTy())
    return nullptr;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, 12);
  return Objects.size() == 1 ? dyn_cast<Argument>(Objects[0]) : nullptr;
}

/// A comparison of addresses behind two arguments: whether they are equal, or
/// whether First comes before Second.
struct BufferComparison {
  CmpInst::Predicate Asks;
  const Argument *First, *Second;

  bool isReverseOf(const BufferComparison &O) const {
    return !ICmpInst::isEquality(Asks) && !ICmpInst::isEquality(O.Asks) &&
           First == O.Second && Second == O.First;
  }
};
std::optional<BufferComparison> bufferComparison(const Value *V) {
  const auto *Compare = dyn_cast<ICmpInst>(V);
  if (!Compare)
    return std::nullopt;
  BufferComparison Out{Compare->getPredicate(),
                       addressed(Compare->getOperand(0)),
                       addressed(Compare->getOperand(1))};
  if (ICmpInst::isGT(Out.Asks) || ICmpInst::isGE(Out.Asks))
    std::swap(Out.First, Out.Second);
  bool IsOfTwo = Out.First && Out.Second && Out.First != Out.Second;
  return IsOfTwo ? std::optional(Out) : std::nullopt;
}

/// What a condition comes to that asks whether buffers overlap: they lie apart,
/// and nobody knows which comes first. promote-element asks whether an element
/// ends before the first other one, or begins behind the last.
std::optional<bool> overlapTest(const Value *V, unsigned Depth = 0) {
  using namespace PatternMatch;
  if (std::optional<BufferComparison> Compare = bufferComparison(V))
    return ICmpInst::isEquality(Compare->Asks)
               ? std::optional(Compare->Asks == ICmpInst::ICMP_NE)
               : std::nullopt;
  const Value *A = nullptr, *B = nullptr;
  bool Either = match(V, m_LogicalOr(m_Value(A), m_Value(B)));
  if ((!Either && !match(V, m_LogicalAnd(m_Value(A), m_Value(B)))) ||
      Depth == 16)
    return std::nullopt;
  // One of two orders holds, and both never do.
  std::optional<BufferComparison> First = bufferComparison(A),
                                  Second = bufferComparison(B);
  if (First && Second && First->isReverseOf(*Second))
    return Either;
  std::optional<bool> Left = overlapTest(A, Depth + 1),
                      Right = overlapTest(B, Depth + 1);
  if (Left == Either || Right == Either)
    return Either;
  return Left && Right ? std::optional(!Either) : std::nullopt;
}

/// The conditions that several branches ask, which come out alike on one way:
/// none that each turn of a loop computes.
SmallVector<const Value *> askedAgain(const Function &Kernel,
                                      const LoopInfo &Loops) {
  constexpr unsigned Most = 8;
  auto isInLoop = [&](const Value *V) {
    const auto *I = dyn_cast<Instruction>(V);
    return I && Loops.getLoopFor(I->getParent());
  };
  SmallDenseMap<const Value *, unsigned> Asked;
  SmallVector<const Value *> Out;
  for (const BasicBlock &B : Kernel)
    if (const auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
        Branch && Branch->isConditional() &&
        !isInLoop(Branch->getCondition()) &&
        ++Asked[Branch->getCondition()] == 2 && Out.size() < Most)
      Out.push_back(Branch->getCondition());
  return Out;
}

/// What the condition of \p Branch, which one of the tests above is, or one of
/// what the launch passes, comes to in all lanes.
std::optional<bool> decided(const BranchInst &Branch, const Loop *Around,
                            const Lane &Now) {
  const Value *Condition = Branch.getCondition();
  if (std::optional<bool> Holds = alignmentTest(Branch, Around, Now))
    return Holds;
  if (std::optional<bool> Holds = distanceTest(Condition, Now))
    return Holds;
  if (std::optional<bool> Holds = overlapTest(Condition))
    return Holds;
  std::optional<int64_t> Told = Now.told(Condition);
  return Told ? std::optional(*Told != 0) : std::nullopt;
}

/// Adds the blocks to which no way leads but by sides that no lane takes;
/// without \p Remainders those are among them that seldomTaken() tells.
void addSkipped(Function &Kernel, const LoopInfo &Loops, const Lane &Now,
                bool Remainders, WaveMemory &Out) {
  const SmallVector<const Value *> Again = askedAgain(Kernel, Loops);
  // A block, and what the conditions that are asked again came to before it:
  // two bits each, for true and for false.
  using Way = std::pair<const BasicBlock *, unsigned>;
  DenseSet<Way> Seen{{&Kernel.getEntryBlock(), 0}};
  SmallPtrSet<const BasicBlock *, 32> Reached{&Kernel.getEntryBlock()};
  SmallVector<Way> Todo{{&Kernel.getEntryBlock(), 0}};
  while (!Todo.empty()) {
    auto [Block, Known] = Todo.pop_back_val();
    const Instruction *End = Block->getTerminator();
    const auto *Branch = dyn_cast<BranchInst>(End);
    std::optional<bool> Holds;
    unsigned Bit = 0;
    if (Branch && Branch->isConditional()) {
      Holds = decided(*Branch, Loops.getLoopFor(Block), Now);
      auto Found = find(Again, Branch->getCondition());
      if (Found != Again.end())
        Bit = 1u << (2 * (Found - Again.begin()));
      if (!Holds && Known & (Bit | Bit << 1))
        Holds = (Known & Bit) != 0;
      const BasicBlock *Side = Remainders ? nullptr : seldomTaken(*Branch);
      if (Side && !Holds)
        Holds = Side != Branch->getSuccessor(0);
    }
    for (unsigned I = 0; I < End->getNumSuccessors(); ++I) {
      Way Next{End->getSuccessor(I), Known | (I == 0 ? Bit : Bit << 1)};
      if ((Holds && *Holds != (I == 0)) || !Seen.insert(Next).second)
        continue;
      Reached.insert(Next.first);
      Todo.push_back(Next);
    }
  }
  for (const BasicBlock &B : Kernel)
    if (!Reached.contains(&B))
      Out.Skipped.insert(&B);
}

} // namespace

struct WaveAddresses::Analyses {
  TargetLibraryInfoImpl Library;
  TargetLibraryInfo Functions;
  DominatorTree Dominators;
  LoopInfo Loops;
  AssumptionCache Assumptions;
  ScalarEvolution SE;
  const DataLayout &Layout;
  launch::LaunchFacts Launch;

  Analyses(Function &F, launch::LaunchFacts Launch)
      : Library(Triple(F.getParent()->getTargetTriple())), Functions(Library),
        Dominators(F), Loops(Dominators), Assumptions(F),
        SE(F, Functions, Assumptions, Dominators, Loops),
        Layout(F.getParent()->getDataLayout()), Launch(std::move(Launch)) {}
};

WaveAddresses::WaveAddresses(Function &Kernel, launch::LaunchFacts Launch)
    : Known(std::make_unique<Analyses>(Kernel, std::move(Launch))) {}
WaveAddresses::~WaveAddresses() = default;

std::vector<int64_t> WaveAddresses::of(const Value *Pointer, unsigned Lanes) {
  std::vector<int64_t> Out;
  Lane Now(Known->SE, Known->Layout, Known->Loops, Known->Dominators,
           Known->Launch);
  for (Now.Id = 0; Now.Id < Lanes; ++Now.Id) {
    Now.forget();
    Out.push_back(Now.value(Pointer));
  }
  return Out;
}

namespace {

/// The lane takes the other side of a branch; where a condition depends on what
/// is made up, it takes the side that leads on.
bool isLeftOut(Lane &Now, ArrayRef<Guard> All) {
  return any_of(All, [&](const Guard &G) {
    Now.forget();
    Now.MadeUp = false;
    bool Holds = Now.value(G.Condition) != 0;
    return !Now.MadeUp && Holds != G.Holds;
  });
}

} // namespace

std::vector<std::vector<int64_t>>
WaveAddresses::known(const Value *Pointer, const BasicBlock &At, unsigned Lanes,
                     const DenseMap<const BasicBlock *, double> &Trips) {
  constexpr unsigned Samples = 8;
  SmallVector<Guard> Guards = guardsOf(At, Known->Dominators, Known->Loops);
  Lane Now(Known->SE, Known->Layout, Known->Loops, Known->Dominators,
           Known->Launch);
  uint64_t Group = Known->Launch.groupItems().value_or(Lanes);
  const SCEV *Address = Known->SE.getSCEV(const_cast<Value *>(Pointer));
  SmallVector<const Loop *, 4> Varying;
  for (const Loop *L = Known->Loops.getLoopFor(&At); L; L = L->getParentLoop())
    if (!Known->SE.isLoopInvariant(Address, L) ||
        any_of(Guards, [&](const Guard &G) {
          const auto *I = dyn_cast<Instruction>(G.Condition);
          return I && L->contains(I);
        }))
      Varying.push_back(L);
  std::vector<std::vector<int64_t>> Out;
  for (unsigned S = 0; S < Samples; ++S) {
    // Evenly in each loop, in another order from loop to loop.
    unsigned Order = 1;
    for (const Loop *L : Varying) {
      Now.Iteration[L] =
          int64_t(Trips.lookup(L->getHeader()) * (S * Order % Samples)) /
          Samples;
      Order += 2;
    }
    std::vector<int64_t> Here(Lanes, WaveCounts::Idle);
    bool IsActive = false, MadeUp = false;
    for (Now.Id = 0; Now.Id < std::min<uint64_t>(Lanes, Group) && !MadeUp;
         ++Now.Id) {
      if (isLeftOut(Now, Guards))
        continue;
      IsActive = true;
      Now.forget();
      Now.MadeUp = false;
      Here[Now.Id] = Now.value(Pointer);
      MadeUp = Now.MadeUp;
    }
    if (MadeUp)
      Here.clear();
    // Lanes of other waves come there where none of these does.
    if (IsActive)
      Out.push_back(std::move(Here));
    if (Varying.empty())
      break;
  }
  if (all_of(Out, [](const auto &Here) { return Here.empty(); }))
    Out.clear();
  return Out;
}

launch::LaunchFacts factsOf(const Function &Kernel,
                            const launch::FactsByKernel &Launches) {
  auto Own = Launches.find(Kernel.getName().str());
  if (Own != Launches.end() && Own->second.MadeUp.empty())
    return Own->second;
  launch::LaunchFacts Out;
  if (const MDNode *Group = Kernel.getMetadata("reqd_work_group_size"))
    for (const MDOperand &Size : Group->operands())
      Out.Local.push_back(mdconst::extract<ConstantInt>(Size)->getZExtValue());
  return Out;
}

WaveMemory traceWave(Function &Kernel, LoopInfo &Loops, ScalarEvolution &SE,
                     unsigned WaveLanes, const launch::LaunchFacts &Launch,
                     bool Remainders) {
  WaveMemory Out;
  Out.Launch = Launch;
  const DataLayout &DL = Kernel.getParent()->getDataLayout();
  const DominatorTree Tree(Kernel);
  TripCounts Counts(SE, DL, Loops, Tree, Launch, Remainders);
  for (Loop *L : Loops.getLoopsInPreorder())
    Out.Trips[L->getHeader()] = Counts.of(L);
  addSkipped(Kernel, Loops, Lane(SE, DL, Loops, Tree, Out.Launch), Remainders,
             Out);
  Tracer T(Loops, SE, Tree, DL, WaveLanes, Out);
  for (BasicBlock &B : Kernel)
    if (!Out.Skipped.contains(&B))
      for (Instruction &I : B)
        if (std::optional<Access> A = accessOf(I, DL))
          T.add(*A);
  T.finish();
  return Out;
}

} // namespace clrewrite::measure
