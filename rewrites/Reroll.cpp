// reroll: neighbouring groups of statements that differ only in numbers and
// other scalars become a loop that is kept rolled.
//
// Taps of a filter and rounds of a hash are often written out one below the
// other. The compiler then loads for all of them before it works on the first,
// and holds what it loaded. In a loop that it must not unroll it can't. What
// differs between the groups is computed from the counter, chosen by selects,
// or read from a constant table. Repeats.h finds the groups; the statements run
// in their old order, each with its old operands.
#include "rewrite/Conditions.h"
#include "rewrite/Repeats.h"
#include "rewrite/Rewrite.h"
#include "rewrite/Text.h"

using namespace llvm;
using namespace clang;
using namespace clang::ast_matchers;

namespace clrewrite {
namespace {

/// Binds the first statement of each run as a site, and what else tells it.
AST_MATCHER(CompoundStmt, holdsRepeats) {
  clang::ast_matchers::internal::BoundNodesTreeBuilder All;
  bool Any = false;
  for (const Repeat &R : repeatsOf(Node, Finder->getASTContext())) {
    clang::ast_matchers::internal::BoundNodesTreeBuilder One(*Builder);
    One.setBinding("site", DynTypedNode::create(*R.Statements.front()));
    One.setBinding("next", DynTypedNode::create(*R.Statements[R.Period]));
    One.setBinding("last", DynTypedNode::create(*R.Statements.back()));
    All.addMatch(One);
    Any = true;
  }
  *Builder = std::move(All);
  return Any;
}

Repeat repeatOf(const Site &S) {
  return *repeatAt(*S.get<CompoundStmt>("block"), S.get<Stmt>("site"),
                   S.get<Stmt>("next"), S.get<Stmt>("last"), S.Context);
}

template <RepeatProblem P> bool isWithout(const Site &S) {
  return !repeatOf(S).Problems.count(P);
}

class Writer {
public:
  explicit Writer(const Site &S)
      : S(S), SM(S.Context.getSourceManager()), R(repeatOf(S)) {
    SourceLocation First =
        SM.getExpansionLoc(R.Statements.front()->getBeginLoc());
    Indent = indentation(First, S.Context);
  }

  std::vector<Alternative> all() {
    add("rolled", "");
    // Of any length that the name may get.
    if (headOf(S.Function, S.Context))
      add("table", freshName("ROLLED", S.Context) + "_");
    return std::move(Out);
  }

private:
  const Site &S;
  const SourceManager &SM;
  Repeat R;
  std::string Indent;
  std::vector<Alternative> Out;

  SourceLocation at(unsigned Offset) const {
    return SM.getLocForStartOfFile(SM.getMainFileID()).getLocWithOffset(Offset);
  }

  /// The comments of all groups but the first, which is copied.
  std::string comments() const {
    return commentsIn({at(R.Begin), at(R.End - 1)},
                      {SourceRange(at(R.Begin), at(R.FirstEnd - 1))}, Indent,
                      S.Context);
  }

  /// The loop over \p Body, unrolled by \p Hint.
  std::string loop(StringRef Body, StringRef Counter, unsigned Hint) const {
    bool Braces = R.Period > 1 || !isa<Expr>(R.Statements.front());
    std::string New = comments() + "__attribute__((opencl_unroll_hint(" +
                      std::to_string(Hint) + ")))\n" + Indent + "for (int " +
                      Counter.str() + " = 0; " + Counter.str() + " < " +
                      std::to_string(R.Count) + "; ++" + Counter.str() + ")" +
                      (Braces ? " {" : "") + "\n" + Indent + "  ";
    for (char C : Body) {
      New += C;
      if (C == '\n')
        New += "  ";
    }
    return New + (Braces ? "\n" + Indent + "}" : "");
  }

  /// The alternatives with tables whose names start with \p Table, if there is
  /// something to put into them; those without where it is empty.
  void add(std::string Label, std::string Table) {
    std::string Counter = freshName("term", S.Context);
    Tables T{std::move(Table), ""};
    std::optional<std::string> Body =
        chosenText(R.Begin, R.FirstEnd, R.Groups.Places, Counter, T, S.Context);
    if (!T.Name.empty() && T.Text.empty())
      return;
    for (unsigned Hint : {1u, 2u, 4u}) {
      // Of fewer rounds nothing would be left to roll.
      if (Hint > 1 && R.Count < 2 * Hint)
        break;
      Alternative A;
      A.Label = Label + (Hint > 1 ? "-by-" + std::to_string(Hint) : "");
      A.Changes.push_back(
          Edit{R.Begin, R.End - R.Begin, loop(*Body, Counter, Hint)});
      if (!T.Text.empty())
        A.Changes.push_back(Edit{*headOf(S.Function, S.Context), 0, T.Text});
      Out.push_back(std::move(A));
    }
  }
};

std::vector<Alternative> alternatives(const Site &S) { return Writer(S).all(); }

} // namespace

const Rewrite &rewriteReroll() {
  static const Rewrite R{
      "reroll",
      "roll repeated statements into a loop",
      Safety::Exact,
      // The last statement of ({ ... }) is its value.
      compoundStmt(unless(hasParent(stmtExpr())), holdsRepeats()).bind("block"),
      {{"what must change comes from a macro's body, or a preprocessor "
        "directive stands between the statements",
        isWithout<RepeatProblem::Text>},
       {"a variable that a repetition declares is used after it",
        isWithout<RepeatProblem::Escapes>},
       {"the statements wait, order memory, or call something unknown: a "
        "barrier, a fence, an atomic or asynchronous operation",
        isWithout<RepeatProblem::Effects>},
       {"what differs may reach a division of floats, or a function whose last "
        "bits are open, which compilers do otherwise with a constant",
        isWithout<RepeatProblem::Rounds>},
       {"the loop would choose among more than eight values other than "
        "numbers, or read no memory and choose among variables",
        isWithout<RepeatProblem::Choice>}},
      alternatives};
  return R;
}

} // namespace clrewrite
