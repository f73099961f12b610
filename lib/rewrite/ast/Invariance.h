// Which expressions have one value throughout a region of a function, such as
// the body of a loop.
//
// Memory that a pointer leads into may be written by anybody, so that what
// reads it is never invariant. A variable can change in three ways only: a
// statement assigns to it, a pointer to it is written through, or it is
// volatile. The first is looked for in the region; where an address is taken
// anywhere in the function, the second is assumed. Variables at program scope are
// assumed to change, since functions that the region calls may assign to them.
#pragma once

#include "rewrite/ast/Conditions.h"

namespace clrewrite::rewrite {

class Invariance {
public:
  Invariance(const clang::Stmt *Region, const clang::FunctionDecl &Function,
             const clang::ASTContext &Context);

  /// Once \p V has a value, the region does not change it.
  bool keeps(const clang::VarDecl *V) const;

  /// The region declares \p V, so that each run of it has a variable of its
  /// own.
  bool declares(const clang::VarDecl *V) const;

  /// \p E has the same value wherever it is evaluated in the region: it has no
  /// effects, reads no memory, and names only variables from outside that the
  /// region keeps. It may still be undefined (mayBeUndefined).
  bool isInvariant(const clang::Expr *E) const;

private:
  const clang::Stmt *Region;
  const clang::ASTContext &Context;
  VariableSet Changing;
};

} // namespace clrewrite::rewrite
