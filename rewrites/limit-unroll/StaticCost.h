// A static cost: about how many operations a statement becomes once its loops
// are unrolled and its calls are inlined.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::rewrite::limit_unroll {

/// About how many operations on single numbers \p S has once its loops with
/// constant trip counts are unrolled and the functions of this file that it
/// calls are inlined. Other loops count once. Only the order of magnitude is
/// meant.
double staticCost(const clang::Stmt *S, const clang::ASTContext &Context);

} // namespace clrewrite::rewrite::limit_unroll
