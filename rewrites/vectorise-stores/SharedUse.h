// What a statement does with memory that is not the work-item's own.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace clrewrite::rewrite {

/// A read through a pointer, or of a variable.
struct SharedRead {
  clang::LangAS Space = clang::LangAS::Default;
  /// Null where a called function reads, and does not say where.
  const clang::Expr *Pointer = nullptr;
};

/// What a statement and the functions that it calls do with memory that other
/// work-items may see. Constant memory, which nobody writes, is left out.
struct SharedUse {
  /// Waits, is volatile or atomic, or can't be looked into.
  bool Unknown = false;
  /// The assignments and calls that write.
  std::vector<const clang::Expr *> Writes;
  std::vector<SharedRead> Reads;
};
SharedUse sharedUse(const clang::Stmt *S, const clang::FunctionDecl &Function);

} // namespace clrewrite::rewrite
