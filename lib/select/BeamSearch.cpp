// The beam search: what a round tries, how its trials are measured and ordered,
// and the loop over rounds and phases. BeamSearch.h says how they work
// together.
#include "select/BeamSearch.h"
#include "measure/TargetFamily.h"
#include "select/Record.h"
#include "source/Arms.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::select {

/// Variants that are searched on from in a round.
static constexpr size_t Width = 3;
/// A bound for sources that open a new site with every edit.
static constexpr unsigned MaxRounds = 32;
/// Rounds in a row that may find nothing better.
static constexpr unsigned Patience = 1;

/// Of more fences than that in a kernel's code nobody can say what they are
/// for.
static constexpr unsigned MostFences = 8;

/// Trials between two lines of progress, and between two looks at the clock; by
/// time, those of which all are built before the first is timed.
static constexpr size_t Batch = 16, ClockedBatch = 4;

/// No site of \p N could give a variant that meets the criterion, whatever its
/// edits.
bool BeamSearch::nothingLeft(const Variant &N) const {
  if (N.Found.Candidates.empty())
    return !Eval.whyNothing(N.Figures, Kernels, criterion()).empty();
  return all_of(N.Found.Candidates, [&](const rewrite::Candidate &C) {
    return !Eval.whyNothing(N.Figures, C.Kernels, criterion()).empty();
  });
}

/// Why edits that are often slower (Record.h) are not tried where no clock
/// decides; empty where they are.
static WhyNot whySpared(const SelectOptions &Options) {
  std::vector<measure::Target> Spared = Options.spared();
  if (Spared.empty())
    return "";
  const std::string &Name = Spared.front().Name;
  if (any_of(Options.Targets,
             [&](const measure::Target &T) { return T.Name == Name; }))
    return {"edits of this rewrite are often slower on " + Name +
                ", where no clock decides here: tried with --objective=time "
                "and a device, or for waves with --objective=occupancy",
            WhyNot::ForWaves};
  return {"edits of this rewrite are often slower on a bystander, " + Name +
              ": tried with --only-target alone",
          WhyNot::ForTargets};
}

/// Why \p A is not tried; empty where it is.
WhyNot BeamSearch::whyNot(const Variant &N, const rewrite::Candidate &C,
                          const rewrite::Alternative &A) const {
  for (const std::string &K : C.Kernels)
    if (auto It = Undefined.find(K); It != Undefined.end())
      return "kernel " + K + " reads an uninitialised variable in line " +
             utostr(It->second) + ", so its figures mean nothing";
  if (none_of(Eval.deltas(Before, Before, C.Kernels),
              [](const Delta &D) { return D.Before.measured(); }))
    return "nothing could be measured";
  if (WhyNot Why = Eval.whyNothing(N.Figures, C.Kernels, criterion());
      !Why.empty())
    return Why;
  if (C.AmdOnly && none_of(Eval.Options.Targets, [&](const measure::Target &T) {
        return T.mayBeAmd() &&
               (T.isDevice() ||
                Eval.Judge.criterionFor(C.Kernels).Goal != Objective::Time);
      }))
    return "only compilers for AMD's GPUs from GCN on see it, and none of them "
           "decides";
  // The user is only asked for what could gain.
  if (!Eval.allowed(C, A))
    return Eval.onlyUnsafe(C, A);
  if (oftenSlower(C.Rewrite) && !A.Sheltered &&
      Eval.Judge.criterionFor(C.Kernels).Goal != Objective::Time)
    if (WhyNot Why = whySpared(Eval.Options); !Why.empty())
      return Why;
  if (A.WaveGoal)
    return whyNotWaves(N, C, *A.WaveGoal);
  return A.VgprLimit ? whyNotLimit(N, C, *A.VgprLimit) : WhyNot("");
}

/// Why no target can gain from a limit of \p Limit VGPRs; empty where one can.
/// Values that are alive between blocks stay alive in any order of
/// instructions, so that a limit below their number can only be kept by
/// spilling.
WhyNot BeamSearch::whyNotLimit(const Variant &N, const rewrite::Candidate &C,
                               unsigned Limit) const {
  bool Needed = false;
  for (auto [On, Now] : zip(Eval.Options.Targets, N.Figures))
    for (const std::string &Kernel : C.Kernels) {
      const measure::KernelUsage *K = Now.find(Kernel);
      if (!K || K->Figures.Vgprs.value_or(0) <= Limit)
        continue;
      Needed = true;
      if (K->LiveAtEdges.value_or(0) <= On.registersUnder(Limit))
        return "";
    }
  if (Needed)
    return {"more VGPRs than that are alive where blocks meet",
            WhyNot::BelowLive};
  return {"no target needs more VGPRs than that", WhyNot::NotNeeded};
}

/// Why no target can gain from room for \p Goal waves; empty where one can. The
/// compiler often makes room for more than it is asked for, so that goals near
/// what it has are enough. What is alive between blocks tells nothing here, as
/// it computes values again.
WhyNot BeamSearch::whyNotWaves(const Variant &N, const rewrite::Candidate &C,
                               unsigned Goal) const {
  constexpr unsigned Farthest = 3;
  for (auto [On, Now] : zip(Eval.Options.Targets, N.Figures))
    for (const std::string &Kernel : C.Kernels) {
      const measure::KernelUsage *K = Now.find(Kernel);
      if (!K || !On.mayBeAmd() || !K->Figures.VgprsToNextStep)
        continue;
      const unsigned Has = K->Figures.Occupancy.value_or(0);
      if (Has >= Goal || Goal > Has + Farthest ||
          Goal > K->Figures.OccupancyMax.value_or(Goal))
        continue;
      return "";
    }
  return {"on no target VGPRs keep it from that by " + utostr(Farthest) +
              " waves or fewer",
          WhyNot::NotNeeded};
}

/// Why \p A, which makes \p New of \p Old, can't be kept from compilers
/// that are not to read it; empty where it can, or need not.
std::string BeamSearch::whyNotApart(const Source &Old, const Source &New,
                                    const rewrite::Candidate &C,
                                    const rewrite::Alternative &A) const {
  const std::string &For = Eval.Options.Apart;
  if (For.empty() || C.AmdOnly)
    return "";
  std::string Why;
  if (A.Launch || A.Class == rewrite::Safety::Contract)
    Why = "the host would have to launch it otherwise for these GPUs";
  else if (Error E = withArms(Old.Text, {{For, New.Text}}).takeError())
    Why = toString(std::move(E));
  return Why.empty() ? "" : "can't be kept for " + For + " alone: " + Why;
}

/// By what the trials are judged.
Criterion BeamSearch::criterion() const {
  if (!Estimated)
    return Eval.Judge.criterionFor(Kernels);
  Criterion By = Eval.Judge.estimatedToo(Kernels);
  By.Goal = Objective::Estimate;
  return By;
}

/// A clock judges \p Names. Figures of one work-item don't tell what fewer of
/// them, or other work-groups, gain.
bool BeamSearch::isTimed(ArrayRef<std::string> Names) const {
  return Eval.Judge.criterionFor(Names).Goal == Objective::Time;
}

/// \p Names are not judged by registers, memory and occupancy.
bool BeamSearch::timeDecides(ArrayRef<std::string> Names) const {
  return Estimated || isTimed(Names) ||
         Eval.Judge.criterionFor(Names).Goal == Objective::Estimate;
}

/// Phases keep edits that bind the compiler from hiding what others gain in
/// registers. A clock needs no such order.
unsigned BeamSearch::phaseOf(const rewrite::Candidate &C) const {
  return isTimed(Kernels) ? 0 : C.Phase;
}

/// The trials from the variants of \p Beam, each text once. An alternative that
/// can't be tried is rejected, in the first round, with the reason.
std::vector<BeamSearch::Trial> BeamSearch::trials(ArrayRef<Variant> Beam,
                                                  unsigned Phase, bool First) {
  std::vector<Trial> List;
  for (const Variant &N : Beam)
    for (const rewrite::Candidate &C : N.Found.Candidates) {
      if ((Estimated && !estimateTells(C.Rewrite)) || phaseOf(C) != Phase ||
          none_of(C.Kernels,
                  [&](const auto &K) { return is_contained(Kernels, K); }))
        continue;
      size_t Choice = 0;
      for (const rewrite::Alternative &A : C.Alternatives) {
        if (!Eval.named(A) || (A.ForTime && !timeDecides(C.Kernels)) ||
            (A.Launch && !isTimed(C.Kernels)))
          continue;
        ++Choice;
        WhyNot Why = whyNot(N, C, A);
        if (Why.empty()) {
          Expected<Source> Text = applyEdits(N.Text, A.Changes);
          LaunchChanges Launches = launchesOf(N.Steps);
          if (!Text)
            Why = toString(Text.takeError());
          else if (!addChange(Launches, C.Kernels, A.Launch))
            Why = "another edit asks for another work-group";
          else if (std::string Not = whyNotApart(N.Text, *Text, C, A);
                   !Not.empty())
            Why = Not;
          else if (Seen.insert(hash(*Text)).second)
            List.push_back(
                {&N,
                 {{&C, &A}},
                 std::move(*Text),
                 Choice,
                 C.Rewrite + " " + A.Label + " " + utostr(N.givenOffset(C))});
        }
        if (First && &N == Beam.begin() && !Why.empty()) {
          Outcome O = N.outcomeOf(C, A);
          O.Reason = std::move(Why.Sentence);
          O.Left = Why.What;
          Rejected.push_back(std::move(O));
        }
      }
    }
  return List;
}

/// \p T gains registers and loses nothing, but does not reach a step of
/// occupancy; or its median was faster, but not beyond noise.
bool BeamSearch::helps(const Trial &T) const {
  if (!T.Tried || T.Judged.Pays || T.Judged.Refused)
    return false;
  if (isTimed(Kernels))
    return timeGained(T.Deltas) >= std::log2(ClearGain);
  return criterion().Goal == Objective::Occupancy &&
         gains(T.Deltas).Registers > 0;
}

/// For each variant: the best alternatives of all sites that pay, at once; and
/// those of all sites that pay or help, since steps of occupancy are wide, and
/// several edits may together be faster beyond noise where none is alone.
std::vector<BeamSearch::Trial> BeamSearch::together(ArrayRef<Trial> List) {
  std::vector<Trial> Out;
  for (bool AlsoHelping : {false, true}) {
    MapVector<const Variant *, std::vector<const Trial *>> Good;
    for (const Trial &T : List)
      if (T.Judged.Pays || (AlsoHelping && helps(T)))
        Good[T.From].push_back(&T);
    for (auto &[From, Each] : Good)
      if (std::optional<Trial> All = allOf(*From, std::move(Each)))
        if (Seen.insert(hash(All->Text)).second)
          Out.push_back(std::move(*All));
  }
  return Out;
}

/// The trials of \p List together, the best first, as far as they do not
/// overlap, and give no name twice in one function; none where that leaves only
/// one.
std::optional<BeamSearch::Trial>
BeamSearch::allOf(const Variant &From, std::vector<const Trial *> List) {
  Criterion By = criterion();
  auto rank = [&](const Trial *T) {
    bool Pays = T->Judged.Pays;
    return std::pair(Pays, Pays ? T->Judged.Score : promise(T->Deltas, By));
  };
  // Ties go to the earlier.
  llvm::stable_sort(
      List, [&](const Trial *A, const Trial *B) { return rank(A) > rank(B); });
  Trial All{&From, {}, {}};
  Edits Changes;
  LaunchChanges Launches = launchesOf(From.Steps);
  std::map<std::string, std::set<std::string>> Names; // by function
  for (const Trial *T : List) {
    const auto &[Site, Alternative] = T->Alternatives.front();
    std::set<std::string> &Taken = Names[Site->Function];
    if (overlap(Changes, Alternative->Changes) ||
        any_of(
            Alternative->Names,
            [&](const std::string &Name) { return Taken.count(Name) != 0; }) ||
        !addChange(Launches, Site->Kernels, Alternative->Launch))
      continue;
    Taken.insert(Alternative->Names.begin(), Alternative->Names.end());
    Changes.insert(Changes.end(), Alternative->Changes.begin(),
                   Alternative->Changes.end());
    All.Alternatives.push_back({Site, Alternative});
  }
  if (All.Alternatives.size() < 2)
    return std::nullopt;
  Expected<Source> Text = applyEdits(From.Text, Changes);
  if (!Text) {
    consumeError(Text.takeError());
    return std::nullopt;
  }
  All.Text = std::move(*Text);
  return All;
}

Version BeamSearch::versionOf(const Trial &T) {
  Version Out = select::versionOf(T.Text, T.From->Steps);
  for (const auto &[Site, Alternative] : T.Alternatives) {
    addChange(Out.Launches, Site->Kernels, Alternative->Launch);
    Out.Inexact |= Alternative->Class != rewrite::Safety::Exact;
  }
  return Out;
}

/// The kernels that the edits of \p T may change. The others of its search are
/// those of the variant that it is tried on, and are not compiled for it.
std::vector<std::string> BeamSearch::reachedBy(const Trial &T) {
  std::set<std::string> Out;
  for (const auto &[Site, Alternative] : T.Alternatives)
    Out.insert(Site->Kernels.begin(), Site->Kernels.end());
  return {Out.begin(), Out.end()};
}

/// The compiler for \p On sees no edit that \p T adds.
bool BeamSearch::invisible(const Trial &T, const measure::Target &On) {
  return !On.mayBeAmd() && all_of(T.Alternatives, [](const auto &Alternative) {
    return Alternative.first->AmdOnly;
  });
}

/// Measures target by target, so that what one refuses is not compiled for
/// the next. The clock is looked at before each target, and on devices before
/// each set of trials that are built side by side.
void BeamSearch::measureSome(MutableArrayRef<Trial *> List) {
  Criterion By = criterion();
  std::vector<Trial *> Left = List;
  for (size_t T = 0; T < Eval.Options.Targets.size(); ++T) {
    const measure::Target &On = Eval.Options.Targets[T];
    // Compiled for some targets alone, a trial would say nothing.
    if (T && (On.isDevice() ? Eval.stopped() : Eval.Options.interrupted()))
      return;
    size_t AtOnce = On.isDevice() ? Eval.Options.BuildsAtOnce : List.size();
    std::vector<Trial *> Measured;
    for (size_t I = 0;
         I < Left.size() && !(On.isDevice() && I && Eval.stopped());
         I += AtOnce) {
      ArrayRef<Trial *> Now = ArrayRef(Left).slice(I).take_front(AtOnce);
      measureOn(T, Now);
      append_range(Measured, Now);
    }
    Left.clear();
    bool MayGainTime =
        any_of(drop_begin(Eval.Options.Targets, T + 1), measure::wasTimed);
    for (Trial *Each : Measured) {
      Each->Deltas = Eval.deltas(Before, Each->Figures, Kernels);
      // Times come last, and only they can judge a kernel that has some.
      if (By.Goal != Objective::Time)
        Each->Judged = judge(Each->Deltas, By, MayGainTime);
      Each->Tried = Each->Judged.Refused;
      if (!Each->Tried)
        Left.push_back(Each);
    }
  }
  std::vector<Pending> Paying;
  for (Trial *Each : Left)
    Paying.push_back(
        {Each->Judged, {BeforeText}, versionOf(*Each), reachedBy(*Each)});
  Eval.Judge.askOthers(Paying);
  for (Trial *Each : Left) {
    if (By.Goal == Objective::Time) {
      if (Each != Left.front() && Eval.stopped())
        return;
      Each->Judged = judgedByTime(*Each, By);
    }
    if (unsigned Count = places(*Each, /*FencesAlone=*/true);
        Count > MostFences && Each->Judged.Pays &&
        Eval.Options.JudgedBy.Goal == Objective::Auto) {
      Each->Judged.Pays = false;
      Each->Judged.Reason =
          ("it takes " + Twine(Count) +
           " fences, and nobody "
           "reads a kernel with more than " +
           Twine(MostFences) + "; --objective=occupancy keeps them")
              .str();
    }
    Each->Tried = true;
  }
}

/// A trial that adds nothing to the code of what it is tried on is not timed.
Verdict BeamSearch::judgedByTime(Trial &T, const Criterion &By) {
  Version New = versionOf(T);
  if (std::optional<Verdict> Same =
          Eval.Judge.folded(reachedBy(T), T.From->version(), New))
    return *Same;
  return Eval.Judge.judged(T.Deltas, Kernels, {*T.From->Given}, New, By);
}

/// Adds the figures of \p List on target number \p T.
void BeamSearch::measureOn(size_t T, ArrayRef<Trial *> List) {
  const measure::Target &On = Eval.Options.Targets[T];
  std::vector<measure::MeasureRequest> Requests;
  std::vector<Trial *> Whose;
  for (Trial *Each : List) {
    bool Known = T < Each->From->Figures.size();
    if (Each->Guide && guide() == &On) {
      Each->Figures.push_back(updated(Before[T], *Each->Guide));
    } else if (Known && invisible(*Each, On)) {
      Each->Figures.push_back(Each->From->Figures[T]);
    } else {
      Requests.push_back({Each->Text, On, Known ? reachedBy(*Each) : Kernels});
      Whose.push_back(Each);
    }
  }
  std::vector<measure::Measurement> Results = Eval.M.measure(Requests);
  for (auto [Each, After] : zip(Whose, Results)) {
    const FiguresByTarget &Had = Each->From->Figures;
    Each->Figures.push_back(
        updated(T < Had.size() ? Had[T] : Before[T], After));
  }
}

/// The first target that needs no device, else the one that stands for a
/// device.
const measure::Target *BeamSearch::guide() const {
  for (const measure::Target &T : Eval.Options.Targets)
    if (!T.isDevice())
      return &T;
  return Eval.Options.Guide ? &*Eval.Options.Guide : nullptr;
}

/// How many times as fast the guide has \p T; 0 where it can't tell.
double BeamSearch::estimatedGain(const Trial &T) const {
  double Most = 0;
  for (const std::string &K : Kernels) {
    const measure::KernelUsage *Old = GuideBefore->find(K),
                               *New = T.Guide ? T.Guide->find(K) : nullptr;
    if (!Old || !New)
      continue;
    measure::EstimatePair Est = measure::comparable(Old->Figures, New->Figures);
    if (Est.Before && Est.After && *Est.After > 0)
      Most = std::max(Most, *Est.Before / *Est.After);
  }
  return Most;
}

/// Where times decide, a trial is a build and launches, one after the other,
/// and the clock may end them. So trials that the guide's estimate likes come
/// first, by its gain. Trials that it does not like are not put off, since it
/// misses too many gains.
void BeamSearch::orderForTime(MutableArrayRef<Trial *> List) {
  for (Trial *T : List)
    T->Gain = ClearGain;
  if (!guide())
    return;
  // Of a GPU that is no target nothing but the estimate is of use.
  bool Alone = Eval.Options.Guide && guide() == &*Eval.Options.Guide;
  auto ask = [&](const Source &Text) {
    return measure::MeasureRequest{Text, *guide(), Kernels, {}, Alone};
  };
  if (!GuideBefore)
    GuideBefore = Eval.M.measure(ask(BeforeText)).front();
  for (size_t At = 0; At < List.size() && !Eval.stopped(); At += Batch) {
    MutableArrayRef<Trial *> Some =
        List.slice(At, std::min(Batch, List.size() - At));
    std::vector<measure::MeasureRequest> Requests;
    for (const Trial *T : Some)
      Requests.push_back(ask(T->Text));
    for (auto [T, Result] : zip(Some, Eval.M.measure(Requests)))
      T->Guide = std::move(Result);
  }
  for (Trial *T : List)
    T->Gain = std::max(ClearGain, estimatedGain(*T));
}

/// How likely \p T is to pay where the estimate does not say. An alternative
/// that was faster alone may well be faster beside others, and one that was
/// slower is not. Otherwise it is as likely as its rewrite's other trials, so
/// that a rewrite with many alternatives that do not pay gives way to others.
double BeamSearch::prospect(const Trial &T,
                            const std::map<std::string, Record> &Known) const {
  constexpr double Slower = 0.97, UsualOnDevices = 1.0 / 3;
  if (auto It = FirstGains.find(T.Name); It != FirstGains.end()) {
    if (It->second >= ClearGain)
      return It->second;
    if (It->second < Slower)
      return 0;
  }
  if (isPutOff(T))
    return 0;
  const std::string &Rewrite = T.Alternatives.front().first->Rewrite;
  auto It = Known.find(Rewrite);
  return (It == Known.end() ? Record() : It->second)
      .share(isTimed(Kernels) ? UsualOnDevices : usualShare(Rewrite));
}

std::string BeamSearch::siteOf(const Trial &T) {
  const rewrite::Candidate &C = *T.Alternatives.front().first;
  return C.Rewrite + " " + utostr(T.From->givenOffset(C));
}

/// The first alternative of the site made no difference, so that the others
/// have to wait for the other phases, and for a search that has time for them.
bool BeamSearch::isPutOff(const Trial &T) const {
  return FirstSearch && Eval.endsByClock() && !isTimed(Kernels) &&
         !T.Name.empty() && Unseen.count(siteOf(T));
}

/// By figures, \p T did nothing of use when it was tried first, so that it is
/// not worth the time beside other edits.
bool BeamSearch::isHopeless(const Trial &T) const {
  auto It = FirstGains.find(T.Name);
  return Eval.endsByClock() && !isTimed(Kernels) && It != FirstGains.end() &&
         It->second == 0;
}

/// How many trials are measured between two looks at the clock.
size_t BeamSearch::atOnce() const {
  if (isTimed(Kernels))
    return std::max<size_t>(ClockedBatch, Eval.Options.BuildsAtOnce);
  return Eval.endsByClock() && Eval.Options.Jobs
             ? std::clamp<size_t>(Eval.Options.Jobs, 1, Batch)
             : Batch;
}

/// Brings the \p Count trials to the front of \p List that are timed next: by
/// the estimate's gain, then by prospect. Ties go to the earlier.
void BeamSearch::takeNext(MutableArrayRef<Trial *> List, size_t Count) const {
  std::map<std::string, Record> Known = Records;
  for (size_t At = 0; At < Count; ++At) {
    std::map<const Trial *, std::pair<double, double>> Rank;
    for (const Trial *T : List.slice(At))
      Rank[T] = {T->Gain, prospect(*T, Known)};
    auto Next = std::max_element(
        List.begin() + At, List.end(),
        [&](const Trial *A, const Trial *B) { return Rank[A] < Rank[B]; });
    std::rotate(List.begin() + At, Next, Next + 1);
    ++Known[List[At]->Alternatives.front().first->Rewrite].Tried;
  }
}

/// Notes what \p T, of one alternative, says of those that are still to come.
void BeamSearch::remember(const Trial &T) {
  if (!T.Tried || T.Name.empty())
    return;
  Record &R = Records[T.Alternatives.front().first->Rewrite];
  ++R.Tried;
  R.Paying += T.Judged.Pays;
  if (!isTimed(Kernels)) {
    if (T.Choice == 1 && sameCode(T.Deltas))
      Unseen.insert(siteOf(T));
    FirstGains.try_emplace(T.Name, T.Judged.Pays ? 2
                                   : promises(T) ? ClearGain
                                                 : 0);
    return;
  }
  if (!T.From->Steps.empty())
    return;
  for (const Delta &D : T.Deltas)
    if (D.Time)
      FirstGains.try_emplace(T.Name, D.Time->Ratio);
}

/// Measures in batches, so that progress shows, until the budget is spent. The
/// later alternatives of sites are left out first; where a clock may end it,
/// what promises most comes first.
void BeamSearch::measure(std::vector<Trial> &List, Allowance &Budget) {
  std::vector<Trial *> All;
  for (Trial &T : List)
    All.push_back(&T);
  size_t Allowed = std::min<size_t>(All.size(), Budget.Left);
  bool Timed = isTimed(Kernels), InOrder = Timed || Eval.endsByClock();
  if (InOrder || Allowed < All.size())
    llvm::stable_sort(All, [](const Trial *A, const Trial *B) {
      return A->Choice < B->Choice;
    });
  if (Timed)
    orderForTime(MutableArrayRef(All).take_front(Allowed));
  size_t Step = atOnce();
  for (size_t At = 0; At < Allowed && !Eval.stopped(); At += Step) {
    Eval.say("round " + utostr(Rounds) + ", tried " + utostr(At) + " of " +
             utostr(Allowed) + " alternatives");
    auto Left = MutableArrayRef(All).slice(At, Allowed - At);
    size_t Now = std::min(Step, Left.size());
    if (InOrder)
      takeNext(Left, Now);
    if (isHopeless(*Left.front()) || isPutOff(*Left.front()))
      break;
    const auto Begun = Evaluator::Clock::now();
    measureSome(Left.take_front(Now));
    if (Timed)
      Eval.took(Evaluator::Clock::now() - Begun,
                size_t(count_if(Left.take_front(Now), [](const Trial *T) {
                  return wasTimed(T->Deltas);
                })));
    if (goesOn() && !Eval.stopped())
      Eval.Until = Eval.endWith(*Later);
    for (const Trial *T : Left.take_front(Now))
      remember(*T);
  }
  for (Trial *T : All) {
    if (T->Tried) {
      --Budget.Left;
      continue;
    }
    T->Judged = {};
    if (isHopeless(*T)) {
      T->Judged.Reason = "not tried: it did nothing of use alone";
      continue;
    }
    ++Budget.NotTried;
    T->Judged.Reason = Eval.stopped() || isPutOff(*T) || !Eval.Options.Budget
                           ? "not tried: stopped before"
                           : "not tried: the budget of " +
                                 utostr(Eval.Options.Budget) +
                                 " alternatives a kernel is spent";
  }
  for (const Trial &T : List)
    note(T);
}

void BeamSearch::note(const Trial &T) {
  SearchNote N;
  N.Round = Rounds;
  for (const Step &S : T.From->Steps)
    N.From.push_back(S.What);
  for (const auto &[Site, Alternative] : T.Alternatives)
    N.Tried.push_back(T.From->outcomeOf(*Site, *Alternative));
  N.Pays = T.Judged.Pays;
  N.Reason = T.Judged.Reason;
  Log.push_back(std::move(N));
}

/// Some figure of \p T gets better, though \p T may not pay: another edit may
/// make up for the figures that get worse.
bool BeamSearch::promises(const Trial &T) const {
  if (!T.Tried || T.Judged.Pays)
    return T.Judged.Pays;
  if (criterion().Goal == Objective::Time)
    return false;
  bool Any = false;
  for (const Delta &D : T.Deltas) {
    const measure::Usage &Old = D.Before.Figures, &New = D.After.Figures;
    std::string Object;
    if (!D.Before.measured())
      continue;
    if (!D.After.measured() || measure::losesStores(D.Before, D.After, Object))
      return false;
    measure::EstimatePair Est = measure::comparable(Old, New);
    Any |= (Old.Vgprs && New.Vgprs && *New.Vgprs < *Old.Vgprs) ||
           (Est.Before && Est.After && *Est.After < *Est.Before * 0.999);
  }
  return Any;
}

/// In how many places an edit stands that computes nothing, as its \p Remark
/// tells; 0 for others.
static unsigned placesOf(const Edits &Changes, StringRef Remark) {
  return Remark.empty() ? 0 : unsigned(count_if(Changes, [](const Edit &E) {
    return !E.Shared;
  }));
}

/// In how many places edits stand that compute nothing: fences, guards, limits.
/// With \p FencesAlone those of these kernels that do without each other.
unsigned BeamSearch::places(const Trial &T, bool FencesAlone) const {
  unsigned Count = 0;
  for (const Step &S : T.From->Steps)
    if (!FencesAlone || (S.Separable && S.Searched == Kernels))
      Count += placesOf(S.Changes, S.What.Remark);
  for (const auto &[Site, Alternative] : T.Alternatives)
    if (!FencesAlone || Site->Separable)
      Count += placesOf(Alternative->Changes, Alternative->Remark);
  return Count;
}

/// The trials of a round, the best first: those that pay, then those that
/// promise. Where waves decide, four fences come before twelve that save
/// registers and no more waves. Ties go to the earlier site, and to its earlier
/// alternative.
std::vector<const BeamSearch::Trial *>
BeamSearch::ranked(ArrayRef<Trial> Combined, ArrayRef<Trial> Alone) const {
  using Rank = std::pair<bool, std::vector<double>>;
  std::vector<std::pair<Rank, const Trial *>> List;
  Criterion By = criterion();
  for (ArrayRef<Trial> Each : {Combined, Alone})
    for (const Trial &T : Each)
      if (promises(T)) {
        std::vector<double> Score =
            T.Judged.Pays ? T.Judged.Score : promise(T.Deltas, By);
        if (By.Goal == Objective::Occupancy)
          Score.insert(Score.begin() + RegistersInScore,
                       T.Judged.Pays ? -double(places(T)) : 0);
        List.push_back({{T.Judged.Pays, std::move(Score)}, &T});
      }
  llvm::stable_sort(
      List, [](const auto &A, const auto &B) { return A.first > B.first; });
  std::vector<const Trial *> Out;
  for (const auto &[Rank, T] : List)
    Out.push_back(T);
  return Out;
}

/// The variant that \p T leads to; none where its text does not parse.
std::optional<Variant> BeamSearch::follow(const Trial &T) const {
  std::vector<Step> New;
  for (const auto &[Site, Alternative] : T.Alternatives) {
    Step S{T.From->outcomeOf(*Site, *Alternative),
           Eval.Options.styled(T.From->Text.Text, Alternative->Changes)};
    S.What.Applied = true;
    S.What.Reason = T.Judged.Reason;
    S.What.Deltas = T.Deltas;
    S.Searched = Kernels;
    S.AmdOnly = Site->AmdOnly;
    S.Separable = Site->Separable;
    New.push_back(std::move(S));
  }
  Expected<Variant> Next = T.From->with(std::move(New), Find);
  if (!Next) {
    consumeError(Next.takeError());
    return std::nullopt;
  }
  Next->Figures = T.Figures;
  return std::move(*Next);
}

/// \p T, which pays against the given source, pays against \p Than as well.
bool BeamSearch::better(const Trial &T, const Variant &Than) const {
  // Edits of other kernels make no difference to these.
  if (none_of(Than.Steps, [&](const Step &S) { return S.Searched == Kernels; }))
    return T.Judged.Pays;
  if (Eval.stopped() && criterion().Goal == Objective::Time)
    return false;
  std::vector<Delta> Gain = Eval.deltas(Than.Figures, T.Figures, Kernels);
  return Eval.Judge
      .judged(Gain, Kernels, Than.version(), versionOf(T), criterion())
      .Pays;
}

/// A clock ends the search, and nothing else waits for the time.
bool BeamSearch::goesOn() const {
  return Later && isTimed(Kernels) && Eval.endsByClock();
}

/// The first trial of \p Order that is better than \p Best, which becomes what
/// it leads to; null where none is.
const BeamSearch::Trial *
BeamSearch::improved(Variant &Best, ArrayRef<const Trial *> Order) const {
  for (const Trial *T : Order)
    if (T->Judged.Pays && better(*T, Best))
      if (std::optional<Variant> N = follow(*T)) {
        Best = std::move(*N);
        return T;
      }
  return nullptr;
}

/// The edits that lead to \p V ask nothing of the host, and change no result.
static bool isExact(const Version &V) {
  return !V.Inexact && V.Launches.empty();
}

/// The first of \p Order whose edits are all exact, no more than a beam has
/// variants.
std::vector<const BeamSearch::Trial *>
BeamSearch::exactOnes(ArrayRef<const Trial *> Order) {
  std::vector<const Trial *> Out;
  for (const Trial *T : Order)
    if (Out.size() < Width && isExact(versionOf(*T)))
      Out.push_back(T);
  return Out;
}

/// Notes what became of the first round's trials that are not part of \p Best.
void BeamSearch::rejectRest(ArrayRef<Trial> First, ArrayRef<Variant> Beam,
                            const Variant &Best) {
  for (const Trial &T : First) {
    if (T.From != &Beam.front())
      continue;
    const auto &[Site, Alternative] = T.Alternatives.front();
    Outcome O = T.From->outcomeOf(*Site, *Alternative);
    auto same = [&](const Step &S) {
      return S.What.Rewrite == O.Rewrite && S.What.Offset == O.Offset;
    };
    O.Reason = T.Judged.Reason;
    if (T.Judged.Pays)
      O.Reason = any_of(Best.Steps, same)
                     ? "pays, but another alternative pays more"
                 : T.From->Steps.empty()
                     ? "pays alone, but not beside the edits that pay more"
                     : "adds nothing to the edits that were found before";
    else if (WhyNot Why = whySpared(Eval.Options);
             Alternative->Sheltered && T.Tried && !T.Judged.Refused &&
             Why.What == WhyNot::ForWaves)
      O.Reason +=
          " (tried for some compilers alone, since " + Why.Sentence + ")";
    O.Deltas = T.Deltas;
    Rejected.push_back(std::move(O));
  }
}

/// Keeps in \p Side the trial of \p List that needs the fewest registers, where
/// none pays: a later phase may reach the step from there.
void BeamSearch::keepAside(ArrayRef<Trial> List,
                           std::optional<Variant> &Side) const {
  if (isTimed(Kernels))
    return; // by time there is one phase, so that none starts from the side
  const Trial *Most = nullptr;
  double Least = Side ? registersSaved(*Side) : 0;
  for (const Trial &T : List)
    if (double Saved = gains(T.Deltas).Registers; helps(T) && Saved > Least) {
      Most = &T;
      Least = Saved;
    }
  if (Most && !Eval.Options.stopped())
    if (std::optional<Variant> N = follow(*Most))
      Side = std::move(*N);
}

double BeamSearch::registersSaved(const Variant &N) const {
  return gains(Eval.deltas(Before, N.Figures, Kernels)).Registers;
}

/// Searches with the rewrites of one phase, from the first of \p Beam, which is
/// the best variant so far, and from the others. Returns the best variant that
/// it finds, and after it one that may help a later phase.
std::vector<Variant> BeamSearch::searchPhase(std::vector<Variant> Beam,
                                             unsigned Phase, Allowance &Budget,
                                             bool Report) {
  Variant Best = Beam.front();
  std::optional<Variant> Side;
  if (Beam.size() > 1)
    Side = Beam[1];
  std::vector<Variant> FirstBeam;
  std::vector<Trial> First;
  unsigned Fruitless = 0;
  for (unsigned Round = 0; Round < MaxRounds && !Beam.empty(); ++Round) {
    if (Round && Eval.stopped())
      break;
    std::vector<Trial> List = trials(Beam, Phase, Report && Round == 0);
    if (List.empty())
      break;
    ++Rounds;
    measure(List, Budget);
    append_range(List, refined(List, Budget));
    std::vector<Trial> Combined = together(List);
    measure(Combined, Budget);
    std::vector<const Trial *> Order = ranked(Combined, List);
    std::vector<const Trial *> Exact = exactOnes(Order);
    if (Order.size() > Width)
      Order.resize(Width);
    // Where the winner is not exact, the best exact variant goes on beside it.
    std::optional<Variant> Had;
    if (isTimed(Kernels) && isExact(Best.version()))
      Had = Best;
    const Trial *Winner = improved(Best, Order), *ExactWinner = nullptr;
    if (isExact(Best.version()))
      Plainer = std::nullopt;
    else if (Had)
      Plainer = std::move(Had);
    if (Plainer)
      ExactWinner = improved(*Plainer, Exact);
    keepAside(List, Side);
    keepAside(Combined, Side);
    std::vector<Variant> Next;
    // Where nothing is left to gain, the search of the others ends as well.
    bool Ends = Eval.stopped() ||
                (Winner ? nothingLeft(Best)
                        : !ExactWinner && !goesOn() && Fruitless++ == Patience);
    if (ExactWinner && !is_contained(Order, ExactWinner))
      Order.push_back(ExactWinner);
    for (const Trial *T : Order)
      if (Ends)
        break;
      else if (T == Winner)
        Next.push_back(Best);
      else if (T == ExactWinner)
        Next.push_back(*Plainer);
      else if (std::optional<Variant> N = follow(*T))
        Next.push_back(std::move(*N));
    if (Round == 0) {
      First = std::move(List);
      FirstBeam = std::move(Beam); // the trials point into it
    }
    if (Ends)
      break;
    if (Winner || ExactWinner)
      Fruitless = 0;
    Beam = std::move(Next);
  }
  if (Report)
    rejectRest(First, FirstBeam, Best);
  std::vector<Variant> Out = {std::move(Best)};
  if (Side && registersSaved(*Side) > registersSaved(Out.front()))
    Out.push_back(std::move(*Side));
  return Out;
}

Variant BeamSearch::run(Variant Start, const std::vector<std::string> &Names,
                        Allowance &Budget) {
  Kernels = Names;
  Before = Whole;
  BeforeText = *Start.Given;
  GuideBefore = std::nullopt;
  Records.clear();
  FirstGains.clear();
  Unseen.clear();
  Plainer = std::nullopt;
  FirstSearch = true;
  return runPhases(std::move(Start), Budget);
}

Variant BeamSearch::runEstimated(Variant Start,
                                 const std::vector<std::string> &Names) {
  auto tells = [&](const rewrite::Candidate &C) {
    return estimateTells(C.Rewrite) && any_of(C.Kernels, [&](const auto &K) {
             return is_contained(Names, K);
           });
  };
  Criterion By = Eval.Judge.estimatedToo(Names);
  if (By.Faster == 0 || none_of(Start.Found.Candidates, tells) ||
      !Eval.whyNothing(Whole, Names, By).empty())
    return Start;
  Allowance All;
  Estimated = true;
  Variant Best = run(std::move(Start), Names, All);
  Estimated = false;
  return Best;
}

Variant BeamSearch::runAgain(Variant Start,
                             const std::vector<std::string> &Names,
                             Allowance &Budget) {
  Kernels = Names;
  Before = Start.Figures;
  BeforeText = Start.Text;
  GuideBefore = std::nullopt;
  if (!isTimed(Kernels))
    FirstGains.clear(); // of another text
  FirstSearch = false;
  auto isSite = [&](const Outcome &O) {
    return any_of(Start.Found.Candidates, [&](const rewrite::Candidate &C) {
      return C.Rewrite == O.Rewrite && Start.givenOffset(C) == O.Offset &&
             C.Kernels == O.Kernels;
    });
  };
  llvm::erase_if(Rejected, [&](const Outcome &O) {
    return any_of(O.Kernels,
                  [&](const std::string &K) {
                    return is_contained(Kernels, K);
                  }) &&
           isSite(O);
  });
  return runPhases(std::move(Start), Budget);
}

Variant BeamSearch::runPhases(Variant Start, Allowance &Budget) {
  Seen = {hash(Start.Text)};
  Rounds = 0;
  std::set<unsigned> Phases;
  for (const rewrite::Candidate &C : Start.Found.Candidates)
    Phases.insert(phaseOf(C));
  std::vector<Variant> Front;
  Front.push_back(std::move(Start));
  size_t StepsOfFirst = 0;
  for (unsigned Phase : Phases) {
    // The first phase leaves half, the others but the last an eighth.
    unsigned Part = Phase == *Phases.begin() ? 2 : 8;
    bool Last = Phase == *Phases.rbegin();
    unsigned Kept = Last ? 0 : Budget.Left / Part;
    Budget.Left -= Kept;
    TimeShare ForIt(Eval, Last ? 1 : 1 - 1.0 / Part);
    Front = searchPhase(std::move(Front), Phase, Budget, /*Report=*/true);
    Budget.Left += Kept;
    if (Phase == *Phases.begin())
      StepsOfFirst = Front.front().Steps.size();
  }
  Front.erase(Front.begin() + 1, Front.end());
  // The edits that bind the compiler may have made room for those of the first
  // phase.
  if (Front.front().Steps.size() > StepsOfFirst)
    Front = searchPhase(std::move(Front), *Phases.begin(), Budget,
                        /*Report=*/false);
  return std::move(Front.front());
}

} // namespace clrewrite::select
