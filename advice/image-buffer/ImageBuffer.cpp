// image-buffer: a buffer of pixels that is read as an image would be.
//
// `src[clamp(y + j, 0, h - 1) * w + clamp(x + i, 0, w - 1)]` is what a sampler
// does: an image2d_t read with CLK_ADDRESS_CLAMP_TO_EDGE clamps for nothing,
// and its cache is laid out in two dimensions.
#include "advice/AdviceSort.h"
#include "lanes/Accesses.h"
#include "lanes/Strides.h"
#include "rewrite/ast/Builtins.h"
#include "llvm/ADT/StringSwitch.h"
#include <map>
#include <set>

using namespace clang;

namespace clrewrite::advice::image_buffer {
namespace {

/// The image channel type for pixels of 4 components; empty where none fits.
llvm::StringRef channelsFor(QualType T, const ASTContext &Context) {
  const auto *V = T->getAs<ExtVectorType>();
  if (!V || V->getNumElements() != 4)
    return "";
  QualType E = V->getElementType().getCanonicalType().getUnqualifiedType();
  if (E->isHalfType())
    return "CL_HALF_FLOAT";
  if (E->isSpecificBuiltinType(BuiltinType::Float))
    return "CL_FLOAT";
  if (!E->isIntegerType())
    return "";
  bool Signed = E->isSignedIntegerType();
  switch (Context.getTypeSize(E)) {
  case 8:
    return Signed ? "CL_SIGNED_INT8" : "CL_UNSIGNED_INT8 or CL_UNORM_INT8";
  case 16:
    return Signed ? "CL_SIGNED_INT16" : "CL_UNSIGNED_INT16";
  case 32:
    return Signed ? "CL_SIGNED_INT32" : "CL_UNSIGNED_INT32";
  default:
    return "";
  }
}

class Reader {
public:
  Reader(const Program &P, const Frame *In)
      : P(P), Lane(P, {Mover::Lane}, In), Row(P, {Mover::Row}, In) {}

  /// \p Index is `row * width + column`, both clamped, and one or the other of
  /// a neighbour of the work-item's own pixel.
  bool isClampedPixel(const Expr *Index) {
    const Expr *E = P.meaning(Index);
    const Expr *Product = nullptr, *Column = nullptr, *A = nullptr,
               *B = nullptr;
    if (const auto *Sum = dyn_cast<BinaryOperator>(E);
        Sum && Sum->getOpcode() == BO_Add) {
      Product = P.meaning(Sum->getLHS());
      Column = P.meaning(Sum->getRHS());
      if (!factors(Product, A, B))
        std::swap(Product, Column);
      if (!factors(Product, A, B))
        return false;
    } else if (const auto *Mad = dyn_cast<CallExpr>(E);
               Mad && rewrite::calleeName(Mad) == "mad24" &&
               Mad->getNumArgs() == 3) {
      A = Mad->getArg(0);
      B = Mad->getArg(1);
      Column = P.meaning(Mad->getArg(2));
    } else {
      return false;
    }
    if (!isSame(B))
      std::swap(A, B);
    bool OfRow = false, OfColumn = false;
    return isSame(B) && isClamped(A, OfRow) && isClamped(Column, OfColumn) &&
           (OfRow || OfColumn);
  }

private:
  const Program &P;
  Strides Lane, Row;

  bool isSame(const Expr *E) { return Lane.isSame(E) && Row.isSame(E); }

  bool factors(const Expr *E, const Expr *&A, const Expr *&B) const {
    if (const auto *M = dyn_cast<BinaryOperator>(E);
        M && M->getOpcode() == BO_Mul) {
      A = M->getLHS();
      B = M->getRHS();
      return true;
    }
    const auto *C = dyn_cast<CallExpr>(E);
    if (!C || rewrite::calleeName(C) != "mul24" || C->getNumArgs() != 2)
      return false;
    A = C->getArg(0);
    B = C->getArg(1);
    return true;
  }

  bool isZero(const Expr *E) const {
    return constantOf(P.meaning(E), P.Context) == 0;
  }

  /// max(e, 0) in either order: e. Null where \p E is something else.
  const Expr *aboveZero(const Expr *E) const {
    const auto *C = dyn_cast<CallExpr>(P.meaning(E));
    if (!C || rewrite::calleeName(C) != "max" || C->getNumArgs() != 2)
      return nullptr;
    return isZero(C->getArg(0))   ? C->getArg(1)
           : isZero(C->getArg(1)) ? C->getArg(0)
                                  : nullptr;
  }
  /// min(e, what is the same for all) in either order: e.
  const Expr *belowEdge(const Expr *E) {
    const auto *C = dyn_cast<CallExpr>(P.meaning(E));
    if (!C || rewrite::calleeName(C) != "min" || C->getNumArgs() != 2)
      return nullptr;
    return isSame(C->getArg(1))   ? C->getArg(0)
           : isSame(C->getArg(0)) ? C->getArg(1)
                                  : nullptr;
  }

  /// \p E is clamped from 0 to an edge; \p Neighbour: what is clamped is a sum.
  bool isClamped(const Expr *E, bool &Neighbour) {
    const auto *C = dyn_cast<CallExpr>(P.meaning(E));
    const Expr *Inner = nullptr;
    if (C && rewrite::calleeName(C) == "clamp" && C->getNumArgs() == 3 &&
        rewrite::isBuiltinCall(C) && isZero(C->getArg(1)) &&
        isSame(C->getArg(2)))
      Inner = C->getArg(0);
    else if (const Expr *Low = aboveZero(E))
      Inner = belowEdge(Low);
    else if (const Expr *High = belowEdge(E))
      Inner = aboveZero(High);
    if (!Inner || isSame(Inner))
      return false;
    const auto *Sum = dyn_cast<BinaryOperator>(P.meaning(Inner));
    Neighbour = Sum && Sum->isAdditiveOp();
    return true;
  }
};

struct Buffer {
  const Expr *First = nullptr;
  std::string Name;
  llvm::StringRef Channels;
  bool Clamped = false, Written = false;
};

void inFunction(const FunctionDecl &F, const Adviser &To) {
  std::map<const VarDecl *, Buffer> Buffers;
  std::vector<const VarDecl *> Order;
  std::vector<const Frame *> Ways = To.Code.waysTo(F);
  for (const Access &A : accessesOf(F, LangAS::opencl_global, To.Context)) {
    const auto *S = dyn_cast<ArraySubscriptExpr>(A.At);
    const auto *D =
        S ? dyn_cast<DeclRefExpr>(S->getBase()->IgnoreParenImpCasts())
          : nullptr;
    const auto *V = D ? dyn_cast<ParmVarDecl>(D->getDecl()) : nullptr;
    llvm::StringRef Channels = channelsFor(A.At->getType(), To.Context);
    if (!V || Channels.empty())
      continue;
    auto [It, New] = Buffers.try_emplace(V);
    if (New)
      Order.push_back(V);
    Buffer &B = It->second;
    B.Written |= A.Writes;
    for (const Frame *In : Ways)
      if (!B.Clamped && !A.Writes &&
          Reader(To.Code, In).isClampedPixel(S->getIdx()))
        B = {A.At, V->getNameAsString(), Channels, true, B.Written};
  }
  for (const VarDecl *V : Order)
    if (const Buffer &B = Buffers[V]; B.Clamped && !B.Written)
      To.Tell(B.First->getBeginLoc(), F,
              B.Name +
                  " is read as an image is, at neighbours clamped to its "
                  "edges: an image2d_t (CL_RGBA, " +
                  B.Channels.str() +
                  ") with a sampler of CLK_ADDRESS_CLAMP_TO_EDGE clamps "
                  "for nothing, and is cached in two dimensions");
}

void find(const Adviser &To) {
  for (const auto &Each : To.Code.Functions)
    inFunction(*Each.second, To);
}

} // namespace

const AdviceSort &adviceImageBuffer() {
  static const AdviceSort S{
      "image-buffer", "buffers of pixels that are read as an image would be",
      find};
  return S;
}

} // namespace clrewrite::advice::image_buffer
