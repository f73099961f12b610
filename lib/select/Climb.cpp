// The beam search.
#include "select/Climb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite {

/// Versions that are searched on from in a round.
static constexpr size_t Width = 3;
/// A bound for sources that open a new site with every edit.
static constexpr unsigned MaxRounds = 32;
/// Rounds in a row that may find nothing better.
static constexpr unsigned Patience = 1;
/// Trials between two lines of progress.
static constexpr size_t Batch = 16;

/// A driver that reports no registers, as a CPU's.
static bool tellsNothing(const Usage &U) {
  return !U.Vgprs && !U.Occupancy && !U.ScratchBytes;
}

/// No version of the kernels that \p C serves could pass the gate.
bool Climb::nothingToGain(const Node &N, const Candidate &C) const {
  if (B.Judge.ruleFor(C.Kernels).Goal != Objective::Occupancy)
    return false;
  return all_of(B.deltas(N.Figures, N.Figures, C.Kernels), [](const Delta &D) {
    const Usage &U = D.Before.Figures;
    return !D.Before.measured() || tellsNothing(U) ||
           (U.OccupancyMax && U.Occupancy >= U.OccupancyMax &&
            !U.ScratchBytes.value_or(0) && !U.VgprSpills.value_or(0) &&
            !U.SgprSpills.value_or(0));
  });
}

/// No site of \p N could give a version that passes it.
bool Climb::nothingLeft(const Node &N) const {
  return all_of(N.What.Found.Candidates,
                [&](const Candidate &C) { return nothingToGain(N, C); });
}

std::string Climb::whyNothing(const Node &N, const Candidate &C) const {
  if (all_of(B.deltas(N.Figures, N.Figures, C.Kernels), [](const Delta &D) {
        return D.Before.measured() && tellsNothing(D.Before.Figures);
      }))
    return "nothing to go by: no target reports registers; with --launch or a "
           "launch comment, time decides";
  return "nothing to gain: occupancy is at its maximum on every target, "
         "without scratch or spills";
}

/// Why \p A is not tried; empty where it is.
std::string Climb::whyNot(const Node &N, const Candidate &C,
                          const Alternative &A) const {
  if (!B.allowed(A))
    return Bench::onlyUnsafe(A);
  for (const std::string &K : C.Kernels)
    if (auto It = Undefined.find(K); It != Undefined.end())
      return "kernel " + K + " reads an uninitialised variable in line " +
             utostr(It->second) + ", so its figures mean nothing";
  if (none_of(B.deltas(Before, Before, C.Kernels),
              [](const Delta &D) { return D.Before.measured(); }))
    return "nothing could be measured";
  if (nothingToGain(N, C))
    return whyNothing(N, C);
  if (A.VgprLimit &&
      none_of(B.deltas(N.Figures, N.Figures, C.Kernels), [&](const Delta &D) {
        return D.Before.Figures.Vgprs.value_or(0) > *A.VgprLimit;
      }))
    return "no target needs more VGPRs than that";
  return "";
}

/// What to try from the versions of \p Beam, each text once; what can't be
/// tried is rejected, in the first round, with the reason.
std::vector<Climb::Trial> Climb::trials(ArrayRef<Node> Beam, unsigned Turn,
                                        bool First) {
  std::vector<Trial> List;
  for (const Node &N : Beam)
    for (const Candidate &C : N.What.Found.Candidates) {
      if (C.Turn != Turn || none_of(C.Kernels, [&](const auto &K) {
            return is_contained(Kernels, K);
          }))
        continue;
      for (const Alternative &A : C.Alternatives) {
        if (!B.named(A))
          continue;
        std::string Why = whyNot(N, C, A);
        if (Why.empty()) {
          Expected<Source> Text = applyEdits(N.What.Text, A.Changes);
          if (!Text)
            Why = toString(Text.takeError());
          else if (Seen.insert(hash(*Text)).second)
            List.push_back({&N, {{&C, &A}}, std::move(*Text)});
        }
        if (First && !Why.empty()) {
          Outcome O = N.What.outcomeOf(C, A);
          O.Reason = std::move(Why);
          Rejected.push_back(std::move(O));
        }
      }
    }
  return List;
}

/// For each version: the best way of every site that pays, all at once.
std::vector<Climb::Trial> Climb::together(ArrayRef<Trial> List) {
  std::map<const Node *, std::vector<const Trial *>> Paying;
  for (const Trial &T : List)
    if (T.Judged.Pays)
      Paying[T.From].push_back(&T);
  std::vector<Trial> Out;
  for (const Trial &Any : List) {
    auto It = Paying.find(Any.From);
    if (It == Paying.end())
      continue;
    std::vector<const Trial *> Best = std::move(It->second);
    Paying.erase(It);
    llvm::sort(Best, [](const Trial *A, const Trial *B) {
      return A->Judged.Score != B->Judged.Score
                 ? A->Judged.Score > B->Judged.Score
                 : A < B;
    });
    Trial All{Any.From, {}, {}};
    Edits Changes;
    for (const Trial *T : Best) {
      const auto &[Site, Way] = T->Ways.front();
      if (overlap(Changes, Way->Changes))
        continue;
      Changes.insert(Changes.end(), Way->Changes.begin(), Way->Changes.end());
      All.Ways.push_back({Site, Way});
    }
    if (All.Ways.size() < 2)
      continue;
    Expected<Source> Text = applyEdits(Any.From->What.Text, Changes);
    if (!Text) {
      consumeError(Text.takeError());
      continue;
    }
    All.Text = std::move(*Text);
    if (Seen.insert(hash(All.Text)).second)
      Out.push_back(std::move(All));
  }
  return Out;
}

/// Measures target by target, so that what one refuses is not compiled for
/// the next.
void Climb::measureSome(MutableArrayRef<Trial *> List) {
  for (size_t T = 0; T < B.Options.Targets.size(); ++T) {
    std::vector<Trial *> Left;
    std::vector<MeasureRequest> Requests;
    for (Trial *Each : List)
      if (!Each->Judged.Refused) {
        Left.push_back(Each);
        Requests.push_back({Each->Text, B.Options.Targets[T], Kernels});
      }
    std::vector<Measurement> Results = B.M.measure(Requests);
    for (auto [Each, After] : zip(Left, Results)) {
      Each->Figures.push_back(std::move(After));
      Each->Deltas = B.deltas(Before, Each->Figures, Kernels);
      // Times come last, and only they can judge a kernel that has some.
      Gate Rule = B.Judge.ruleFor(Kernels);
      if (Rule.Goal != Objective::Time)
        Each->Judged = judge(Each->Deltas, Rule);
    }
  }
  for (Trial *Each : List) {
    Each->Tried = true;
    if (B.Judge.ruleFor(Kernels).Goal == Objective::Time)
      Each->Judged = B.Judge.judged(Each->Deltas, Kernels,
                                    *Each->From->What.Given, Each->Text);
  }
}

/// Measures in batches, so that progress shows, until the budget is spent.
void Climb::measure(std::vector<Trial> &List, Allowance &Budget) {
  std::vector<Trial *> All;
  for (Trial &T : List)
    All.push_back(&T);
  size_t Allowed = std::min<size_t>(All.size(), Budget.Left);
  bool Stopped = false;
  size_t At = 0;
  for (; At < Allowed && !(Stopped = B.stopped()); At += Batch) {
    B.say("round " + utostr(Rounds) + ", tried " + utostr(At) + " of " +
          utostr(Allowed) + " alternatives");
    measureSome(MutableArrayRef(All).slice(At, std::min(Batch, Allowed - At)));
  }
  At = std::min(At, Allowed);
  Budget.Left -= unsigned(At);
  Budget.NotTried += unsigned(All.size() - At);
  for (Trial *T : ArrayRef(All).drop_front(At))
    T->Judged.Reason = Stopped ? "not tried: stopped before"
                               : "not tried: the budget of " +
                                     utostr(B.Options.Budget) +
                                     " alternatives is spent";
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
    const Usage &Old = D.Before.Figures, &New = D.After.Figures;
    std::string Object;
    if (!D.Before.measured())
      continue;
    if (!D.After.measured() || losesStores(D.Before, D.After, Object))
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
  using Rank = std::tuple<bool, std::vector<double>, size_t>;
  std::vector<std::pair<Rank, const Trial *>> List;
  Gate Rule = B.Judge.ruleFor(Kernels);
  for (ArrayRef<Trial> Each : {Combined, Alone})
    for (const Trial &T : Each)
      if (promises(T))
        List.push_back(
            {{T.Judged.Pays,
              T.Judged.Pays ? T.Judged.Score : promise(T.Deltas, Rule),
              SIZE_MAX - List.size()},
             &T});
  llvm::sort(List,
             [](const auto &A, const auto &B) { return A.first > B.first; });
  std::vector<const Trial *> Out;
  for (const auto &[Rank, T] : List)
    Out.push_back(T);
  return Out;
}

/// The version that \p T leads to; none where its text does not parse.
std::optional<Climb::Node> Climb::follow(const Trial &T) const {
  std::vector<Step> New;
  for (const auto &[Site, Way] : T.Ways) {
    Step S{T.From->What.outcomeOf(*Site, *Way), Way->Changes};
    S.What.Applied = true;
    S.What.Reason = T.Judged.Reason;
    S.What.Deltas = T.Deltas;
    New.push_back(std::move(S));
  }
  Expected<Version> Next = T.From->What.with(std::move(New), Find);
  if (!Next) {
    consumeError(Next.takeError());
    return std::nullopt;
  }
  return Node{std::move(*Next), T.Figures};
}

/// \p T, which pays against the given source, pays against \p Than as well.
bool Climb::better(const Trial &T, const Node &Than) const {
  std::vector<Delta> Gain = B.deltas(Than.Figures, T.Figures, Kernels);
  return B.Judge.judged(Gain, Kernels, Than.What.Text, T.Text).Pays;
}

/// Notes what became of the first round's trials that are not part of \p Best.
void Climb::rejectRest(ArrayRef<Trial> First, const Version &Best) {
  for (const Trial &T : First) {
    if (T.Ways.size() != 1)
      continue;
    const auto &[Site, Way] = T.Ways.front();
    Outcome O = T.From->What.outcomeOf(*Site, *Way);
    auto same = [&](const Step &S) {
      return S.What.Rewrite == O.Rewrite && S.What.Offset == O.Offset;
    };
    O.Reason = T.Judged.Reason;
    if (T.Judged.Pays)
      O.Reason = any_of(Best.Steps, same)
                     ? "pays, but another alternative pays more"
                 : T.From->What.Steps.empty()
                     ? "pays alone, but not beside the edits that pay more"
                     : "adds nothing to the edits that were found before";
    O.Deltas = T.Deltas;
    Rejected.push_back(std::move(O));
  }
}

/// The best version from \p Start by the rewrites of one turn.
Climb::Node Climb::climb(Node Start, unsigned Turn, Allowance &Budget) {
  std::vector<Node> Beam;
  Beam.push_back(std::move(Start));
  Node Best = Beam.front();
  std::vector<Node> FirstBeam;
  std::vector<Trial> First;
  unsigned Fruitless = 0;
  for (unsigned Round = 0; Round < MaxRounds && !Beam.empty(); ++Round) {
    std::vector<Trial> List = trials(Beam, Turn, Round == 0);
    if (List.empty())
      break;
    ++Rounds;
    measure(List, Budget);
    std::vector<Trial> Combined = together(List);
    measure(Combined, Budget);
    std::vector<const Trial *> Order = ranked(Combined, List);
    if (Order.size() > Width)
      Order.resize(Width);
    const Trial *Winner = nullptr;
    for (const Trial *T : Order)
      if (T->Judged.Pays && better(*T, Best))
        if (std::optional<Node> N = follow(*T)) {
          Winner = T;
          Best = std::move(*N);
          break;
        }
    std::vector<Node> Next;
    // Where nothing is left to gain, the search of the others ends as well.
    bool Ends = Winner ? nothingLeft(Best) : Fruitless++ == Patience;
    for (const Trial *T : Order)
      if (Ends)
        break;
      else if (T == Winner)
        Next.push_back(Best);
      else if (std::optional<Node> N = follow(*T))
        Next.push_back(std::move(*N));
    if (Round == 0) {
      First = std::move(List);
      FirstBeam = std::move(Beam); // the trials point into it
    }
    if (Ends)
      break;
    if (Winner)
      Fruitless = 0;
    Beam = std::move(Next);
  }
  rejectRest(First, Best.What);
  return Best;
}

Version Climb::run(Version Start, const std::vector<std::string> &Names,
                   Allowance &Budget) {
  Kernels = Names;
  Seen = {hash(Start.Text)};
  Rounds = 0;
  FiguresByTarget Own;
  for (const Measurement &M : Before) {
    Own.emplace_back(M);
    llvm::erase_if(Own.back().Kernels, [&](const KernelUsage &K) {
      return !is_contained(Kernels, K.Kernel);
    });
  }
  std::set<unsigned> Turns;
  for (const Candidate &C : Start.Found.Candidates)
    Turns.insert(C.Turn);
  Node Best{std::move(Start), std::move(Own)};
  for (unsigned Turn : Turns)
    Best = climb(std::move(Best), Turn, Budget);
  return std::move(Best.What);
}

} // namespace clrewrite
