// Which memory a pointer leads into, and whether two may lead into the same.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace clrewrite::rewrite {

/// How a function changes a variable after its declaration.
struct Changes {
  bool Any = false;       ///< in any way, or its address is taken
  bool ToAnother = false; ///< a pointer: to something other than itself +- n
};
Changes changesOf(const clang::VarDecl *V, const clang::FunctionDecl &Function);

/// The pointer that \p E adds to or subtracts from, as p in `p + 1` or `p++`; \p E
/// itself elsewhere.
const clang::Expr *addedTo(const clang::Expr *E);

/// The pointer parameter whose memory \p Pointer leads into, or the variable, no
/// pointer, of which it is a part; null where that is not seen.
const clang::VarDecl *memoryOf(const clang::Expr *Pointer,
                               const clang::FunctionDecl &Function);

/// The address space that \p Pointer, or an array, leads into.
clang::LangAS spaceOf(const clang::Expr *Pointer);

bool isPrivateSpace(clang::LangAS Space);

/// One piece of memory may be reached through both.
bool mayShare(clang::LangAS A, clang::LangAS B);

/// What memoryOf() says of two pointers to \p Space, one of which is stored
/// through: no byte is reached through both.
bool areApart(const clang::VarDecl *A, const clang::VarDecl *B,
              clang::LangAS Space, const clang::FunctionDecl &Function);

} // namespace clrewrite::rewrite
