// dot, dot_acc_sat and their forms for four bytes in a word.
//
//   dot_acc_sat_4x8packed_su_int(a, b, c)
//     -> llvm.amdgcn.sudot4(true, a, false, b, c, true) since gfx11,
//        else sadd.sat(c, (char)a.0 * (uchar)b.0 + ... + (char)a.3 *
//        (uchar)b.3)
//
// AMD has no compiler for OpenCL C with these functions. They let kernels be
// measured that are written for GPUs which have them.
#include "measure/amdgcn/AmdgcnDots.h"
#include "measure/llvm/Optimise.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/TargetParser.h"
#include "llvm/TargetParser/Triple.h"
#include <optional>

using namespace llvm;

namespace clrewrite::measure {
namespace {

struct DotProduct {
  bool Signed[2]; ///< the bytes of either operand
  bool Saturates; ///< it adds a third operand

  bool isSigned() const { return Signed[0] || Signed[1]; }
};

/// What \p Signature says: "dot_acc_sat_4x8packed_us_int(unsigned int, ...)",
/// or "dot(char vector[4], unsigned char vector[4])".
std::optional<DotProduct> dotProductOf(StringRef Signature) {
  auto [Name, Parameters] = Signature.split('(');
  if (!Name.consume_front("dot"))
    return std::nullopt;
  DotProduct Out{};
  Out.Saturates = Name.consume_front("_acc_sat");
  if (Name.consume_front("_4x8packed_")) {
    if (Name != "uu_uint" && Name != "ss_int" && Name != "us_int" &&
        Name != "su_int")
      return std::nullopt;
    Out.Signed[0] = Name[0] == 's';
    Out.Signed[1] = Name[1] == 's';
    return Out;
  }
  if (!Name.empty())
    return std::nullopt;
  for (bool &Each : Out.Signed) {
    auto [Type, Rest] = Parameters.split(", ");
    Type.consume_back(")");
    if (Type != "char vector[4]" && Type != "unsigned char vector[4]")
      return std::nullopt;
    Each = Type.starts_with("char");
    Parameters = Rest;
  }
  return Out;
}

/// The sum of the products of four bytes each of \p A and \p B.
Value *expanded(IRBuilder<> &B, const DotProduct &P, Value *A, Value *C) {
  auto byte = [&](Value *Of, unsigned I, bool Signed) {
    Value *Byte = B.CreateTrunc(B.CreateLShr(Of, 8 * I), B.getInt8Ty());
    return Signed ? B.CreateSExt(Byte, B.getInt32Ty())
                  : B.CreateZExt(Byte, B.getInt32Ty());
  };
  Value *Sum = B.getInt32(0);
  for (unsigned I = 0; I < 4; ++I)
    Sum = B.CreateAdd(
        Sum, B.CreateMul(byte(A, I, P.Signed[0]), byte(C, I, P.Signed[1])));
  return Sum;
}

void define(Function &F, const DotProduct &P, const StringMap<bool> &Has) {
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "", &F));
  Value *Operands[2];
  for (unsigned I = 0; I < 2; ++I)
    Operands[I] = B.CreateBitCast(F.getArg(I), B.getInt32Ty());
  Value *Added = B.getInt32(0);
  if (P.Saturates)
    Added = F.getArg(2);
  Value *Clamp = B.getInt1(P.Saturates);
  Value *Out = nullptr;
  if (P.Signed[0] == P.Signed[1] &&
      Has.lookup(P.isSigned() ? "dot1-insts" : "dot7-insts"))
    Out = B.CreateIntrinsic(P.isSigned() ? Intrinsic::amdgcn_sdot4
                                         : Intrinsic::amdgcn_udot4,
                            {}, {Operands[0], Operands[1], Added, Clamp});
  else if (P.isSigned() && Has.lookup("dot8-insts"))
    Out =
        B.CreateIntrinsic(Intrinsic::amdgcn_sudot4, {},
                          {B.getInt1(P.Signed[0]), Operands[0],
                           B.getInt1(P.Signed[1]), Operands[1], Added, Clamp});
  else
    Out = expanded(B, P, Operands[0], Operands[1]);
  if (P.Saturates && !isa<CallInst>(Out))
    Out = B.CreateBinaryIntrinsic(
        P.isSigned() ? Intrinsic::sadd_sat : Intrinsic::uadd_sat, Added, Out);
  B.CreateRet(Out);
  F.setLinkage(GlobalValue::InternalLinkage);
  inlineAlways(F);
}

} // namespace

void defineDotProducts(Module &M, StringRef Cpu) {
  StringMap<bool> Has;
  for (Function &F : M) {
    if (!F.isDeclaration() || F.isIntrinsic() ||
        !F.getReturnType()->isIntegerTy(32))
      continue;
    std::optional<DotProduct> P = dotProductOf(demangle(F.getName()));
    if (!P || F.arg_size() != (P->Saturates ? 3u : 2u))
      continue;
    if (Has.empty())
      AMDGPU::fillAMDGPUFeatureMap(Cpu, Triple(M.getTargetTriple()), Has);
    define(F, *P, Has);
  }
}

} // namespace clrewrite::measure
