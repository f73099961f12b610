// Indices in a loop as sums of products modulo 2^64, of which a part moves by
// the same step in every iteration.
#pragma once

#include "rewrite/affine/Polynomial.h"
#include "rewrite/ast/Conditions.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::rewrite {

/// `for (T Variable = Start; ...; Variable += Step)`, in which nothing else
/// changes the variable, and which can't wrap while the loop runs.
struct SteppedHead {
  const clang::VarDecl *Variable = nullptr;
  Polynomial Start;
  int64_t Step = 0;
};
/// Numbers and expressions are to be the file's own text; where \p FromMacros
/// they may come from macros too, and nothing can be written of them.
std::optional<SteppedHead> steppedHead(const clang::ForStmt &Loop,
                                       const clang::FunctionDecl &Function,
                                       const clang::ASTContext &Context,
                                       bool FromMacros = false);

/// An index of an element, or what is added to a pointer.
struct MovedIndex {
  const clang::Expr *Index = nullptr;
  Polynomial Moving; ///< what has the variable as a factor, without it
  Polynomial Steady; ///< has the same value in every iteration
  Polynomial Inner;  ///< the rest
};

/// The indices in the body of \p Loop that move with its variable, and are
/// computed with a product. \p FromMacros as for steppedHead().
std::vector<MovedIndex> movedIndices(const clang::ForStmt &Loop,
                                     const SteppedHead &Head,
                                     const clang::FunctionDecl &Function,
                                     clang::ASTContext &Context,
                                     bool FromMacros = false);

} // namespace clrewrite::rewrite
