// What instructions compute of registers.
#include "measure/execute/WaveStepper.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <cmath>

using namespace llvm;

namespace clrewrite::measure {

/// Integers of more than 64 bits are moved and taken apart, but not computed
/// with.
bool WaveStepper::isNarrow(const WaveStep &S) {
  if (S.Bits <= 64)
    return true;
  fail("it computes integers of more than 64 bits");
  return false;
}

void WaveStepper::arithmetic(const WaveStep &S) {
  const Instruction &I = *S.At;
  unsigned Bits = S.Bits;
  if (!isNarrow(S))
    return;
  auto isSet = [&](uint64_t By) { return By < Bits; };
  switch (I.getOpcode()) {
  case Instruction::Add:
    return integers<2>(S, [](uint64_t A, uint64_t B) { return A + B; });
  case Instruction::Sub:
    return integers<2>(S, [](uint64_t A, uint64_t B) { return A - B; });
  case Instruction::Mul:
    return integers<2>(S, [](uint64_t A, uint64_t B) { return A * B; });
  case Instruction::And:
    return integers<2>(S, [](uint64_t A, uint64_t B) { return A & B; });
  case Instruction::Or:
    return integers<2>(S, [](uint64_t A, uint64_t B) { return A | B; });
  case Instruction::Xor:
    return integers<2>(S, [](uint64_t A, uint64_t B) { return A ^ B; });
  // What LLVM leaves undefined is 0.
  case Instruction::Shl:
    return integers<2>(
        S, [&](uint64_t A, uint64_t B) { return isSet(B) ? A << B : 0; });
  case Instruction::LShr:
    return integers<2>(
        S, [&](uint64_t A, uint64_t B) { return isSet(B) ? A >> B : 0; });
  case Instruction::AShr:
    return integers<2>(S, [&](uint64_t A, uint64_t B) {
      return isSet(B) ? signedOf(A, Bits) >> B : 0;
    });
  case Instruction::UDiv:
    return integers<2>(S, [](uint64_t A, uint64_t B) { return B ? A / B : 0; });
  case Instruction::URem:
    return integers<2>(S, [](uint64_t A, uint64_t B) { return B ? A % B : 0; });
  case Instruction::SDiv:
    return integers<2>(S, [&](uint64_t A, uint64_t B) {
      int64_t By = signedOf(B, Bits);
      if (By == -1)
        return uint64_t(0) - A;
      return By ? uint64_t(signedOf(A, Bits) / By) : 0;
    });
  case Instruction::SRem:
    return integers<2>(S, [&](uint64_t A, uint64_t B) {
      int64_t By = signedOf(B, Bits);
      return By && By != -1 ? signedOf(A, Bits) % By : 0;
    });
  case Instruction::FAdd:
    return floats<2>(S, I.getType(), [](auto A, auto B) { return A + B; });
  case Instruction::FSub:
    return floats<2>(S, I.getType(), [](auto A, auto B) { return A - B; });
  case Instruction::FMul:
    return floats<2>(S, I.getType(), [](auto A, auto B) { return A * B; });
  case Instruction::FDiv:
    return floats<2>(S, I.getType(), [](auto A, auto B) { return A / B; });
  case Instruction::FRem:
    return floats<2>(S, I.getType(),
                     [](auto A, auto B) { return std::fmod(A, B); });
  case Instruction::FNeg:
    return integers<1>(
        S, [&](uint64_t A) { return A ^ (uint64_t(1) << (Bits - 1)); });
  default:
    fail(Twine("it has the instruction ") + I.getOpcodeName() +
         ", which is not executed");
  }
}

void WaveStepper::convert(const WaveStep &S, const CastInst &I) {
  Type *From = I.getSrcTy(), *To = I.getDestTy();
  unsigned Bits = Now->P.bitsOf(From);
  switch (I.getOpcode()) {
  case Instruction::BitCast:
    return reinterpret(S, From, To);
  case Instruction::AddrSpaceCast:
    return castSpace(S, From->getPointerAddressSpace(),
                     To->getPointerAddressSpace());
  case Instruction::Trunc:
    if (Bits > 64 && !From->isVectorTy() && isNarrow(S)) {
      uint64_t *D = out(S), Keep = lowBits(S.Bits);
      const uint64_t *A = in(S, 0);
      return lanes([&](unsigned L) { D[L] = A[L] & Keep; });
    }
    break;
  case Instruction::ZExt:
    if (S.Bits > 64 && Bits <= 64 && !From->isVectorTy()) {
      copy(S, 0, in(S, 0));
      for (unsigned R = 1; R < S.Registers; ++R) {
        uint64_t *D = out(S, R);
        lanes([&](unsigned L) { D[L] = 0; });
      }
      return;
    }
    break;
  default:
    break;
  }
  if (!isNarrow(S))
    return;
  if (Bits > 64)
    return fail("it computes integers of more than 64 bits");
  switch (I.getOpcode()) {
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
    return integers<1>(S, [](uint64_t A) { return A; });
  case Instruction::SExt:
    return integers<1>(S, [&](uint64_t A) { return signedOf(A, Bits); });
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    return integers<1>(
        S, [&](uint64_t A) { return bitsOfNumber(To, numberOf(From, A)); });
  case Instruction::FPToSI:
    return integers<1>(
        S, [&](uint64_t A) { return integerOf(numberOf(From, A), true); });
  case Instruction::FPToUI:
    return integers<1>(
        S, [&](uint64_t A) { return integerOf(numberOf(From, A), false); });
  // A double holds 53 bits, so that floats of longer integers are rounded once.
  case Instruction::SIToFP:
    return integers<1>(S, [&](uint64_t A) -> uint64_t {
      int64_t V = signedOf(A, Bits);
      return To->getScalarType()->isFloatTy() ? bit_cast<uint32_t>(float(V))
                                              : bitsOfNumber(To, double(V));
    });
  case Instruction::UIToFP:
    return integers<1>(S, [&](uint64_t A) -> uint64_t {
      return To->getScalarType()->isFloatTy() ? bit_cast<uint32_t>(float(A))
                                              : bitsOfNumber(To, double(A));
    });
  default:
    fail(Twine("it has the instruction ") + I.getOpcodeName() +
         ", which is not executed");
  }
}

/// The bits of a value, in registers of another width.
void WaveStepper::reinterpret(const WaveStep &S, Type *From, Type *To) {
  unsigned Old = std::min(64u, Now->P.bitsOf(From)),
           New = std::min(64u, Now->P.bitsOf(To));
  if (Old == New) {
    for (unsigned R = 0; R < S.Registers; ++R)
      copy(S, R, in(S, 0, R));
    return;
  }
  if (Old > New) {
    if (Old % New)
      return fail("it has a cast that is not executed");
    unsigned Parts = Old / New;
    for (unsigned R = 0; R < S.Registers; ++R) {
      uint64_t *D = out(S, R);
      const uint64_t *A = in(S, 0, R / Parts);
      unsigned Shift = R % Parts * New;
      lanes([&](unsigned L) { D[L] = A[L] >> Shift & lowBits(New); });
    }
    return;
  }
  if (New % Old)
    return fail("it has a cast that is not executed");
  unsigned Parts = New / Old;
  for (unsigned R = 0; R < S.Registers; ++R) {
    uint64_t *D = out(S, R);
    lanes([&](unsigned L) { D[L] = 0; });
    for (unsigned P = 0; P < Parts; ++P) {
      const uint64_t *A = in(S, 0, R * Parts + P);
      lanes([&](unsigned L) { D[L] |= A[L] << (P * Old); });
    }
  }
}

void WaveStepper::castSpace(const WaveStep &S, unsigned From, unsigned To) {
  const Module &M = *Now->P.F.getParent();
  uint64_t Null = nullPointer(M, From), NewNull = nullPointer(M, To);
  auto isOffset = [](unsigned Space) {
    return Space == SharedSpace || Space == PrivateSpace;
  };
  uint64_t Aperture = (From == SharedSpace ? SharedAperture : PrivateAperture)
                      << DeviceMemory::OffsetBits;
  integers<1>(S, [&](uint64_t A) {
    if (A == Null)
      return NewNull;
    if (isOffset(From) && !isOffset(To))
      return A | Aperture;
    return isOffset(To) ? A & 0xffffffff : A;
  });
}

void WaveStepper::compare(const WaveStep &S, const CmpInst &I) {
  Type *T = I.getOperand(0)->getType();
  unsigned Bits = Now->P.bitsOf(T);
  if (Bits > 64)
    return fail("it computes integers of more than 64 bits");
  CmpInst::Predicate P = I.getPredicate();
  if (isa<FCmpInst>(I))
    // The predicate's bits: equal, greater, less, unordered.
    return integers<2>(S, [&](uint64_t A, uint64_t B) {
      double X = numberOf(T, A), Y = numberOf(T, B);
      unsigned Is = X == Y ? 1 : X > Y ? 2 : X < Y ? 4 : 8;
      return uint64_t((unsigned(P) & Is) != 0);
    });
  auto with = [&](auto Test) {
    integers<2>(S,
                [&](uint64_t A, uint64_t B) { return uint64_t(Test(A, B)); });
  };
  auto withSigned = [&](auto Test) {
    with([&](uint64_t A, uint64_t B) {
      return Test(signedOf(A, Bits), signedOf(B, Bits));
    });
  };
  switch (P) {
  case CmpInst::ICMP_EQ:
    return with([](auto A, auto B) { return A == B; });
  case CmpInst::ICMP_NE:
    return with([](auto A, auto B) { return A != B; });
  case CmpInst::ICMP_UGT:
    return with([](auto A, auto B) { return A > B; });
  case CmpInst::ICMP_UGE:
    return with([](auto A, auto B) { return A >= B; });
  case CmpInst::ICMP_ULT:
    return with([](auto A, auto B) { return A < B; });
  case CmpInst::ICMP_ULE:
    return with([](auto A, auto B) { return A <= B; });
  case CmpInst::ICMP_SGT:
    return withSigned([](auto A, auto B) { return A > B; });
  case CmpInst::ICMP_SGE:
    return withSigned([](auto A, auto B) { return A >= B; });
  case CmpInst::ICMP_SLT:
    return withSigned([](auto A, auto B) { return A < B; });
  default:
    return withSigned([](auto A, auto B) { return A <= B; });
  }
}

void WaveStepper::select(const WaveStep &S) {
  bool ByLane = S.At->getOperand(0)->getType()->isVectorTy();
  unsigned Members =
      ByLane ? cast<FixedVectorType>(S.At->getType())->getNumElements() : 1;
  unsigned Words = ByLane ? S.Registers / Members : 1;
  for (unsigned R = 0; R < S.Registers; ++R) {
    uint64_t *D = out(S, R);
    const uint64_t *By = in(S, 0, ByLane ? R / Words : 0), *A = in(S, 1, R),
                   *B = in(S, 2, R);
    lanes([&](unsigned L) { D[L] = By[L] & 1 ? A[L] : B[L]; });
  }
}

/// Members of vectors, arrays and structures are taken out and put in.
void WaveStepper::members(const WaveStep &S) {
  const Instruction &I = *S.At;
  auto copyAll = [&](unsigned Operand) {
    for (unsigned R = 0; R < S.Registers; ++R)
      copy(S, R, in(S, Operand, R));
  };
  if (const auto *E = dyn_cast<ExtractValueInst>(&I)) {
    unsigned First = Now->P.registersBefore(E->getAggregateOperand()->getType(),
                                            E->getIndices());
    for (unsigned R = 0; R < S.Registers; ++R)
      copy(S, R, in(S, 0, First + R));
    return;
  }
  if (const auto *E = dyn_cast<InsertValueInst>(&I)) {
    copyAll(0);
    unsigned First = Now->P.registersBefore(E->getType(), E->getIndices());
    unsigned N = Now->P.registersOf(E->getInsertedValueOperand()->getType());
    for (unsigned R = 0; R < N; ++R)
      copy(S, First + R, in(S, 1, R));
    return;
  }
  auto countOf = [](Type *T) {
    return cast<FixedVectorType>(T)->getNumElements();
  };
  Type *Vector = I.getOperand(0)->getType();
  unsigned Count = countOf(Vector), Words = Now->P.registersOf(Vector) / Count;
  if (isa<ExtractElementInst>(I)) {
    const uint64_t *Index = in(S, 1);
    for (unsigned R = 0; R < Words; ++R) {
      uint64_t *D = out(S, R);
      const uint64_t *A = in(S, 0, R);
      lanes([&](unsigned L) {
        D[L] = Index[L] < Count ? A[size_t(Index[L]) * Words * W + L] : 0;
      });
    }
    return;
  }
  if (isa<InsertElementInst>(I)) {
    copyAll(0);
    const uint64_t *Index = in(S, 2);
    for (unsigned R = 0; R < Words; ++R) {
      uint64_t *D = out(S, R);
      const uint64_t *A = in(S, 1, R);
      lanes([&](unsigned L) {
        if (Index[L] < Count)
          D[size_t(Index[L]) * Words * W + L] = A[L];
      });
    }
    return;
  }
  const auto &Shuffle = cast<ShuffleVectorInst>(I);
  for (unsigned N = 0; N < countOf(I.getType()); ++N)
    for (unsigned R = 0; R < Words; ++R) {
      int From = Shuffle.getMaskValue(N);
      if (From >= 0)
        copy(S, N * Words + R,
             unsigned(From) < Count
                 ? in(S, 0, unsigned(From) * Words + R)
                 : in(S, 1, (unsigned(From) - Count) * Words + R));
    }
}

void WaveStepper::element(const WaveStep &S) {
  uint64_t *D = out(S), Keep = lowBits(S.Bits);
  const uint64_t *A = in(S, 0);
  lanes([&](unsigned L) { D[L] = A[L] + uint64_t(S.ConstantOffset); });
  for (unsigned N = 0; N < S.Strides; ++N) {
    int64_t Stride = Now->P.Strides[S.FirstStride + 2 * N],
            Bits = Now->P.Strides[S.FirstStride + 2 * N + 1];
    const uint64_t *Index = in(S, N + 1);
    lanes([&](unsigned L) {
      D[L] += uint64_t(signedOf(Index[L], unsigned(Bits))) * uint64_t(Stride);
    });
  }
  lanes([&](unsigned L) { D[L] &= Keep; });
}

} // namespace clrewrite::measure
