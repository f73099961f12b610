// The code of a loop, written a second time, and of a single turn of it.
//
// A rewrite that keeps the loop as it is for some work-items, or for the turns
// that are left over, copies its text. The copy must mean what the loop does,
// in every build.
#pragma once

#include "rewrite/Rewrite.h"
#include "rewrite/affine/CountedLoop.h"
#include <optional>
#include <string>
#include <vector>

namespace clrewrite::rewrite {

/// The loop is a statement of a block, so that another one can stand before it.
bool standsInBlock(const clang::ForStmt &Loop, clang::ASTContext &Context);

/// The loop that is the site's node.
inline const clang::ForStmt &loopOf(const Site &S) {
  return *S.get<clang::ForStmt>();
}

/// No jump leads into it.
bool loopIsNotEntered(const Site &S);

inline const Condition LoopIsNotEntered{"a jump leads into the loop",
                                        loopIsNotEntered,
                                        "begin the loop at its head alone"};

/// The condition of such a site that each turn of the loop runs to its end.
Condition runsAllTurns();

/// The conditions of a site whose node is a ForStmt, a statement of a block,
/// under which its text may be written twice there; \p More behind them.
std::vector<Condition> loopIsCopied(std::vector<Condition> More);

/// The same of \p Loop in the function of \p S, a site of any sort, whether or
/// not turns end early; no label stands in the loop.
bool mayStandTwice(const clang::ForStmt &Loop, const Site &S);

/// The type of \p T by a name that means it in the function of \p S: the
/// program's own, or the language's. None where neither is sure to.
std::optional<std::string> typeName(clang::QualType T, const Site &S);

/// \p Scope, or a block in it, declares the name \p Word in this build, beside
/// \p But.
bool declares(const clang::DeclContext &Scope, llvm::StringRef Word,
              const clang::NamedDecl *But = nullptr);

/// In the function of \p S the name \p Word means what it means at file scope:
/// no macro has that name, and neither the function nor a scope around it
/// declares it.
bool keepsMeaning(llvm::StringRef Word, const Site &S);

enum class Turn {
  First,
  Last,
  Any ///< the one that the loop's variable is at
};

/// Spells expressions of \p Loop in front of it, as they are in one of its
/// turns. Variables that the body declares stand for their values.
class TurnText {
public:
  TurnText(const Site &S, const clang::ForStmt &Loop, const CountedLoop &Head,
           Turn Of)
      : S(S), Loop(Loop), Head(Head), Of(Of) {}

  /// The value of the loop's variable in that turn, as an operand of its type.
  std::string variable() const;

  /// \p E, whose value is a sum in that turn.
  std::string of(const clang::Expr *E) const;

  /// Something had no text of its own, so that nothing that was spelled counts.
  bool isLost() const { return Lost; }

private:
  const Site &S;
  const clang::ForStmt &Loop;
  const CountedLoop &Head;
  const Turn Of;
  mutable bool Lost = false;

  std::string kept(std::string Text) const;
  std::string operandOf(const clang::Expr *E) const;
  std::string cast(clang::QualType T) const;
  const clang::Expr *meaning(const clang::VarDecl *V) const;
  bool moves(const clang::Expr *E) const;
  std::string index(const clang::Expr *E) const;
  int64_t number(const clang::Expr *Value) const;
  std::string operand(const clang::Expr *E) const;
  std::string of(const clang::BinaryOperator &B) const;
  std::string factor(const clang::Expr *E, const std::string &Text) const;
  bool meaningOf(const clang::Expr *E) const;
};

} // namespace clrewrite::rewrite
