// Evaluating one wave's addresses.
#include "measure/WaveTrace.h"
#include "measure/Estimate.h"
#include "measure/TripBound.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/xxhash.h"
#include <set>

using namespace llvm;

namespace clrewrite {
namespace {

constexpr unsigned SampledLanes = 16;
constexpr unsigned SampledIterations = 64; ///< of a whole loop nest
constexpr unsigned MaxDepth = 256;
/// The value of an integer argument; each differs so that `start` and `end`
/// do not coincide.
constexpr int64_t FirstArgument = 256, ArgumentStep = 32;
constexpr double MaxTrips = 1 << 20;
/// Below this, the most that a loop can run is taken for a number that the
/// source states.
constexpr int64_t MostCutTrips = 64;
/// How many iterations back a value is followed that is no simple recurrence.
constexpr int64_t MaxReplay = 8;

/// Evaluates integers and pointers for one lane at one point of its loops.
class Lane {
public:
  Lane(ScalarEvolution &SE, const DataLayout &DL, const LoopInfo &Loops)
      : SE(SE), DL(DL), Loops(Loops) {}

  unsigned Id = 0;
  SmallDenseMap<const Loop *, int64_t> Iteration;

  void forget() { Known.clear(); }

  int64_t value(const Value *V, unsigned Depth = 0) {
    if (Depth > MaxDepth)
      return 0;
    if (auto It = Known.find(V); It != Known.end())
      return It->second;
    int64_t R = truncated(compute(V, Depth + 1), V->getType());
    Known[V] = R;
    return R;
  }

  int64_t value(const SCEV *S, unsigned Depth = 0) {
    if (Depth > MaxDepth)
      return 0;
    ++Depth;
    auto fold = [&](const auto *Nary, auto Combine) {
      int64_t R = value(Nary->getOperand(0), Depth);
      for (unsigned I = 1; I < Nary->getNumOperands(); ++I)
        R = Combine(R, value(Nary->getOperand(I), Depth));
      return R;
    };
    switch (S->getSCEVType()) {
    case scConstant:
      return cast<SCEVConstant>(S)->getAPInt().sextOrTrunc(64).getSExtValue();
    case scUnknown:
      return value(cast<SCEVUnknown>(S)->getValue(), Depth);
    case scTruncate:
    case scSignExtend:
    case scPtrToInt:
      return truncated(value(cast<SCEVCastExpr>(S)->getOperand(), Depth),
                       S->getType());
    case scZeroExtend:
      return unsignedValue(value(cast<SCEVCastExpr>(S)->getOperand(), Depth),
                           cast<SCEVCastExpr>(S)->getOperand()->getType());
    case scAddExpr:
      return truncated(fold(cast<SCEVAddExpr>(S), wrapAdd), S->getType());
    case scMulExpr:
      return truncated(fold(cast<SCEVMulExpr>(S), wrapMul), S->getType());
    case scUDivExpr: {
      auto *D = cast<SCEVUDivExpr>(S);
      uint64_t By =
          uint64_t(unsignedValue(value(D->getRHS(), Depth), S->getType()));
      uint64_t Of =
          uint64_t(unsignedValue(value(D->getLHS(), Depth), S->getType()));
      return By ? int64_t(Of / By) : 0;
    }
    case scAddRecExpr: {
      auto *A = cast<SCEVAddRecExpr>(S);
      auto It = Iteration.find(A->getLoop());
      int64_t N = It == Iteration.end() ? 0 : It->second;
      int64_t Start = value(A->getStart(), Depth);
      return N ? truncated(
                     wrapAdd(Start, wrapMul(N, value(A->getOperand(1), Depth))),
                     S->getType())
               : Start;
    }
    case scSMaxExpr:
      return fold(cast<SCEVSMaxExpr>(S),
                  [](int64_t A, int64_t B) { return std::max(A, B); });
    case scSMinExpr:
      return fold(cast<SCEVSMinExpr>(S),
                  [](int64_t A, int64_t B) { return std::min(A, B); });
    case scUMaxExpr:
      return fold(cast<SCEVUMaxExpr>(S), [](int64_t A, int64_t B) {
        return int64_t(std::max(uint64_t(A), uint64_t(B)));
      });
    case scUMinExpr:
    case scSequentialUMinExpr:
      return fold(cast<SCEVNAryExpr>(S), [](int64_t A, int64_t B) {
        return int64_t(std::min(uint64_t(A), uint64_t(B)));
      });
    default:
      return 0;
    }
  }

private:
  ScalarEvolution &SE;
  const DataLayout &DL;
  const LoopInfo &Loops;
  DenseMap<const Value *, int64_t> Known;

  static int64_t wrapAdd(int64_t A, int64_t B) {
    return int64_t(uint64_t(A) + uint64_t(B));
  }
  static int64_t wrapMul(int64_t A, int64_t B) {
    return int64_t(uint64_t(A) * uint64_t(B));
  }
  static unsigned bits(Type *T) {
    return T->isIntegerTy() ? std::min(64u, T->getIntegerBitWidth()) : 64;
  }
  static int64_t truncated(int64_t V, Type *T) {
    unsigned B = bits(T);
    return B >= 64 ? V : int64_t(uint64_t(V) << (64 - B)) >> (64 - B);
  }
  static int64_t unsignedValue(int64_t V, Type *T) {
    unsigned B = bits(T);
    return B >= 64 ? V : V & int64_t((uint64_t(1) << B) - 1);
  }
  /// A value that nothing tells: fixed by \p Seed, small enough to be an
  /// index, a multiple of 4.
  static int64_t madeUp(uint64_t Seed) {
    return int64_t(
        xxh3_64bits(StringRef(reinterpret_cast<char *>(&Seed), sizeof Seed)) &
        0xfffc);
  }

  int64_t compute(const Value *V, unsigned Depth) {
    if (const auto *C = dyn_cast<ConstantInt>(V))
      return C->getValue().sextOrTrunc(64).getSExtValue();
    if (const auto *G = dyn_cast<GlobalVariable>(V))
      return int64_t(xxh3_64bits(G->getName()) & 0xffffff000000);
    if (const auto *A = dyn_cast<Argument>(V))
      return A->getType()->isPointerTy()
                 ? int64_t(A->getArgNo() + 1) << 40
                 : FirstArgument + ArgumentStep * int64_t(A->getArgNo());
    if (const auto *Gep = dyn_cast<GEPOperator>(V))
      return address(Gep, Depth);
    if (const auto *I = dyn_cast<Instruction>(V))
      return instruction(I, Depth);
    return 0;
  }

  int64_t address(const GEPOperator *Gep, unsigned Depth) {
    int64_t At = value(Gep->getPointerOperand(), Depth);
    for (auto It = gep_type_begin(Gep), End = gep_type_end(Gep); It != End;
         ++It) {
      int64_t Index = value(It.getOperand(), Depth);
      if (StructType *T = It.getStructTypeOrNull())
        At += int64_t(DL.getStructLayout(T)->getElementOffset(unsigned(Index)));
      else
        At = wrapAdd(
            At, wrapMul(Index, int64_t(It.getSequentialElementStride(DL))));
    }
    return At;
  }

  int64_t instruction(const Instruction *I, unsigned Depth) {
    auto op = [&](unsigned N) { return value(I->getOperand(N), Depth); };
    auto uop = [&](unsigned N) {
      return unsignedValue(op(N), I->getOperand(N)->getType());
    };
    switch (I->getOpcode()) {
    case Instruction::Add:
      return wrapAdd(op(0), op(1));
    case Instruction::Sub:
      return wrapAdd(op(0), wrapMul(-1, op(1)));
    case Instruction::Mul:
      return wrapMul(op(0), op(1));
    case Instruction::And:
      return op(0) & op(1);
    case Instruction::Or:
      return op(0) | op(1);
    case Instruction::Xor:
      return op(0) ^ op(1);
    case Instruction::Shl:
      return int64_t(uint64_t(op(0)) << (op(1) & 63));
    case Instruction::LShr:
      return int64_t(uint64_t(uop(0)) >> (op(1) & 63));
    case Instruction::AShr:
      return op(0) >> (op(1) & 63);
    case Instruction::UDiv:
      return uop(1) ? int64_t(uint64_t(uop(0)) / uint64_t(uop(1))) : 0;
    case Instruction::URem:
      return uop(1) ? int64_t(uint64_t(uop(0)) % uint64_t(uop(1))) : 0;
    case Instruction::SDiv:
      return op(1) && op(1) != -1 ? op(0) / op(1) : 0;
    case Instruction::SRem:
      return op(1) && op(1) != -1 ? op(0) % op(1) : 0;
    case Instruction::ZExt:
      return uop(0);
    case Instruction::Trunc:
    case Instruction::SExt:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr:
    case Instruction::AddrSpaceCast:
    case Instruction::BitCast:
    case Instruction::Freeze:
      return op(0);
    case Instruction::ICmp:
      return compare(cast<ICmpInst>(I)->getPredicate(), op(0), op(1), uop(0),
                     uop(1));
    case Instruction::Select:
      return op(0) ? op(1) : op(2);
    case Instruction::PHI:
      return phi(cast<PHINode>(I), Depth);
    case Instruction::Load:
      return loaded(cast<LoadInst>(I), Depth);
    case Instruction::Call:
      return call(cast<CallInst>(I), Depth);
    case Instruction::ExtractValue:
    case Instruction::ExtractElement:
      return FirstArgument + ArgumentStep * place(I);
    default:
      return madeUp(I->getOpcode());
    }
  }

  /// A number for a member of an aggregate, the same in every version.
  static int64_t place(const Instruction *I) {
    const auto *Extract = dyn_cast<ExtractValueInst>(I);
    if (!Extract)
      return 1;
    const auto *A = dyn_cast<Argument>(Extract->getAggregateOperand());
    return (A ? A->getArgNo() : 0) * 8 + Extract->getIndices().front();
  }

  static int64_t compare(CmpInst::Predicate P, int64_t A, int64_t B, int64_t UA,
                         int64_t UB) {
    switch (P) {
    case CmpInst::ICMP_EQ:
      return A == B;
    case CmpInst::ICMP_NE:
      return A != B;
    case CmpInst::ICMP_SGT:
      return A > B;
    case CmpInst::ICMP_SGE:
      return A >= B;
    case CmpInst::ICMP_SLT:
      return A < B;
    case CmpInst::ICMP_SLE:
      return A <= B;
    case CmpInst::ICMP_UGT:
      return uint64_t(UA) > uint64_t(UB);
    case CmpInst::ICMP_UGE:
      return uint64_t(UA) >= uint64_t(UB);
    case CmpInst::ICMP_ULT:
      return uint64_t(UA) < uint64_t(UB);
    default:
      return uint64_t(UA) <= uint64_t(UB);
    }
  }

  int64_t phi(const PHINode *P, unsigned Depth) {
    if (SE.isSCEVable(P->getType())) {
      const SCEV *S = SE.getSCEV(const_cast<PHINode *>(P));
      if (const auto *A = dyn_cast<SCEVAddRecExpr>(S); A && A->isAffine())
        return value(A, Depth);
    }
    const Loop *L = Loops.getLoopFor(P->getParent());
    const BasicBlock *Latch =
        L && L->getHeader() == P->getParent() ? L->getLoopLatch() : nullptr;
    auto It = Latch ? Iteration.find(L) : Iteration.end();
    if (!Latch || It == Iteration.end() || It->second == 0 ||
        It->second > MaxReplay) {
      Known[P] = 0; // A cycle that is no simple recurrence ends here.
      return value(
          P->getIncomingValue(Latch && P->getIncomingBlock(0) == Latch ? 1 : 0),
          Depth);
    }
    // What the iteration before hands on.
    Lane Before(SE, DL, Loops);
    Before.Id = Id;
    Before.Iteration = Iteration;
    --Before.Iteration[L];
    return Before.value(P->getIncomingValueForBlock(Latch), Depth);
  }

  /// Loads from constant memory are sizes and strides, the same for all lanes;
  /// others are data, which differ where their addresses do.
  int64_t loaded(const LoadInst *L, unsigned Depth) {
    if (L->getPointerAddressSpace() == 4)
      return FirstArgument;
    return madeUp(uint64_t(value(L->getPointerOperand(), Depth)));
  }

  int64_t call(const CallInst *C, unsigned Depth) {
    auto op = [&](unsigned N) { return value(C->getArgOperand(N), Depth); };
    switch (C->getIntrinsicID()) {
    case Intrinsic::amdgcn_workitem_id_x:
    case Intrinsic::nvvm_read_ptx_sreg_tid_x:
      return Id;
    case Intrinsic::amdgcn_workitem_id_y:
    case Intrinsic::amdgcn_workitem_id_z:
    case Intrinsic::nvvm_read_ptx_sreg_tid_y:
    case Intrinsic::nvvm_read_ptx_sreg_tid_z:
      return 0;
    case Intrinsic::amdgcn_workgroup_id_x:
    case Intrinsic::amdgcn_workgroup_id_y:
    case Intrinsic::amdgcn_workgroup_id_z:
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
    case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
      return 3;
    case Intrinsic::smax:
      return std::max(op(0), op(1));
    case Intrinsic::smin:
      return std::min(op(0), op(1));
    case Intrinsic::umax:
      return int64_t(std::max(uint64_t(op(0)), uint64_t(op(1))));
    case Intrinsic::umin:
      return int64_t(std::min(uint64_t(op(0)), uint64_t(op(1))));
    // Numbers here are far from where these differ from + and -.
    case Intrinsic::sadd_sat:
      return op(0) + op(1);
    case Intrinsic::ssub_sat:
      return op(0) - op(1);
    case Intrinsic::abs:
      return std::abs(op(0));
    case Intrinsic::fshl:
      return op(0);
    default:
      return C->getType()->isPointerTy() ? int64_t(1) << 50
                                         : madeUp(C->getIntrinsicID());
    }
  }
};

double tripsOf(const Loop *L, ScalarEvolution &SE, const DataLayout &DL,
               const LoopInfo &Loops) {
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
  Lane Probe(SE, DL, Loops);
  for (const Loop *Outer = L->getParentLoop(); Outer;
       Outer = Outer->getParentLoop())
    Probe.Iteration[Outer] = 0;
  double N = double(Probe.value(Count)) + 1;
  return N < 1 || N > MaxTrips ? UnknownTrips : N;
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

/// The bytes of one memory object that a wave touched, in words of 4.
struct Touched {
  std::set<int64_t> Words;
  double Scale = 0; ///< sampled words stand for Scale times as many

  double distinct() const { return 4.0 * double(Words.size()) * Scale; }

  /// A 64-byte line with few touched words costs a 32-byte sector.
  double moved() const {
    std::set<int64_t> Lines;
    for (int64_t W : Words)
      Lines.insert(W >> 4);
    bool Scattered = Words.size() <= 4 * Lines.size();
    return Scattered ? 32.0 * double(Lines.size()) * Scale : distinct();
  }
};

std::string objectName(const Value *Pointer) {
  // Through phis too: a pointer that a loop moves is still the same buffer's.
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, /*LI=*/nullptr, 12);
  if (Objects.size() != 1)
    return "memory";
  const Value *Object = Objects.front();
  if (const auto *A = dyn_cast<Argument>(Object))
    return "arg " + utostr(A->getArgNo());
  return Object->hasName() ? Object->getName().str() : "memory";
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
    Touched Here;
    Lane Now(SE, DL, Loops);
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
          Here.Words.insert(W);
      }
    }
    double Scale = Trips / std::max(1u, Samples) * WaveLanes / SampledLanes;
    // One address for all lanes is one access, however many lanes there are.
    merge(Touches[{objectName(A.Pointer), A.Store}], Here, Scale);
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
  static void merge(Touched &Into, const Touched &From, double Scale) {
    size_t Before = Into.Words.size();
    Into.Words.insert(From.Words.begin(), From.Words.end());
    size_t After = Into.Words.size();
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

/// The blocks behind the side of such a test that no lane takes.
void addSkipped(Function &Kernel, const Lane &Now, WaveMemory &Out) {
  DominatorTree Dominators(Kernel);
  for (BasicBlock &B : Kernel) {
    auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    std::optional<bool> Holds = alignmentTest(Branch->getCondition(), Now);
    if (!Holds || Branch->getSuccessor(0) == Branch->getSuccessor(1))
      continue;
    BasicBlock *Never = Branch->getSuccessor(*Holds ? 1 : 0);
    if (Never->getSinglePredecessor() != &B)
      continue;
    SmallVector<BasicBlock *> Behind;
    Dominators.getDescendants(Never, Behind);
    Out.Skipped.insert(Behind.begin(), Behind.end());
  }
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

  explicit Analyses(Function &F)
      : Library(F.getParent()->getTargetTriple()), Functions(Library),
        Dominators(F), Loops(Dominators), Assumptions(F),
        SE(F, Functions, Assumptions, Dominators, Loops),
        Layout(F.getParent()->getDataLayout()) {}
};

WaveAddresses::WaveAddresses(Function &Kernel)
    : Known(std::make_unique<Analyses>(Kernel)) {}
WaveAddresses::~WaveAddresses() = default;

std::vector<int64_t> WaveAddresses::of(const Value *Pointer, unsigned Lanes) {
  std::vector<int64_t> Out;
  Lane Now(Known->SE, Known->Layout, Known->Loops);
  for (Now.Id = 0; Now.Id < Lanes; ++Now.Id) {
    Now.forget();
    Out.push_back(Now.value(Pointer));
  }
  return Out;
}

WaveMemory traceWave(Function &Kernel, LoopInfo &Loops, ScalarEvolution &SE,
                     unsigned WaveLanes) {
  WaveMemory Out;
  const DataLayout &DL = Kernel.getParent()->getDataLayout();
  for (Loop *L : Loops.getLoopsInPreorder())
    Out.Trips[L->getHeader()] = tripsOf(L, SE, DL, Loops);
  addSkipped(Kernel, Lane(SE, DL, Loops), Out);
  Tracer T(Loops, SE, DL, WaveLanes, Out);
  for (BasicBlock &B : Kernel)
    for (Instruction &I : B)
      if (std::optional<Access> A = accessOf(I, DL))
        T.add(*A);
  T.finish();
  return Out;
}

} // namespace clrewrite
