// Calls of OpenCL C's built-in functions, told from calls of functions that the
// program defines.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::rewrite {

/// A call of a built-in function: not defined, only declared by Clang or the
/// default header.
bool isBuiltinCall(const clang::CallExpr *Call);

/// \p Name means the built-in function wherever it stands: the program has no
/// macro, function, variable, parameter, type or constant of that name.
bool meansBuiltin(llvm::StringRef Name, const clang::ASTContext &Context);

/// The name of the function that \p E calls, implicit casts and parentheses
/// ignored; empty where \p E is no direct call.
llvm::StringRef calleeName(const clang::Expr *E);

/// get_local_size or get_num_groups, where \p If asks nothing but whether that
/// is 0, as the guards of opaque-guard do, which are there to keep code apart.
/// Empty for any other condition.
llvm::StringRef emptinessAsked(const clang::IfStmt &If);

/// A built-in vloadN or vload_halfN, vloada_halfN.
bool isVload(const clang::Expr *E);

} // namespace clrewrite::rewrite
