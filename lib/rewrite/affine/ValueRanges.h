// The values that an integer expression may have where it stands: by its type,
// by the head of a counted loop, by a guard, by the size of the work-group.
#pragma once

#include "rewrite/affine/CountedLoop.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/ast/Conditions.h"
#include "llvm/ADT/DenseMap.h"

namespace clrewrite::rewrite {

/// Knows one function. The bounds hold for every launch of the program as this
/// build has it, as long as no signed sum or product overflows; where nothing
/// is known, they are those of the type.
class ValueRanges {
public:
  ValueRanges(const clang::FunctionDecl &Function, clang::ASTContext &Context);

  Range of(const clang::Expr *E);

private:
  const clang::FunctionDecl &Function;
  clang::ASTContext &Context;
  std::vector<uint64_t> Group; ///< requiredGroup()
  VariableSet Addressed, Assigned;
  llvm::DenseMap<const clang::VarDecl *, Range> Initial;
  llvm::DenseMap<const clang::ForStmt *, Range> Loops;
  llvm::DenseMap<const clang::Stmt *, bool> Entered;
  unsigned Depth = 0, Steps = 0;

  Range computed(const clang::Expr *E);
  Range ofVariable(const clang::VarDecl *V, const clang::Expr *At);
  Range ofCall(const clang::CallExpr *Call);
  Range ofBinary(const clang::BinaryOperator *B);
  Range inLoop(const CountedLoop &Head);
  Range ofHead(const CountedLoop &Head);
  bool isEntered(const clang::Stmt &S);
  Range guarded(const clang::Expr *Condition, const clang::VarDecl *V);
  Range compared(const clang::BinaryOperator *B, const clang::VarDecl *V);
};

} // namespace clrewrite::rewrite
