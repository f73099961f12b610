// Following indices through one function: the state of Narrowing.cpp, which
// walks statements and expressions, and of NarrowingArithmetic.cpp.
#pragma once

#include "Narrowing.h"
#include "Signs.h"
#include "llvm/ADT/DenseMap.h"

namespace clrewrite::rewrite::narrow_index {

enum Need { Low, Exact };

/// The new value of an expression.
struct Value {
  std::optional<IntType> Type = std::nullopt; ///< none: no integer
  bool Changed = false;                       ///< the old type was another
  Range Bounds = {};
};

class Trial {
public:
  Trial(const IndexVariables &V, const clang::FunctionDecl &F, IntType To,
        const clang::ASTContext &Context)
      : Vars(V), F(F), To(To), Context(Context), Sign(V, F, Context) {}

  Narrowing run();

private:
  const IndexVariables &Vars;
  const clang::FunctionDecl &F;
  IntType To;
  const clang::ASTContext &Context;
  Signs Sign;
  Narrowing Out;
  /// How many names of indices were met.
  size_t Seen = 0;
  /// The bounds of indices that get one value only.
  llvm::DenseMap<const clang::VarDecl *, Range> Known;

  void stop(Narrowing::Obstacle O, const clang::Expr *At) {
    if (Out.Against != Narrowing::None)
      return;
    Out.Against = O;
    Out.At = At;
  }
  std::optional<IntType> typeOf(const clang::Expr *E) const {
    return intType(E->getType(), Context);
  }
  /// \p Ask holds, if only by an assumption about parameters.
  bool trusting(llvm::function_ref<bool()> Ask);
  void requireNotNegative(const clang::Expr *E) {
    if (!Sign.notNegative(E))
      stop(Narrowing::Negative, E);
  }

  void walk(const clang::Stmt *S);
  void declare(const clang::VarDecl *V);
  /// An expression whose type stays.
  Value plain(const clang::Expr *E) const;
  Value visit(const clang::Expr *E, Need N);
  Value indexValue(const clang::VarDecl *V, Need N);
  /// An operand of arithmetic, before the usual conversions.
  Value operand(const clang::Expr *E, Need N);
  Value visitCast(const clang::CastExpr *C, Need N);
  Value visitUnary(const clang::UnaryOperator *U, Need N);
  Value visitConditional(const clang::ConditionalOperator *C, Need N);
  Value visitCall(const clang::CallExpr *Call);
  /// An argument as an overload or `...` sees it: its own value.
  static const clang::Expr *beforeConversion(const clang::Expr *E);
  Value visitBinary(const clang::BinaryOperator *B, Need N);
  Value visitAssignment(const clang::BinaryOperator *B, Need Wanted);
  /// \p Old is the result as it was, for where nothing changes.
  Value arithmetic(clang::BinaryOperatorKind Op, const clang::Expr *L,
                   const clang::Expr *R, Value Old, Need N);
  /// In uint a result below zero differs from the old one.
  void checkLow(clang::BinaryOperatorKind Op, const clang::Expr *L,
                const clang::Expr *R, const Value &A, const Value &B,
                IntType After, Need N);
  /// Comparisons, divisions and shifts to the right read the sign. \returns
  /// the type in which they do so.
  IntType checkSigns(clang::BinaryOperatorKind Op, const clang::Expr *L,
                     const clang::Expr *R, const Value &A, const Value &B,
                     IntType Before, IntType After);
  void convert(const clang::Expr *E, IntType T);
};

} // namespace clrewrite::rewrite::narrow_index
