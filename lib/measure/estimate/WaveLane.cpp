// The instructions of one lane are interpreted, as far as integers and
// addresses depend on them.
#include "measure/estimate/WaveLane.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/IntrinsicsR600.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace clrewrite::measure {

static constexpr unsigned MaxDepth = 256;
/// The value of an integer argument; each differs so that `start` and `end`
/// do not coincide.
static constexpr int64_t FirstArgument = 256, ArgumentStep = 32;
/// How many iterations back a value is followed that is no simple recurrence.
static constexpr int64_t MaxReplay = 8;

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

int64_t Lane::value(const Value *V, unsigned Depth) {
  if (Depth > MaxDepth)
    return 0;
  if (auto It = Known.find(V); It != Known.end())
    return It->second;
  int64_t R = truncated(compute(V, Depth + 1), V->getType());
  Known[V] = R;
  return R;
}

int64_t Lane::value(const SCEV *S, unsigned Depth) {
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

int64_t Lane::compute(const Value *V, unsigned Depth) {
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

int64_t Lane::instruction(const Instruction *I, unsigned Depth) {
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

int64_t Lane::phi(const PHINode *P, unsigned Depth) {
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
int64_t Lane::loaded(const LoadInst *L, unsigned Depth) {
  if (L->getPointerAddressSpace() == 4)
    return FirstArgument;
  return madeUp(uint64_t(value(L->getPointerOperand(), Depth)));
}

int64_t Lane::call(const CallInst *C, unsigned Depth) {
  auto op = [&](unsigned N) { return value(C->getArgOperand(N), Depth); };
  switch (C->getIntrinsicID()) {
  case Intrinsic::amdgcn_workitem_id_x:
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::r600_read_tidig_x:
    return Id;
  case Intrinsic::amdgcn_workitem_id_y:
  case Intrinsic::amdgcn_workitem_id_z:
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case Intrinsic::r600_read_tidig_y:
  case Intrinsic::r600_read_tidig_z:
    return 0;
  case Intrinsic::amdgcn_workgroup_id_x:
  case Intrinsic::amdgcn_workgroup_id_y:
  case Intrinsic::amdgcn_workgroup_id_z:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case Intrinsic::r600_read_tgid_x:
  case Intrinsic::r600_read_tgid_y:
  case Intrinsic::r600_read_tgid_z:
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

} // namespace clrewrite::measure
