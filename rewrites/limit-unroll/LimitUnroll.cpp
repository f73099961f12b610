// limit-unroll: a loop gets a hint that keeps it rolled, or says how often to
// unroll it.
//
// A compiler that unrolls a loop fully may load the operands of all iterations
// before it uses the first. `__attribute__((opencl_unroll_hint(1)))` takes that
// freedom away, often for a third of the registers, and always for some more
// executed instructions; hints of 2 and 4 stand between. Where time decides, 8
// and 16 are tried too, for loops of which that many copies are not more than
// a compiler gets through in seconds. An unroll hint changes no result, so
// every loop is a site, and only the measurement decides.
#include "HintLadder.h"
#include "StaticCost.h"
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/text/Text.h"
#include "source/Shelter.h"
#include "source/Words.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ParentMapContext.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::limit_unroll {
namespace {

bool isLoop(const Stmt &Node, ASTContext &) {
  return isa<ForStmt, WhileStmt, DoStmt>(Node);
}

/// Operations that 8 or 16 copies of a loop may have. LLVM took 6 s for 15,000
/// of a hash for gfx906, 20 s for 30,000, and 100 s for 60,000.
constexpr double MostOperations = 10000;

const Stmt &loopOf(const Site &S) { return *S.get<Stmt>(); }

/// The hint or pragma that speaks about unrolling, if there is one.
const Attr *unrollAttr(const Site &S) {
  if (const AttributedStmt *A = attributed(loopOf(S), S.Context))
    for (const Attr *Each : A->getAttrs()) {
      if (isa<OpenCLUnrollHintAttr>(Each))
        return Each;
      if (const auto *L = dyn_cast<LoopHintAttr>(Each);
          L && (L->getOption() == LoopHintAttr::Unroll ||
                L->getOption() == LoopHintAttr::UnrollCount))
        return Each;
    }
  return nullptr;
}

/// How far the source limits unrolling already: 1 keeps the loop rolled, 0 is
/// no limit.
unsigned limitOf(const Site &S) {
  const Attr *A = unrollAttr(S);
  if (const auto *Hint = dyn_cast_or_null<OpenCLUnrollHintAttr>(A))
    return Hint->getUnrollHint();
  const auto *Loop = dyn_cast_or_null<LoopHintAttr>(A);
  if (!Loop)
    return 0;
  if (Loop->getState() == LoopHintAttr::Disable)
    return 1;
  if (const auto *Count = dyn_cast_or_null<IntegerLiteral>(
          Loop->getValue() ? Loop->getValue()->IgnoreParenImpCasts() : nullptr))
    return unsigned(Count->getValue().getLimitedValue(1024));
  return 0;
}

/// The text to replace: the whole attribute or pragma that stands there. None
/// where it shares its brackets or its line with something else.
std::optional<Edit> oldHint(const Site &S) {
  const Attr *A = unrollAttr(S);
  const SourceManager &SM = S.Context.getSourceManager();
  SourceLocation Loc = A->getLocation();
  if (Loc.isMacroID() || !SM.isInMainFile(Loc))
    return std::nullopt;
  StringRef Text = fileText(S.Context);
  size_t At = SM.getFileOffset(Loc);
  size_t Line = Text.rfind('\n', At) + 1; // npos + 1 is 0: the first line
  if (Text.slice(Line, At).ltrim().starts_with("#")) {
    StringRef Pragma = Text.drop_front(Line).split('\n').first.rtrim();
    if (!isUnrollPragma(Pragma))
      return std::nullopt;
    size_t Indent = Pragma.size() - Pragma.ltrim().size();
    return Edit{unsigned(Line + Indent), unsigned(Pragma.size() - Indent), ""};
  }
  // The attribute's location is its name, within its own brackets.
  size_t Start = Text.take_front(At).rfind("__attribute");
  if (Start == StringRef::npos)
    return std::nullopt;
  size_t Length = lengthOfHint(Text.drop_front(Start));
  if (Length == 0 || Start + Length <= At)
    return std::nullopt;
  return Edit{unsigned(Start), unsigned(Length), ""};
}

bool notFromMacro(const Site &S) {
  SourceLocation Begin = loopOf(S).getBeginLoc();
  SourceLocation Hint = unrollAttr(S) ? unrollAttr(S)->getLocation() : Begin;
  return (Begin.isFileID() || S.brokenBy(Begin)) &&
         (Hint.isFileID() || S.brokenBy(Hint));
}

bool hintStandsAlone(const Site &S) {
  return !unrollAttr(S) || oldHint(S) ||
         S.brokenBy(unrollAttr(S)->getLocation());
}

/// What chooses the loop's hint, if anything does.
std::optional<HintLadder> ladderOf(const Site &S) {
  const SourceManager &SM = S.Context.getSourceManager();
  return ladderAbove(fileText(S.Context),
                     SM.getFileOffset(loopOf(S).getBeginLoc()));
}

/// The directive that begins the ladder.
SourceRange headOf(const HintLadder &Ladder, const Site &S) {
  return directiveOn(
      fileText(S.Context).drop_front(Ladder.If).split('\n').first, S.Context);
}

/// The ladder may have a hint more, or another number in the arm that is read,
/// and is none of clrewrite's own.
bool ladderMayChange(const Site &S) {
  std::optional<HintLadder> Ladder = ladderOf(S);
  if (!Ladder)
    return true;
  const SourceManager &SM = S.Context.getSourceManager();
  StringRef Text = fileText(S.Context);
  bool Fits = Ladder->OnlyHints;
  if (const Attr *A = unrollAttr(S)) {
    size_t At = SM.getFileOffset(A->getLocation());
    Fits = At > Ladder->If && At < Ladder->EndIf;
  }
  bool IsOwn = isInShelter(Edit{unsigned(Ladder->EndIf), 0, ""}, Text);
  return (Fits && !IsOwn) || S.brokenBy(headOf(*Ladder, S));
}

/// Puts the hint behind the arms of \p Ladder, none of which is read.
Edit asLastArm(StringRef Hint, const HintLadder &Ladder, const Site &S) {
  StringRef EndIf = fileText(S.Context).drop_front(Ladder.EndIf);
  std::string Arm =
      EndIf.take_until([](char C) { return C == '#'; }).str() + "#else\n" +
      indentation(loopOf(S).getBeginLoc(), S.Context) + Hint.str() + "\n";
  return {unsigned(Ladder.EndIf), 0, std::move(Arm)};
}

/// The macro right before the loop whose name speaks about unrolling, which is
/// empty in this build; invalid where there is none.
SourceRange macroBefore(const Site &S) {
  const SourceManager &SM = S.Context.getSourceManager();
  StringRef Text = fileText(S.Context);
  StringRef Before =
      Text.take_front(SM.getFileOffset(loopOf(S).getBeginLoc())).rtrim();
  size_t End = Before.size();
  if (Before.ends_with(")"))
    Before = Before.take_front(Before.rfind('(')).rtrim();
  size_t Begin = Before.size();
  while (Begin > 0 && isInWord(Before[Begin - 1]))
    --Begin;
  StringRef Name = Before.drop_front(Begin);
  if (!Name.contains_insensitive("unroll") ||
      !S.Context.Idents.get(Name).hadMacroDefinition())
    return {};
  return {locationOf(Text.substr(Begin), S.Context),
          locationOf(Text.substr(End - 1), S.Context)};
}

bool noMacroBefore(const Site &S) { return S.unlessBroken(macroBefore(S)); }

bool notRolledAlready(const Site &S) { return limitOf(S) != 1; }

/// After a label, a GNU attribute would be the label's.
bool notLabelled(const Site &S) {
  DynTypedNodeList Parents = S.Context.getParents(loopOf(S));
  if (const AttributedStmt *A = attributed(loopOf(S), S.Context))
    Parents = S.Context.getParents(*A);
  return Parents.empty() || !Parents[0].get<LabelStmt>();
}

bool mayTakeAnAttribute(const Site &S) {
  // Other attributes before the loop would end up after ours; that parses,
  // but a pragma must stay next to its loop.
  const AttributedStmt *A = attributed(loopOf(S), S.Context);
  return !A || unrollAttr(S);
}

std::vector<Alternative> alternatives(const Site &S) {
  std::vector<Alternative> Out;
  unsigned Limit = limitOf(S);
  const auto *For = dyn_cast<ForStmt>(&loopOf(S));
  double Size = staticCost(For ? For->getBody() : &loopOf(S), S.Context);
  for (unsigned N : {1u, 2u, 4u, 8u, 16u}) {
    if (N == Limit || (N > 4 && N * Size > MostOperations))
      continue;
    Alternative A;
    A.Label = "hint-" + std::to_string(N);
    A.ForTime = N > 4;
    std::string Hint =
        "__attribute__((opencl_unroll_hint(" + std::to_string(N) + ")))";
    if (unrollAttr(S)) {
      Edit E = *oldHint(S);
      E.Text = Hint;
      A.Changes = {E};
    } else if (std::optional<HintLadder> Ladder = ladderOf(S)) {
      A.Changes = {asLastArm(Hint, *Ladder, S)};
    } else {
      SourceLocation Begin = loopOf(S).getBeginLoc();
      A.Changes = {insertion(Begin, Hint + "\n" + indentation(Begin, S.Context),
                             S.Context)};
    }
    Out.push_back(std::move(A));
  }
  return Out;
}

} // namespace

const Rewrite &rewriteLimitUnroll() {
  static const Rewrite R{
      "limit-unroll",
      "keep a loop rolled, or say how often to unroll it",
      Safety::Exact,
      sitesOf<Stmt, isLoop>,
      {{"the loop, or the hint before it, comes from a macro", notFromMacro,
        WriteItOut},
       {"the hint before the loop shares its brackets or its line with "
        "something else",
        hintStandsAlone, "put the hint on a line of its own"},
       {"which hint stands before the loop depends on build options, and the "
        "one for this build has no line of its own there",
        ladderMayChange, "give each arm of the #if a hint"},
       {"a macro that may be a hint with other build options stands before the "
        "loop",
        noMacroBefore, "write the hint itself"},
       {"a label stands before the loop", notLabelled},
       {"another attribute stands before the loop", mayTakeAnAttribute},
       {"the loop is kept rolled already", notRolledAlready}},
      alternatives,
      /*Phase=*/0,
      MayShelter};
  return R;
}

} // namespace clrewrite::rewrite::limit_unroll
