// The places of a function that read or write memory which work-items share.
#pragma once

#include "lanes/Strides.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::lanes {

/// An element of global or local memory, or a vloadN or vstoreN of some.
struct Access {
  /// The subscript, the dereference, or the call.
  const clang::Expr *At = nullptr;
  /// For a call: the offset, in units of Bytes, and the pointer. Else null.
  const clang::Expr *Offset = nullptr, *Pointer = nullptr;
  /// Bytes of an element, and of all that is accessed.
  int64_t ElementBytes = 0, Bytes = 0;
  bool Writes = false;
  /// Its address alone is taken, `&a[i]`, which counts as a write.
  bool OfAddress = false;
  /// The statements around it, the outermost first.
  std::vector<const clang::Stmt *> Around = {};
};

/// All to \p Space in the body of \p F, in order; elements that are structures
/// are left out.
std::vector<Access> accessesOf(const clang::FunctionDecl &F,
                               clang::LangAS Space, clang::ASTContext &Context);

/// How many bytes \p A moves on, as \p By does, where a kernel comes to it by
/// \p In; none where that can't be told.
std::optional<Stride> strideOf(const Access &A, const Program &Code, Mover By,
                               const Frame *In);

/// \p S leads to a neighbour of what \p A accesses: no further than what it
/// accesses is long, or than the widest vector is.
bool isStepOf(const std::optional<Stride> &S, const Access &A);

/// Only some lanes of a wave come to \p A: `if (get_local_id(0) == 0)`, or a
/// comparison with 8 or less.
bool isForFew(const Access &A, const Program &Code, const Frame *In);

/// The variable that a loop's head declares or sets, and steps; null for other
/// statements.
const clang::VarDecl *variableOf(const clang::Stmt *Loop);

/// The buffer that \p A is an access of, by its text: "in".
std::string bufferOf(const Access &A, const clang::ASTContext &Context);

} // namespace clrewrite::lanes
