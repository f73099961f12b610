// The heads of counted loops: `for (int i = 0; i < n; i += 2)`.
//
// A head is read once, part by part, and a part that has another form is null.
// The rewrites differ in what they need: moving an index needs the step but not
// the end, and a loop that may be cut needs all parts, in integers that cannot
// wrap. Each asks the parts that it needs.
#pragma once

#include "rewrite/ast/Conditions.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::rewrite {

/// What the head of a loop says about one variable.
struct CountedLoop {
  const clang::ForStmt *Loop = nullptr;
  /// The induction variable: the canonical declaration of the one variable that
  /// the head declares, or of the variable that it assigns to first.
  const clang::VarDecl *Variable = nullptr;
  bool Declares = false;
  const clang::Expr *Start = nullptr;

  /// The condition where it is a comparison, whatever it compares.
  const clang::BinaryOperator *Until = nullptr;
  /// What Until compares the variable itself with, and how: `n > i` has the
  /// kind of `i < n`, and VariableFirst is false for it.
  const clang::Expr *End = nullptr;
  clang::BinaryOperatorKind Comparison = clang::BO_Comma;
  bool VariableFirst = false;

  /// The increment is `++`, `--`, or a compound assignment such as `i *= By`;
  /// By is null for the first two.
  bool Steps = false;
  const clang::Expr *By = nullptr;
  /// 1 where the increment adds, -1 where it subtracts, 0 where it does
  /// anything else.
  int Direction = 0;

  /// `i < End` or `i <= End`, by steps of one.
  bool countsUp(const clang::ASTContext &Context) const;

  /// `i <= End`: the variable takes the value of End too.
  bool isInclusive() const { return Comparison == clang::BO_LE; }

  /// The step, where it is a number in the sense of numberIn(), else 0.
  int64_t step(bool FromMacros) const;

  /// Nothing but the increment changes the variable while the loop runs: it is
  /// not volatile, no pointer leads to it, and neither the body nor the
  /// condition assigns to it.
  bool keepsVariable(const clang::FunctionDecl &Function) const;
};

/// None where the head declares or sets no variable, or several.
std::optional<CountedLoop> countedLoop(const clang::ForStmt &Loop);

/// `for (int i = 0; i < n; ++i)`, without what follows.
clang::SourceRange headOf(const clang::ForStmt &Loop);

/// The loop counts up from a declared start to an end by one, and each of its
/// values is one of an int and of the variable's own type T. Where T is
/// narrower than int, both bounds are constants in order, and T holds the first
/// value that is not reached.
bool countsInInt(const CountedLoop &Loop, const clang::ASTContext &Context);

} // namespace clrewrite::rewrite
