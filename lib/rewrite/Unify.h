// Writing several similar expressions as one that depends on a counter.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace clrewrite {

/// \p Terms as one expression of the int variable \p Counter, whose value for
/// counter I is term I. The terms may differ in one place only, in scalar
/// integers or pointers of one type without side effects; that place becomes
/// a select (or a linear expression, for literals in even steps). None where
/// the terms are all the same, or differ otherwise.
std::optional<std::string> unified(llvm::ArrayRef<const clang::Expr *> Terms,
                                   llvm::StringRef Counter,
                                   const clang::ASTContext &Context);

} // namespace clrewrite
