// The instructions of one lane are interpreted, as far as integers and
// addresses depend on them.
#include "measure/estimate/WaveLane.h"
#include "measure/estimate/Estimate.h"
#include "measure/llvm/AddressSpaces.h"
#include "measure/llvm/LaunchIds.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace clrewrite::measure {

static constexpr unsigned MaxDepth = 256;
/// The value of an integer argument; each differs so that `start` and `end`
/// do not coincide.
static constexpr int64_t FirstArgument = 256, ArgumentStep = 32;
/// The work-group that a wave is traced of, along each dimension, where a
/// launch has as many: one that is not at the edge of an image.
static constexpr int64_t TracedGroup = 3;
/// How many iterations back a value is followed that is no simple recurrence.
static constexpr int64_t MaxReplay = 8;
/// How many turns of all loops together are replayed for one value: in nested
/// loops there are as many as their turns multiplied.
static constexpr unsigned MostReplays = 64;
/// For how many values that come from several blocks their way is looked at.
static constexpr unsigned MostAsked = 12;

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

/// A number for a member of an aggregate, the same in every version.
static int64_t place(const ExtractValueInst &Extract) {
  const auto *A = dyn_cast<Argument>(Extract.getAggregateOperand());
  return (A ? A->getArgNo() : 0) * 8 + Extract.getIndices().front();
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

std::optional<int64_t> Lane::told(const Value *V) const {
  Lane Fresh(SE, DL, Loops, Tree, Launch);
  int64_t Value = Fresh.value(V);
  return Fresh.Untold ? std::nullopt : std::optional(Value);
}

int64_t Lane::value(const Value *V, unsigned Depth) {
  if (Depth > MaxDepth) {
    Untold = MadeUp = true;
    return 0;
  }
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue().sextOrTrunc(64).getSExtValue();
  if (auto It = Known.find(V); It != Known.end())
    return It->second;
  int64_t R = truncated(compute(V, Depth + 1), V->getType());
  Known[V] = R;
  return R;
}

int64_t Lane::value(const SCEV *S, unsigned Depth) {
  if (Depth > MaxDepth) {
    Untold = MadeUp = true;
    return 0;
  }
  ++Depth;
  auto fold = [&](const auto *Nary, auto Combine) {
    int64_t R = value(Nary->getOperand(0), Depth);
    for (unsigned I = 1; I < Nary->getNumOperands(); ++I)
      R = Combine(R, value(Nary->getOperand(I), Depth));
    return R;
  };
  if (const auto *Limit = dyn_cast<SCEVMinMaxExpr>(S);
      Limit && Limit->getNumOperands() == 2)
    if (const SCEV *Inside =
            unbounded(Limit->getOperand(0), Limit->getOperand(1))) {
      Untold = MadeUp = true;
      return value(Inside, Depth);
    }
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
    Untold = true;
    auto *A = cast<SCEVAddRecExpr>(S);
    auto It = Iteration.find(A->getLoop());
    MadeUp |= It == Iteration.end(); // such as the loop's last turn, before
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
    Untold = MadeUp = true;
    return 0;
  }
}

int64_t Lane::compute(const Value *V, unsigned Depth) {
  if (const auto *A = dyn_cast<Argument>(V))
    return argument(*A);
  if (const auto *I = dyn_cast<Instruction>(V))
    return instruction(I, Depth);
  if (const auto *Gep = dyn_cast<GEPOperator>(V))
    return address(Gep, Depth);
  Untold = true;
  if (const auto *G = dyn_cast<GlobalVariable>(V))
    return int64_t(xxh3_64bits(G->getName()) & 0xffffff000000);
  return 0;
}

/// What the launch passes for \p A, or a value that is its own.
int64_t Lane::argument(const Argument &A) {
  if (std::optional<int64_t> Passed = passed(A))
    return *Passed;
  Untold = true;
  if (A.getType()->isPointerTy())
    return int64_t(A.getArgNo() + 1) << 40;
  MadeUp = true;
  return FirstArgument + ArgumentStep * int64_t(A.getArgNo());
}

/// What the launch passes for \p A.
std::optional<int64_t> Lane::passed(const Argument &A) const {
  auto It = Launch.Scalars.find(A.getArgNo());
  return It == Launch.Scalars.end() || !A.getType()->isIntegerTy()
             ? std::nullopt
             : std::optional(It->second);
}

/// Lanes lie along the first dimension of their work-group, then the next ones.
int64_t Lane::localId(unsigned Dimension) {
  Untold = true;
  if (Launch.Local.empty())
    return Dimension ? 0 : Id;
  int64_t Rest = Id;
  for (unsigned D = 0; D < Dimension; ++D)
    Rest /= *Launch.groupSize(D);
  return Rest % *Launch.groupSize(Dimension);
}

int64_t Lane::groupId(unsigned Dimension) {
  Untold = true;
  return std::min(TracedGroup,
                  int64_t(Launch.groups(Dimension).value_or(TracedGroup + 1)) -
                      1);
}

int64_t Lane::address(const GEPOperator *Gep, unsigned Depth) {
  int64_t At = value(Gep->getPointerOperand(), Depth);
  for (auto It = gep_type_begin(Gep), End = gep_type_end(Gep); It != End;
       ++It) {
    int64_t Index = value(It.getOperand(), Depth);
    if (StructType *T = It.getStructTypeOrNull())
      At += int64_t(DL.getStructLayout(T)->getElementOffset(unsigned(Index)));
    else
      At = wrapAdd(At,
                   wrapMul(Index, int64_t(It.getSequentialElementStride(DL))));
  }
  return At;
}

/// What \p I makes of its operands, or, of vectors, of one element of each;
/// none where it is no arithmetic.
std::optional<int64_t>
Lane::arithmetic(const Instruction *I,
                 function_ref<int64_t(unsigned Operand)> op) {
  auto uop = [&](unsigned N) {
    return unsignedValue(op(N), I->getOperand(N)->getType()->getScalarType());
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
  default:
    return std::nullopt;
  }
}

Lane::Origin Lane::originOf(const Value *V, unsigned Depth) {
  if (isa<Constant>(V))
    return {};
  if (const auto *A = dyn_cast<Argument>(V))
    return {false, !A->getType()->isPointerTy() && !passed(*A)};
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > MaxDepth)
    return {false, true};
  // A cycle adds nothing to itself.
  auto [It, New] = Origins.try_emplace(V);
  if (!New)
    return It->second;
  Origin Out;
  const auto *C = dyn_cast<CallInst>(I);
  if (auto OfLaunch = C ? launchIdOf(C->getIntrinsicID()) : std::nullopt;
      OfLaunch && !OfLaunch->OfGroup) {
    Out.Lane = OfLaunch->Dimension == 0 || !Launch.Local.empty();
  } else {
    if (const auto *L = dyn_cast<LoadInst>(I)) {
      const Argument *A = argumentIn(*L);
      Out.Unknown = A ? originOf(A).Unknown : !toldByLaunch(L, 0);
    }
    if (C)
      Out.Unknown = C->arg_empty() && Launch.Local.empty();
    for (const Value *Operand : I->operands()) {
      if (isa<BasicBlock>(Operand) || isa<Function>(Operand))
        continue;
      Origin Each = originOf(Operand, Depth + 1);
      Out.Lane |= Each.Lane;
      Out.Unknown |= Each.Unknown;
    }
  }
  return Origins[V] = Out;
}

Lane::Origin Lane::originOf(const SCEV *S) {
  Origin Out;
  SCEVExprContains(S, [&](const SCEV *Part) {
    if (const auto *U = dyn_cast<SCEVUnknown>(Part)) {
      Origin Each = originOf(U->getValue());
      Out.Lane |= Each.Lane;
      Out.Unknown |= Each.Unknown;
    }
    return false;
  });
  return Out;
}

template <typename T> const T *Lane::unbounded(const T *A, const T *B) {
  const Origin OfA = originOf(A), OfB = originOf(B);
  if (OfA.Lane == OfB.Lane || !(OfA.Unknown || OfB.Unknown))
    return nullptr;
  return OfA.Lane ? A : B;
}

/// What \p I chooses, or takes the least or largest of, where the choice keeps
/// an index within bounds that are not known.
std::optional<int64_t> Lane::bounded(const Instruction *I, unsigned Depth) {
  const Value *Inside = nullptr;
  if (const auto *Choice = dyn_cast<SelectInst>(I))
    Inside = originOf(Choice->getCondition()).Unknown
                 ? unbounded(Choice->getTrueValue(), Choice->getFalseValue())
                 : nullptr;
  else if (const auto *Limit = dyn_cast<MinMaxIntrinsic>(I))
    Inside = unbounded(Limit->getLHS(), Limit->getRHS());
  if (!Inside || !I->getType()->isIntegerTy() || I->getType()->isIntegerTy(1))
    return std::nullopt;
  Untold = MadeUp = true;
  return value(Inside, Depth);
}

int64_t Lane::instruction(const Instruction *I, unsigned Depth) {
  if (const auto *Gep = dyn_cast<GEPOperator>(I))
    return address(Gep, Depth);
  if (std::optional<int64_t> Inside = bounded(I, Depth))
    return *Inside;
  if (std::optional<int64_t> Value = arithmetic(
          I, [&](unsigned N) { return value(I->getOperand(N), Depth); }))
    return *Value;
  switch (I->getOpcode()) {
  case Instruction::PHI:
    return phi(cast<PHINode>(I), Depth);
  case Instruction::Load:
    return data(cast<LoadInst>(I), 0, Depth);
  case Instruction::Call:
    return call(cast<CallInst>(I), Depth);
  case Instruction::ExtractValue:
    // Where a wave takes both sides of a branch, LLVM asks for AMD's GPUs
    // whether any lane takes the first one.
    if (const auto *Any = dyn_cast<IntrinsicInst>(I->getOperand(0));
        Any && Any->getIntrinsicID() == Intrinsic::amdgcn_if &&
        cast<ExtractValueInst>(I)->getIndices().front() == 0)
      return value(Any->getArgOperand(0), Depth);
    Untold = MadeUp = true;
    return FirstArgument + ArgumentStep * place(*cast<ExtractValueInst>(I));
  case Instruction::ExtractElement:
    if (const auto *At = dyn_cast<ConstantInt>(I->getOperand(1)))
      return element(I->getOperand(0), unsigned(At->getLimitedValue(1 << 10)),
                     Depth);
    Untold = MadeUp = true;
    return FirstArgument + ArgumentStep;
  default:
    Untold = MadeUp = true;
    return madeUp(I->getOpcode());
  }
}

/// The value of \p V at \p At, which may stand behind loops that compute V: it
/// is that of their last iteration.
int64_t Lane::behindLoops(const Value *V, const BasicBlock &At,
                          unsigned Depth) {
  const auto *I = dyn_cast<Instruction>(V);
  const Loop *L = I ? Loops.getLoopFor(I->getParent()) : nullptr;
  if (!L || L->contains(&At) || !SE.isSCEVable(V->getType()))
    return value(V, Depth);
  const SCEV *Inside = SE.getSCEV(const_cast<Value *>(V));
  const SCEV *Behind = SE.getSCEVAtScope(Inside, Loops.getLoopFor(&At));
  return Behind == Inside ? value(V, Depth) : value(Behind, Depth);
}

/// The branch at the end of \p Block goes to \p Next in this iteration, or that
/// is not known.
bool Lane::goesTo(const BasicBlock *Next, const BasicBlock *Block,
                  unsigned Depth) {
  const auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
  return !Branch || !Branch->isConditional() ||
         Branch->getSuccessor(value(Branch->getCondition(), Depth) ? 0 : 1) ==
             Next;
}

/// The lane goes from \p Block to \p Next, as far as conditions on the way tell
/// of it. A loop is left some time.
bool Lane::isTaken(const BasicBlock *Block, const BasicBlock *Next, Way &On,
                   unsigned Depth) {
  const Loop *L = Loops.getLoopFor(Block);
  if (L && !L->contains(Next) && !L->contains(On.From))
    return isReached(L->getHeader(), On, Depth);
  return goesTo(Next, Block, Depth) && isReached(Block, On, Depth);
}

bool Lane::isReached(const BasicBlock *Block, Way &On, unsigned Depth) {
  if (Depth > MaxDepth || Block == On.From || Block->isEntryBlock())
    return true;
  auto [It, New] = On.Reached.try_emplace(Block, true);
  if (!New)
    return It->second;
  const Loop *L = Loops.getLoopFor(Block);
  bool IsHeader = L && L->getHeader() == Block;
  bool Any = any_of(predecessors(Block), [&](const BasicBlock *Before) {
    return !(IsHeader && L->contains(Before)) &&
           isTaken(Before, Block, On, Depth + 1);
  });
  return On.Reached[Block] = Any;
}

/// The number of the value that \p P, which heads no loop, takes, from the
/// block on through which all ways lead. Where a loop has several ends, it is
/// the one that its first iteration comes to, or else one that hands on what
/// the loop computes: nobody knows when it ends. The first where nothing tells.
unsigned Lane::incoming(const PHINode &P, unsigned Depth) {
  const DomTreeNode *Here = Tree.getNode(P.getParent());
  if (!Here || !Here->getIDom() || ++Asked > MostAsked)
    return 0;
  Way On(Here->getIDom()->getBlock());
  SmallVector<unsigned, 4> Taken;
  for (unsigned I : seq(P.getNumIncomingValues())) {
    const BasicBlock *Block = P.getIncomingBlock(I);
    if (!isTaken(Block, P.getParent(), On, Depth))
      continue;
    if (goesTo(P.getParent(), Block, Depth))
      return I;
    Taken.push_back(I);
  }
  if (Taken.size() == 1)
    return Taken.front();
  for (unsigned I : Taken) {
    const auto *V = dyn_cast<Instruction>(P.getIncomingValue(I));
    const Loop *L = V ? Loops.getLoopFor(V->getParent()) : nullptr;
    if (L && !L->contains(P.getParent()))
      return I;
  }
  return 0;
}

int64_t Lane::phi(const PHINode *P, unsigned Depth) {
  Untold = true;
  if (const Value *Same = P->hasConstantValue())
    return behindLoops(Same, *P->getParent(), Depth);
  if (SE.isSCEVable(P->getType())) {
    const SCEV *S = SE.getSCEV(const_cast<PHINode *>(P));
    if (const auto *A = dyn_cast<SCEVAddRecExpr>(S); A && A->isAffine())
      return value(A, Depth);
  }
  const Loop *L = Loops.getLoopFor(P->getParent());
  const BasicBlock *Latch =
      L && L->getHeader() == P->getParent() ? L->getLoopLatch() : nullptr;
  auto It = Latch ? Iteration.find(L) : Iteration.end();
  bool IsFar = It != Iteration.end() &&
               (It->second > MaxReplay ||
                (*Replays >= MostReplays && !Earlier.lookup(L)));
  // Nobody knows from which side of a branch, or from which turn.
  MadeUp |= IsFar || It == Iteration.end();
  if (!Latch || It == Iteration.end() || It->second == 0 || IsFar) {
    Known[P] = 0; // A cycle that is no simple recurrence ends here.
    unsigned From = Latch && P->getIncomingBlock(0) == Latch ? 1 : 0;
    if (!Latch)
      From = incoming(*P, Depth);
    return behindLoops(P->getIncomingValue(From), *P->getParent(), Depth);
  }
  // What the iteration before hands on.
  std::shared_ptr<Lane> &Before = Earlier[L];
  if (!Before) {
    ++*Replays;
    Before = std::make_shared<Lane>(SE, DL, Loops, Tree, Launch);
    Before->Replays = Replays;
    Before->Id = Id;
    Before->IsDataSize = IsDataSize;
    Before->Iteration = Iteration;
    --Before->Iteration[L];
  }
  int64_t Handed = Before->value(P->getIncomingValueForBlock(Latch), Depth);
  MadeUp |= Before->MadeUp;
  return Handed;
}

/// The parameter of a kernel for AMD that lies at \p Offset of its segment,
/// where LLVM's AMDGPULowerKernelArguments puts them: one after the other,
/// aligned as their types are.
static const Argument *argumentAt(const Function &Kernel, int64_t Offset,
                                  const DataLayout &DL) {
  uint64_t At = 0;
  for (const Argument &A : Kernel.args()) {
    Type *T = A.hasByRefAttr() ? A.getParamByRefType() : A.getType();
    At = alignTo(At,
                 DL.getValueOrABITypeAlignment(
                     A.hasByRefAttr() ? A.getParamAlign() : std::nullopt, T));
    if (int64_t(At) == Offset)
      return &A;
    At += DL.getTypeAllocSize(T);
  }
  return nullptr;
}

/// Where \p L, or what lies \p More bytes on, is behind the start of a segment
/// that the intrinsic \p Segment leads to; none elsewhere.
static std::optional<int64_t> placeIn(Intrinsic::ID Segment, const LoadInst *L,
                                      int64_t More, const DataLayout &DL) {
  APInt Offset(DL.getIndexTypeSizeInBits(L->getPointerOperandType()), 0);
  const auto *Base = dyn_cast<IntrinsicInst>(
      L->getPointerOperand()->stripAndAccumulateConstantOffsets(
          DL, Offset, /*AllowNonInbounds=*/true));
  return Base && Base->getIntrinsicID() == Segment
             ? std::optional(Offset.getSExtValue() + More)
             : std::nullopt;
}

/// What a kernel for AMD loads from the hidden arguments, whose offsets are
/// those of LLVM's "User Guide for AMDGPU Backend", code object V5.
std::optional<int64_t> Lane::toldByLaunch(const LoadInst *L,
                                          int64_t Offset) const {
  std::optional<int64_t> At =
      L->getType()->isIntOrIntVectorTy()
          ? placeIn(Intrinsic::amdgcn_implicitarg_ptr, L, Offset, DL)
          : std::nullopt;
  if (At == 0 || At == 4 || At == 8)
    return Launch.groups(unsigned(*At) / 4);
  if (At == 12 || At == 14 || At == 16)
    return Launch.groupSize(unsigned(*At - 12) / 2);
  return std::nullopt;
}

/// The argument that \p L loads, or the element of it that lies \p Offset bytes
/// on: a kernel for AMD loads its arguments, two pointers as a vector of
/// numbers. Null where it loads something else.
const Argument *Lane::argumentIn(const LoadInst &L, int64_t Offset) const {
  Type *Each = L.getType()->getScalarType();
  std::optional<int64_t> Passed =
      placeIn(Intrinsic::amdgcn_kernarg_segment_ptr, &L, Offset, DL);
  const Argument *A =
      Passed ? argumentAt(*L.getFunction(), *Passed, DL) : nullptr;
  return A && !A->hasByRefAttr() &&
                 (A->getType() == Each ||
                  (A->getType()->isPointerTy() && Each->isIntegerTy(64)))
             ? A
             : nullptr;
}

/// What \p L loads, or the element of it that lies \p Offset bytes on. Loads
/// from constant memory are sizes and strides, the same for all lanes; others
/// are data, which differ where their addresses do.
int64_t Lane::data(const LoadInst *L, int64_t Offset, unsigned Depth) {
  if (std::optional<int64_t> Value = toldByLaunch(L, Offset))
    return *Value;
  Type *Each = L->getType()->getScalarType();
  if (const Argument *A = argumentIn(*L, Offset))
    return argument(*A);
  Untold = true;
  if (L->getPointerAddressSpace() == ConstantSpace) {
    MadeUp |= !L->getType()->isPointerTy();
    return FirstArgument;
  }
  MadeUp = true;
  int64_t At = wrapAdd(value(L->getPointerOperand(), Depth), Offset);
  auto Bytes = int64_t(DL.getTypeStoreSize(Each));
  return IsDataSize ? wrapMul(At / Bytes, int64_t(UnknownTrips))
                    : madeUp(uint64_t(At));
}

/// The element \p Index of the vector \p V, which is what operations on those
/// elements alone give.
int64_t Lane::element(const Value *V, unsigned Index, unsigned Depth) {
  if (auto It = KnownElements.find({V, Index}); It != KnownElements.end())
    return It->second;
  int64_t R = truncated(computeElement(V, Index, Depth + 1),
                        V->getType()->getScalarType());
  KnownElements[{V, Index}] = R;
  return R;
}

int64_t Lane::computeElement(const Value *V, unsigned Index, unsigned Depth) {
  if (const auto *C = dyn_cast<Constant>(V))
    if (const auto *N =
            dyn_cast_or_null<ConstantInt>(C->getAggregateElement(Index)))
      return value(N, Depth);
  const auto *I = Depth <= MaxDepth ? dyn_cast<Instruction>(V) : nullptr;
  if (const auto *L = dyn_cast_or_null<LoadInst>(I))
    return data(
        L,
        int64_t(
            Index *
            DL.getTypeStoreSize(L->getType()->getScalarType()).getFixedValue()),
        Depth);
  if (const auto *Insert = dyn_cast_or_null<InsertElementInst>(I))
    if (const auto *At = dyn_cast<ConstantInt>(Insert->getOperand(2)))
      return At->equalsInt(Index)
                 ? value(Insert->getOperand(1), Depth)
                 : element(Insert->getOperand(0), Index, Depth);
  if (const auto *Shuffle = dyn_cast_or_null<ShuffleVectorInst>(I))
    if (int At = Shuffle->getMaskValue(Index); At >= 0) {
      unsigned Width = cast<FixedVectorType>(Shuffle->getOperand(0)->getType())
                           ->getNumElements();
      return element(Shuffle->getOperand(unsigned(At) < Width ? 0 : 1),
                     unsigned(At) % Width, Depth);
    }
  std::optional<int64_t> Value;
  // A cast may join or split elements.
  if (I && !isa<BitCastInst>(I))
    Value = arithmetic(I, [&](unsigned N) {
      const llvm::Value *Operand = I->getOperand(N);
      return Operand->getType()->isVectorTy() ? element(Operand, Index, Depth)
                                              : value(Operand, Depth);
    });
  if (Value)
    return *Value;
  Untold = MadeUp = true;
  return FirstArgument + ArgumentStep;
}

/// What \p Register of PTX holds: \p Told, or a made-up size.
int64_t Lane::sizeRead(const CallInst *Register, std::optional<int64_t> Told) {
  if (Told)
    return *Told;
  Untold = MadeUp = true;
  return madeUp(Register->getIntrinsicID());
}

/// What an image is taken to be that \p C asks: 256 texels along each side, of
/// CL_RGBA and CL_UNORM_INT8. nullopt for another call.
static std::optional<int64_t> askedOfImage(const CallInst &C) {
  StringRef Name =
      C.getCalledFunction() ? C.getCalledFunction()->getName() : "";
  if (!Name.consume_front("llvm.nvvm.txq.") &&
      !Name.consume_front("llvm.nvvm.suq."))
    return std::nullopt;
  return Name == "channel.order"       ? 0x10B5
         : Name == "channel.data.type" ? 0x10D2
                                       : 256;
}

int64_t Lane::call(const CallInst *C, unsigned Depth) {
  auto op = [&](unsigned N) { return value(C->getArgOperand(N), Depth); };
  if (std::optional<LaunchId> OfLaunch = launchIdOf(C->getIntrinsicID()))
    return OfLaunch->OfGroup ? groupId(OfLaunch->Dimension)
                             : localId(OfLaunch->Dimension);
  switch (C->getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return sizeRead(C, Launch.groupSize(0));
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return sizeRead(C, Launch.groupSize(1));
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return sizeRead(C, Launch.groupSize(2));
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return sizeRead(C, Launch.groups(0));
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return sizeRead(C, Launch.groups(1));
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return sizeRead(C, Launch.groups(2));
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
    Untold = MadeUp = true;
    if (std::optional<int64_t> OfImage = askedOfImage(*C))
      return *OfImage;
    return C->getType()->isPointerTy() ? int64_t(1) << 50
                                       : madeUp(C->getIntrinsicID());
  }
}

} // namespace clrewrite::measure
