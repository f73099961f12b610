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
#include "StaticCost.h"
#include "rewrite/Rewrite.h"
#include "rewrite/ast/Parents.h"
#include "rewrite/text/Text.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ParentMapContext.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
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

/// \p Text up to where it leaves the pattern, blanks skipped; 0 where it does
/// not start with it. `N` stands for a number, which may be absent together
/// with the brackets around it.
size_t matchHint(StringRef Text) {
  StringRef Rest = Text;
  auto take = [&](StringRef Word) {
    Rest = Rest.ltrim();
    return Rest.consume_front(Word);
  };
  bool Head = (take("__attribute__") || take("__attribute")) && take("(") &&
              take("(") &&
              (take("opencl_unroll_hint") || take("__opencl_unroll_hint__"));
  if (!Head)
    return 0;
  if (take("(")) {
    Rest = Rest.ltrim();
    Rest = Rest.drop_while([](char C) { return llvm::isDigit(C); });
    if (!take(")"))
      return 0;
  }
  return take(")") && take(")") ? Text.size() - Rest.size() : 0;
}

/// `#pragma unroll`, with a number or without, or `#pragma nounroll`, and
/// nothing else on the line.
bool isPlainPragma(StringRef Line) {
  Line = Line.trim();
  if (!Line.consume_front("#"))
    return false;
  Line = Line.ltrim();
  if (!Line.consume_front("pragma"))
    return false;
  Line = Line.ltrim();
  if (Line == "nounroll")
    return true;
  if (!Line.consume_front("unroll"))
    return false;
  return llvm::all_of(Line.trim(" \t()"),
                      [](char C) { return llvm::isDigit(C); });
}

/// The text to replace: the whole attribute or pragma that stands there. None
/// where it shares its brackets or its line with something else.
std::optional<Edit> oldHint(const Site &S) {
  const Attr *A = unrollAttr(S);
  const SourceManager &SM = S.Context.getSourceManager();
  SourceLocation Loc = A->getLocation();
  if (Loc.isMacroID() || !SM.isInMainFile(Loc))
    return std::nullopt;
  StringRef Text = SM.getBufferData(SM.getMainFileID());
  size_t At = SM.getFileOffset(Loc);
  size_t Line = Text.rfind('\n', At) + 1; // npos + 1 is 0: the first line
  if (Text.slice(Line, At).ltrim().starts_with("#")) {
    StringRef Pragma = Text.drop_front(Line).split('\n').first.rtrim();
    if (!isPlainPragma(Pragma))
      return std::nullopt;
    size_t Indent = Pragma.size() - Pragma.ltrim().size();
    return Edit{unsigned(Line + Indent), unsigned(Pragma.size() - Indent), ""};
  }
  // The attribute's location is its name, within its own brackets.
  size_t Start = Text.take_front(At).rfind("__attribute");
  if (Start == StringRef::npos)
    return std::nullopt;
  size_t Length = matchHint(Text.drop_front(Start));
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

bool isCommentOrEmpty(StringRef Line) {
  return Line.empty() || Line.starts_with("//") || Line.starts_with("/*") ||
         Line.starts_with("*");
}

/// The word of a directive; empty where \p Line is none.
StringRef directiveOf(StringRef Line) {
  return Line.consume_front("#") ? Line.ltrim().take_while(isAlpha) : "";
}

/// Where the #if begins of which an arm ends with a hint, and whose #endif
/// stands right above the loop at \p Loop, comments and other hints aside.
std::optional<size_t> ladderAbove(StringRef Text, size_t Loop) {
  unsigned Open = 0;
  bool ArmEnds = false, Hinted = false;
  // npos + 1 is 0: the first line.
  for (size_t At = Text.take_front(Loop).rfind('\n') + 1; At > 0;) {
    StringRef Above = Text.take_front(At - 1);
    At = Above.rfind('\n') + 1;
    StringRef Line = Above.drop_front(At).trim(), Word = directiveOf(Line);
    if (isCommentOrEmpty(Line))
      continue;
    if (Word == "endif") {
      ++Open;
      ArmEnds = true;
    } else if (Open == 0) {
      if (Word != "pragma" && !Line.starts_with("__attribute"))
        return std::nullopt;
    } else if (Word.starts_with("if")) {
      if (--Open == 0)
        return Hinted ? std::optional(At) : std::nullopt;
    } else if (Word.starts_with("el")) {
      ArmEnds = true;
    } else {
      Hinted |= ArmEnds && Line.contains_insensitive("unroll") &&
                !Line.ends_with(";") && !Line.ends_with("}");
      ArmEnds = false;
    }
  }
  return std::nullopt;
}

/// The directive that begins the choice of the loop's hint; invalid where there
/// is none.
SourceRange hintsLadder(const Site &S) {
  const SourceManager &SM = S.Context.getSourceManager();
  StringRef Text = SM.getBufferData(SM.getMainFileID());
  std::optional<size_t> At =
      ladderAbove(Text, SM.getFileOffset(loopOf(S).getBeginLoc()));
  if (!At)
    return {};
  StringRef Line = Text.drop_front(*At).split('\n').first;
  Line = Line.split("//").first.split("/*").first.rtrim(" \t\r\\");
  size_t Last = Line.size() - 1; // of the last token, the start
  auto inWord = [](char C) { return isAlnum(C) || C == '_'; };
  while (Last > 0 && inWord(Line[Last]) && inWord(Line[Last - 1]))
    --Last;
  SourceLocation Begin =
      SM.getLocForStartOfFile(SM.getMainFileID()).getLocWithOffset(int(*At));
  return {Begin.getLocWithOffset(int(Line.find('#'))),
          Begin.getLocWithOffset(int(Last))};
}

bool hintIsNotChosen(const Site &S) {
  SourceRange Ladder = hintsLadder(S);
  return Ladder.isInvalid() || S.brokenBy(Ladder);
}

/// The macro right before the loop whose name speaks about unrolling, which is
/// empty in this build; invalid where there is none.
SourceRange macroBefore(const Site &S) {
  const SourceManager &SM = S.Context.getSourceManager();
  StringRef Text = SM.getBufferData(SM.getMainFileID());
  StringRef Before =
      Text.take_front(SM.getFileOffset(loopOf(S).getBeginLoc())).rtrim();
  size_t End = Before.size();
  if (Before.ends_with(")"))
    Before = Before.take_front(Before.rfind('(')).rtrim();
  size_t Begin = Before.size();
  while (Begin > 0 && (isAlnum(Before[Begin - 1]) || Before[Begin - 1] == '_'))
    --Begin;
  StringRef Name = Before.drop_front(Begin);
  if (!Name.contains_insensitive("unroll") ||
      !S.Context.Idents.get(Name).hadMacroDefinition())
    return {};
  SourceLocation Start = SM.getLocForStartOfFile(SM.getMainFileID());
  return {Start.getLocWithOffset(int(Begin)),
          Start.getLocWithOffset(int(End - 1))};
}

bool noMacroBefore(const Site &S) {
  SourceRange Macro = macroBefore(S);
  return Macro.isInvalid() || S.brokenBy(Macro);
}

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
       {"which hint stands before the loop depends on build options",
        hintIsNotChosen},
       {"a macro that may be a hint with other build options stands before the "
        "loop",
        noMacroBefore, "write the hint itself"},
       {"a label stands before the loop", notLabelled},
       {"another attribute stands before the loop", mayTakeAnAttribute},
       {"the loop is kept rolled already", notRolledAlready}},
      alternatives,
      /*Phase=*/0,
      /*AmdOnly=*/false,
      /*Separable=*/false,
      /*IsSite=*/nullptr,
      /*Hints=*/{},
      /*MayShelter=*/true};
  return R;
}

} // namespace clrewrite::rewrite
