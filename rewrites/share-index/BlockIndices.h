// The indices of elements in a block, as polynomials of values that are
// invariant in the block.
#pragma once

#include "rewrite/affine/Polynomial.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::rewrite::share_index {

/// An index as it stands in the text.
struct BlockIndex {
  const clang::ArraySubscriptExpr *Subscript = nullptr;
  const clang::Expr *Index = nullptr;
  IntType Type; ///< of Index: 32 or 64 bits
  Polynomial Value;
  /// The products that it is computed with, but for those with a constant:
  /// equal ones have the same number in all of the block.
  llvm::SmallVector<unsigned, 4> Products;
  /// Which statement of the block it stands in, from 0.
  unsigned Child = 0;
  /// The outermost block within the block that holds it; null where none does.
  const clang::Stmt *Inner = nullptr;
  /// The variable that it names, whose initialiser is Value; or null.
  const clang::VarDecl *Holder = nullptr;
  /// The first statement of the block before which it could be computed.
  unsigned Ready = 0;
};

/// The indices in \p Block, in the order of the text. The leaves of Value are
/// invariant in the block, and mean the same wherever they are written from
/// statement Ready on. Equal leaves have one address.
std::vector<BlockIndex> blockIndices(const clang::CompoundStmt &Block,
                                     const clang::FunctionDecl &Function,
                                     clang::ASTContext &Context);

/// Computing \p E takes a product of two values that are not constant.
bool holdsProduct(const clang::Expr *E, const clang::ASTContext &Context);

} // namespace clrewrite::rewrite::share_index
