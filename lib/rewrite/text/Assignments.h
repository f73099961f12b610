// Branches whose arms only assign, as a tree, and the one order in which the
// assignments of all arms can be written.
#pragma once

#include "rewrite/ast/Conditions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include <memory>

namespace clrewrite::rewrite {

/// `Target = Value`, `Target Op= Value`, or ++ and -- (no Value).
struct Assignment {
  const clang::Expr *Node = nullptr;
  const clang::Expr *Target = nullptr;
  const clang::Expr *Value = nullptr;
  /// BO_Assign, or the operator that combines: BO_Add for += and ++.
  clang::BinaryOperatorKind Op = clang::BO_Assign;
};

struct Branch;

/// One statement of an arm: an assignment, or (Inner) a branch.
struct ArmStep {
  Assignment Assign;
  std::unique_ptr<Branch> Inner;
};
using Arm = std::vector<ArmStep>;

struct Branch {
  const clang::IfStmt *If = nullptr;
  const clang::Expr *Condition = nullptr;
  Arm Then, Else;
};

/// Both arms hold assignments and branches of the same kind, nothing else, and
/// at least one assignment.
bool onlyAssigns(const clang::IfStmt *If);

/// The tree of a branch that onlyAssigns() accepts.
Branch branchOf(const clang::IfStmt *If);

/// What arms assign to.
struct Target {
  /// The first lvalue that spells it.
  const clang::Expr *LValue = nullptr;
  /// The private variable that it is, or is a component of; null for memory
  /// and for what no rewrite may touch, such as a variable that the branch may
  /// access through a pointer, too.
  const clang::VarDecl *Variable = nullptr;
};

/// The targets of a tree in the order in which one statement for each of them
/// does what the arms do, and what stands against such an order.
struct MergedOrder {
  std::vector<Target> Targets;
  /// The variables that a target in memory may be.
  VariableSet Addressed;
  /// The target that a path assigns twice, where it does so again; or null.
  const clang::Expr *Twice = nullptr;
  /// The condition of an inner branch that reads what its arm assigned before;
  /// or null.
  const clang::Expr *TooLate = nullptr;
  /// A target that must come both before and behind another, since the arms
  /// need different orders; or null.
  const clang::Expr *Conflict = nullptr;

  /// An assignment to \p T may change the value of \p E.
  bool reads(const clang::Expr *E, const Target &T) const;
};
MergedOrder mergedOrder(const Branch &B, const clang::FunctionDecl &Function,
                        const clang::ASTContext &Context);

/// All assignments and inner branches below \p B, in the order of the text.
std::vector<const Assignment *> assignmentsOf(const Branch &B);
std::vector<const Branch *> branchesOf(const Branch &B);

/// Every path through \p A assigns \p T.
bool alwaysAssigns(const Arm &A, const Target &T,
                   const clang::ASTContext &Context);

/// The expressions of \p E that read or name an element of memory whenever
/// \p E is evaluated (\p Always), or on some path.
std::vector<const clang::Expr *> memoryReads(const clang::Expr *E, bool Always);

} // namespace clrewrite::rewrite
