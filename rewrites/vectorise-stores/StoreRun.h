// Store runs: loops whose iterations store neighbouring elements, one each.
#pragma once

#include "rewrite/ast/Conditions.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::rewrite::vectorise_stores {

/// `for (T Variable = First; Variable < First + Trips; ++Variable)`, in which
/// nothing else changes the variable. All its values are from 0 to 127.
struct TripCount {
  const clang::VarDecl *Variable = nullptr;
  int64_t First = 0, Trips = 0;
  /// The numbers stand in the text, and not in a macro.
  bool IsText = false;
};

/// How far apart the elements are that one iteration stores: Factor times Leaf,
/// or Factor where Leaf is null.
struct RowStep {
  int64_t Factor = 0;
  const clang::Expr *Leaf = nullptr;
};

/// `p[i + invariant] = value` in a loop over i, or
/// `p[i + j * step + invariant] = value` in a loop over j in that one.
struct StoreRun {
  const clang::BinaryOperator *Store = nullptr;
  const clang::ArraySubscriptExpr *Place = nullptr;
  const clang::DeclRefExpr *Pointer = nullptr;
  const clang::ForStmt *Columns = nullptr; ///< over i
  TripCount Column;                        ///< 2, 4, 8 or 16 iterations
  const clang::ForStmt *Rows = nullptr;    ///< over j; null where there is none
  TripCount Row;                           ///< up to 16 iterations
  /// Nothing but these loops decides whether the store runs.
  bool RunsAlways = false;
  /// The index is such a sum, and the pointer is loop-invariant.
  bool IsSum = false;
  std::optional<RowStep> Step; ///< none where the rows have no single one
};

/// The first store in \p Loop to global or local memory whose index moves by
/// one element per iteration, or may do so for all that is known. None where
/// \p Loop does not count to 2, 4, 8 or 16.
std::optional<StoreRun> storeRun(const clang::ForStmt &Loop,
                                 const clang::FunctionDecl &Function,
                                 clang::ASTContext &Context);

} // namespace clrewrite::rewrite::vectorise_stores
