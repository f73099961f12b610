// Loaded values: variables and private arrays that hold nothing but what was
// loaded into them, and where they are read.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace clrewrite::rewrite::reload {

/// A read of the variable, or of an element of the array.
struct Use {
  const clang::Expr *Whole = nullptr; ///< what the load replaces
  const clang::Expr *Index = nullptr; ///< x of A[x]
};

/// A variable that is initialised by a load, or an array whose only write is
/// `A[i] = load`, in a loop that goes through all of its elements; all of its
/// other references are reads.
struct LoadedValue {
  const clang::VarDecl *Variable = nullptr;
  const clang::Expr *Load = nullptr;
  const clang::VarDecl *Counter = nullptr; ///< i of `A[i] = load`
  clang::QualType Type;                    ///< of the value
  std::vector<Use> Reads;
};

/// \p V as a loaded value of \p Function; none where it may hold anything else.
std::optional<LoadedValue> loadedValue(const clang::VarDecl *V,
                                       const clang::FunctionDecl &Function,
                                       clang::ASTContext &Context);

/// The pointer that the load \p E reads through; null where \p E is not just
/// one load, or its index holds another.
const clang::Expr *pointerOf(const clang::Expr *E);

/// The expression that says where the load \p E reads, of which pointerOf() is
/// not null: its index or offset, or the pointer of `*p`.
const clang::Expr *placeOf(const clang::Expr *E);

} // namespace clrewrite::rewrite::reload
