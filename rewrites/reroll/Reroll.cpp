// reroll: neighbouring groups of statements that differ only in numbers and
// other scalars become a loop that is kept rolled.
//
// Taps of a filter and rounds of a hash are often written out one below the
// other. The compiler then loads for all of them before it works on the first,
// and holds what it loaded. In a loop that it must not unroll it can't. What
// differs between the groups is computed from the counter, chosen by selects,
// or read from a constant table. Repeats.h finds the groups; the statements run
// in their old order, each with its old operands.
#include "Repeats.h"
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Conditions.h"
#include "rewrite/text/Text.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::reroll {
namespace {

/// A site for each run of repeats in a block: its first statement, the first of
/// the next repetition and the last of all.
std::vector<Match> repeatsIn(const DynTypedNode &Node, ASTContext &Context) {
  std::vector<Match> Found;
  const auto *Block = Node.get<CompoundStmt>();
  if (!Block)
    return Found;
  // The last statement of ({ ... }) is its value.
  for (const DynTypedNode &Parent : Context.getParents(*Block))
    if (Parent.get<StmtExpr>())
      return Found;
  for (const Repeat &R : repeatsOf(*Block, Context))
    Found.push_back(
        {Node,
         {R.Statements.front(), R.Statements[R.Period], R.Statements.back()}});
  return Found;
}

Repeat repeatOf(const Site &S) {
  return *repeatAt(*S.get<CompoundStmt>(), S.Statements[0], S.Statements[1],
                   S.Statements[2], S.Context);
}

template <RepeatProblem P> bool isWithout(const Site &S) {
  const auto &Problems = S.once<repeatOf>().Problems;
  auto Found = Problems.find(P);
  return Found == Problems.end() || S.brokenBy(Found->second);
}

class Writer {
public:
  explicit Writer(const Site &S)
      : S(S), SM(S.Context.getSourceManager()), R(S.once<repeatOf>()) {
    SourceLocation First =
        SM.getExpansionLoc(R.Statements.front()->getBeginLoc());
    Indent = indentation(First, S.Context);
    Step = indentUnit(*R.Statements.front(), S.Context);
  }

  std::vector<Alternative> all() {
    add("rolled", "");
    // The name may get any length. Two kernels may be edited from one text, so
    // that each has names of its own.
    if (headOf(S.Function, S.Context))
      add("table",
          freshName(("ROLLED_" + S.Function.getName()).str(), S.Context) + "_");
    return std::move(Out);
  }

private:
  const Site &S;
  const SourceManager &SM;
  const Repeat &R;
  std::string Indent, Step; ///< of the first line, and of one level
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
                      (Braces ? " {" : "") + "\n" + Indent + Step +
                      indented(Body, Step);
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
      // With fewer iterations nothing would be left to roll.
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
      repeatsIn,
      {{"what must change comes from a macro's body, or a preprocessor "
        "directive stands between the statements",
        isWithout<RepeatProblem::Text>, WriteItOut},
       {"a variable that a repetition declares is used after it, or a pointer "
        "may lead to it",
        isWithout<RepeatProblem::Escapes>,
        "declare the variable before the first repetition"},
       {"the statements wait, order memory, or call something unknown: a "
        "barrier, a fence, an atomic or asynchronous operation",
        isWithout<RepeatProblem::Effects>},
       {"what differs from repetition to repetition may reach a division of "
        "floats, or a function whose last bits are open: compilers may round "
        "those otherwise where the operand is a constant",
        isWithout<RepeatProblem::Rounds>},
       {"what differs from repetition to repetition is no number and no sum of "
        "the counter, so that the loop would have to choose among more than "
        "eight values, or among variables alone",
        isWithout<RepeatProblem::Choice>}},
      alternatives};
  return R;
}

} // namespace clrewrite::rewrite::reroll
