// Integer constants: what they are worth, and whether the file's own text says
// so.
//
// The two questions differ because of macros. The value of `N` in `i < N` holds
// for this build alone, so that it may decide what is legal in this build, but
// may not be written down: with other options N is another number. A number
// that is written as such is the same in every build.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace clrewrite::rewrite {

/// The value of \p E where it is an integer constant of this build: a number, a
/// macro, an enumerator, or an expression of those. None for null, and for what
/// has effects. An unsigned value above INT64_MAX is taken modulo 2^64.
std::optional<int64_t> constant(const clang::Expr *E,
                                const clang::ASTContext &Context);

/// The value of a number without a sign, at most 2^24, so that products of two
/// fit an int64_t. None for a macro's number unless \p FromMacros.
std::optional<int64_t> numberIn(const clang::Expr *E, bool FromMacros);

/// \p E is a number, perhaps with a minus sign, that no macro writes.
bool isWrittenNumber(const clang::Expr *E);

} // namespace clrewrite::rewrite
