// How a kernel's pointer is used: element by element, or otherwise.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace clrewrite::rewrite {

/// How one name of the pointer is used.
struct Access {
  enum {
    Unknown,
    Move,   ///< p += k as a statement: k elements, whatever their size
    Read,   ///< Element is read
    Store,  ///< Element = ...
    Update, ///< Element op= ..., ++, --
  } Kind = Unknown;
  const clang::Expr *Element = nullptr;
  const clang::Expr *Change =
      nullptr; ///< the assignment of a Move, Store or Update
  const clang::ImplicitCastExpr *Load = nullptr;
};

/// All names of \p V in \p S.
std::vector<const clang::DeclRefExpr *> namesOf(const clang::ValueDecl *V,
                                                const clang::Stmt *S);

/// What the code around the name of a pointer does with it.
Access accessOf(const clang::DeclRefExpr *Name, clang::ASTContext &Context);

/// The type of what \p A reads does not show: it is converted to another
/// scalar at once, and no choice of an overload or of a vector depends on it.
bool typeIsHidden(const Access &A, clang::ASTContext &Context);

/// One type, qualifiers and address spaces aside.
bool sameElement(clang::QualType A, clang::QualType B,
                 const clang::ASTContext &Context);

/// \p F is declared once, and no code of the file names it: what its arguments
/// mean is a matter of the host alone.
bool isOnlyForHost(const clang::FunctionDecl &F,
                   const clang::ASTContext &Context);

} // namespace clrewrite::rewrite
