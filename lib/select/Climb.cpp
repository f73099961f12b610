// The beam search.
#include "select/Climb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::select {

/// Versions that are searched on from in a round.
static constexpr size_t Width = 3;
/// A bound for sources that open a new site with every edit.
static constexpr unsigned MaxRounds = 32;
/// Rounds in a row that may find nothing better.
static constexpr unsigned Patience = 1;

/// No site of \p N could give a version that passes it, whatever its edits.
bool Climb::nothingLeft(const Node &N) const {
  if (N.What.Found.Candidates.empty())
    return !B.whyNothing(N.Figures, Kernels).empty();
  return all_of(N.What.Found.Candidates, [&](const rewrite::Candidate &C) {
    return !B.whyNothing(N.Figures, C.Kernels).empty();
  });
}

/// Why \p A is not tried; empty where it is.
WhyNot Climb::whyNot(const Node &N, const rewrite::Candidate &C,
                     const rewrite::Alternative &A) const {
  for (const std::string &K : C.Kernels)
    if (auto It = Undefined.find(K); It != Undefined.end())
      return "kernel " + K + " reads an uninitialised variable in line " +
             utostr(It->second) + ", so its figures mean nothing";
  if (none_of(B.deltas(Before, Before, C.Kernels),
              [](const Delta &D) { return D.Before.measured(); }))
    return "nothing could be measured";
  if (WhyNot Why = B.whyNothing(N.Figures, C.Kernels); !Why.empty())
    return Why;
  if (C.AmdOnly && none_of(B.Options.Targets, [&](const measure::Target &T) {
        return T.mayBeAmd() &&
               (T.isDevice() ||
                B.Judge.ruleFor(C.Kernels).Goal != Objective::Time);
      }))
    return "only compilers for AMD's GPUs from GCN on see it, and none of them "
           "decides";
  // Only what could gain is worth asking for.
  if (!B.allowed(C, A))
    return B.onlyUnsafe(C, A);
  return A.VgprLimit ? whyNotLimit(N, C, *A.VgprLimit) : WhyNot("");
}

/// Why no target can gain from a limit of \p Limit VGPRs; empty where one can.
/// What is alive where blocks meet stays alive in any order of instructions, so
/// that a limit below it is kept by spilling.
WhyNot Climb::whyNotLimit(const Node &N, const rewrite::Candidate &C,
                          unsigned Limit) const {
  bool Needed = false;
  for (auto [On, Now] : zip(B.Options.Targets, N.Figures))
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

/// The version that \p T leads to; none where its text does not parse.
std::optional<Climb::Node> Climb::follow(const Trial &T) const {
  std::vector<Step> New;
  for (const auto &[Site, Way] : T.Ways) {
    Step S{T.From->What.outcomeOf(*Site, *Way), Way->Changes};
    S.What.Applied = true;
    S.What.Reason = T.Judged.Reason;
    S.What.Deltas = T.Deltas;
    S.Compiled = Kernels;
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
  if (Than.What.Steps.empty())
    return T.Judged.Pays;
  if (B.stopped() && B.Judge.ruleFor(Kernels).Goal == Objective::Time)
    return false;
  std::vector<Delta> Gain = B.deltas(Than.Figures, T.Figures, Kernels);
  return B.Judge.judged(Gain, Kernels, Than.What.Text, T.Text).Pays;
}

/// Notes what became of the first round's trials that are not part of \p Best.
void Climb::rejectRest(ArrayRef<Trial> First, ArrayRef<Node> Beam,
                       const Version &Best) {
  for (const Trial &T : First) {
    if (T.From != &Beam.front())
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

/// Keeps in \p Side what of \p List needs the fewest registers, where nothing
/// pays: a later turn may reach the step from there.
void Climb::keepAside(ArrayRef<Trial> List, std::optional<Node> &Side) const {
  const Trial *Most = nullptr;
  double Least = Side ? registersSaved(*Side) : 0;
  for (const Trial &T : List)
    if (double Saved = gains(T.Deltas).Registers; helps(T) && Saved > Least) {
      Most = &T;
      Least = Saved;
    }
  if (Most)
    if (std::optional<Node> N = follow(*Most))
      Side = std::move(*N);
}

double Climb::registersSaved(const Node &N) const {
  return gains(B.deltas(Before, N.Figures, Kernels)).Registers;
}

/// From the first of \p Beam, the best version so far, the best that the
/// rewrites of one turn make of it or of the others; and behind it what may
/// help a later turn.
std::vector<Climb::Node> Climb::climb(std::vector<Node> Beam, unsigned Turn,
                                      Allowance &Budget, bool Report) {
  Node Best = Beam.front();
  std::optional<Node> Side;
  if (Beam.size() > 1)
    Side = Beam[1];
  std::vector<Node> FirstBeam;
  std::vector<Trial> First;
  unsigned Fruitless = 0;
  for (unsigned Round = 0; Round < MaxRounds && !Beam.empty(); ++Round) {
    if (Round && B.stopped())
      break;
    std::vector<Trial> List = trials(Beam, Turn, Report && Round == 0);
    if (List.empty())
      break;
    ++Rounds;
    measure(List, Budget);
    append_range(List, refined(List, Budget));
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
    keepAside(List, Side);
    keepAside(Combined, Side);
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
  if (Report)
    rejectRest(First, FirstBeam, Best.What);
  std::vector<Node> Out = {std::move(Best)};
  if (Side && registersSaved(*Side) > registersSaved(Out.front()))
    Out.push_back(std::move(*Side));
  return Out;
}

/// The figures of this climb's kernels in \p Text, which is the given one or
/// where the climb starts. Trials are compiled without the other kernels, and
/// may only be compared with what was compiled so.
FiguresByTarget Climb::figuresOf(const Source &Text) const {
  bool IsWhole = all_of(Whole, [&](const measure::Measurement &M) {
    return all_of(M.Kernels, [&](const measure::KernelUsage &K) {
      return is_contained(Kernels, K.Kernel);
    });
  });
  return IsWhole ? Whole : B.figures(Text, Kernels);
}

Version Climb::run(Version Start, const std::vector<std::string> &Names,
                   Allowance &Budget) {
  Kernels = Names;
  Before = figuresOf(*Start.Given);
  BeforeText = *Start.Given;
  GuideBefore = std::nullopt;
  FiguresByTarget Own = figuresOf(Start.Text);
  return takeTurns(std::move(Start), std::move(Own), Budget);
}

Version Climb::runAgain(Version Start, const std::vector<std::string> &Names,
                        Allowance &Budget) {
  Kernels = Names;
  Before = B.figures(Start.Text, Kernels);
  BeforeText = Start.Text;
  GuideBefore = std::nullopt;
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
  return takeTurns(std::move(Start), Before, Budget);
}

Version Climb::takeTurns(Version Start, FiguresByTarget Own,
                         Allowance &Budget) {
  Seen = {hash(Start.Text)};
  Rounds = 0;
  std::set<unsigned> Turns;
  for (const rewrite::Candidate &C : Start.Found.Candidates)
    Turns.insert(C.Turn);
  std::vector<Node> Front;
  Front.push_back({std::move(Start), std::move(Own)});
  size_t StepsOfFirst = 0;
  for (unsigned Turn : Turns) {
    // The first turn leaves half, the others but the last an eighth.
    unsigned Kept = Turn == *Turns.rbegin()  ? 0
                    : Turn == *Turns.begin() ? Budget.Left / 2
                                             : Budget.Left / 8;
    Budget.Left -= Kept;
    Front = climb(std::move(Front), Turn, Budget, /*Report=*/true);
    Budget.Left += Kept;
    if (Turn == *Turns.begin())
      StepsOfFirst = Front.front().What.Steps.size();
  }
  Front.erase(Front.begin() + 1, Front.end());
  // What bound the compiler may have made room for the first turn's rewrites.
  if (Front.front().What.Steps.size() > StepsOfFirst)
    Front = climb(std::move(Front), *Turns.begin(), Budget, /*Report=*/false);
  return std::move(Front.front().What);
}

} // namespace clrewrite::select
