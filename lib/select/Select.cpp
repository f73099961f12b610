// The search.
#include "select/Select.h"
#include "select/TimedJudge.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace clrewrite {

bool Selection::changed() const {
  return any_of(Outcomes, [](const Outcome &O) { return O.Applied; });
}

namespace {

constexpr unsigned MaxRounds = 32;

/// An edit set that was applied.
struct Step {
  Outcome What;
  /// In offsets of the text at the start of its round.
  Edits Changes;
  /// The same in offsets of the given text; none where it edits text that an
  /// earlier round inserted.
  std::optional<Edits> OfGiven;
};

/// One alternative under trial.
struct Trial {
  const Candidate *Site;
  const Alternative *Way;
  Source Text;
  std::vector<Delta> Deltas;
  Verdict Judged;
};

unsigned lineAt(StringRef Text, size_t Offset) {
  return unsigned(Text.take_front(Offset).count('\n')) + 1;
}

class Search {
public:
  Search(const Source &Given, const Findings &First, const Finder &Find,
         Meter &M, const SelectOptions &Options)
      : Given(Given), Find(Find), M(M), Options(Options), Trials(M, Options),
        Current(Given), Found(First) {
    for (const KernelInfo &K : First.Kernels) {
      Kernels.push_back(K.Name);
      if (!K.UninitialisedLines.empty())
        Undefined[K.Name] = K.UninitialisedLines.front();
    }
    Out.Declines = First.Declines;
  }

  Expected<Selection> run() {
    if (Options.NoMeasure) {
      if (Error E = applyAll())
        return E;
    } else {
      Out.Before = figures(Current, Kernels);
      Now = Out.Before;
      if (Error E = climb())
        return E;
      prune();
      Out.After = Now;
      Out.Times = finalTimes();
    }
    Out.Result = Current;
    // A site that a later round took is no longer a rejected one.
    llvm::erase_if(Rejected, [&](const Outcome &O) {
      return any_of(Steps, [&](const Step &S) {
        return S.What.Rewrite == O.Rewrite && S.What.Offset == O.Offset &&
               S.What.Alternative == O.Alternative;
      });
    });
    std::vector<Outcome> All;
    for (Step &S : Steps)
      All.push_back(std::move(S.What));
    All.insert(All.end(), std::make_move_iterator(Rejected.begin()),
               std::make_move_iterator(Rejected.end()));
    llvm::sort(All, [](const Outcome &A, const Outcome &B) {
      return std::tuple(A.Offset, A.Rewrite, !A.Applied, A.Alternative) <
             std::tuple(B.Offset, B.Rewrite, !B.Applied, B.Alternative);
    });
    Out.Outcomes = std::move(All);
    return Out;
  }

private:
  const Source &Given;
  const Finder &Find;
  Meter &M;
  const SelectOptions &Options;
  TimedJudge Trials;
  Source Current;
  Findings Found;
  std::vector<std::string> Kernels;
  std::map<std::string, unsigned> Undefined; ///< kernel -> line of the read
  std::vector<Measurement> Now;
  unsigned Tried = 0; ///< alternatives, of the budget
  std::vector<Step> Steps;
  std::vector<Edits> Rounds; ///< all edits of each round
  /// Sites whose edits do not parse, by rewrite and given offset.
  std::set<std::pair<std::string, unsigned>> Broken;
  std::vector<Outcome> Rejected;
  Selection Out;

  void say(const std::string &What) const {
    if (Options.Progress)
      Options.Progress(What);
  }

  /// Figures of \p Names in \p S, by target.
  std::vector<Measurement> figures(const Source &S,
                                   ArrayRef<std::string> Names) {
    std::vector<MeasureRequest> Requests;
    for (const Target &T : Options.Targets)
      Requests.push_back({S, T, Names.vec()});
    return M.measure(Requests);
  }

  static KernelUsage usageIn(const Measurement &In, const std::string &Kernel) {
    if (const KernelUsage *K = In.find(Kernel))
      return *K;
    KernelUsage Missing;
    Missing.Kernel = Kernel;
    Missing.Problem =
        In.Problem.empty() ? "not in the compiled module" : In.Problem;
    return Missing;
  }

  std::vector<Delta> deltas(ArrayRef<Measurement> Before,
                            ArrayRef<Measurement> After,
                            ArrayRef<std::string> Names) const {
    std::vector<Delta> List;
    for (size_t T = 0; T < Options.Targets.size(); ++T)
      for (const std::string &Kernel : Names)
        List.push_back({Kernel, Options.Targets[T].Name,
                        usageIn(Before[T], Kernel), usageIn(After[T], Kernel)});
    return List;
  }

  std::vector<std::map<std::string, Timing>> finalTimes() {
    std::vector<Delta> List = deltas(Out.Before, Now, Kernels);
    Trials.addTimes(List, Given, Current);
    std::vector<std::map<std::string, Timing>> Times;
    for (const Target &T : Options.Targets) {
      Times.emplace_back();
      for (Delta &D : List)
        if (D.Target == T.Name && (D.Time || !D.TimeProblem.empty()))
          Times.back()[D.Kernel] = {D.Time, D.TimeProblem};
    }
    return Times;
  }

  /// \p List, made against the current text, in offsets of the given one.
  std::optional<Edits> ofGiven(Edits List) const {
    for (const Edits &Round : reverse(Rounds)) {
      std::optional<Edits> Back = rebase(List, Round);
      if (!Back)
        return std::nullopt;
      List = std::move(*Back);
    }
    return List;
  }

  /// Where a site stands in the given text; its place in the current one where
  /// an edit made it.
  unsigned givenOffset(const Candidate &C) const {
    std::optional<Edits> At = ofGiven({Edit{C.Offset, 1, ""}});
    return At ? At->front().Offset : C.Offset;
  }

  Outcome outcomeOf(const Candidate &C, const Alternative &A) const {
    Outcome O;
    O.Rewrite = C.Rewrite;
    O.Alternative = A.Label;
    O.Class = A.Class;
    O.Note = A.Note;
    O.Ulps = A.Ulps;
    O.Kernels = C.Kernels;
    O.Offset = givenOffset(C);
    O.Line = lineAt(Given.Text, O.Offset);
    return O;
  }

  bool named(const Alternative &A) const {
    return Options.OnlyAlternative.empty() ||
           Options.OnlyAlternative == A.Label;
  }

  bool allowed(const Alternative &A) const {
    return named(A) && (A.Class == Safety::Exact || Options.Unsafe);
  }

  static std::string onlyUnsafe(const Alternative &A) {
    return ("class " + name(A.Class) + ": applied with --unsafe-fixes only")
        .str();
  }

  void reject(const Candidate &C, const Alternative &A, std::string Reason,
              std::vector<Delta> Deltas = {}) {
    Outcome O = outcomeOf(C, A);
    O.Reason = std::move(Reason);
    O.Deltas = std::move(Deltas);
    Rejected.push_back(std::move(O));
  }

  /// The kernel of \p C that reads an uninitialised variable, if one does.
  const std::pair<const std::string, unsigned> *
  undefined(const Candidate &C) const {
    for (const std::string &K : C.Kernels)
      if (auto It = Undefined.find(K); It != Undefined.end())
        return &*It;
    return nullptr;
  }

  /// A driver that reports no registers, as a CPU's.
  static bool tellsNothing(const Usage &U) {
    return !U.Vgprs && !U.Occupancy && !U.ScratchBytes;
  }

  /// No version of the kernels that \p C serves could pass the gate.
  bool nothingToGain(const Candidate &C) const {
    if (Trials.ruleFor(C.Kernels).Goal != Objective::Occupancy)
      return false;
    return all_of(deltas(Now, Now, C.Kernels), [](const Delta &D) {
      const Usage &U = D.Before.Figures;
      return !D.Before.measured() || tellsNothing(U) ||
             (U.OccupancyMax && U.Occupancy >= U.OccupancyMax &&
              !U.ScratchBytes.value_or(0) && !U.VgprSpills.value_or(0) &&
              !U.SgprSpills.value_or(0));
    });
  }

  std::string whyNothing(const Candidate &C) const {
    std::vector<Delta> List = deltas(Now, Now, C.Kernels);
    if (all_of(List, [](const Delta &D) {
          return D.Before.measured() && tellsNothing(D.Before.Figures);
        }))
      return "nothing to go by: no target reports registers; with --launch or "
             "a launch comment, time decides";
    return "nothing to gain: occupancy is at its maximum on every target, "
           "without scratch or spills";
  }

  /// The alternatives to try now; what can't be tried is rejected, in the
  /// first round, with the reason.
  std::vector<Trial> trials(const std::set<std::string> &Changed, bool First) {
    std::vector<Trial> List;
    for (const Candidate &C : Found.Candidates) {
      bool Touched = any_of(C.Kernels, [&](const std::string &K) {
        return Changed.count(K) != 0;
      });
      if (!First && !Touched)
        continue;
      for (const Alternative &A : C.Alternatives) {
        if (!named(A))
          continue;
        std::string Why;
        if (!allowed(A))
          Why = onlyUnsafe(A);
        else if (C.Kernels.empty())
          Why = "no kernel of this file reaches it";
        else if (const auto *U = undefined(C))
          Why = "kernel " + U->first +
                " reads an uninitialised variable in line " +
                utostr(U->second) + ", so its figures mean nothing";
        else if (none_of(deltas(Now, Now, C.Kernels),
                         [](const Delta &D) { return D.Before.measured(); }))
          Why = "nothing could be measured";
        else if (nothingToGain(C))
          Why = whyNothing(C);
        Expected<Source> Text = applyEdits(Current, A.Changes);
        if (!Text)
          Why = toString(Text.takeError());
        if (!Why.empty()) {
          if (First)
            reject(C, A, Why);
          continue;
        }
        List.push_back({&C, &A, std::move(*Text), {}, {}});
      }
    }
    return List;
  }

  /// Measures in batches, so that progress shows, until the budget is spent.
  void measure(std::vector<Trial> &List) {
    constexpr size_t Batch = 16;
    size_t Allowed = List.size();
    if (Options.Budget)
      Allowed = std::min<size_t>(Allowed, Options.Budget - Tried);
    Tried += unsigned(Allowed);
    for (size_t At = 0; At < Allowed; At += Batch) {
      say("tried " + utostr(At) + " of " + utostr(Allowed) + " alternatives");
      measureSome(
          MutableArrayRef(List).slice(At, std::min(Batch, Allowed - At)));
    }
    for (Trial &T : MutableArrayRef(List).drop_front(Allowed))
      T.Judged.Reason = "not tried: the budget of " + utostr(Options.Budget) +
                        " alternatives is spent";
    Out.NotTried += unsigned(List.size() - Allowed);
  }

  /// Measures target by target, so that what one refuses is not compiled for
  /// the next.
  void measureSome(MutableArrayRef<Trial> List) {
    for (size_t T = 0; T < Options.Targets.size(); ++T) {
      std::vector<Trial *> Left;
      std::vector<MeasureRequest> Requests;
      for (Trial &Each : List)
        if (!Each.Judged.Refused) {
          Left.push_back(&Each);
          Requests.push_back(
              {Each.Text, Options.Targets[T], Each.Site->Kernels});
        }
      std::vector<Measurement> Results = M.measure(Requests);
      for (auto [Each, After] : zip(Left, Results)) {
        for (const std::string &Kernel : Each->Site->Kernels)
          Each->Deltas.push_back({Kernel, Options.Targets[T].Name,
                                  usageIn(Now[T], Kernel),
                                  usageIn(After, Kernel)});
        // Times come last, and only they can judge a kernel that has some.
        Gate Rule = Trials.ruleFor(Each->Site->Kernels);
        if (Rule.Goal == Objective::Time)
          continue;
        Each->Judged = judge(Each->Deltas, Rule);
        guardAgainstGiven(*Each, T, After);
      }
    }
    for (Trial &Each : List)
      if (Trials.ruleFor(Each.Site->Kernels).Goal == Objective::Time)
        Each.Judged =
            Trials.judged(Each.Deltas, Each.Site->Kernels, Current, Each.Text);
  }

  /// What a target may lose is lost against the given source, not again in
  /// each round.
  void guardAgainstGiven(Trial &Each, size_t T, const Measurement &After) {
    std::vector<Delta> Whole;
    for (const std::string &Kernel : Each.Site->Kernels)
      Whole.push_back({Kernel, Options.Targets[T].Name,
                       usageIn(Out.Before[T], Kernel), usageIn(After, Kernel)});
    Verdict V = judge(Whole, Trials.ruleFor(Each.Site->Kernels));
    if (V.Refused && !Each.Judged.Refused)
      Each.Judged = std::move(V);
  }

  /// Of the trials that pay, the best for each kernel, none touching another's
  /// kernels or text.
  std::vector<const Trial *> choose(ArrayRef<Trial> List) const {
    std::vector<const Trial *> Paying, Chosen;
    for (const Trial &T : List)
      if (T.Judged.Pays)
        Paying.push_back(&T);
    // Ties go to the earlier site, and to the earlier of its alternatives.
    llvm::sort(Paying, [](const Trial *A, const Trial *B) {
      return A->Judged.Score != B->Judged.Score
                 ? A->Judged.Score > B->Judged.Score
                 : A < B;
    });
    std::set<std::string> Taken;
    for (const Trial *T : Paying) {
      bool Free = none_of(T->Site->Kernels, [&](const std::string &K) {
        return Taken.count(K) != 0;
      });
      for (const Trial *Other : Chosen)
        Free &= !overlap(T->Way->Changes, Other->Way->Changes);
      if (!Free)
        continue;
      Chosen.push_back(T);
      Taken.insert(T->Site->Kernels.begin(), T->Site->Kernels.end());
    }
    return Chosen;
  }

  Error climb() {
    std::set<std::string> Changed;
    for (unsigned Round = 0; Round < MaxRounds; ++Round) {
      std::vector<Trial> List = trials(Changed, Round == 0);
      if (List.empty())
        return Error::success();
      measure(List);
      std::vector<const Trial *> Chosen = choose(List);
      if (Round == 0)
        for (const Trial &T : List)
          if (!is_contained(Chosen, &T))
            rejectTrial(T, Chosen);
      if (Chosen.empty())
        return Error::success();
      Changed.clear();
      std::vector<Step> New;
      for (const Trial *T : Chosen) {
        Step S{outcomeOf(*T->Site, *T->Way), T->Way->Changes, {}};
        S.What.Applied = true;
        S.What.Reason = T->Judged.Reason;
        S.What.Deltas = T->Deltas;
        Changed.insert(T->Site->Kernels.begin(), T->Site->Kernels.end());
        New.push_back(std::move(S));
      }
      if (Error E = take(std::move(New)))
        return E;
      Now = figures(Current, Kernels);
    }
    return Error::success();
  }

  void rejectTrial(const Trial &T, ArrayRef<const Trial *> Chosen) {
    std::string Reason = T.Judged.Reason;
    if (T.Judged.Pays)
      Reason = any_of(Chosen, [&](const Trial *C) { return C->Site == T.Site; })
                   ? "pays, but another alternative pays more"
                   : "pays alone, but not beside the edits that pay more";
    reject(*T.Site, *T.Way, Reason, T.Deltas);
  }

  /// Applies edit sets that do not overlap, all at once, and looks at the
  /// result. Nothing is changed where that fails.
  Error take(std::vector<Step> New) {
    Edits Round;
    for (Step &S : New) {
      S.OfGiven = ofGiven(S.Changes);
      Round.insert(Round.end(), S.Changes.begin(), S.Changes.end());
    }
    Expected<Source> Next = applyEdits(Current, Round);
    if (!Next)
      return Next.takeError();
    Expected<Findings> Again = Find(*Next);
    if (!Again)
      return Again.takeError();
    Current = std::move(*Next);
    Found = std::move(*Again);
    Rounds.push_back(std::move(Round));
    std::move(New.begin(), New.end(), std::back_inserter(Steps));
    return Error::success();
  }

  /// Takes out each step in turn; drops what the gain does not need: nothing
  /// gets worse anywhere without it. Starts again after each, so that the
  /// deltas of what remains are those beside the final rest.
  void prune() {
    auto free = [](const Step &S) { return S.OfGiven.has_value(); };
    if (Steps.size() < 2 || !all_of(Steps, free))
      return;
    say("taking out each of " + utostr(Steps.size()) + " edits in turn");
    for (size_t I = Steps.size(); I-- > 0;)
      if (dropped(I))
        I = Steps.size();
  }

  /// Drops step \p I if the rest does as well, and notes its own delta if not.
  bool dropped(size_t I) {
    Edits Rest;
    for (const Step &S : Steps)
      if (&S != &Steps[I])
        Rest.insert(Rest.end(), S.OfGiven->begin(), S.OfGiven->end());
    Expected<Source> Text = applyEdits(Given, Rest);
    if (!Text) {
      consumeError(Text.takeError());
      return false;
    }
    std::vector<Measurement> Less = figures(*Text, Kernels);
    ArrayRef<std::string> Names = Steps[I].What.Kernels;
    std::vector<Delta> Own = deltas(Less, Now, Names);
    std::vector<Delta> Without = deltas(Now, Less, Names);
    if (Trials.judged(Own, Names, *Text, Current).Pays ||
        Trials.judged(Without, Names, Current, *Text).Refused) {
      Steps[I].What.Deltas = std::move(Own);
      return false;
    }
    Outcome Dropped = std::move(Steps[I].What);
    Dropped.Applied = false;
    Dropped.Reason = "the other edits give the same gain without it";
    Rejected.push_back(std::move(Dropped));
    Steps.erase(Steps.begin() + long(I));
    Current = std::move(*Text);
    Now = std::move(Less);
    return true;
  }

  /// --no-measure: the first allowed alternative of every site, until a look
  /// at the result finds no fewer sites. One a function at a time, because the
  /// names that an edit introduces are fresh in the text that it was made for.
  Error applyAll() {
    for (size_t Left = SIZE_MAX; Found.Candidates.size() < Left;) {
      Left = Found.Candidates.size();
      std::vector<Step> New = nextOfEachFunction();
      if (New.empty())
        break;
      Error E = take(New);
      if (!E)
        continue;
      consumeError(std::move(E));
      takeAlone(std::move(New));
      Left = SIZE_MAX;
    }
    return Error::success();
  }

  /// The next site of each function, where none of them overlap.
  std::vector<Step> nextOfEachFunction() {
    bool First = Steps.empty();
    std::vector<Step> New;
    std::set<std::string> Functions;
    for (const Candidate &C : Found.Candidates) {
      const auto *Way = firstAllowed(C, First);
      if (!Way || Broken.count({C.Rewrite, givenOffset(C)}) ||
          !Functions.insert(C.Function).second ||
          any_of(New, [&](const Step &S) {
            return overlap(S.Changes, Way->Changes);
          }))
        continue;
      Step S{outcomeOf(C, *Way), Way->Changes, {}};
      S.What.Applied = true;
      S.What.Reason = "legal; not measured";
      New.push_back(std::move(S));
    }
    return New;
  }

  /// After steps that do not parse together: the first that parses alone, and
  /// those before it are rejected for good.
  void takeAlone(std::vector<Step> New) {
    for (Step &S : New) {
      Outcome What = S.What;
      std::vector<Step> One;
      One.push_back(std::move(S));
      Error E = take(std::move(One));
      if (!E)
        return;
      What.Applied = false;
      What.Reason = "its result does not parse; please report it: " +
                    toString(std::move(E));
      Broken.insert({What.Rewrite, What.Offset});
      Rejected.push_back(std::move(What));
    }
  }

  const Alternative *firstAllowed(const Candidate &C, bool Report) {
    for (const Alternative &A : C.Alternatives)
      if (allowed(A))
        return &A;
    for (const Alternative &A : C.Alternatives)
      if (Report && named(A))
        reject(C, A, onlyUnsafe(A));
    return nullptr;
  }
};

} // namespace

Expected<Selection> select(const Source &S, const Findings &First,
                           const Finder &Find, Meter &M,
                           const SelectOptions &Options) {
  return Search(S, First, Find, M, Options).run();
}

} // namespace clrewrite
