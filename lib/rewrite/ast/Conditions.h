// The legality conditions that rewrites share, as predicates over Clang's AST.
// Each errs on the side of "no".
#pragma once

#include "rewrite/ast/Builtins.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace clrewrite::rewrite {

/// Evaluating \p E changes nothing but its own value: no assignment, no
/// volatile access, and only calls of built-in functions without effects or of
/// functions of this file whose bodies are pure in the same sense.
bool isPure(const clang::Expr *E);

/// \p E reads memory through a pointer (subscript, dereference, vloadN, image
/// read, or a call of a function of this file that does).
bool readsMemory(const clang::Expr *E);

/// Calling a built-in function may do more than compute a value from its
/// arguments, and from what they lead to.
bool hasEffects(const clang::CallExpr *Call);

/// \p E may be undefined for some values of its operands where it is evaluated
/// although the original program would not: an integer division or remainder
/// whose divisor is not a constant other than 0 and -1.
bool mayDivideByZero(const clang::Expr *E, const clang::ASTContext &Context);

/// \p E does no more than its operands, or is an access, an assignment or a
/// call, which the caller looks at itself. It is not an atomic operation, a
/// statement expression or a block.
bool isOrdinary(const clang::Expr *E);

/// Where the object that an lvalue names lies.
struct Storage {
  /// The variable that it is, or is a part of: a field, an element of an array,
  /// lanes of a vector. Null where it is reached through a pointer.
  const clang::VarDecl *Variable = nullptr;
  /// What says which part it is: the indices, and the pointer.
  std::vector<const clang::Expr *> Inputs;
  /// It is a member of a union, or a part of one.
  bool InUnion = false;

  /// Part of a variable that only one work-item has.
  bool isPrivate() const;

  /// That variable, where it is not volatile, and the text alone says which
  /// part of it this is; else null.
  const clang::VarDecl *ownVariable() const;
};
Storage storageOf(const clang::Expr *E);

/// The lvalues that assembler writes to.
std::vector<const clang::Expr *> outputsOf(const clang::AsmStmt *A);

/// The variables that may change without an assignment: those that a pointer or
/// a reference may lead to, as \p Function applies & to them, turns their
/// arrays into pointers or binds them, and the outputs of assembler.
using VariableSet = llvm::SmallPtrSet<const clang::VarDecl *, 8>;
VariableSet addressTaken(const clang::FunctionDecl &Function);

/// What a branch, a switch or a loop asks; null where \p S is none, or has no
/// condition.
const clang::Expr *conditionOf(const clang::Stmt *S);

/// The variable that the head of \p Loop declares; null where it declares none,
/// or several.
const clang::VarDecl *loopVariable(const clang::ForStmt &Loop);

/// \p S alone computes nothing: it declares without a value, is empty, or only
/// leaves. The value that a return returns counts as nothing.
bool isIdle(const clang::Stmt *S);

/// The variables that \p S assigns to, as a whole or in part.
VariableSet assignedIn(const clang::Stmt *S);

/// \p E names a variable that \p Is accepts.
bool mentionsAny(const clang::Stmt *E,
                 llvm::function_ref<bool(const clang::VarDecl *)> Is);

/// The canonical declaration of the variable that \p E names, implicit casts
/// and parentheses aside; null for anything else.
const clang::VarDecl *namedVariable(const clang::Expr *E);

/// \p E is the name of \p V, in parentheses perhaps; false for null.
bool isName(const clang::Expr *E, const clang::VarDecl *V);

/// \p E names \p V.
bool mentions(const clang::Stmt *E, const clang::VarDecl *V);

/// The private, non-volatile variable of the enclosing function (or one of its
/// parameters) that \p E names; null for anything else, and for a variable
/// whose address is taken anywhere in \p Function.
const clang::VarDecl *privateVariable(const clang::Expr *E,
                                      const clang::FunctionDecl &Function);

/// The private variable that \p E is, or is a component of (a field, or some
/// lanes of a vector); null as in privateVariable.
const clang::VarDecl *privateRoot(const clang::Expr *E,
                                  const clang::FunctionDecl &Function);

/// \p V has been given a value as a whole on every path to \p Before: it is a
/// parameter, has an initialiser, or a statement that always runs before
/// assigns to it.
bool isDefinitelyAssigned(const clang::VarDecl *V, const clang::Stmt *Before,
                          const clang::FunctionDecl &Function,
                          clang::ASTContext &Context);

/// Evaluating \p E may be undefined for some values of its variables: signed
/// arithmetic that can overflow, a conversion from float to integer, pointer
/// arithmetic, a call of a function of this file.
bool mayBeUndefined(const clang::Expr *E, const clang::ASTContext &Context);

/// \p E calls a function of this file that holds a loop.
bool mayNotEnd(const clang::Expr *E);

/// The value of the expression \p E is not used: it is a statement, or a part
/// of one whose value is dropped.
bool isValueUnused(const clang::Expr *E, clang::ASTContext &Context);

/// The two nodes are of one kind apart from their operands: one operator, one
/// callee, one member, one cast.
bool sameNode(const clang::Expr *A, const clang::Expr *B,
              const clang::ASTContext &Context);

/// The expressions below \p E: its children, for a call its arguments.
std::vector<const clang::Expr *> operandsOf(const clang::Expr *E);

/// The literals of \p A and \p B, which are the same code here, are written out
/// or come from the same macros: those of others may be other numbers in
/// another build.
bool haveSameOrigins(const clang::Expr *A, const clang::Expr *B,
                     const clang::ASTContext &Context);

/// The two expressions mean the same, parentheses and white space aside.
bool sameExpression(const clang::Expr *A, const clang::Expr *B,
                    const clang::ASTContext &Context);

} // namespace clrewrite::rewrite
