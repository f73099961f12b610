// Signs: which expressions are never negative once the indices are narrow.
#pragma once

#include "IndexVariables.h"
#include "rewrite/ast/Conditions.h"

namespace clrewrite::rewrite::narrow_index {

/// Knows one function. Errs on the side of "may be negative".
class Signs {
public:
  Signs(const IndexVariables &V, const clang::FunctionDecl &F,
        const clang::ASTContext &Context)
      : Vars(V), F(F), Context(Context), Addressed(addressTaken(F)) {}

  /// The new value of \p E is not negative, if indices are small enough.
  bool notNegative(const clang::Expr *E);
  /// The value of `L Op R` is not negative either.
  bool notNegative(clang::BinaryOperatorKind Op, const clang::Expr *L,
                   const clang::Expr *R);
  /// No value of \p V is negative: it starts at 0 and only grows.
  bool ofVariable(const clang::VarDecl *V);
  /// Asks with parameters assumed to be not negative: `y * width` with a
  /// negative width was not an index below 2^32, so that this may be assumed
  /// for uint.
  bool withParameters(llvm::function_ref<bool()> Ask);

private:
  const IndexVariables &Vars;
  const clang::FunctionDecl &F;
  const clang::ASTContext &Context;
  VariableSet Addressed;
  llvm::SmallVector<const clang::VarDecl *> Asked;
  bool Trusts = false;

  bool ofLocal(const clang::Expr *LValue);
};

} // namespace clrewrite::rewrite::narrow_index
