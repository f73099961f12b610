// Which kinds of expressions a search through a kernel knows.
#pragma once

#include "clang/AST/Expr.h"

namespace clrewrite::rewrite {

/// \p E does no more than its operands, or is an access, a change or a call,
/// to be looked at. Not atomic operations, statements as expressions, blocks.
bool isOrdinary(const clang::Expr *E);

} // namespace clrewrite::rewrite
