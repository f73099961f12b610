// The effects of a statement on memory that other work-items may see.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace clrewrite::rewrite {

/// A read of a variable or through a pointer.
struct MemoryRead {
  clang::LangAS Space = clang::LangAS::Default;
  /// Null where a called function reads, and does not say where.
  const clang::Expr *Pointer = nullptr;
};

/// The reads and writes of a statement, and of the functions that it calls, in
/// memory that other work-items may see. Constant memory, which no kernel
/// writes, is left out.
struct MemoryEffects {
  /// It holds a barrier, or a volatile or atomic access, or calls a function
  /// whose body is not known.
  bool Unknown = false;
  /// The assignments and calls that write.
  std::vector<const clang::Expr *> Writes;
  std::vector<MemoryRead> Reads;
};
MemoryEffects memoryEffects(const clang::Stmt *S,
                            const clang::FunctionDecl &Function);

} // namespace clrewrite::rewrite
