// guard-to-bounds: conditions on a loop's variable become bounds of the loop.
//
// `for (int k = -r; k <= r; ++k) { int c = x + k; if (c >= 0 && c < w) ... }`
// runs, and tests, iterations that do nothing. The guard says which: those with
// k < -x or k >= w - x. With these bounds the loop makes the rest, in the same
// order, and tests nothing. A condition within an inner loop counts for the
// outer one, where nothing else has an effect; then the inner loop isn't
// entered for nothing. Each loop is a site of its own: often the outer one
// alone pays, as its bounds leave the inner one's trip count known.
#include "rewrite/Rewrite.h"
#include "rewrite/affine/IntegerRange.h"
#include "rewrite/affine/LoopBounds.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/text/LoopText.h"
#include "rewrite/text/Text.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::guard_to_bounds {
namespace {

LoopBounds analysisOf(const Site &S) {
  return LoopBounds(loopOf(S), S.Function, S.Context);
}

/// `a Op b` of integers that asks about \p V by name, or by the name of one of
/// \p Locals, and reads no memory.
bool asksAbout(const GuardLeaf &L, const VarDecl *V,
               ArrayRef<const VarDecl *> Locals) {
  const auto *B = dyn_cast<BinaryOperator>(L.Condition->IgnoreParenImpCasts());
  if (!B || !B->isRelationalOp() || !B->getLHS()->getType()->isIntegerType() ||
      readsMemory(B))
    return false;
  return mentionsAny(B, [&](const VarDecl *Named) {
    return Named == V ||
           (is_contained(Locals, Named) && Named->getInit() &&
            mentions(Named->getInit(), V) && !readsMemory(Named->getInit()));
  });
}

bool isGuarded(const ForStmt &Node, ASTContext &) {
  const VarDecl *V = loopVariable(Node);
  GuardedBody Body = guardedBody(Node);
  return V && any_of(Body.Guards, [&](const Guard &G) {
           return any_of(G.Leaves, [&](const GuardLeaf &L) {
             return asksAbout(L, V->getCanonicalDecl(), Body.Locals);
           });
         });
}

bool counts(const Site &S) {
  const LoopBounds &A = S.once<analysisOf>();
  return (A.Head && A.Head->keepsVariable(S.Function)) ||
         S.brokenBy(headOf(A.Loop));
}

bool endIsSteady(const Site &S) {
  const LoopBounds &A = S.once<analysisOf>();
  return (isPure(A.Head->Start) || S.brokenBy(A.Head->Start)) &&
         (A.isSteady(A.Head->End) || S.brokenBy(A.Head->End));
}

bool endIsBelowTheLargest(const Site &S) {
  const CountedLoop &H = *S.once<analysisOf>().Head;
  return !H.isInclusive() || constant(H.End, S.Context) ||
         S.unlessBroken(mayLeave(loopOf(S).getBody()));
}

bool hasBound(const Site &S) { return S.once<analysisOf>().hasBound(); }

bool standsAlone(const Site &S) {
  return S.unlessBroken(asksOthers(loopOf(S).getBody()));
}

/// First of all: what a macro says may be something else with other options.
bool headIsText(const Site &S) {
  return isPlainText({loopOf(S).getForLoc(), loopOf(S).getRParenLoc()}, S);
}

bool notFromMacro(const Site &S) {
  const LoopBounds &A = S.once<analysisOf>();
  auto isText = [&](const Expr *E) {
    return isCopyable(E->getSourceRange(), S);
  };
  return isText(loopOf(S).getCond()) && isText(A.Head->Start) &&
         isText(A.Head->End) && all_of(A.Body.Guards, [&](const Guard &G) {
           return isPlainText({G.If->getIfLoc(), G.If->getRParenLoc()}, S) &&
                  isText(G.If->getCond()) &&
                  !G.If->getThen()->getBeginLoc().isMacroID() &&
                  all_of(G.Leaves, [&](const GuardLeaf &L) {
                    // What becomes a bound is spelled term by term.
                    return A.boundOf(L) || isText(L.Condition);
                  });
         });
}

bool functionsAreBuiltin(const Site &S) {
  return all_of(ArrayRef<StringRef>{"min", "max", "clamp", "sub_sat", "add_sat",
                                    "convert_int_sat"},
                [&](StringRef Name) { return meansBuiltin(Name, S.Context); });
}

/// Writes the edits of one loop.
class Writer {
public:
  explicit Writer(const Site &S) : S(S), A(S.once<analysisOf>()) {}

  Alternative all() {
    Alternative Out;
    Out.Label = "bounds";
    for (const Guard &G : A.Body.Guards)
      addGuard(G, Out.Changes);
    if (!Lower.empty())
      Out.Changes.push_back(
          replacement(A.Head->Start->getSourceRange(), startText(), S.Context));
    if (!Upper.empty())
      Out.Changes.push_back(replacement(A.Loop.getCond()->getSourceRange(),
                                        A.Head->Variable->getName().str() +
                                            " < " +
                                            folded("min", Upper, endText()),
                                        S.Context));
    breakHead(Out.Changes);
    return Out;
  }

private:
  const Site &S;
  const LoopBounds &A;
  std::vector<std::string> Lower, Upper;

  /// A head that has become long goes on in a second line.
  void breakHead(Edits &Changes) const {
    unsigned From = offset(A.Loop.getForLoc()),
             To = offset(A.Loop.getRParenLoc()),
             Cond = offset(A.Loop.getCond()->getBeginLoc());
    StringRef Before = fileText(S.Context).take_front(From);
    size_t Column = From - (Before.rfind('\n') + 1);
    size_t Length = Column + (To - From);
    for (const Edit &E : Changes)
      if (E.Offset > From && E.Offset < To)
        Length += E.Text.size() - E.Length;
    if (Length <= 78 || fileText(S.Context).slice(From, To).contains('\n'))
      return;
    unsigned Blanks =
        unsigned(fileText(S.Context).take_front(Cond).size() -
                 fileText(S.Context).take_front(Cond).rtrim().size());
    std::string Break = "\n" + std::string(Column + 5, ' ');
    for (Edit &E : Changes)
      if (E.Offset == Cond) {
        E = Edit{Cond - Blanks, E.Length + Blanks, Break + E.Text};
        return;
      }
    Changes.push_back(Edit{Cond - Blanks, Blanks, Break});
  }

  static std::string folded(StringRef Function, ArrayRef<std::string> Limits,
                            std::string Text) {
    for (const std::string &L : Limits) {
      int64_t A, B;
      if (!StringRef(Text).getAsInteger(10, A) &&
          !StringRef(L).getAsInteger(10, B))
        Text =
            std::to_string(Function == "min" ? std::min(A, B) : std::max(A, B));
      else
        Text = (Function + "(" + Text + ", " + L + ")").str();
    }
    return Text;
  }

  /// The first value that the loop does not reach.
  std::string endText() const {
    if (!A.Head->isInclusive())
      return asInt(A.Head->End, S.Context);
    if (isWrittenNumber(A.Head->End))
      return std::to_string(*constant(A.Head->End, S.Context) + 1);
    return spelledOperand(A.Head->End, S.Context) + " + 1";
  }

  std::string startText() const {
    std::string Start = asInt(A.Head->Start, S.Context);
    if (isInt(A.Head->Variable->getType(), S.Context))
      return folded("max", Lower, Start);
    // A bound that is too large for the variable's type becomes the end.
    // Nobody knows what clamp does where that is below the start.
    std::optional<int64_t> From = constant(A.Head->Start, S.Context),
                           To = constant(A.Head->End, S.Context);
    if (!isWrittenNumber(A.Head->Start) || !isWrittenNumber(A.Head->End) ||
        *From > *To)
      return "min(" + folded("max", Lower, Start) + ", " + endText() + ")";
    std::string Most = folded("max", ArrayRef(Lower).drop_front(), Lower[0]);
    return "clamp(" + Most + ", " + Start + ", " + endText() + ")";
  }

  void addGuard(const Guard &G, Edits &Changes) {
    std::vector<std::string> Kept;
    bool Changed = false;
    for (const GuardLeaf &L : G.Leaves) {
      std::optional<Bound> B = A.boundOf(L);
      if (!B) {
        Kept.push_back(leafText(L, G));
        continue;
      }
      Changed = true;
      std::string Limit = saturatedText(B->Limit, S.Context);
      std::vector<std::string> &To = B->Lower ? Lower : Upper;
      if (!is_contained(To, Limit))
        To.push_back(Limit);
    }
    if (!Changed)
      return;
    if (!Kept.empty())
      Changes.push_back(replacement(G.If->getCond()->getSourceRange(),
                                    join(Kept, G.Continues ? " || " : " && "),
                                    S.Context));
    else if (G.Continues)
      removeStatement(G.If, Changes);
    else
      removeHead(G.If, Changes);
  }

  /// The condition as it stands in what is left of the guard.
  std::string leafText(const GuardLeaf &L, const Guard &G) const {
    if (L.Negated != G.Continues)
      return "!(" + spelled(L.Condition, S.Context) + ")";
    const Expr *Inner = L.Condition->IgnoreImplicit();
    const auto *B = dyn_cast<BinaryOperator>(Inner);
    bool Loose = isa<AbstractConditionalOperator>(Inner) ||
                 (B && (B->isLogicalOp() || B->isBitwiseOp() ||
                        B->isAssignmentOp() || B->isCommaOp()));
    return Loose ? "(" + spelled(L.Condition, S.Context) + ")"
                 : spelled(L.Condition, S.Context);
  }

  unsigned offset(SourceLocation Loc) const {
    return S.Context.getSourceManager().getFileOffset(Loc);
  }

  /// `if (c) continue;` with the white space before it.
  void removeStatement(const IfStmt *If, Edits &Changes) const {
    SourceRange Whole = wholeStatement(If, S.Context);
    Edit E = replacement(Whole, "", S.Context);
    StringRef Before = fileText(S.Context).take_front(E.Offset);
    unsigned Blanks = unsigned(Before.size() - Before.rtrim().size());
    const std::string Indent = indentation(If->getIfLoc(), S.Context),
                      Comments = commentsIn(Whole, {}, Indent, S.Context);
    std::string Kept;
    if (!Comments.empty()) {
      Kept = "\n" + Indent + StringRef(Comments).rtrim().str();
      // The last one may go on to the end of its line.
      StringRef Rest =
          fileText(S.Context).drop_front(E.end()).split('\n').first.trim();
      if (!Rest.empty() && !Rest.starts_with("//"))
        Kept += "\n" + Indent;
    }
    Changes.push_back(
        Edit{E.Offset - Blanks, E.Length + Blanks, std::move(Kept)});
  }

  /// `if (c)` before its statement; a block of one statement loses its braces.
  void removeHead(const IfStmt *If, Edits &Changes) const {
    const Stmt *Then = If->getThen();
    unsigned From = offset(If->getIfLoc()), To = offset(Then->getBeginLoc());
    const std::string Comments =
        commentsIn(If->getSourceRange(), {Then->getSourceRange()},
                   indentation(If->getIfLoc(), S.Context), S.Context);
    const auto *Block = dyn_cast<CompoundStmt>(Then);
    SourceRange Only =
        Block && Block->size() == 1 && isa<Expr>(Block->body_back())
            ? wholeStatement(Block->body_back(), S.Context)
            : SourceRange();
    if (Only.isValid()) {
      unsigned Begin = offset(Only.getBegin()), End = offset(Only.getEnd()) + 1,
               Close = offset(Block->getRBracLoc());
      if (fileText(S.Context).slice(To + 1, Begin).trim().empty() &&
          fileText(S.Context).slice(End, Close).trim().empty()) {
        Changes.push_back(Edit{From, Begin - From, Comments});
        Changes.push_back(Edit{End, Close + 1 - End, ""});
        return;
      }
    }
    // A block becomes the loop's own.
    DynTypedNodeList Parents = S.Context.getParents(*If);
    StringRef Before = fileText(S.Context).take_front(From);
    unsigned Blanks = unsigned(Before.size() - Before.rtrim().size());
    if (Block && Comments.empty() && Parents[0].get<ForStmt>() &&
        Before.rtrim().ends_with(")"))
      Changes.push_back(Edit{From - Blanks, To - From + Blanks, " "});
    else
      Changes.push_back(Edit{From, To - From, Comments});
  }
};

std::vector<Alternative> alternatives(const Site &S) {
  return {Writer(S).all()};
}

constexpr const char *FromMacro =
    "the loop's head or its guard comes from a macro, or a preprocessor "
    "directive stands there";

} // namespace

const Rewrite &rewriteGuardToBounds() {
  static const Rewrite R{
      "guard-to-bounds",
      "turn conditions on a loop's variable into the loop's bounds",
      Safety::Exact,
      sitesOf<ForStmt, isGuarded>,
      {{FromMacro, headIsText, WriteItOut},
       {"the loop does not count up by one, from one value of a signed int of "
        "its own to another",
        counts, "write its head as in for (int i = first; i < end; ++i)"},
       {"the loop's end may change while it runs, or an end of it has side "
        "effects or reads memory",
        endIsSteady, "load it into a variable before the loop"},
       {"the loop can be left early, so that its last value may be the largest "
        "int",
        endIsBelowTheLargest, "end the loop with < instead of <="},
       {"no condition of the guard compares, in int, the loop's variable and a "
        "sum that stays the same while it runs",
        hasBound},
       {"work-items may wait for each other in the loop", standsAlone,
        "make the call outside of the loop"},
       LoopIsNotEntered,
       {FromMacro, notFromMacro, WriteItOut},
       {"min, max, clamp or a saturating function is not the built-in one here",
        functionsAreBuiltin, RenameOwn}},
      alternatives};
  return R;
}

} // namespace clrewrite::rewrite::guard_to_bounds
