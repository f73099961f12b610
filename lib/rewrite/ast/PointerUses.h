// The uses of a pointer: whether the code reads or writes its elements, moves
// it, or does something else with it.
//
// For `p[i] += x`, `p += 4` and `f(p)` the uses of p are an Update, a Move and
// Unknown.
#pragma once

#include "rewrite/Rewrite.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include <set>

namespace clrewrite::rewrite {

/// What the code does with the pointer at one of its names.
struct PointerUse {
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

/// All references to \p V in \p S.
std::vector<const clang::DeclRefExpr *> namesOf(const clang::ValueDecl *V,
                                                const clang::Stmt *S);

/// The text of \p E with \p With for each name of \p V.
std::string spelledWith(const clang::Expr *E, const clang::VarDecl *V,
                        const std::string &With,
                        const clang::ASTContext &Context);

/// Where this build sees the name of \p V in \p Scope, whatever it names there:
/// the place of a macro's argument, or the name of the macro whose body has it.
std::set<clang::SourceLocation> seenPlaces(const clang::NamedDecl *V,
                                           const clang::Stmt *Scope);

/// The first word in \p Scope, by default that of \p V, a local variable, that
/// may be a use of it which this build does not see: its name in an arm of #if
/// that is left out, or as an argument of a macro that is empty here; a macro
/// that stands for code with that name in some build; or the #include of a
/// file. Invalid where there is none.
clang::SourceRange unseenName(const clang::VarDecl *V,
                              const clang::Stmt *Scope = nullptr);

/// The use of a pointer at \p Name.
PointerUse pointerUse(const clang::DeclRefExpr *Name,
                      clang::ASTContext &Context);

/// No code depends on the type of the element that \p A reads: the value is
/// converted to another scalar at once, and selects no overload or vector.
bool typeIsHidden(const PointerUse &A, clang::ASTContext &Context);

/// \p A and \p B are one type, qualifiers and address spaces aside.
bool sameElement(clang::QualType A, clang::QualType B,
                 const clang::ASTContext &Context);

/// The site's function is declared once, no code of the file names it, and none
/// calls it in another build, so that only the host passes arguments to it.
bool isOnlyForHost(const Site &S);

inline const Condition IsOnlyForHost{
    "the kernel is called by other code or declared more than once",
    isOnlyForHost,
    "put the body into a function that the kernel and the other code call"};

} // namespace clrewrite::rewrite
