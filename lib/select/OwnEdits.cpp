// A search for each family, and one text of what they find.
#include "select/OwnEdits.h"
#include "measure/TargetFamily.h"
#include "select/BuildChoice.h"
#include "select/Record.h"
#include "select/Remarks.h"
#include "select/Search.h"
#include "source/Lines.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>

using namespace llvm;

namespace clrewrite::select {
namespace {

using Clock = std::chrono::steady_clock;

/// The part of a search's options that is about one family.
struct Share {
  SelectOptions Options;
  std::vector<size_t> Targets; ///< by number, in the options of all
  bool Amd = false;            ///< it sees edits that only AMD's compilers see
};

/// The families of \p All that have a macro. Those that see more edits come
/// first, since what they see alone is then in the text of all.
std::vector<Share> sharesOf(const SelectOptions &All) {
  std::vector<Share> Out;
  for (auto [I, T] : enumerate(All.Targets)) {
    std::string For = measure::macroOf(T).str();
    if (For.empty())
      continue;
    auto At =
        find_if(Out, [&](const Share &S) { return S.Options.Apart == For; });
    if (At == Out.end()) {
      At = Out.insert(Out.end(), Share{All, {}});
      SelectOptions &O = At->Options;
      auto IsOther = [&](const measure::Target &Each) {
        return measure::macroOf(Each) != For;
      };
      O.Variants = false;
      O.Apart = For;
      llvm::erase_if(O.Targets, IsOther);
      llvm::erase_if(O.Bystanders, IsOther);
      if (O.Guide && IsOther(*O.Guide))
        O.Guide = std::nullopt;
      At->Amd = T.mayBeAmd();
    }
    At->Targets.push_back(I);
  }
  llvm::stable_sort(
      Out, [](const Share &A, const Share &B) { return A.Amd > B.Amd; });
  return Out;
}

/// Those of \p Of that \p S is about.
FiguresByTarget pick(const FiguresByTarget &Of, const Share &S) {
  FiguresByTarget Out;
  for (size_t T : S.Targets)
    Out.push_back(Of[T]);
  return Out;
}

/// \p V without those of its steps for which \p Goes holds. What can't be made
/// without such a step goes as well.
template <typename Predicate> Variant without(Variant V, Predicate Goes) {
  for (size_t I = V.Steps.size(); I-- > 0;)
    if (I < V.Steps.size() && Goes(V.Steps[I])) {
      std::optional<std::vector<Step>> Rest = V.stepsWithout(I);
      V.leave(
          Rest ? std::move(*Rest)
               : std::vector<Step>(V.Steps.begin(), V.Steps.begin() + long(I)));
    }
  return V;
}

/// What \p V leaves to all others: of the edits that they see no change in,
/// those that have a place in the text that it was made of. Fences may stand
/// there though others of them stand in lines that are its own.
Variant forOthers(const Variant &V) {
  std::vector<Step> Left;
  Edits All;
  for (const Step &S : V.Steps) {
    Edits Changes = S.AmdOnly ? V.placesInGiven(S) : Edits();
    bool Enough =
        S.Separable ? !Changes.empty() : Changes.size() == S.Changes.size();
    if (!S.AmdOnly || !Enough || overlap(All, Changes))
      continue;
    append_range(All, Changes);
    Left.push_back(S);
    Left.back().Changes = std::move(Changes);
    Left.back().OfGiven = std::nullopt;
    Left.back().Round = 1;
  }
  Variant Out = V;
  if (Expected<Source> Text = applyEdits(*V.Given, All)) {
    for (Step &S : Left)
      S.After = *Text;
  } else {
    consumeError(Text.takeError());
    Left.clear();
  }
  Out.leave(std::move(Left));
  return Out;
}

bool isForAll(const Step &S) { return S.AmdOnly; }
bool isOwn(const Step &S) { return !S.AmdOnly; }

/// A text to search from, and as the search that led to it left it.
struct Start {
  Variant Of, Bare;
  Edits Remarks; ///< the difference
};

/// A search of a family's.
struct Found {
  Share Of;
  Searched What;
  Variant Others; ///< what it leaves to all others
  std::vector<Remark> Remarks = {};
};

class OwnSearch {
public:
  OwnSearch(const Source &Given, const Finder &Find, measure::Meter &M,
            const SelectOptions &Options)
      : Given(Given), Find(Find), M(M), Options(Options), All(M, Options),
        Latest(All.endWith(keptForBuilds(Options, 1))) {}

  Expected<Selection> run(const rewrite::Findings &First) {
    std::vector<Share> Shares = sharesOf(Options);
    SelectOptions Plain = Options;
    Plain.Latest = share(Shares.size() + 1);
    Plain.NothingWaits = Options.NothingWaits && Shares.empty();
    Evaluator Eval(M, Plain);
    Suiting.emplace(search(Given, First, Find, Eval));
    for (size_t I = 0; I < Shares.size(); ++I) {
      Shares[I].Options.Latest = share(Shares.size() - I);
      Shares[I].Options.NothingWaits =
          Options.NothingWaits && I + 1 == Shares.size();
      if (Error E = searchFor(Shares[I]))
        return std::move(E);
    }
    return result();
  }

private:
  const Source &Given;
  const Finder &Find;
  measure::Meter &M;
  const SelectOptions &Options;
  Evaluator All;
  /// When the searches end, whichever of them is the last.
  const Clock::time_point Latest;
  /// What suits all targets.
  std::optional<Searched> Suiting;
  /// Texts that the others read, each made of the one before by edits that they
  /// see no change in. The first is made of the given one. They stay where they
  /// are.
  std::deque<Start> Texts;
  std::deque<Found> Kept;
  std::vector<Outcome> Applied, Rejected; ///< by Kept, and by all
  std::vector<SearchNote> Log;
  unsigned NotTried = 0;
  bool HasSearched = false; ///< for some family

  /// When the next of \p Count searches ends that share what is left.
  Clock::time_point share(size_t Count) const {
    if (Latest == Clock::time_point::max())
      return Latest;
    auto Now = Clock::now();
    return Now + (Latest - Now) / long(Count);
  }

  void add(Variant Of, const Evaluator &Eval) {
    Start &New = Texts.emplace_back(Start{Of, Of, {}});
    New.Remarks = addRemarks(New.Of, Eval);
  }

  /// \p O, of the last of Texts, with its place in the given text.
  Outcome placed(Outcome O) const {
    for (const Start &T : reverse(Texts)) {
      if (auto At = rebase({Edit{O.Offset, 1, ""}}, T.Remarks))
        O.Offset = At->front().Offset;
      O.Offset = T.Of.givenOffset(O.Offset);
    }
    O.Line = lineAt(Given.Text, O.Offset);
    O.Changes.reset();
    return O;
  }

  Error searchFor(const Share &S) {
    // A host that launches otherwise does so for all GPUs.
    if (!launchesOf(Suiting->Best.Steps).empty() || Options.stopped())
      return Error::success();
    if (!Texts.empty())
      return searchFrom(S).takeError();
    Variant Less = without(Suiting->Best, isForAll);
    if (S.Amd && Less.Steps.size() < Suiting->Best.Steps.size()) {
      add(std::move(Less), All);
      Expected<bool> Any = searchFrom(S);
      if (!Any || *Any)
        return Any.takeError();
      Texts.pop_back();
    }
    add(Suiting->Best, All);
    Expected<bool> Any = searchFrom(S);
    if (Any && !*Any)
      Texts.pop_back();
    return Any.takeError();
  }

  /// Searches for \p S from the last of Texts, and keeps what is found if it is
  /// better there than what suits all.
  Expected<bool> searchFrom(const Share &S) {
    const Variant &From = Texts.back().Of;
    Finder Own =
        Options.FinderFor ? Options.FinderFor(S.Options.Targets) : Find;
    Expected<rewrite::Findings> First = Own(From.Text);
    if (!First) {
      // A compiler may refuse the text as it was, such as one with half.
      if (!errorToBool(Own(Given).takeError()))
        return First.takeError();
      consumeError(First.takeError());
      return false;
    }
    Found F{S, {From, {}}, From};
    F.Of.Options.Within = From.within();
    Evaluator Eval(M, F.Of.Options);
    F.What = search(From.Text, *First, Own, Eval);
    HasSearched = true;
    bool IsKept = holds(F, Eval);
    NotTried += F.What.NotTried;
    for (SearchNote &N : F.What.Log) {
      for (std::vector<Outcome> *List : {&N.From, &N.Tried})
        for (Outcome &O : *List)
          O = placed(std::move(O));
      Log.push_back(std::move(N));
    }
    for (Outcome &O : F.What.Rejected)
      Rejected.push_back(placed(std::move(O)));
    if (IsKept)
      keep(std::move(F), Eval);
    return IsKept;
  }

  void keep(Found F, const Evaluator &Eval) {
    Variant &Best = F.What.Best;
    F.Remarks = remarksOn(Best, Eval, isOwn);
    for (Step &S : Best.Steps) {
      Applied.push_back(placed(S.What));
      if (!isOwn(S))
        continue;
      for (const measure::Target &T : F.Of.Options.Targets)
        Applied.back().For.push_back(T.Name);
      S.What.Remark.clear();
    }
    const Edits Comments = addRemarks(Best, Eval);
    for (Remark &R : F.Remarks) {
      size_t Before = R.Offset;
      for (const Edit &E : Comments)
        R.Offset += E.Offset <= Before ? E.Text.size() : 0;
    }
    if (!F.Others.Steps.empty())
      add(F.Others, Eval);
    Kept.push_back(std::move(F));
  }

  /// What all searches found in one text.
  Expected<std::string> joined(const Variant &Others,
                               const Found *Another = nullptr) const {
    std::vector<OwnText> Own;
    for (const Found &F : Kept)
      Own.push_back({F.Of.Options.Apart, F.What.Best.Text.Text, F.Remarks});
    if (Another)
      Own.push_back(
          {Another->Of.Options.Apart, Another->What.Best.Text.Text, {}});
    return withArms(Others.Text.Text, Own);
  }

  /// Some edit of \p F is its own, and it does better than what suits all. Its
  /// last edits are taken back until the rest can be kept from the others.
  bool holds(Found &F, const Evaluator &Eval) const {
    Variant &Best = F.What.Best;
    while (any_of(Best.Steps, isOwn) && pays(F, Eval)) {
      F.Others = forOthers(Best);
      Expected<std::string> Text = joined(F.Others, &F);
      if (Text)
        return true;
      std::string Why =
          "can't be kept for " + F.Of.Options.Apart +
          " alone beside the other edits: " + toString(Text.takeError());
      auto Last = find_if(reverse(Best.Steps), isOwn);
      const Outcome What = Last->What;
      bool Gone = false;
      Best = without(std::move(Best), [&](const Step &Each) {
        return !Gone && isOwn(Each) && (Gone = true);
      });
      takeBack(What, Why, F.What.Rejected);
      F.What.After = Eval.figures(Best.Text, F.What.Kernels);
    }
    return false;
  }

  /// For its targets \p F is better than what suits all, and for no kernel
  /// worse.
  bool pays(const Found &F, const Evaluator &Eval) const {
    FiguresByTarget Before = pick(Suiting->After, F.Of);
    bool Any = false;
    for (const std::string &K : F.What.Kernels) {
      bool Told = any_of(F.What.Best.Steps, [](const Step &S) {
        return estimateTells(S.What.Rewrite);
      });
      Criterion By =
          Told ? Eval.Judge.estimatedToo({K}) : Eval.Judge.criterionFor({K});
      std::vector<Delta> List = Eval.deltas(Before, F.What.After, {K});
      Verdict V =
          Eval.Judge.judged(List, {K}, Suiting->Best.version(),
                            versionOf(F.What.Best.Text, F.What.Best.Steps), By);
      if (V.Refused)
        return false;
      Any |= V.Pays;
    }
    return Any;
  }

  /// What the searches for families say of alternatives, the first of them that
  /// says something, and of others what \p Plain says.
  std::vector<Outcome> allRejected(const std::vector<Outcome> &Plain) const {
    std::vector<Outcome> Out;
    for (const std::vector<Outcome> *List : {&Rejected, &Plain})
      for (const Outcome &New : *List)
        if (none_of(Out, [&](const Outcome &O) { return isSame(O, New); }))
          Out.push_back(New);
    // Those were left to the families' searches.
    for (Outcome &O : Out)
      if (O.Left == WhyNot::ForTargets && HasSearched) {
        O.Left = WhyNot::Other;
        O.Reason = "often slower on GPUs that no target names, and the search "
                   "for the targets' compilers alone keeps none of it";
      }
    return Out;
  }

  Expected<Selection> result() {
    Searched S = *Suiting;
    S.NotTried += NotTried;
    S.Log.insert(S.Log.end(), Log.begin(), Log.end());
    for (const Step &Each : S.Best.Steps)
      if (!Kept.empty() &&
          none_of(Texts.front().Bare.Steps,
                  [&](const Step &B) { return isSame(B.What, Each.What); }))
        takeBack(Each.What,
                 "without it, edits for some targets alone gain more",
                 S.Rejected);
    S.Rejected = allRejected(S.Rejected);
    for (const Found &F : Kept)
      for (auto [I, T] : enumerate(F.Of.Targets))
        S.After[T] = F.What.After[I];
    std::string Text;
    if (!Kept.empty()) {
      if (Error E = joined(Texts.back().Of).moveInto(Text))
        return std::move(E);
      S.Best = Texts.front().Bare;
    }
    Selection Out = selectionOf(std::move(S), All);
    if (!Kept.empty()) {
      Out.Result.Text = std::move(Text);
      std::vector<Outcome> Others;
      for (Outcome &O : Out.Outcomes) {
        O.Changes.reset();
        (O.Applied ? Applied : Others).push_back(std::move(O));
      }
      Out.Outcomes = allOutcomes(std::move(Applied), std::move(Others));
      Out.Times = finalTimes(All, Out.Before, Out.After, Suiting->Kernels,
                             Given, {Out.Result, Out.launches()});
    }
    return Out;
  }
};

} // namespace

Expected<Selection> selectWithOwn(const Source &S,
                                  const rewrite::Findings &First,
                                  const Finder &Find, measure::Meter &M,
                                  const SelectOptions &Options) {
  return OwnSearch(S, Find, M, Options).run(First);
}

} // namespace clrewrite::select
