// How an index changes with the work-item's id, or with a loop's variable.
//
// `a[(y + r) * w + x]` moves by 1 from one work-item of a wave to the next,
// `a[x * h + y]` by h. The change is read off the expression as a derivative
// is: sums add, a product with what stays the same scales, and what can't be
// told makes the answer unknown. Wrap-around of integers is left aside, and
// min(), max() and clamp() with bounds that stay the same count as the value
// that they bound: within an image that is what they are.
#pragma once

#include "lanes/Program.h"
#include <map>
#include <optional>

namespace clrewrite::lanes {

/// A change from one to the next: a number, and multiples of what stays the
/// same, by its text.
struct Stride {
  int64_t Constant = 0;
  std::map<std::string, int64_t> Terms = {};

  bool isZero() const { return Constant == 0 && Terms.empty(); }
  bool isNumber() const { return Terms.empty(); }
  /// "1", "w", "2*w + 1".
  std::string text() const;
};

/// What changes by 1: the lane (the ids of dimension 0), the row (those of
/// dimension 1), or a variable of a loop.
struct Mover {
  enum Kinds { Lane, Row, Variable } Kind = Lane;
  const clang::VarDecl *V = nullptr;
};

class Strides {
public:
  Strides(const Program &P, Mover By, const Frame *In) : P(P), By(By), In(In) {}

  /// Of an integer, or of a pointer in bytes; none where it can't be told.
  std::optional<Stride> of(const clang::Expr *E) { return value(E, In, 0); }
  /// Of where an lvalue lies, in bytes.
  std::optional<Stride> ofAddress(const clang::Expr *E) {
    return address(E, In, 0);
  }
  /// \p E is known to be the same for all.
  bool isSame(const clang::Expr *E) {
    std::optional<Stride> S = of(E);
    return S && S->isZero();
  }

private:
  const Program &P;
  Mover By;
  const Frame *In;
  std::vector<const clang::VarDecl *> Busy; ///< variables being looked at

  using Known = std::optional<Stride>;
  Known value(const clang::Expr *E, const Frame *F, unsigned Depth);
  Known address(const clang::Expr *E, const Frame *F, unsigned Depth);
  Known variable(const clang::VarDecl *V, const Frame *F, unsigned Depth);
  Known call(const clang::CallExpr *C, const Frame *F, unsigned Depth);
  Known binary(const clang::BinaryOperator *B, const Frame *F, unsigned Depth);
  Known cast(const clang::CastExpr *C, const Frame *F, unsigned Depth);
  Known unary(const clang::UnaryOperator *U, const Frame *F, unsigned Depth);
  Known component(const clang::ExtVectorElementExpr *E, const Frame *F,
                  unsigned Depth);
  Known product(const clang::Expr *A, const clang::Expr *B, const Frame *F,
                unsigned Depth);
  Known sum(Known A, const Known &B, int64_t Sign) const;
  Known bounded(llvm::ArrayRef<const clang::Expr *> Args, const Frame *F,
                unsigned Depth);
  int64_t bytesBehind(clang::QualType Pointer) const;
};

/// The dimension of a call of get_global_id and its like; 0 for the linear
/// ids. None where it is no such call, or the dimension is no constant.
std::optional<unsigned> idDimension(const clang::Expr *E,
                                    const clang::ASTContext &Context);

/// The value of a constant integer expression, where strides can be computed
/// with it without overflow.
std::optional<int64_t> constantOf(const clang::Expr *E,
                                  const clang::ASTContext &Context);

/// \p E as it stands in the text, in one line; what comes from a macro as the
/// macro makes it.
std::string textOf(const clang::Expr *E, const clang::ASTContext &Context);

} // namespace clrewrite::lanes
