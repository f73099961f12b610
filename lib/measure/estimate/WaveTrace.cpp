// The lanes of one wave are traced through the optimised IR, and the memory
// that they touch is counted.
#include "measure/estimate/WaveTrace.h"
#include "measure/Usage.h"
#include "measure/estimate/Estimate.h"
#include "measure/estimate/TripBound.h"
#include "measure/estimate/WaveLane.h"
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

double tripsOf(const Loop *L, ScalarEvolution &SE, const DataLayout &DL,
               const LoopInfo &Loops, const launch::LaunchFacts &Launch,
               bool Remainders) {
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
  if (isa<SCEVCouldNotCompute>(Count)) {
    if (unsigned Max = SE.getSmallConstantMaxTripCount(L))
      return std::min(double(Max), UnknownTrips);
    return UnknownTrips;
  }
  Lane Probe(SE, DL, Loops, Launch);
  for (const Loop *Outer = L->getParentLoop(); Outer;
       Outer = Outer->getParentLoop())
    Probe.Iteration[Outer] = 0;
  double N = double(Probe.value(Count)) + 1;
  if (N < 1 || N > MaxTrips)
    N = UnknownTrips;
  unsigned Max = SE.getSmallConstantMaxTripCount(L);
  return !Remainders && Max ? std::min(N, double(Max)) : N;
}

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
    if (Name.starts_with("llvm.amdgcn.image.store"))
      return Access{&I, nullptr, 4, true};
    if (Name.starts_with("llvm.amdgcn.image."))
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

/// The bytes of one memory object that a wave touched.
struct Touched {
  Words Numbers;
  double Scale = 0; ///< sampled words stand for Scale times as many

  double distinct() const { return 4.0 * double(Numbers.size()) * Scale; }

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
  Tracer(LoopInfo &Loops, ScalarEvolution &SE, const DataLayout &DL,
         unsigned WaveLanes, WaveMemory &Out)
      : Loops(Loops), SE(SE), DL(DL), WaveLanes(WaveLanes), Out(Out) {}

  /// Adds what \p A touches over the sampled lanes and iterations.
  void add(const Access &A) {
    if (!A.Pointer)
      return addImage(A);
    unsigned Space = A.Pointer->getType()->getPointerAddressSpace();
    if (Space != 0 && Space != 1 && Space != 4)
      return; // LDS and scratch cost no memory bandwidth of their own.
    SmallVector<const Loop *> Nest = nestOf(A);
    double Trips = 1;
    for (const Loop *L : Nest)
      Trips *= Out.Trips.lookup(L->getHeader());
    unsigned Samples = unsigned(std::min<double>(Trips, SampledIterations));
    Words Here;
    Lane Now(SE, DL, Loops, Out.Launch);
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
      }
    }
    double Scale = Trips / std::max(1u, Samples) * WaveLanes / SampledLanes;
    // One address for all lanes is one access, however many lanes there are.
    merge(Touches[{objectName(A.Pointer), A.Store}], inOrder(std::move(Here)),
          Scale);
  }

  void finish() {
    for (auto &[Key, T] : Touches) {
      Out.Bytes += T.moved();
      if (Key.second)
        Out.Stored[Key.first] += T.distinct();
    }
  }

private:
  LoopInfo &Loops;
  ScalarEvolution &SE;
  const DataLayout &DL;
  unsigned WaveLanes;
  WaveMemory &Out;
  std::map<std::pair<std::string, bool>, Touched> Touches;

  SmallVector<const Loop *> nestOf(const Access &A) const {
    SmallVector<const Loop *> Nest;
    for (const Loop *L = Loops.getLoopFor(A.At->getParent()); L;
         L = L->getParentLoop())
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

/// What `(address & mask) == 0`, or its opposite, comes to for all lanes.
std::optional<bool> alignmentTest(const Value *Condition, Lane Now) {
  using namespace PatternMatch;
  const Value *Pointer = nullptr, *Masked = nullptr;
  const APInt *Mask = nullptr;
  CmpPredicate Compared;
  if (!match(Condition, m_ICmp(Compared, m_And(m_Value(Masked), m_APInt(Mask)),
                               m_Zero())) ||
      !ICmpInst::isEquality(Compared) || Mask->uge(4096) ||
      !match(Masked, m_CombineOr(m_PtrToInt(m_Value(Pointer)),
                                 m_Trunc(m_PtrToInt(m_Value(Pointer))))))
    return std::nullopt;
  std::optional<bool> All;
  for (Now.Id = 0; Now.Id < SampledLanes; ++Now.Id) {
    Now.forget();
    bool Zero = (Now.value(Pointer) & int64_t(Mask->getZExtValue())) == 0;
    bool Holds = Zero == (Compared == ICmpInst::ICMP_EQ);
    if (All.value_or(Holds) != Holds)
      return std::nullopt;
    All = Holds;
  }
  return All;
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

/// Adds the blocks to which no way leads but by the sides of such tests, and of
/// tests of what the launch passes, that no lane takes.
void addSkipped(Function &Kernel, const Lane &Now, WaveMemory &Out) {
  SmallPtrSet<const BasicBlock *, 32> Reached{&Kernel.getEntryBlock()};
  SmallVector<const BasicBlock *> Todo{&Kernel.getEntryBlock()};
  while (!Todo.empty()) {
    const Instruction *End = Todo.pop_back_val()->getTerminator();
    std::optional<bool> Holds;
    const auto *Branch = dyn_cast<BranchInst>(End);
    if (Branch && Branch->isConditional()) {
      Holds = alignmentTest(Branch->getCondition(), Now);
      if (!Holds)
        Holds = distanceTest(Branch->getCondition(), Now);
      if (!Holds)
        if (std::optional<int64_t> Told = Now.told(Branch->getCondition()))
          Holds = *Told != 0;
    }
    for (unsigned I = 0; I < End->getNumSuccessors(); ++I)
      if ((!Holds || *Holds == (I == 0)) &&
          Reached.insert(End->getSuccessor(I)).second)
        Todo.push_back(End->getSuccessor(I));
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
  Lane Now(Known->SE, Known->Layout, Known->Loops, Known->Launch);
  for (Now.Id = 0; Now.Id < Lanes; ++Now.Id) {
    Now.forget();
    Out.push_back(Now.value(Pointer));
  }
  return Out;
}

launch::LaunchFacts factsOf(const Function &Kernel,
                            const launch::FactsByKernel &Launches) {
  auto Own = Launches.find(Kernel.getName().str());
  return Own == Launches.end() ? launch::LaunchFacts() : Own->second;
}

WaveMemory traceWave(Function &Kernel, LoopInfo &Loops, ScalarEvolution &SE,
                     unsigned WaveLanes, const launch::LaunchFacts &Launch,
                     bool Remainders) {
  WaveMemory Out;
  Out.Launch = Launch;
  const DataLayout &DL = Kernel.getParent()->getDataLayout();
  for (Loop *L : Loops.getLoopsInPreorder())
    Out.Trips[L->getHeader()] = tripsOf(L, SE, DL, Loops, Launch, Remainders);
  addSkipped(Kernel, Lane(SE, DL, Loops, Out.Launch), Out);
  Tracer T(Loops, SE, DL, WaveLanes, Out);
  for (BasicBlock &B : Kernel)
    if (!Out.Skipped.contains(&B))
      for (Instruction &I : B)
        if (std::optional<Access> A = accessOf(I, DL))
          T.add(*A);
  T.finish();
  return Out;
}

} // namespace clrewrite::measure
