// A round's trials: what is tried, measured, and how the results are ordered.
#include "select/Climb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::select {

/// Trials between two lines of progress; where times decide, those of which all
/// are built before the first is timed.
static constexpr size_t Batch = 16, TimedBatch = 4;
/// Smaller gains by the estimate say nothing of time.
static constexpr double ClearGain = 1.02;

/// Registers, memory and occupancy are not what \p Kernels are judged by.
bool Climb::timeDecides(ArrayRef<std::string> Kernels) const {
  Objective Goal = B.Judge.ruleFor(Kernels).Goal;
  return Goal == Objective::Time || Goal == Objective::Estimate;
}

/// What to try from the versions of \p Beam, each text once; what can't be
/// tried is rejected, in the first round, with the reason.
std::vector<Climb::Trial> Climb::trials(ArrayRef<Node> Beam, unsigned Turn,
                                        bool First) {
  std::vector<Trial> List;
  for (const Node &N : Beam)
    for (const rewrite::Candidate &C : N.What.Found.Candidates) {
      if (C.Turn != Turn || none_of(C.Kernels, [&](const auto &K) {
            return is_contained(Kernels, K);
          }))
        continue;
      size_t Choice = 0;
      for (const rewrite::Alternative &A : C.Alternatives) {
        if (!B.named(A) || (A.ForTime && !timeDecides(C.Kernels)))
          continue;
        ++Choice;
        WhyNot Why = whyNot(N, C, A);
        if (Why.empty()) {
          Expected<Source> Text = applyEdits(N.What.Text, A.Changes);
          if (!Text)
            Why = toString(Text.takeError());
          else if (Seen.insert(hash(*Text)).second)
            List.push_back({&N, {{&C, &A}}, std::move(*Text), Choice});
        }
        if (First && &N == Beam.begin() && !Why.empty()) {
          Outcome O = N.What.outcomeOf(C, A);
          O.Reason = std::move(Why.Sentence);
          O.Left = Why.What;
          Rejected.push_back(std::move(O));
        }
      }
    }
  return List;
}

/// It gains registers and loses nothing, but the step is not reached.
bool Climb::helps(const Trial &T) const {
  return T.Tried && !T.Judged.Pays && !T.Judged.Refused &&
         B.Judge.ruleFor(Kernels).Goal == Objective::Occupancy &&
         gains(T.Deltas).Registers > 0;
}

/// For each version: the best way of every site that pays, all at once; and of
/// every site that pays or helps, since steps of occupancy are wide.
std::vector<Climb::Trial> Climb::together(ArrayRef<Trial> List) {
  std::vector<Trial> Out;
  for (bool AlsoHelping : {false, true}) {
    std::map<const Node *, std::vector<const Trial *>> Good;
    std::vector<const Node *> Order;
    for (const Trial &T : List)
      if (T.Judged.Pays || (AlsoHelping && helps(T))) {
        if (!Good.count(T.From))
          Order.push_back(T.From);
        Good[T.From].push_back(&T);
      }
    for (const Node *From : Order)
      if (std::optional<Trial> All = allOf(*From, std::move(Good[From])))
        if (Seen.insert(hash(All->Text)).second)
          Out.push_back(std::move(*All));
  }
  return Out;
}

/// \p List, the best first, as far as they do not overlap; none where that
/// leaves one.
std::optional<Climb::Trial> Climb::allOf(const Node &From,
                                         std::vector<const Trial *> List) {
  Gate Rule = B.Judge.ruleFor(Kernels);
  auto rank = [&](const Trial *T) {
    bool Pays = T->Judged.Pays;
    return std::pair(Pays, Pays ? T->Judged.Score : promise(T->Deltas, Rule));
  };
  // Ties go to the earlier.
  llvm::stable_sort(
      List, [&](const Trial *A, const Trial *B) { return rank(A) > rank(B); });
  Trial All{&From, {}, {}};
  Edits Changes;
  for (const Trial *T : List) {
    const auto &[Site, Way] = T->Ways.front();
    if (overlap(Changes, Way->Changes))
      continue;
    Changes.insert(Changes.end(), Way->Changes.begin(), Way->Changes.end());
    All.Ways.push_back({Site, Way});
  }
  if (All.Ways.size() < 2)
    return std::nullopt;
  Expected<Source> Text = applyEdits(From.What.Text, Changes);
  if (!Text) {
    consumeError(Text.takeError());
    return std::nullopt;
  }
  All.Text = std::move(*Text);
  return All;
}

/// The compiler for \p On sees nothing of what \p T adds.
bool Climb::invisible(const Trial &T, const measure::Target &On) {
  return !On.mayBeAmd() &&
         all_of(T.Ways, [](const auto &Way) { return Way.first->AmdOnly; });
}

/// Measures target by target, so that what one refuses is not compiled for
/// the next. The clock is looked at before each target; devices work one after
/// the other, so that there it is before each trial.
void Climb::measureSome(MutableArrayRef<Trial *> List) {
  Gate Rule = B.Judge.ruleFor(Kernels);
  std::vector<Trial *> Left = List;
  for (size_t T = 0; T < B.Options.Targets.size(); ++T) {
    if (T && B.stopped())
      return;
    const measure::Target &On = B.Options.Targets[T];
    size_t AtOnce = On.isDevice() ? 1 : List.size();
    std::vector<Trial *> Measured;
    for (size_t I = 0; I < Left.size() && !(AtOnce == 1 && I && B.stopped());
         I += AtOnce) {
      ArrayRef<Trial *> Now = ArrayRef(Left).slice(I).take_front(AtOnce);
      measureOn(T, Now);
      append_range(Measured, Now);
    }
    Left.clear();
    for (Trial *Each : Measured) {
      Each->Deltas = B.deltas(Before, Each->Figures, Kernels);
      // Times come last, and only they can judge a kernel that has some.
      if (Rule.Goal != Objective::Time)
        Each->Judged = judge(Each->Deltas, Rule);
      Each->Tried = Each->Judged.Refused;
      if (!Each->Tried)
        Left.push_back(Each);
    }
  }
  for (Trial *Each : Left) {
    if (Rule.Goal == Objective::Time) {
      if (Each != Left.front() && B.stopped())
        return;
      Each->Judged = B.Judge.judged(Each->Deltas, Kernels,
                                    *Each->From->What.Given, Each->Text);
    }
    Each->Tried = true;
  }
}

/// Adds the figures of \p List on target number \p T.
void Climb::measureOn(size_t T, ArrayRef<Trial *> List) {
  const measure::Target &On = B.Options.Targets[T];
  std::vector<measure::MeasureRequest> Requests;
  std::vector<Trial *> Whose;
  for (Trial *Each : List)
    if (Each->Guide && guide() == &On) {
      Each->Figures.push_back(*Each->Guide);
    } else if (invisible(*Each, On) && T < Each->From->Figures.size()) {
      Each->Figures.push_back(Each->From->Figures[T]);
    } else {
      Requests.push_back({Each->Text, On, Kernels});
      Whose.push_back(Each);
    }
  std::vector<measure::Measurement> Results = B.M.measure(Requests);
  for (auto [Each, After] : zip(Whose, Results))
    Each->Figures.push_back(std::move(After));
}

/// The first target that needs no device, else what stands for a device.
const measure::Target *Climb::guide() const {
  for (const measure::Target &T : B.Options.Targets)
    if (!T.isDevice())
      return &T;
  return B.Options.Guide ? &*B.Options.Guide : nullptr;
}

/// How many times as fast the guide has \p T; 0 where it can't tell.
double Climb::estimatedGain(const Trial &T) const {
  double Most = 0;
  for (const std::string &K : Kernels) {
    const measure::KernelUsage *Old = GuideBefore->find(K),
                               *New = T.Guide ? T.Guide->find(K) : nullptr;
    if (Old && New && Old->Figures.EstCycles && New->Figures.EstCycles &&
        *New->Figures.EstCycles > 0)
      Most = std::max(Most, *Old->Figures.EstCycles / *New->Figures.EstCycles);
  }
  return Most;
}

/// Where times decide, a trial is a build and launches, one after the other,
/// and the clock may end them. So what the guide's estimate likes comes first,
/// by its gain. What it does not like is not put off: it misses too many gains
/// for that.
void Climb::orderForTime(MutableArrayRef<Trial *> List) {
  if (!guide())
    return;
  if (!GuideBefore)
    GuideBefore = B.M.measure({{BeforeText, *guide(), Kernels}}).front();
  for (size_t At = 0; At < List.size() && !B.stopped(); At += Batch) {
    MutableArrayRef<Trial *> Some =
        List.slice(At, std::min(Batch, List.size() - At));
    std::vector<measure::MeasureRequest> Requests;
    for (const Trial *T : Some)
      Requests.push_back({T->Text, *guide(), Kernels});
    for (auto [T, Result] : zip(Some, B.M.measure(Requests)))
      T->Guide = std::move(Result);
  }
  std::map<const Trial *, double> Gain;
  for (const Trial *T : List)
    Gain[T] = std::max(ClearGain, estimatedGain(*T));
  llvm::stable_sort(
      List, [&](const Trial *A, const Trial *B) { return Gain[A] > Gain[B]; });
}

/// Measures in batches, so that progress shows, until the budget is spent. What
/// that leaves out are the later alternatives of sites.
void Climb::measure(std::vector<Trial> &List, Allowance &Budget) {
  std::vector<Trial *> All;
  for (Trial &T : List)
    All.push_back(&T);
  size_t Allowed = std::min<size_t>(All.size(), Budget.Left);
  bool Timed = B.Judge.ruleFor(Kernels).Goal == Objective::Time;
  if (Timed || Allowed < All.size())
    llvm::stable_sort(All, [](const Trial *A, const Trial *B) {
      return A->Choice < B->Choice;
    });
  if (Timed)
    orderForTime(MutableArrayRef(All).take_front(Allowed));
  size_t Step = Timed ? TimedBatch : Batch;
  for (size_t At = 0; At < Allowed && !B.stopped(); At += Step) {
    B.say("round " + utostr(Rounds) + ", tried " + utostr(At) + " of " +
          utostr(Allowed) + " alternatives");
    measureSome(MutableArrayRef(All).slice(At, std::min(Step, Allowed - At)));
  }
  for (Trial *T : All) {
    if (T->Tried) {
      --Budget.Left;
      continue;
    }
    ++Budget.NotTried;
    T->Judged = {};
    T->Judged.Reason = B.stopped() ? "not tried: stopped before"
                                   : "not tried: the budget of " +
                                         utostr(B.Options.Budget) +
                                         " alternatives a kernel is spent";
  }
  for (const Trial &T : List)
    note(T);
}

void Climb::note(const Trial &T) {
  SearchNote N;
  N.Round = Rounds;
  for (const Step &S : T.From->What.Steps)
    N.From.push_back(S.What);
  for (const auto &[Site, Way] : T.Ways)
    N.Tried.push_back(T.From->What.outcomeOf(*Site, *Way));
  N.Pays = T.Judged.Pays;
  N.Reason = T.Judged.Reason;
  Log.push_back(std::move(N));
}

/// Something falls or rises as it should, though it may not pay: another edit
/// may make up for what gets worse.
bool Climb::promises(const Trial &T) const {
  if (!T.Tried || T.Judged.Pays)
    return T.Judged.Pays;
  Gate Lenient = B.Judge.ruleFor(Kernels);
  if (Lenient.Goal == Objective::Time)
    return false;
  bool Any = false;
  for (const Delta &D : T.Deltas) {
    const measure::Usage &Old = D.Before.Figures, &New = D.After.Figures;
    std::string Object;
    if (!D.Before.measured())
      continue;
    if (!D.After.measured() || measure::losesStores(D.Before, D.After, Object))
      return false;
    Any |= (Old.Vgprs && New.Vgprs && *New.Vgprs < *Old.Vgprs) ||
           (Old.EstCycles && New.EstCycles &&
            *New.EstCycles < *Old.EstCycles * 0.999);
  }
  return Any;
}

/// What a round gave, the best first: what pays, then what promises. Ties go
/// to the earlier site, and to the earlier of its alternatives.
std::vector<const Climb::Trial *> Climb::ranked(ArrayRef<Trial> Combined,
                                                ArrayRef<Trial> Alone) const {
  using Rank = std::pair<bool, std::vector<double>>;
  std::vector<std::pair<Rank, const Trial *>> List;
  Gate Rule = B.Judge.ruleFor(Kernels);
  for (ArrayRef<Trial> Each : {Combined, Alone})
    for (const Trial &T : Each)
      if (promises(T))
        List.push_back(
            {{T.Judged.Pays,
              T.Judged.Pays ? T.Judged.Score : promise(T.Deltas, Rule)},
             &T});
  llvm::stable_sort(
      List, [](const auto &A, const auto &B) { return A.first > B.first; });
  std::vector<const Trial *> Out;
  for (const auto &[Rank, T] : List)
    Out.push_back(T);
  return Out;
}

} // namespace clrewrite::select
