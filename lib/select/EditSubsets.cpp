// Delta debugging within a site: it finds which of an alternative's edits are
// enough for its gain.
//
// A rewrite whose edits are independent of each other offers a few subsets of
// them: all, or those of a part of the function. One fence in a wrong place
// loses what the others gain, so the best subset often lies between those that
// are offered. The search starts from the best of these, and fills or empties
// runs of places: a quarter of the function at first, then half as long, down
// to single places. It keeps what makes the subset better, alone or all
// together. Before a step of occupancy is reached, fewer registers are better;
// from there on less time is, and then fewer edits, so that the subset ends
// small.
//
// The cost is one trial for each run of each length, about twice as many as
// there are places, and the same again where something is found. This may take
// three quarters of the budget that is left; later rounds have the rest. Where
// no alternative is better than none of its edits, and no eighth of the places
// either, the values that are alive between blocks mostly decide the registers,
// and no order of instructions changes those: then no shorter run is tried.
#include "select/BeamSearch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace clrewrite::select {
namespace {

using Choice = std::vector<bool>;
using Standing = std::vector<double>;

/// The edits of a site's alternatives, each once, in order.
struct Places {
  Edits Each, Shared;

  explicit Places(const rewrite::Candidate &C) {
    for (const rewrite::Alternative &A : C.Alternatives)
      for (const Edit &E : A.Changes) {
        Edits &Into = E.Shared ? Shared : Each;
        if (!is_contained(Into, E))
          Into.push_back(E);
      }
    llvm::sort(
        Each, [](const Edit &A, const Edit &B) { return A.Offset < B.Offset; });
  }

  Choice of(const rewrite::Alternative &A) const {
    Choice C;
    for (const Edit &E : Each)
      C.push_back(is_contained(A.Changes, E));
    return C;
  }
};

/// Something is worse that no time saved makes up for.
bool loses(const Delta &D) {
  std::string Object;
  if (!D.After.measured() || measure::losesStores(D.Before, D.After, Object))
    return true;
  return D.After.Figures.Occupancy < D.Before.Figures.Occupancy ||
         gains({D}).Memory < 0;
}

Standing standing(ArrayRef<Delta> Deltas, bool Pays, size_t Count,
                  Objective Goal) {
  Gains G = gains(Deltas);
  double Fewer = -double(Count);
  if (Goal == Objective::Estimate)
    return {double(Pays), G.Time, Fewer};
  bool Loses = any_of(Deltas, loses);
  if (Goal == Objective::Registers)
    return {double(Pays), double(!Loses), G.Registers, G.coarseTime(), Fewer};
  if (G.Waves > 0 || G.Memory > 0)
    return {double(Pays), double(!Loses), G.Waves,
            G.Memory,     G.coarseTime(), Fewer};
  return {double(Pays), double(!Loses), 0,    G.Memory,
          G.Registers,  G.coarseTime(), Fewer};
}

/// \p From with each run of \p Length places emptied and, with \p Fill, filled.
std::vector<Choice> neighbours(const Choice &From, size_t Length, bool Fill) {
  std::vector<Choice> Out;
  for (size_t I = 0; I < From.size(); I += Length)
    for (bool On : {false, true}) {
      if (On && !Fill)
        continue;
      Choice C = From;
      std::fill_n(C.begin() + long(I), std::min(Length, C.size() - I), On);
      if (C != From)
        Out.push_back(std::move(C));
    }
  return Out;
}

/// All that is different in \p List, most important first, from \p From.
Choice merged(const Choice &From, ArrayRef<const Choice *> List) {
  Choice Out = From;
  for (const Choice *C : List)
    for (size_t I = 0; I < From.size(); ++I)
      if ((*C)[I] != From[I])
        Out[I] = (*C)[I];
  return Out;
}

} // namespace

/// The search from one site's alternatives, which \p List holds the trials of.
class BeamSearch::EditSubsets {
public:
  EditSubsets(BeamSearch &C, const Variant &From,
              const rewrite::Candidate &Site, ArrayRef<const Trial *> List,
              Allowance &Budget)
      : C(C), From(From), Site(Site), All(Site), Budget(Budget),
        Goal(C.criterion().Goal), Now(All.Each.size(), false) {
    std::vector<Delta> None = C.Eval.deltas(C.Before, From.Figures, C.Kernels);
    bool Pays = judge(None, C.criterion()).Pays;
    Best = standing(None, Pays, 0, Goal);
    for (const Trial *T : List)
      take(*T, All.of(*T->Alternatives.front().second));
  }

  /// The best set, where it is none of the alternatives.
  std::optional<Trial> run() {
    size_t Eighth = std::max<size_t>(1, bit_ceil(Now.size()) / 8);
    size_t Length = std::max<size_t>(1, bit_ceil(Now.size()) / 4);
    while (true) {
      if (round(Length, Eighth))
        round(Length, Eighth); // what is next to the new one
      bool Hopeless = Length <= Eighth && !is_contained(Now, true);
      if (Length == 1 || Hopeless)
        return std::move(Found);
      Length /= 2;
    }
  }

private:
  BeamSearch &C;
  const Variant &From;
  const rewrite::Candidate &Site;
  Places All;
  Allowance &Budget;
  Objective Goal;
  Choice Now;
  Standing Best;
  std::optional<Trial> Found;

  /// How \p T stands, which makes the edits of \p Set.
  Standing standingOf(const Trial &T, const Choice &Set) const {
    return standing(T.Deltas, T.Judged.Pays,
                    size_t(std::count(Set.begin(), Set.end(), true)), Goal);
  }

  bool take(const Trial &T, const Choice &Set) {
    if (!T.Tried)
      return false;
    Standing S = standingOf(T, Set);
    if (S <= Best)
      return false;
    Best = std::move(S);
    Now = Set;
    return true;
  }

  /// Tries what differs in a run, and all of it together that stands better
  /// than before; whether the best does. Where it pays, short runs are only
  /// emptied.
  bool round(size_t Length, size_t Eighth) {
    bool Pays = Best.front() > 0;
    std::vector<Choice> Tried;
    std::vector<Trial> List =
        trials(neighbours(Now, Length, !Pays || Length >= Eighth), Tried);
    if (List.empty() || List.size() > Budget.Left || C.Eval.stopped())
      return false;
    C.measure(List, Budget);
    std::vector<std::pair<Standing, const Choice *>> Better;
    for (auto [T, Set] : zip(List, Tried))
      if (T.Tried && standingOf(T, Set) > Best)
        Better.push_back({standingOf(T, Set), &Set});
    llvm::sort(Better); // ties in the order of Tried
    std::vector<const Choice *> Order;
    for (const auto &[S, Set] : Better)
      Order.push_back(Set);
    Choice Start = Now;
    bool Any = keepBest(List, Tried);
    if (Order.size() > 1 && Budget.Left) {
      std::vector<Choice> One;
      List = trials({merged(Start, Order)}, One);
      C.measure(List, Budget);
      Any |= keepBest(List, One);
    }
    return Any;
  }

  bool keepBest(std::vector<Trial> &List, ArrayRef<Choice> Sets) {
    Trial *Kept = nullptr;
    for (auto [T, Set] : zip(List, Sets))
      if (take(T, Set))
        Kept = &T;
    if (Kept)
      Found = std::move(*Kept);
    return Kept;
  }

  /// Trials of those of \p Sets whose text is new; \p Tried: their sets.
  std::vector<Trial> trials(std::vector<Choice> Sets,
                            std::vector<Choice> &Tried) {
    std::vector<Trial> List;
    for (Choice &Set : Sets) {
      rewrite::Alternative A = Site.Alternatives.front();
      A.Changes = All.Shared;
      size_t Count = 0;
      for (size_t I = 0; I < Set.size(); ++I)
        if (Set[I]) {
          A.Changes.push_back(All.Each[I]);
          ++Count;
        }
      A.Label = (utostr(Count) + "-of-" + utostr(Set.size()));
      Expected<Source> Text = applyEdits(From.Text, A.Changes);
      if (!Text) {
        consumeError(Text.takeError());
        continue;
      }
      if (!Count || !C.Seen.insert(hash(*Text)).second)
        continue;
      C.Made.push_back(std::move(A));
      List.push_back({&From, {{&Site, &C.Made.back()}}, std::move(*Text)});
      Tried.push_back(std::move(Set));
    }
    return List;
  }
};

std::vector<BeamSearch::Trial> BeamSearch::refined(ArrayRef<Trial> List,
                                                   Allowance &Budget) {
  std::vector<Trial> Out;
  if (!Eval.Options.OnlyAlternative.empty() ||
      criterion().Goal == Objective::Time)
    return Out;
  std::vector<std::pair<const Variant *, const rewrite::Candidate *>> Sites;
  std::map<const rewrite::Candidate *, std::vector<const Trial *>> Of;
  for (const Trial &T : List)
    if (const rewrite::Candidate *C = T.Alternatives.front().first;
        C->Separable) {
      if (Of[C].empty())
        Sites.push_back({T.From, C});
      Of[C].push_back(&T);
    }
  unsigned Allowed = Budget.Left - Budget.Left / 4;
  TimeShare All(Eval, 3.0 / 4);
  for (size_t I = 0; I < Sites.size() && !Eval.stopped(); ++I) {
    auto [From, Site] = Sites[I];
    if (all_of(Of[Site], [](const Trial *T) { return sameCode(T->Deltas); }))
      continue;
    Allowance Own{Allowed / unsigned(Sites.size() - I)};
    TimeShare Each(Eval, 1.0 / double(Sites.size() - I));
    unsigned Had = Own.Left;
    if (std::optional<Trial> T =
            EditSubsets(*this, *From, *Site, Of[Site], Own).run())
      Out.push_back(std::move(*T));
    Allowed -= Had - Own.Left;
    Budget.Left -= Had - Own.Left;
    Budget.NotTried += Own.NotTried;
  }
  return Out;
}

} // namespace clrewrite::select
