// Sums of variables whose values were loaded ahead of the sum.
#pragma once

#include "rewrite/text/LoadChain.h"

namespace clrewrite::rewrite::roll_terms {

/// A sum `a + b - c` of at least three variables, each declared with a load as
/// its value.
struct LoadedSum {
  /// The sum, with the loads instead of the variables.
  Chain Values;
  std::vector<const clang::VarDecl *> Variables;
  std::vector<const clang::DeclStmt *> Declarations; ///< one for each
};

/// The sum whose last operation is \p Root; none where another one continues
/// it, or where it is not of that kind.
std::optional<LoadedSum> loadedSum(const clang::BinaryOperator &Root,
                                   LoadTest IsLoad, clang::ASTContext &Context);

/// The first of the variables of \p L that is not named in the sum alone; null
/// where all are.
const clang::VarDecl *usedElsewhere(const LoadedSum &L,
                                    const clang::FunctionDecl &Function);

/// From each load to \p Statement, in one block, nothing changes what the load
/// gives: only private variables that no load names are assigned to.
bool mayWait(const LoadedSum &L, const clang::Stmt *Statement,
             const clang::FunctionDecl &Function, clang::ASTContext &Context);

/// The edits that remove the declarations of the sum's variables; none where
/// that is not possible: in macros, or beside pointers or arrays.
std::optional<Edits> withoutDeclarations(const LoadedSum &L,
                                         const clang::ASTContext &Context);

} // namespace clrewrite::rewrite::roll_terms
