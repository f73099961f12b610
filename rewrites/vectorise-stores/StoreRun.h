// Loops that store one element of a run of neighbours in each turn.
#pragma once

#include "rewrite/ast/Conditions.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::rewrite {

/// `for (T Variable = First; Variable < First + Turns; ++Variable)`, in which
/// nothing else changes the variable. All its values are from 0 to 127.
struct TurnCount {
  const clang::VarDecl *Variable = nullptr;
  int64_t First = 0, Turns = 0;
  /// The numbers stand in the text, and not in a macro.
  bool IsText = false;
};

/// How far apart the elements are that one turn stores: Factor times Leaf, or
/// Factor where that is null.
struct RowStep {
  int64_t Factor = 0;
  const clang::Expr *Leaf = nullptr;
};

/// `p[i + what stays the same] = value` in a loop over i, or
/// `p[i + j * step + what stays the same] = value` in a loop over j in that.
struct StoreRun {
  const clang::BinaryOperator *Store = nullptr;
  const clang::ArraySubscriptExpr *Place = nullptr;
  const clang::DeclRefExpr *Pointer = nullptr;
  const clang::ForStmt *Columns = nullptr; ///< over i
  TurnCount Column;                        ///< 2, 4, 8 or 16 turns
  const clang::ForStmt *Rows = nullptr;    ///< over j; null where there is none
  TurnCount Row;                           ///< up to 16 turns
  /// Nothing but these loops decides whether the store runs.
  bool RunsAlways = false;
  /// The index is such a sum, and the pointer stays the same.
  bool IsSum = false;
  std::optional<RowStep> Step; ///< none where the rows have no single one
};

/// The first store in \p Loop to global or local memory whose index moves by
/// one element with each turn, or may do so for all that is seen. None where
/// \p Loop does not count to 2, 4, 8 or 16.
std::optional<StoreRun> storeRun(const clang::ForStmt &Loop,
                                 const clang::FunctionDecl &Function,
                                 clang::ASTContext &Context);

} // namespace clrewrite::rewrite
