// Variables and private arrays that hold what was loaded, and where they are
// read.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace clrewrite::rewrite {

/// A name of the kept variable, and how it is read.
struct Use {
  const clang::Expr *Whole = nullptr; ///< what the load replaces
  const clang::Expr *Index = nullptr; ///< x of A[x]
};

/// A variable that is a load from its declaration on, or an array whose only
/// write is `A[i] = load`; all of its other names are reads.
struct Kept {
  const clang::VarDecl *Variable = nullptr;
  const clang::Expr *Load = nullptr;
  const clang::VarDecl *Counter = nullptr; ///< i of `A[i] = load`
  clang::QualType Type;                    ///< of the value
  std::vector<Use> Reads;
};

/// \p V as such, in the function with \p Body; none where it is anything else.
std::optional<Kept> keptIn(const clang::VarDecl *V, const clang::Stmt *Body,
                           clang::ASTContext &Context);

/// The pointer that a load goes through; null where \p E is no load alone. Its
/// index holds no other loads.
const clang::Expr *pointerOf(const clang::Expr *E);

/// What says where a load reads, given by pointerOf(): the index or offset, or
/// the pointer of `*p`.
const clang::Expr *placeOf(const clang::Expr *E);

/// The variable that a pointer is computed from: an argument, or an array in
/// constant memory; null for anything else.
const clang::VarDecl *bufferOf(const clang::Expr *Pointer);

} // namespace clrewrite::rewrite
