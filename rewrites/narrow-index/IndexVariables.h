// The 64-bit variables of a function that hold indices, and how they get their
// values.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace clrewrite::rewrite::narrow_index {

/// A variable's initial value, an assignment, or `op=`; ++ and -- have no
/// Value.
struct Definition {
  clang::BinaryOperatorKind Op = clang::BO_Assign;
  const clang::Expr *Value = nullptr;
  bool Initial = false;
};

struct IndexVariables {
  IndexVariables(const clang::FunctionDecl &Function,
                 const clang::ASTContext &Context);

  /// Where each local variable and parameter gets a value. A parameter's
  /// argument and a missing initialiser are not among them.
  llvm::MapVector<const clang::VarDecl *, std::vector<Definition>> Definitions;
  /// The 64-bit integers that are made of ids, 32-bit integers and one another,
  /// and come from ids or index something; in the order of the text.
  llvm::SetVector<const clang::VarDecl *> Indices;
  /// The first of those that were left out because they are sums of data, or
  /// products of themselves, as hashes are; null where others are indices.
  const clang::VarDecl *LeftOut = nullptr;

  /// The one of Indices that \p E names; null for anything else.
  const clang::VarDecl *index(const clang::Expr *E) const;
};

/// A call of get_global_id and its like, which give a size_t.
bool isIndexCall(const clang::Expr *E);

/// \p E is computed from ids, integers of at most 32 bits and the indices of
/// \p Known: with those narrowed it would be a 32-bit integer.
bool isMadeOfIndices(const clang::Expr *E, const IndexVariables &Known,
                     const clang::ASTContext &Context);

/// \p E without parentheses and implicit conversions of integers.
const clang::Expr *bareInteger(const clang::Expr *E);

} // namespace clrewrite::rewrite::narrow_index
