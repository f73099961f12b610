// What stands around a node.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTTypeTraits.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::rewrite {

/// The function that \p Node is, or whose body or parameters hold it; null for
/// what stands outside of functions.
const clang::FunctionDecl *enclosingFunction(clang::DynTypedNode Node,
                                             clang::ASTContext &Context);

/// The statement that declares \p V, perhaps with others; null for a parameter
/// and for what is declared elsewhere.
const clang::DeclStmt *declarationOf(const clang::VarDecl *V,
                                     clang::ASTContext &Context);

/// The attributes or pragmas that stand before \p S; null without.
const clang::AttributedStmt *attributed(const clang::Stmt &S,
                                        clang::ASTContext &Context);

} // namespace clrewrite::rewrite
