// The parents of a node in the AST: the function that encloses it, the
// expression around an operand, the statement that declares a variable, the
// attributes before a statement.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTTypeTraits.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::rewrite {

/// The function that \p Node is, or whose body or parameters hold it; null for
/// a node outside of functions.
const clang::FunctionDecl *enclosingFunction(clang::DynTypedNode Node,
                                             clang::ASTContext &Context);

/// The expression that \p E is an operand of; null where a statement, a
/// declaration or an attribute holds it.
const clang::Expr *parentExpr(const clang::Expr *E, clang::ASTContext &Context);

/// As parentExpr(), of \p E with the parentheses around it, which become a part
/// of it.
const clang::Expr *outerExpr(const clang::Expr *&E, clang::ASTContext &Context);

/// The statement that declares \p V, perhaps with other variables; null where
/// no statement does, as for a parameter.
const clang::DeclStmt *declarationOf(const clang::VarDecl *V,
                                     clang::ASTContext &Context);

/// The block of which \p S is a statement, perhaps behind attributes; null
/// where it is none, as in the arm of an `if`.
const clang::CompoundStmt *blockOf(const clang::Stmt &S,
                                   clang::ASTContext &Context);

/// The outermost loop that \p S is or is in; null where it is in none.
const clang::Stmt *outermostLoop(const clang::Stmt &S,
                                 clang::ASTContext &Context);

/// The attributes or pragmas that stand before \p S; null without.
const clang::AttributedStmt *attributed(const clang::Stmt &S,
                                        clang::ASTContext &Context);

} // namespace clrewrite::rewrite
