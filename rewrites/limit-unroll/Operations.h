// How much code a statement becomes.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::rewrite {

/// About how many operations on single numbers \p S has once the loops of
/// constant length in it are written out and the functions of this file that it
/// calls stand in it. Other loops count once. For orders of magnitude only.
double operationsIn(const clang::Stmt *S, const clang::ASTContext &Context);

} // namespace clrewrite::rewrite
