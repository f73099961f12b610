// What code reads and writes, by pieces of memory.
//
// A variable is one piece, whatever part of it is accessed, and so is what a
// pointer parameter leads to. A call accesses what the body of its function
// does:
//
//   void add(uint *sum, const uint *w) { *sum += w[0]; }
//   add(&s, w);
//
// reads and writes s, and reads what w leads to. Where a pointer comes from
// memory, or may be one of several, only the space is known that it leads into:
// such an access may be one of any variable there whose address is taken.
#pragma once

#include "rewrite/ast/Conditions.h"
#include "rewrite/ast/PointsTo.h"
#include <map>

namespace clrewrite::rewrite {

struct Memory {
  /// The variable that is accessed, or (Behind) the parameter that leads there;
  /// null where only the space is known.
  const clang::VarDecl *Variable = nullptr;
  bool Behind = false;
  clang::LangAS Space = clang::LangAS::Default;

  /// It is a variable that only this run of the function has.
  bool isOwn() const;

  /// Other work-items may write there.
  bool isShared() const;
};

struct Access {
  Memory Where;
  bool Write = false;
  /// What accesses it in the code that was asked about: a name, a call.
  const clang::Stmt *By = nullptr;
};

struct Effects {
  std::vector<Access> Accesses;
  /// What does more than to read and write memory, or may: a volatile access,
  /// assembler, an atomic operation, output. Null for none.
  const clang::Stmt *More = nullptr;
  /// Where other work-items may be waited for, or may see an order: a barrier,
  /// a fence, a volatile access, what can't be looked into. Null for none.
  const clang::Stmt *Waits = nullptr;

  void add(const Effects &Other);
};

/// The built-in functions that write through a pointer argument, and nothing
/// else.
bool onlyWritesArgument(llvm::StringRef Name);

/// Answers for one function, and keeps what it has learnt of those that are
/// called.
class EffectsOf {
public:
  explicit EffectsOf(const clang::FunctionDecl &Function);

  /// Those of \p S, which may be null, in the function.
  Effects of(const clang::Stmt *S);

  /// Some byte may be accessed by both.
  bool mayMeet(const Memory &A, const Memory &B) const;

private:
  const clang::FunctionDecl &Function;
  VariableSet Addressed;
  /// Of called functions: accesses of their own variables are left out. Null
  /// while one is looked into.
  std::map<const clang::FunctionDecl *, std::unique_ptr<Effects>> Called;

  Effects of(const clang::Stmt *S, const clang::FunctionDecl &In);
  const Effects *ofCalled(const clang::FunctionDecl &Body);
  friend class EffectSearch;
};

} // namespace clrewrite::rewrite
