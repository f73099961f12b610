// Calls: LLVM's intrinsics, those of AMDGPU and NVPTX, and functions.
#include "measure/execute/WaveStepper.h"
#include "measure/llvm/LaunchIds.h"
#include "measure/llvm/Optimise.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <cmath>

using namespace llvm;

namespace clrewrite::measure {

WaveStepper::State WaveStepper::call(const WaveStep &S, const CallBase &I) {
  if (const auto *Own = dyn_cast<IntrinsicInst>(&I))
    return intrinsic(S, *Own);
  if (const auto *Asm = dyn_cast<InlineAsm>(I.getCalledOperand())) {
    // What rewrites use to hide a value from the compiler: it comes out as it
    // went in.
    bool Empty = StringRef(Asm->getAsmString()).trim().empty();
    bool Same =
        S.Registers == 0 ||
        (I.arg_size() == 1 && I.getArgOperand(0)->getType() == I.getType());
    if (!Empty || !Same) {
      fail("it has inline assembly");
      return Failed;
    }
    for (unsigned R = 0; R < S.Registers; ++R)
      copy(S, R, in(S, 0, R));
    return Running;
  }
  const Function *Callee = I.getCalledFunction();
  if (!Callee)
    fail("it calls a function by a pointer");
  else if (Callee->isDeclaration())
    fail("it calls " + demangle(Callee->getName()) + ", which is undefined");
  else
    function(S, *Callee);
  return Running;
}

void WaveStepper::function(const WaveStep &S, const Function &Callee) {
  constexpr unsigned MostDepth = 16;
  WaveProgram *P = Of.programOf(Callee);
  if (failed())
    return;
  if (++Depth > MostDepth || Callee.isVarArg())
    return fail("it calls too deeply");
  Frame F(*P, W);
  F.Waiting[0] = Active;
  unsigned Operand = 0;
  for (const Argument &A : Callee.args()) {
    unsigned N = P->registersOf(A.getType());
    for (unsigned R = 0; R < N; ++R) {
      const uint64_t *From = in(S, Operand, R);
      uint64_t *To = &F.Registers[(size_t(P->registerOf(&A)) + R) * W];
      lanes([&](unsigned L) { To[L] = From[L]; });
    }
    ++Operand;
  }
  if (P->PrivateBytes) {
    // Each lane's memory becomes longer.
    unsigned Old = PrivateBytes;
    F.PrivateBase = alignTo(Old, 16);
    PrivateBytes = F.PrivateBase + P->PrivateBytes;
    std::vector<uint8_t> Longer(size_t(PrivateBytes) * W);
    for (unsigned L = 0; L < W; ++L)
      std::copy_n(Private.begin() + ptrdiff_t(size_t(L) * Old), Old,
                  Longer.begin() + ptrdiff_t(size_t(L) * PrivateBytes));
    Private = std::move(Longer);
  }
  if (run(F) == AtBarrier)
    fail("it has a barrier in a function that it calls");
  --Depth;
  if (failed())
    return;
  for (unsigned R = 0; R < S.Registers; ++R)
    copy(S, R, F.Result.data() + size_t(R) * W);
}

/// What tells the compiler something, and does nothing.
static bool isHint(const IntrinsicInst &I, StringRef Name) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_end:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::assume:
  case Intrinsic::donothing:
  case Intrinsic::sideeffect:
  case Intrinsic::prefetch:
    return true;
  default:
    break;
  }
  for (StringRef Each :
       {"amdgcn.sched.", "amdgcn.iglp.", "amdgcn.wave.barrier",
        "amdgcn.s.sleep", "amdgcn.s.setprio", "amdgcn.s.waitcnt",
        "amdgcn.s.prefetch", "nvvm.membar.", "nvvm.fence.", "nvvm.bar.warp"})
    if (Name.substr(strlen("llvm.")).starts_with(Each))
      return true;
  return false;
}

/// Reads or writes texels, or asks an image.
static bool isOfImages(StringRef Name) {
  return Name.consume_front("llvm.amdgcn.")
             ? Name.starts_with("image.") || Name.starts_with("struct.buffer.")
             : Name.consume_front("llvm.nvvm.") &&
                   (Name.starts_with("tex.") || Name.starts_with("txq.") ||
                    Name.starts_with("suq.") || Name.starts_with("sust."));
}

WaveStepper::State WaveStepper::intrinsic(const WaveStep &S,
                                          const IntrinsicInst &I) {
  StringRef Name = I.getCalledFunction()->getName();
  if (isGroupBarrier(Name)) {
    // GFX12 has two instructions for one barrier.
    return Name.contains(".signal") ? Running : AtBarrier;
  }
  if (isHint(I, Name))
    return Running;
  if (const auto *M = dyn_cast<MemIntrinsic>(&I)) {
    transfer(S, *M);
    return Running;
  }
  if (I.getIntrinsicID() == Intrinsic::masked_load) {
    maskedLoad(S, I);
    return Running;
  }
  if (isOfImages(Name)) {
    image(S, I);
    return Running;
  }
  if (S.Bits > 64)
    fail("it computes integers of more than 64 bits");
  else if (!launchIntrinsic(S, I) && !integerIntrinsic(S, I) &&
           !waveIntrinsic(S, I) && !floatIntrinsic(S, I) && !failed())
    fail("it calls " + Name + ", which is not executed");
  return Running;
}

bool WaveStepper::launchIntrinsic(const WaveStep &S, const IntrinsicInst &I) {
  const WaveGrid &G = Of.Grid;
  auto local = [&](unsigned D) {
    uint64_t *To = out(S);
    lanes([&](unsigned L) { To[L] = localId(L, D); });
    return true;
  };
  auto same = [&](uint64_t V) {
    all(S, V & lowBits(S.Bits));
    return true;
  };
  if (std::optional<LaunchId> Id = launchIdOf(I.getIntrinsicID()))
    return Id->OfGroup ? same(Group[Id->Dimension]) : local(Id->Dimension);
  switch (I.getIntrinsicID()) {
  case Intrinsic::nvvm_read_ptx_sreg_ntid_x:
    return same(G.Local[0]);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_y:
    return same(G.Local[1]);
  case Intrinsic::nvvm_read_ptx_sreg_ntid_z:
    return same(G.Local[2]);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_x:
    return same(G.Groups[0]);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_y:
    return same(G.Groups[1]);
  case Intrinsic::nvvm_read_ptx_sreg_nctaid_z:
    return same(G.Groups[2]);
  case Intrinsic::amdgcn_kernarg_segment_ptr:
    return same(G.Kernarg);
  case Intrinsic::amdgcn_implicitarg_ptr:
    return same(G.ImplicitArg);
  case Intrinsic::amdgcn_dispatch_ptr:
    return same(G.Dispatch);
  case Intrinsic::amdgcn_wavefrontsize:
  case Intrinsic::nvvm_read_ptx_sreg_warpsize:
    return same(W);
  case Intrinsic::nvvm_read_ptx_sreg_laneid: {
    uint64_t *To = out(S);
    lanes([&](unsigned L) { To[L] = L; });
    return true;
  }
  default:
    return false;
  }
}

static uint64_t rotated(uint64_t High, uint64_t Low, uint64_t By, unsigned Bits,
                        bool Left) {
  By %= Bits;
  if (By == 0)
    return Left ? High : Low;
  return Left ? High << By | Low >> (Bits - By)
              : High << (Bits - By) | Low >> By;
}

bool WaveStepper::integerIntrinsic(const WaveStep &S, const IntrinsicInst &I) {
  unsigned Bits = S.Bits;
  auto sign = [Bits](uint64_t V) { return signedOf(V, Bits); };
  auto one = [&](auto Fn) {
    integers<1>(S, Fn);
    return true;
  };
  auto two = [&](auto Fn) {
    integers<2>(S, Fn);
    return true;
  };
  auto three = [&](auto Fn) {
    integers<3>(S, Fn);
    return true;
  };
  // {value, overflow} of scalars.
  auto overflowing = [&](auto Fn) {
    unsigned N = Now->P.bitsOf(I.getArgOperand(0)->getType());
    if (S.Registers != 2 || N > 64)
      return false;
    const uint64_t *A = in(S, 0), *B = in(S, 1);
    uint64_t *D = out(S), *Over = out(S, 1);
    lanes([&](unsigned L) {
      auto [V, Overflows] = Fn(A[L], B[L], N);
      D[L] = V & lowBits(N);
      Over[L] = Overflows;
    });
    return true;
  };
  auto saturated = [&](__int128 V, bool Signed) {
    __int128 High = Signed ? __int128(lowBits(Bits - 1)) : lowBits(Bits);
    __int128 Low = Signed ? -High - 1 : 0;
    return uint64_t(std::clamp(V, Low, High));
  };
  // LLVM 19 does not know it, and clrewrite compiles with that one, too.
  for (StringRef Each :
       {"llvm.nvvm.internal.addrspace.wrap", "llvm.nvvm.texsurf.handle"})
    if (I.getCalledFunction()->getName().starts_with(Each))
      return one([](auto A) { return A; });
  // Of four bytes in a word: the words follow the signs where there are some.
  auto dotProduct = [&](unsigned Words, bool SignedA, bool SignedB) {
    const uint64_t *A = in(S, Words), *B = in(S, Words + (Words ? 2 : 1)),
                   *C = in(S, Words + (Words ? 3 : 2));
    const bool Clamps =
        !cast<ConstantInt>(I.getArgOperand(I.arg_size() - 1))->isZero();
    uint64_t *D = out(S);
    lanes([&](unsigned L) {
      auto byte = [](uint64_t Of, unsigned N, bool Signed) {
        uint64_t V = Of >> (8 * N) & 255;
        return Signed ? signedOf(V, 8) : int64_t(V);
      };
      const bool IsSigned = SignedA || SignedB;
      __int128 Sum = IsSigned ? __int128(sign(C[L])) : __int128(C[L]);
      for (unsigned N = 0; N < 4; ++N)
        Sum += byte(A[L], N, SignedA) * byte(B[L], N, SignedB);
      D[L] = (Clamps ? saturated(Sum, IsSigned) : uint64_t(Sum)) & lowBits(32);
    });
    return true;
  };
  auto isSet = [&](unsigned Operand) {
    return !cast<ConstantInt>(I.getArgOperand(Operand))->isZero();
  };
  switch (I.getIntrinsicID()) {
  case Intrinsic::amdgcn_sdot4:
    return dotProduct(0, true, true);
  case Intrinsic::amdgcn_udot4:
    return dotProduct(0, false, false);
  case Intrinsic::amdgcn_sudot4:
    return dotProduct(1, isSet(0), isSet(2));
  case Intrinsic::smax:
    return two([=](auto A, auto B) { return sign(A) > sign(B) ? A : B; });
  case Intrinsic::smin:
    return two([=](auto A, auto B) { return sign(A) < sign(B) ? A : B; });
  case Intrinsic::umax:
    return two([](auto A, auto B) { return std::max(A, B); });
  case Intrinsic::umin:
    return two([](auto A, auto B) { return std::min(A, B); });
  case Intrinsic::abs:
    return one([=](auto A) { return sign(A) < 0 ? 0 - A : A; });
  case Intrinsic::uadd_sat:
    return two([=](auto A, auto B) {
      return saturated(__int128(A) + __int128(B), false);
    });
  case Intrinsic::usub_sat:
    return two([=](auto A, auto B) {
      return saturated(__int128(A) - __int128(B), false);
    });
  case Intrinsic::sadd_sat:
    return two([=](auto A, auto B) {
      return saturated(__int128(sign(A)) + sign(B), true);
    });
  case Intrinsic::ssub_sat:
    return two([=](auto A, auto B) {
      return saturated(__int128(sign(A)) - sign(B), true);
    });
  case Intrinsic::fshl:
    return three(
        [=](auto A, auto B, auto C) { return rotated(A, B, C, Bits, true); });
  case Intrinsic::fshr:
    return three(
        [=](auto A, auto B, auto C) { return rotated(A, B, C, Bits, false); });
  case Intrinsic::ctpop:
    return one([](auto A) { return uint64_t(llvm::popcount(A)); });
  case Intrinsic::ctlz:
    return one(
        [=](auto A) { return uint64_t(llvm::countl_zero(A)) - (64 - Bits); });
  case Intrinsic::cttz:
    return one([=](auto A) {
      return A ? uint64_t(llvm::countr_zero(A)) : uint64_t(Bits);
    });
  case Intrinsic::bswap:
    return one([=](auto A) { return llvm::byteswap(A) >> (64 - Bits); });
  case Intrinsic::bitreverse:
    return one([=](auto A) { return reverseBits(A) >> (64 - Bits); });
  case Intrinsic::expect:
    return one([](auto A) { return A; });
  case Intrinsic::uadd_with_overflow:
    return overflowing([](uint64_t A, uint64_t B, unsigned N) {
      return std::pair(A + B, (unsigned __int128)(A) + B > lowBits(N));
    });
  case Intrinsic::usub_with_overflow:
    return overflowing([](uint64_t A, uint64_t B, unsigned) {
      return std::pair(A - B, B > A);
    });
  case Intrinsic::umul_with_overflow:
    return overflowing([](uint64_t A, uint64_t B, unsigned N) {
      return std::pair(A * B, (unsigned __int128)(A)*B > lowBits(N));
    });
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::smul_with_overflow: {
    Intrinsic::ID Id = I.getIntrinsicID();
    return overflowing([Id](uint64_t A, uint64_t B, unsigned N) {
      __int128 X = signedOf(A, N), Y = signedOf(B, N);
      __int128 V = Id == Intrinsic::sadd_with_overflow   ? X + Y
                   : Id == Intrinsic::ssub_with_overflow ? X - Y
                                                         : X * Y;
      return std::pair(uint64_t(V), V != signedOf(uint64_t(V), N));
    });
  }
  case Intrinsic::vector_insert: {
    for (unsigned R = 0; R < S.Registers; ++R)
      copy(S, R, in(S, 0, R));
    unsigned N = Now->P.registersOf(I.getArgOperand(1)->getType());
    auto First =
        unsigned(cast<ConstantInt>(I.getArgOperand(2))->getZExtValue());
    for (unsigned R = 0; R < N && First + R < S.Registers; ++R)
      copy(S, First + R, in(S, 1, R));
    return true;
  }
  case Intrinsic::vector_extract: {
    auto First =
        unsigned(cast<ConstantInt>(I.getArgOperand(1))->getZExtValue());
    for (unsigned R = 0; R < S.Registers; ++R)
      copy(S, R, in(S, 0, First + R));
    return true;
  }
  case Intrinsic::vector_reduce_add:
  case Intrinsic::vector_reduce_or:
  case Intrinsic::vector_reduce_and: {
    Intrinsic::ID Id = I.getIntrinsicID();
    unsigned N = Now->P.registersOf(I.getArgOperand(0)->getType());
    copy(S, 0, in(S, 0));
    uint64_t *D = out(S);
    for (unsigned R = 1; R < N; ++R) {
      const uint64_t *A = in(S, 0, R);
      lanes([&](unsigned L) {
        D[L] = Id == Intrinsic::vector_reduce_add  ? D[L] + A[L]
               : Id == Intrinsic::vector_reduce_or ? D[L] | A[L]
                                                   : D[L] & A[L];
        D[L] &= lowBits(Bits);
      });
    }
    return true;
  }
  case Intrinsic::amdgcn_mul_u24:
    return two([](auto A, auto B) { return (A & 0xffffff) * (B & 0xffffff); });
  case Intrinsic::amdgcn_mul_i24:
    return two(
        [](auto A, auto B) { return signedOf(A, 24) * signedOf(B, 24); });
  case Intrinsic::amdgcn_mulhi_u24:
    return two(
        [](auto A, auto B) { return (A & 0xffffff) * (B & 0xffffff) >> 32; });
  case Intrinsic::amdgcn_mulhi_i24:
    return two([](auto A, auto B) {
      return uint64_t(signedOf(A, 24) * signedOf(B, 24)) >> 32;
    });
  case Intrinsic::amdgcn_ubfe:
    return three([](auto A, auto B, auto C) {
      return A >> (B & 31) & lowBits(unsigned(C & 31));
    });
  case Intrinsic::amdgcn_sbfe:
    return three([](auto A, auto B, auto C) {
      return uint64_t(signedOf(A >> (B & 31) & lowBits(unsigned(C & 31)),
                               unsigned(C & 31)));
    });
  case Intrinsic::amdgcn_alignbyte:
    return three(
        [](auto A, auto B, auto C) { return (A << 32 | B) >> 8 * (C & 3); });
  case Intrinsic::amdgcn_sad_u8:
  case Intrinsic::amdgcn_msad_u8: {
    bool Masked = I.getIntrinsicID() == Intrinsic::amdgcn_msad_u8;
    return three([=](auto A, auto B, auto C) {
      for (unsigned Byte = 0; Byte < 32; Byte += 8) {
        auto X = int64_t(A >> Byte & 255), Y = int64_t(B >> Byte & 255);
        C += Masked && !Y ? 0 : uint64_t(std::abs(X - Y));
      }
      return C;
    });
  }
  case Intrinsic::amdgcn_sad_u16:
    return three([](auto A, auto B, auto C) {
      for (unsigned Half = 0; Half < 32; Half += 16)
        C += uint64_t(std::abs(int64_t(A >> Half & 0xffff) -
                               int64_t(B >> Half & 0xffff)));
      return C;
    });
  // Bytes of B (0 to 3) and A (4 to 7) by the selectors in C; 12 is 0, more
  // is 255, and 8 to 11 are signs (AMD, "Vega Instruction Set Architecture").
  case Intrinsic::amdgcn_perm:
    return three([](auto A, auto B, auto C) {
      uint64_t Both = A << 32 | B, V = 0;
      for (unsigned Byte = 0; Byte < 32; Byte += 8) {
        uint64_t Select = C >> Byte & 255;
        uint64_t Got = Select < 8     ? Both >> 8 * Select & 255
                       : Select < 12  ? (Both >> (16 * Select - 113) & 1) * 255
                       : Select == 12 ? 0
                                      : 255;
        V |= Got << Byte;
      }
      return V;
    });
  default:
    return false;
  }
}

/// What lanes learn of each other.
bool WaveStepper::waveIntrinsic(const WaveStep &S, const IntrinsicInst &I) {
  auto first = [&] { return unsigned(llvm::countr_zero(Active)); };
  auto fromLane = [&](unsigned Lane) {
    for (unsigned R = 0; R < S.Registers; ++R) {
      uint64_t V = in(S, 0, R)[Lane % W];
      uint64_t *D = out(S, R);
      lanes([&](unsigned L) { D[L] = V; });
    }
    return true;
  };
  switch (I.getIntrinsicID()) {
  case Intrinsic::amdgcn_ballot: {
    Mask M = 0;
    const uint64_t *A = in(S, 0);
    lanes([&](unsigned L) { M |= Mask(A[L] & 1) << L; });
    all(S, M);
    return true;
  }
  case Intrinsic::amdgcn_readfirstlane:
    return fromLane(first());
  case Intrinsic::amdgcn_readlane:
    return fromLane(unsigned(in(S, 1)[first()]));
  case Intrinsic::amdgcn_writelane: {
    uint64_t V = in(S, 0)[first()];
    auto Lane = unsigned(in(S, 1)[first()] % W);
    copy(S, 0, in(S, 2));
    out(S)[Lane] = V;
    return true;
  }
  case Intrinsic::amdgcn_ds_bpermute: {
    SmallVector<uint64_t, 64> Old(in(S, 1), in(S, 1) + W);
    const uint64_t *Index = in(S, 0);
    uint64_t *D = out(S);
    lanes([&](unsigned L) { D[L] = Old[Index[L] / 4 % W]; });
    return true;
  }
  case Intrinsic::amdgcn_mbcnt_lo:
  case Intrinsic::amdgcn_mbcnt_hi: {
    bool High = I.getIntrinsicID() == Intrinsic::amdgcn_mbcnt_hi;
    const uint64_t *M = in(S, 0), *More = in(S, 1);
    uint64_t *D = out(S);
    lanes([&](unsigned L) {
      uint64_t Below = lowBits(L), Part = High ? Below >> 32 : Below & ~0u;
      D[L] = More[L] + uint64_t(llvm::popcount(M[L] & Part));
    });
    return true;
  }
  default:
    return false;
  }
}

/// The name without its types: "fma" of "llvm.fma.v4f32", "rcp" of
/// "llvm.amdgcn.rcp.f32" and of "llvm.nvvm.rcp.approx.ftz.f".
static StringRef stemOf(StringRef Name, StringRef &Rest) {
  for (StringRef Each : {"llvm.", "amdgcn.", "nvvm."})
    Name.consume_front(Each);
  std::tie(Name, Rest) = Name.split('.');
  return Name;
}

static constexpr double Pi = 3.14159265358979323846;

bool WaveStepper::floatIntrinsic(const WaveStep &S, const IntrinsicInst &I) {
  Type *T = I.getType()->getScalarType();
  StringRef Name = I.getCalledFunction()->getName(), Rest;
  bool Amd = Name.starts_with("llvm.amdgcn.");
  StringRef Stem = stemOf(Name, Rest);
  auto one = [&](auto Fn) {
    floats<1>(S, T, Fn);
    return true;
  };
  auto two = [&](auto Fn) {
    floats<2>(S, T, Fn);
    return true;
  };
  auto three = [&](auto Fn) {
    floats<3>(S, T, Fn);
    return true;
  };
  Type *From =
      I.arg_size() ? I.getArgOperand(0)->getType()->getScalarType() : T;
  if (Stem == "is" && Rest.starts_with("fpclass")) {
    auto Asked = cast<ConstantInt>(I.getArgOperand(1))->getZExtValue();
    integers<1>(S, [&](uint64_t A) {
      double V = numberOf(From, A);
      unsigned Exponent = From->isDoubleTy() ? 1022
                          : From->isHalfTy() ? 14
                                             : 126;
      bool Minus = std::signbit(V),
           Small = V != 0 && std::fabs(V) < std::ldexp(1.0, -int(Exponent));
      unsigned Is = std::isnan(V)   ? fcQNan
                    : std::isinf(V) ? (Minus ? fcNegInf : fcPosInf)
                    : V == 0        ? (Minus ? fcNegZero : fcPosZero)
                    : Small         ? (Minus ? fcNegSubnormal : fcPosSubnormal)
                                    : (Minus ? fcNegNormal : fcPosNormal);
      return uint64_t((Is & Asked) != 0);
    });
    return true;
  }
  if (Stem == "frexp" &&
      (Rest.starts_with("exp") || Rest.starts_with("mant"))) {
    bool Mantissa = Rest.starts_with("mant");
    integers<1>(S, [&](uint64_t A) {
      int E = 0;
      double V = numberOf(From, A);
      double M = std::isfinite(V) ? std::frexp(V, &E) : V;
      return Mantissa ? bitsOfNumber(T, M) : uint64_t(int64_t(E));
    });
    return true;
  }
  if (Stem == "frexp" && I.getType()->isStructTy()) {
    unsigned N = S.Registers / 2;
    for (unsigned R = 0; R < N; ++R) {
      const uint64_t *A = in(S, 0, R);
      uint64_t *M = out(S, R), *E = out(S, N + R);
      lanes([&](unsigned L) {
        int Exponent = 0;
        double V = numberOf(From, A[L]);
        M[L] =
            bitsOfNumber(From, std::isfinite(V) ? std::frexp(V, &Exponent) : V);
        E[L] = uint32_t(Exponent);
      });
    }
    return true;
  }
  if (Stem == "ldexp") {
    unsigned Bits = Now->P.bitsOf(I.getArgOperand(1)->getType());
    for (unsigned R = 0; R < S.Registers; ++R) {
      const uint64_t *A = in(S, 0, R), *E = in(S, 1, R);
      uint64_t *D = out(S, R);
      lanes([&](unsigned L) {
        int64_t By = std::clamp<int64_t>(signedOf(E[L], Bits), -5000, 5000);
        D[L] = bitsOfNumber(T, std::ldexp(numberOf(From, A[L]), int(By)));
      });
    }
    return true;
  }
  if (Stem == "powi") {
    for (unsigned R = 0; R < S.Registers; ++R) {
      const uint64_t *A = in(S, 0, R), *E = in(S, 1);
      uint64_t *D = out(S, R);
      lanes([&](unsigned L) {
        D[L] = bitsOfNumber(
            T, std::pow(numberOf(From, A[L]), double(signedOf(E[L], 32))));
      });
    }
    return true;
  }
  if (Stem == "fptosi" || Stem == "fptoui") { // .sat
    bool Signed = Stem == "fptosi";
    double High = std::ldexp(1.0, int(S.Bits) - int(Signed)),
           Low = Signed ? -High : 0;
    integers<1>(S, [&](uint64_t A) {
      double V = numberOf(From, A);
      if (std::isnan(V))
        return uint64_t(0);
      if (V >= High)
        return Signed ? lowBits(S.Bits - 1) : lowBits(S.Bits);
      if (V <= Low)
        return uint64_t(Signed ? uint64_t(1) << (S.Bits - 1) : 0);
      return integerOf(V, Signed);
    });
    return true;
  }
  if (Stem == "cvt" && Rest.starts_with("pkrtz")) {
    // Rounding towards zero is left out: a value may be off by one place.
    for (unsigned R = 0; R < 2; ++R) {
      const uint64_t *A = in(S, R);
      uint64_t *D = out(S, R);
      lanes(
          [&](unsigned L) { D[L] = halfOf(bit_cast<float>(uint32_t(A[L]))); });
    }
    return true;
  }
  if (!T->isFloatingPointTy())
    return false;
  if (Stem == "fma" || Stem == "fmuladd" || Stem == "fmad")
    return three([](auto A, auto B, auto C) { return std::fma(A, B, C); });
  if (Stem == "fmed3")
    return three([](auto A, auto B, auto C) {
      return std::fmax(std::fmin(A, B), std::fmin(std::fmax(A, B), C));
    });
  if (Stem == "sqrt")
    return one([](auto A) { return std::sqrt(A); });
  if (Stem == "rcp")
    return one([](auto A) { return decltype(A)(1) / A; });
  if (Stem == "rsq" || Stem == "rsqrt")
    return one([](auto A) { return decltype(A)(1) / std::sqrt(A); });
  if (Stem == "fdiv" || Stem == "div")
    return two([](auto A, auto B) { return A / B; });
  if (Stem == "add")
    return two([](auto A, auto B) { return A + B; });
  if (Stem == "mul" || Stem == "fmul")
    return two([](auto A, auto B) { return A * B; });
  // AMD's take turns of a whole circle.
  if (Stem == "sin")
    return one(
        [=](auto A) { return std::sin(Amd ? A * decltype(A)(2 * Pi) : A); });
  if (Stem == "cos")
    return one(
        [=](auto A) { return std::cos(Amd ? A * decltype(A)(2 * Pi) : A); });
  if (Stem == "tan")
    return one([](auto A) { return std::tan(A); });
  if (Stem == "exp2" || Stem == "ex2")
    return one([](auto A) { return std::exp2(A); });
  if (Stem == "exp")
    return one([](auto A) { return std::exp(A); });
  if (Stem == "exp10")
    return one([](auto A) { return std::pow(decltype(A)(10), A); });
  if (Stem == "log2" || Stem == "lg2" || (Stem == "log" && Amd))
    return one([](auto A) { return std::log2(A); });
  if (Stem == "log")
    return one([](auto A) { return std::log(A); });
  if (Stem == "log10")
    return one([](auto A) { return std::log10(A); });
  if (Stem == "pow")
    return two([](auto A, auto B) { return std::pow(A, B); });
  if (Stem == "floor")
    return one([](auto A) { return std::floor(A); });
  if (Stem == "ceil")
    return one([](auto A) { return std::ceil(A); });
  if (Stem == "trunc")
    return one([](auto A) { return std::trunc(A); });
  if (Stem == "rint" || Stem == "nearbyint" || Stem == "roundeven")
    return one([](auto A) { return std::nearbyint(A); });
  if (Stem == "round")
    return one([](auto A) { return std::round(A); });
  if (Stem == "fract")
    return one([](auto A) { return A - std::floor(A); });
  if (Stem == "fabs")
    return one([](auto A) { return std::fabs(A); });
  if (Stem == "canonicalize" || Stem == "saturate")
    return one([=](auto A) {
      decltype(A) Zero(0), One(1);
      return Stem == "saturate" ? std::fmin(std::fmax(A, Zero), One) : A;
    });
  if (Stem == "copysign")
    return two([](auto A, auto B) { return std::copysign(A, B); });
  if (Stem == "minnum" || Stem == "minimumnum" || Stem == "fmin")
    return two([](auto A, auto B) { return std::fmin(A, B); });
  if (Stem == "maxnum" || Stem == "maximumnum" || Stem == "fmax")
    return two([](auto A, auto B) { return std::fmax(A, B); });
  if (Stem == "minimum")
    return two([](auto A, auto B) {
      return A != A || B != B ? A + B : std::fmin(A, B);
    });
  if (Stem == "maximum")
    return two([](auto A, auto B) {
      return A != A || B != B ? A + B : std::fmax(A, B);
    });
  return false;
}

} // namespace clrewrite::measure
