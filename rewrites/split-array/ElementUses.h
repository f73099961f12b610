// What a function does with a private array of vectors: which elements and
// lanes it reads and assigns, and which functions it hands the array to.
//
// For `a[i].x += a[j].y`, `a[k] = v` and `f(a)` the uses of a are two of single
// lanes, a store of all lanes, and a call.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace clrewrite::rewrite::split_array {

/// A use of lanes of one element.
struct ElementUse {
  /// `a[i]`, `a[i].xy` or `a[i][0]`, all of it.
  const clang::Expr *Whole = nullptr;
  std::vector<const clang::Expr *> Indices;
  /// The lanes that are named, in their order; each one where none is.
  std::vector<unsigned> Lanes;
  enum {
    Lane, ///< a single lane is a scalar, whatever is done with it
    Read, ///< the value of a vector
    Store ///< Assignment assigns to a vector
  } Kind = Lane;
  const clang::BinaryOperator *Assignment = nullptr;
};

/// The array is an argument of a function of this file, which uses elements and
/// keeps no pointer.
struct ArrayCall {
  const clang::CallExpr *Call = nullptr;
  const clang::DeclRefExpr *Name = nullptr;
  bool ReadsOnly = false; ///< by the type that it takes
};

struct ElementUses {
  std::vector<ElementUse> Elements;
  std::vector<ArrayCall> Calls;
  /// The first use that is something else; null without.
  const clang::Expr *Other = nullptr;
};

/// The uses in \p Function of \p V, an array of vectors or a pointer to
/// vectors.
ElementUses elementUsesOf(const clang::VarDecl *V,
                          const clang::FunctionDecl &Function,
                          clang::ASTContext &Context);

} // namespace clrewrite::rewrite::split_array
