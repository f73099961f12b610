// The search, from a source to a selection.
#include "select/Select.h"
#include "measure/TargetFamily.h"
#include "select/ApplyAll.h"
#include "select/BeamSearch.h"
#include "select/BuildChoice.h"
#include "select/FinalCheck.h"
#include "select/OwnEdits.h"
#include "select/Prune.h"
#include "select/Record.h"
#include "select/Remarks.h"
#include "select/Search.h"
#include "select/SharedDefinitions.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace clrewrite::select {

std::vector<measure::Target> SelectOptions::spared() const {
  std::vector<measure::Target> Out;
  copy_if(Bystanders, std::back_inserter(Out), measure::wasTimed);
  if (JudgedBy.Goal == Objective::Auto)
    copy_if(Targets, std::back_inserter(Out), measure::wasTimed);
  return Out;
}

bool Selection::changed() const {
  return any_of(Outcomes, [](const Outcome &O) { return O.Applied; });
}

LaunchChanges Selection::launches() const {
  LaunchChanges Out;
  for (const Outcome &O : Outcomes)
    if (O.Applied)
      addChange(Out, O.Kernels, O.Launch);
  return Out;
}

namespace {

/// Kernels that no function ties to others are searched apart, in the order of
/// their first sites.
std::vector<std::vector<std::string>> independent(const rewrite::Findings &F) {
  EquivalenceClasses<StringRef> Tied;
  std::vector<StringRef> Order;
  for (const rewrite::Candidate &C : F.Candidates)
    for (const std::string &K : C.Kernels) {
      Tied.unionSets(C.Kernels.front(), K);
      Order.push_back(K);
    }
  std::vector<std::vector<std::string>> Out;
  std::vector<StringRef> Leaders;
  for (StringRef K : Order) {
    StringRef Leader = Tied.getLeaderValue(K);
    auto At = find(Leaders, Leader);
    if (At == Leaders.end()) {
      Leaders.push_back(Leader);
      Out.emplace_back();
      At = Leaders.end() - 1;
    }
    auto &Group = Out[size_t(At - Leaders.begin())];
    if (!is_contained(Group, K))
      Group.push_back(K.str());
  }
  return Out;
}

/// The weights of those kernels of \p Group that could gain, those of \p Told
/// by an estimate alone, too.
double weightOf(ArrayRef<std::string> Group, const FiguresByTarget &Before,
                const Evaluator &Eval, const std::set<std::string> &Told = {}) {
  double Sum = 0;
  for (const std::string &K : Group)
    if (Eval.whyNothing(Before, {K},
                        Told.count(K) ? Eval.Judge.estimatedToo({K})
                                      : Eval.Judge.criterionFor({K}))
            .empty()) {
      auto Weight = Eval.Options.Weights.find(K);
      Sum += Weight == Eval.Options.Weights.end() ? 1 : Weight->second;
    }
  return Sum;
}

/// How often a search is begun anew from what it found.
static constexpr unsigned MaxRestarts = 8;

/// A variant may be found that asks the host for something, or is not exact,
/// and build options are for both it and the best exact one.
static bool hasTwoToBuild(const SelectOptions &O) {
  return O.OptionsStand && (O.Unsafe || !O.Granted.empty()) &&
         triesBuildOptions(O);
}

/// What the search leaves of the time: for taking out what the gain does not
/// need, each timed, since one guard of ten may make what all ten gain; and for
/// build options, which are tried on so many versions.
static Evaluator::Kept keptFor(const SelectOptions &O, unsigned Versions) {
  constexpr Evaluator::Kept Pruning = {0.1, 12};
  Evaluator::Kept Builds = keptForBuilds(O, Versions);
  return {Pruning.Share + Builds.Share, Pruning.Trials + Builds.Trials};
}

/// Kernels that are searched together.
struct Group {
  std::vector<std::string> Kernels;
  double Weight = 0;
  bool Begun = false;
  unsigned NotTried = 0; ///< alternatives, of the search that ended last
};

/// The best of \p G from \p Start. Where the budget ends a search that found
/// something, another goes on from there, so that a second run of the tool does
/// not.
Variant searchGroup(Variant Start, Group &G, BeamSearch &Search,
                    const Evaluator &Eval) {
  auto Fresh = [&](const FiguresByTarget &From) {
    Allowance A;
    if (Eval.Options.Budget)
      A.Left = unsigned(
          std::ceil(weightOf(G.Kernels, From, Eval) * Eval.Options.Budget));
    return A;
  };
  size_t Had = Start.Steps.size();
  Variant Best = G.Begun ? std::move(Start)
                         : Search.runEstimated(std::move(Start), G.Kernels);
  G.Begun |= Best.Steps.size() > Had;
  Had = Best.Steps.size();
  Allowance Left = Fresh(Best.Figures);
  Best = G.Begun ? Search.runAgain(std::move(Best), G.Kernels, Left)
                 : Search.run(std::move(Best), G.Kernels, Left);
  for (unsigned I = 0; I < MaxRestarts && Left.NotTried && !Eval.stopped() &&
                       Best.Steps.size() > Had;
       ++I) {
    Had = Best.Steps.size();
    Left = Fresh(Best.Figures);
    Best = Search.runAgain(std::move(Best), G.Kernels, Left);
  }
  G.Begun = true;
  G.NotTried = Left.NotTried;
  return Best;
}

/// Searches all groups of kernels, one after another, the heaviest first. What
/// the later ones leave of the time goes to those that had too little. Kernels
/// without a site stay as they are. Where all are searched together, \p Plainer
/// is that of BeamSearch::plainer().
Variant searchAll(Variant Best, Evaluator &Eval, const Finder &Find,
                  Searched &Out, std::optional<Variant> &Plainer) {
  std::vector<Outcome> &Rejected = Out.Rejected;
  auto isTimed = [&](const rewrite::KernelInfo &K) {
    return Eval.Judge.criterionFor(K.Name).Goal == Objective::Time;
  };
  std::map<std::string, unsigned> Undefined;
  for (const rewrite::KernelInfo &K : Best.Found.Kernels)
    if (!K.UninitialisedLines.empty())
      Undefined[K.Name] = K.UninitialisedLines.front();
  for (const rewrite::Candidate &C : Best.Found.Candidates)
    for (const rewrite::Alternative &A : C.Alternatives)
      if (C.Kernels.empty() && Eval.named(A)) {
        Rejected.push_back(Best.outcomeOf(C, A));
        Rejected.back().Reason = "no kernel of this file reaches it";
      }
  BeamSearch Search(Eval, Find, Out.Before, Undefined, Rejected, Out.Log);
  std::set<std::string> Told;
  for (const rewrite::Candidate &C : Best.Found.Candidates)
    if (estimateTells(C.Rewrite))
      Told.insert(C.Kernels.begin(), C.Kernels.end());
  std::vector<Group> Groups;
  for (std::vector<std::string> &Names : independent(Best.Found)) {
    double Weight = weightOf(Names, Out.Before, Eval, Told);
    Groups.push_back({std::move(Names), Weight});
  }
  llvm::stable_sort(Groups, [](const Group &A, const Group &B) {
    return A.Weight > B.Weight;
  });
  Evaluator::Kept After;
  if (any_of(Best.Found.Kernels, isTimed))
    After = keptFor(Eval.Options,
                    Groups.size() == 1 && hasTwoToBuild(Eval.Options) ? 3 : 1);
  if (Groups.size() == 1 && Eval.Options.NothingWaits)
    Search.setOnly(After);
  // Times are not kept: what was timed would be timed again.
  auto wants = [&](const Group &G) {
    return !G.Begun || (G.NotTried && Eval.Judge.criterionFor(G.Kernels).Goal !=
                                          Objective::Time);
  };
  for (unsigned I = 0;
       I == 0 || (Eval.endsByClock() && I < MaxRestarts &&
                  any_of(Groups, wants) && !Eval.Options.stopped());
       ++I) {
    double Left = 0;
    for (const Group &G : Groups)
      Left += wants(G) ? G.Weight : 0;
    for (Group &G : Groups)
      if (wants(G)) {
        Eval.Until = Eval.endWith(After);
        TimeShare Own(Eval, Left > 0 ? G.Weight / Left : 1);
        Best = searchGroup(std::move(Best), G, Search, Eval);
        Left -= G.Weight;
      }
  }
  for (const Group &G : Groups)
    Out.NotTried += G.NotTried;
  if (Groups.size() == 1)
    Plainer = Search.plainer();
  return Best;
}

/// Notes each step's edits, where all of them together make the result of the
/// given text.
void noteChanges(Variant &V) {
  Edits All;
  for (const Step &S : V.Steps) {
    if (!S.OfGiven)
      return;
    All.insert(All.end(), S.OfGiven->begin(), S.OfGiven->end());
  }
  Expected<Source> Text = applyEdits(*V.Given, All);
  if (!Text)
    return consumeError(Text.takeError());
  if (Text->Text == V.Text.Text)
    for (Step &S : V.Steps)
      S.What.Changes = S.OfGiven;
}

/// The outcomes of \p Best and \p Rejected, and its text.
void finish(Selection &Out, Variant Best, std::vector<Outcome> Rejected) {
  Out.Result = std::move(Best.Text);
  std::vector<Outcome> Applied;
  for (Step &S : Best.Steps)
    Applied.push_back(std::move(S.What));
  Out.Outcomes = allOutcomes(std::move(Applied), std::move(Rejected));
  // An edit may have opened the way for another: what was applied after all is
  // not declined.
  llvm::erase_if(Out.Declines, [&](const rewrite::Declined &D) {
    return any_of(Out.Outcomes, [&](const Outcome &O) {
      return O.Applied && O.Rewrite == D.Rewrite && O.Offset == D.Offset;
    });
  });
}

} // namespace

std::vector<Outcome> allOutcomes(std::vector<Outcome> Applied,
                                 std::vector<Outcome> Rejected) {
  std::set<std::tuple<std::string, unsigned, std::string>> Told;
  auto isNew = [&](const Outcome &O) {
    return Told.insert({O.Rewrite, O.Offset, O.Alternative}).second;
  };
  for (const Outcome &O : Applied)
    isNew(O);
  std::vector<Outcome> All = std::move(Applied);
  // Of what several searches left alone, the last one that tried it says why.
  for (bool Tried : {true, false})
    for (Outcome &O : reverse(Rejected))
      if ((O.Left != WhyNot::NothingToGain) == Tried && isNew(O))
        All.push_back(std::move(O));
  llvm::sort(All, [](const Outcome &A, const Outcome &B) {
    return std::tuple(A.Offset, A.Rewrite, !A.Applied, A.Alternative) <
           std::tuple(B.Offset, B.Rewrite, !B.Applied, B.Alternative);
  });
  return All;
}

Selection selectionOf(Searched S, const Evaluator &Eval) {
  addRemarks(S.Best, Eval);
  noteChanges(S.Best);
  shareDefinitions(S, Eval);
  Selection Out;
  Out.Before = std::move(S.Before);
  Out.After = std::move(S.After);
  Out.Declines = std::move(S.Declines);
  Out.Log = std::move(S.Log);
  Out.NotTried = S.NotTried;
  Out.Times = std::move(S.Times);
  finish(Out, std::move(S.Best), std::move(S.Rejected));
  return Out;
}

/// Puts \p Plainer in the place of \p Best, and tells why of each edit that it
/// lacks.
static void exchange(Variant &Best, Variant Plainer,
                     std::vector<Outcome> &Rejected) {
  for (Step &S : Best.Steps)
    if (none_of(Plainer.Steps,
                [&](const Step &Kept) { return isSame(Kept.What, S.What); }))
      takeBack(std::move(S.What),
               "exact edits alone are faster, with a build option", Rejected);
  Best = std::move(Plainer);
}

Searched search(const Source &S, const rewrite::Findings &First,
                const Finder &Find, Evaluator &Eval) {
  Searched Out{Variant(S, First, Eval.Options.Within), {}};
  for (const rewrite::KernelInfo &K : First.Kernels)
    Out.Kernels.push_back(K.Name);
  Out.Declines = Out.Best.Found.Declines;
  Out.Best.Figures = Out.Before = Eval.figures(S, Out.Kernels);
  std::optional<Variant> Plainer;
  Out.Best = searchAll(std::move(Out.Best), Eval, Find, Out, Plainer);
  if (Plainer && hasTwoToBuild(Eval.Options)) {
    Eval.say("trying build options on the best exact edits");
    SelectOptions Here = Eval.Options;
    Here.Latest = Eval.endWith(keptFor(Eval.Options, 1));
    if (isFasterBuilt(Plainer->version(), Out.Best.version(), Out.Kernels,
                      Eval.M, Here))
      exchange(Out.Best, std::move(*Plainer), Out.Rejected);
  }
  Eval.Until = Eval.endWith(keptForBuilds(Eval.Options, 1));
  prune(Out.Best, Eval, Out.Rejected);
  Eval.Until = Evaluator::Clock::time_point::max();
  WholeResult Whole =
      keepWhatHolds(Out.Best, Out.Before, Out.Kernels, Eval, Out.Rejected);
  Out.After = std::move(Whole.Figures);
  Out.Times = std::move(Whole.Times);
  return Out;
}

Expected<Selection> select(const Source &S, const rewrite::Findings &First,
                           const Finder &Find, measure::Meter &M,
                           const SelectOptions &Options) {
  Evaluator Eval(M, Options);
  if (Options.NoMeasure) {
    Selection Out;
    std::vector<Outcome> Rejected;
    Variant Best(S, First, Options.Within);
    Out.Declines = Best.Found.Declines;
    Best = applyAll(std::move(Best), Find, Eval, Rejected);
    addRemarks(Best, Eval);
    noteChanges(Best);
    finish(Out, std::move(Best), std::move(Rejected));
    return Out;
  }
  if (Options.Variants)
    return selectWithOwn(S, First, Find, M, Options);
  return selectionOf(search(S, First, Find, Eval), Eval);
}

} // namespace clrewrite::select
