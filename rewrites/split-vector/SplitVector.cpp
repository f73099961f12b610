// split-vector: a region that works on each lane of wide vectors by itself is
// done in parts, one after another.
//
// A GPU keeps every lane of a float16 in a register of its own, and sixteen
// lanes of each value that is alive at once are many. Where no lane needs
// another one, the region can run for the first four lanes, then for the next
// four, in a loop that is kept rolled: a quarter of the registers, for the
// loop's own instructions and narrower memory accesses. Lanes.h finds the
// region, LaneUse.h what it does, LaneConflicts.cpp whether parts meet in
// memory, LaneText.h writes it.
#include "LaneText.h"
#include "rewrite/Rewrite.h"
#include "rewrite/affine/CountedLoop.h"
#include "rewrite/ast/Constants.h"
#include "rewrite/text/Text.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::split_vector {
namespace {

/// A site for the region of a block that works on vectors: its first statement.
std::vector<Match> regionIn(const DynTypedNode &Node, ASTContext &Context) {
  const auto *Block = Node.get<CompoundStmt>();
  std::optional<LaneRegion> R;
  if (Block)
    R = laneRegion(Block, Context);
  if (!R)
    return {};
  return {{Node, {R->Statements.front()}}};
}

LaneRegion regionOf(const Site &S) {
  return *laneRegion(S.get<CompoundStmt>(), S.Context);
}

LaneUse useIn(const Site &S) { return useOf(S.once<regionOf>(), S.Context); }

LaneConflicts conflictsIn(const Site &S) {
  return conflictsOf(S.once<useIn>(), S.Function, S.Context);
}

template <LaneProblem P> bool isWithout(const Site &S) {
  const auto &Problems = S.once<useIn>().Problems;
  auto Found = Problems.find(P);
  return Found == Problems.end() || S.brokenBy(Found->second);
}

/// The condition that nothing makes \p P.
template <LaneProblem P>
Condition without(const char *Sentence, const char *Remedy = nullptr) {
  return {Sentence, isWithout<P>, Remedy};
}

struct Way {
  const char *Label;
  unsigned Parts;
};
constexpr Way Ways[] = {{"halves", 2}, {"quarters", 4}, {"eighths", 8}};

using LabelledSplit = std::pair<std::string, LaneSplit>;

/// Rolled loops over the parts of \p R, the fewest parts first.
std::vector<LabelledSplit> rolledSplits(const LaneRegion &R,
                                        const LaneUse &Use) {
  std::vector<LabelledSplit> Out;
  for (const Way &W : Ways)
    if (R.Lanes / W.Parts >= 2)
      Out.push_back({W.Label, {R.Lanes / W.Parts}});
  if (!Use.ScalarsDiffer)
    Out.push_back({"lanes", {1}});
  return Out;
}

/// The splits of \p R that \p Conflicts leave, the preferred one first.
std::vector<LabelledSplit> splitsOf(const LaneRegion &R, const LaneUse &Use,
                                    const LaneConflicts &Conflicts) {
  std::vector<LabelledSplit> Out;
  if (!Conflicts.Certain) {
    Out = rolledSplits(R, Use);
    for (const Way &W : ArrayRef(Ways).take_front(2))
      if (R.Lanes / W.Parts >= 2)
        Out.push_back({std::string(W.Label) + "-straight",
                       {R.Lanes / W.Parts, /*Unroll=*/true}});
  }
  if (!Conflicts.Certain && Conflicts.Assumed.empty())
    return Out;
  for (auto &[Label, Split] : rolledSplits(R, Use))
    Out.push_back(
        {Label + "-kept", {Split.Lanes, /*Unroll=*/false, /*Keep=*/true}});
  return Out;
}

/// The counter of a loop that is kept rolled over at most sixteen rounds; null
/// for any other statement.
const VarDecl *partCounter(const ForStmt *For, ASTContext &Context) {
  DynTypedNodeList Up = Context.getParents(*For);
  std::optional<CountedLoop> L = countedLoop(*For);
  if (Up.empty() || !Up[0].get<AttributedStmt>() || !L || !L->Declares ||
      !L->Until)
    return nullptr;
  std::optional<int64_t> Parts = constant(L->Until->getRHS(), Context);
  return Parts && uint64_t(*Parts) <= 16 ? L->Variable : nullptr;
}

/// The vectors of \p R are counted by \p Counter: vload4(... + counter, p).
bool countedBy(const VarDecl *Counter, const LaneUse &Use) {
  auto counts = [&](const Expr *Offset) {
    const Expr *E = Offset->IgnoreParenImpCasts();
    if (const auto *Sum = dyn_cast<BinaryOperator>(E);
        Sum && Sum->getOpcode() == BO_Add)
      E = Sum->getRHS()->IgnoreParenImpCasts();
    const auto *Ref = dyn_cast<DeclRefExpr>(E);
    return Ref && Ref->getDecl() == Counter;
  };
  return any_of(Use.Moves,
                [&](const CallExpr *C) {
                  LaneName N = *laneName(calleeName(C));
                  return counts(C->getArg(N.stores() ? 1 : 0));
                }) ||
         any_of(Use.Elements, [&](const Expr *E) {
           const auto *A = dyn_cast<ArraySubscriptExpr>(E);
           return A && counts(A->getIdx());
         });
}

/// Our own output, or the same by hand.
bool isPart(const LaneRegion &R, const LaneUse &Use, ASTContext &Context) {
  DynTypedNode At = DynTypedNode::create(*R.Block);
  while (true) {
    DynTypedNodeList Up = Context.getParents(At);
    if (Up.empty() || Up[0].get<FunctionDecl>())
      return false;
    At = Up[0];
    if (const auto *For = At.get<ForStmt>())
      if (const VarDecl *Counter = partCounter(For, Context);
          Counter && countedBy(Counter, Use))
        return true;
  }
}

bool isWhole(const Site &S) {
  const LaneRegion &R = S.once<regionOf>();
  return !isPart(R, S.once<useIn>(), S.Context);
}

bool moreThanPairs(const Site &S) {
  const LaneRegion &R = S.once<regionOf>();
  return R.Lanes > 2 || !S.once<useIn>().ScalarsDiffer;
}

bool keepsApart(const Site &S) {
  const LaneRegion &R = S.once<regionOf>();
  const LaneUse &Use = S.once<useIn>();
  const LaneConflicts &Conflicts = S.once<conflictsIn>();
  return !Conflicts.Certain || !lastStores(R, Use).empty() ||
         S.brokenBy(Conflicts.Store);
}

/// Every split must be possible to write; they need the same of the text.
bool canBeWritten(const Site &S) {
  const LaneRegion &R = S.once<regionOf>();
  const LaneUse &Use = S.once<useIn>();
  if (auto Found = Use.Problems.find(LaneProblem::Text);
      Found != Use.Problems.end())
    return S.brokenBy(Found->second);
  const LaneConflicts &Conflicts = S.once<conflictsIn>();
  const SourceLocation First = R.Statements.front()->getBeginLoc();
  SourceRange By =
      hindranceIn({First, R.Statements.back()->getEndLoc()}, S.Context);
  return any_of(splitsOf(R, Use, Conflicts),
                [&](const auto &Split) {
                  return splitText(R, Use, Split.second, S.Function, S.Context)
                      .has_value();
                }) ||
         S.brokenBy(By.isValid() ? By : SourceRange(First));
}

std::string listed(const std::set<std::string> &Names, StringRef Last) {
  std::string Out;
  for (const std::string &Name : Names)
    Out += (Out.empty()               ? ""
            : Name == *Names.rbegin() ? " " + Last.str() + " "
                                      : ", ") +
           Name;
  return Out;
}

/// The assumptions under which the bits stay the same, as sentences; sets \p
/// Class.
std::string noteOn(const LaneUse &Use, const LaneConflicts &Conflicts,
                   Safety &Class) {
  std::string Out;
  for (const auto &[Stored, Others] : Conflicts.Assumed) {
    std::set<std::string> Quoted;
    for (const std::string &Name : Others)
      Quoted.insert("'" + Name + "'");
    Out += (Out.empty() ? "assumes that '" : ", and that '") + Stored +
           "' does not overlap " + listed(Quoted, "or");
    Class = Safety::Assumes;
  }
  if (!Use.RoundByWidth.empty()) {
    Class = Safety::Approximate;
    Out += (Out.empty() ? "" : "; ") + listed(Use.RoundByWidth, "and") +
           " may round differently for fewer lanes, where a library has a "
           "version for each width";
  }
  return Out;
}

std::vector<Alternative> alternatives(const Site &S) {
  const LaneRegion &R = S.once<regionOf>();
  const LaneUse &Use = S.once<useIn>();
  const LaneConflicts &Conflicts = S.once<conflictsIn>();
  std::vector<Alternative> Out;
  for (const auto &[Label, Split] : splitsOf(R, Use, Conflicts)) {
    std::optional<Edits> Changes =
        splitText(R, Use, Split, S.Function, S.Context);
    if (!Changes)
      continue;
    Alternative A;
    A.Label = Label;
    A.Note = noteOn(Use, Split.Keep ? LaneConflicts() : Conflicts, A.Class);
    A.Changes = std::move(*Changes);
    Out.push_back(std::move(A));
  }
  return Out;
}

} // namespace

const Rewrite &rewriteSplitVector() {
  static const Rewrite R{
      "split-vector",
      "work on wide vectors part by part",
      Safety::Exact,
      regionIn,
      {{"the vectors are parts of wider ones already, in a loop over the parts",
        isWhole},
       without<LaneProblem::Mixed>(
           "lanes are combined, or a built-in function might do so (any, all, "
           "dot, length, shuffle, images, ...)"),
       without<LaneProblem::Made>(
           "a vector is made of values that differ from lane to lane"),
       without<LaneProblem::Reseen>(
           "a vector is taken for one with another number of lanes (as_typeN, "
           "a cast of a pointer)"),
       without<LaneProblem::Lane>(
           "a lane or a part of a vector is read or written by itself"),
       without<LaneProblem::Sized>("the size of a vector's type is asked for"),
       without<LaneProblem::Address>("a vector is reached by its address"),
       without<LaneProblem::Member>("a vector is a member of a structure"),
       without<LaneProblem::Outside>(
           "a vector comes from outside the statements that use it: an "
           "argument that is passed by value"),
       without<LaneProblem::Control>(
           "a jump leads out of the statements on vectors, or into them "
           "(return, goto, a label, break, continue)"),
       without<LaneProblem::Effects>(
           "something between must happen once, and not once for each part (a "
           "store that is not of a whole vector, a volatile access, a barrier, "
           "an atomic or asynchronous operation, a declaration of local "
           "memory)"),
       without<LaneProblem::Assigns>(
           "a variable is changed that is declared before the vectors, and "
           "would be changed once for each part"),
       without<LaneProblem::Escapes>(
           "a variable that is declared among the statements on vectors is "
           "used after them, perhaps in another build"),
       without<LaneProblem::Helper>(
           "a function of this file that takes or returns the vectors does "
           "more than compute lane by lane"),
       {"one part of the lanes may read or overwrite what another part stores "
        "(in one buffer at different places, in private memory, or through a "
        "pointer whose buffer is not seen), and the stores are not all at the "
        "end",
        keepsApart, "move the stores to the end of the block"},
       {"vectors of two lanes would become scalars, of which a comparison, a "
        "choice or a conversion gives other values",
        moreThanPairs},
       {"something that must change comes from a macro or another file, or a "
        "preprocessor directive stands between",
        canBeWritten, WriteItOut}},
      alternatives};
  return R;
}

} // namespace clrewrite::rewrite::split_vector
