// Indices of elements that a block computes by products of their own, although
// one of them and a few steps give them all.
#pragma once

#include "BlockIndices.h"

namespace clrewrite::rewrite::share_index {

/// An index, and how far it is from the one that its group starts from.
struct Neighbour {
  const clang::Expr *Index = nullptr;
  Polynomial Step;
};

struct IndexGroup {
  /// The index that the group starts from; all of the group have its type.
  const clang::Expr *Base = nullptr;
  /// A variable that holds that index already; or null.
  const clang::VarDecl *Holder = nullptr;
  /// The statement of the block that comes first among those with an index of
  /// the group.
  const clang::Stmt *First = nullptr;
  std::vector<Neighbour> Members; ///< the indices to write anew
};

/// The conditions on a group; each includes those before it.
enum class Asked {
  Nothing, ///< steps lead from index to index
  IsText,  ///< no text that is replaced or copied stands in the body of a macro
  IsInPlace, ///< no directive stands between the indices
  IsDefined, ///< the first index is defined wherever it would be computed
  IsExact,   ///< no step overflows
};

/// The groups of \p Block, not those of one block within it. In each, fewer
/// different products are left.
std::vector<IndexGroup> sharedIndices(const clang::CompoundStmt &Block,
                                      const clang::FunctionDecl &Function,
                                      clang::ASTContext &Context, Asked Of);

/// \p Index may be replaced as a whole, and written elsewhere in its function.
bool isReplaceable(const BlockIndex &Index, const clang::ASTContext &Context);

/// steppedText() can write \p Step.
bool isWritable(const Polynomial &Step, const clang::ASTContext &Context);

/// `At + Step`, where \p At is a variable of the type of \p Base: in that type,
/// or in long. Exact where cannotOverflow() holds.
std::string steppedText(llvm::StringRef At, const Polynomial &Step,
                        const clang::Expr *Base,
                        const clang::ASTContext &Context);

/// The text of steppedText() does not overflow where the sum is an index.
bool cannotOverflow(const Polynomial &Step, IntType Type,
                    const clang::ASTContext &Context);

/// The type of the index \p Base as OpenCL C spells it on every GPU.
std::string indexType(const clang::Expr *Base,
                      const clang::ASTContext &Context);

} // namespace clrewrite::rewrite::share_index
