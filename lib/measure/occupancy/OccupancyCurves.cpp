// How a kernel's occupancy would change with each thing that it takes.
//
// LLVM's occupancy is the least of three: what VGPRs allow, what SGPRs allow,
// and what LDS and the work-group's size allow together. So a curve is what one
// of them allows, under the cap of the others. Waves only fall as registers and
// LDS rise: where both ends of a range have the same, all between do. All
// curves of a target are bisected side by side, a question for each round,
// since a question costs a process.
#include "measure/occupancy/OccupancyCurves.h"
#include "measure/TargetFamily.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace clrewrite::measure {

unsigned OccupancySeries::alone(unsigned X) const {
  unsigned Waves = 0;
  for (const CurveStep &S : Steps) {
    if (S.From > X)
      break;
    Waves = S.Waves;
  }
  return Waves;
}

namespace {

/// The answers so far.
class Answers {
public:
  explicit Answers(const WavesOf &Ask) : Ask(Ask) {}

  bool knows(const OccupancyNeeds &N) const { return Known.count(key(N)); }
  unsigned of(const OccupancyNeeds &N) const { return Known.at(key(N)); }

  /// Asks for those of \p Wanted that are new; false where that failed.
  bool get(ArrayRef<OccupancyNeeds> Wanted) {
    std::map<Key, OccupancyNeeds> New;
    for (const OccupancyNeeds &N : Wanted)
      if (!knows(N))
        New.emplace(key(N), N);
    if (New.empty())
      return true;
    std::vector<OccupancyNeeds> List;
    for (const auto &[K, N] : New)
      List.push_back(N);
    std::vector<unsigned> Waves = Ask(List);
    if (Waves.size() != List.size())
      return false;
    for (auto [N, W] : zip(List, Waves))
      Known[key(N)] = W;
    return true;
  }

private:
  using Key = std::tuple<unsigned, unsigned, unsigned, unsigned, unsigned,
                         unsigned, unsigned>;
  static Key key(const OccupancyNeeds &N) {
    return {N.Vgprs,    N.Agprs,    N.Sgprs,   N.LdsBytes,
            N.GroupMin, N.GroupMax, N.WaveSize};
  }

  const WavesOf &Ask;
  std::map<Key, unsigned> Known;
};

/// A curve that is being bisected.
struct Line {
  OccupancyAxis Axis;
  OccupancyNeeds Rest; ///< what stays along it
  unsigned First, Last, Unit = 1;
  std::vector<unsigned> Asked = {};

  /// The least that is the same as \p X: a group of 65 to 128 work-items is
  /// two waves of 64.
  unsigned firstLike(unsigned X) const { return X - Unit + 1; }

  OccupancyNeeds at(unsigned X) const {
    OccupancyNeeds N = Rest;
    switch (Axis) {
    case OccupancyAxis::Vgprs:
      N.Vgprs = X;
      break;
    case OccupancyAxis::Sgprs:
      N.Sgprs = X;
      break;
    case OccupancyAxis::LdsBytes:
      N.LdsBytes = X;
      break;
    case OccupancyAxis::GroupSize:
      N.GroupMin = N.GroupMax = X;
      break;
    }
    return N;
  }

  std::map<unsigned, unsigned> known(const Answers &A) const {
    std::map<unsigned, unsigned> Out;
    for (unsigned X : Asked)
      Out[X] = A.of(at(X));
    return Out;
  }

  /// Where to ask next; none where all is known.
  std::vector<unsigned> next(const Answers &A) {
    std::vector<unsigned> Out;
    if (Asked.empty() && Unit == 1) {
      Out = {First, Last};
    } else if (Asked.empty()) {
      // More work-items may leave more waves or fewer.
      for (unsigned X = First; X <= Last; X += Unit)
        Out.push_back(X);
    } else if (Unit == 1) {
      std::map<unsigned, unsigned> Known = known(A);
      for (auto It = Known.begin(); std::next(It) != Known.end(); ++It) {
        auto [Low, High] = std::pair(*It, *std::next(It));
        if (Low.second != High.second && High.first - Low.first > 1)
          Out.push_back((Low.first + High.first) / 2);
      }
    }
    append_range(Asked, Out);
    return Out;
  }

  std::vector<CurveStep> steps(const Answers &A) const {
    std::vector<CurveStep> Out;
    for (auto [X, Waves] : known(A))
      if (Out.empty() || Out.back().Waves != Waves)
        Out.push_back({firstLike(X), Waves});
    return Out;
  }
};

/// Bisects all of \p Lines; false where a question failed.
bool explore(std::vector<Line> &Lines, Answers &A) {
  while (true) {
    std::vector<OccupancyNeeds> Wanted;
    for (Line &L : Lines)
      for (unsigned X : L.next(A))
        Wanted.push_back(L.at(X));
    if (Wanted.empty())
      return true;
    if (!A.get(Wanted))
      return false;
  }
}

unsigned valueOf(const OccupancyNeeds &N, OccupancyAxis Axis) {
  switch (Axis) {
  case OccupancyAxis::Vgprs:
    return N.Vgprs;
  case OccupancyAxis::Sgprs:
    return N.Sgprs;
  case OccupancyAxis::LdsBytes:
    return N.LdsBytes;
  case OccupancyAxis::GroupSize:
    return N.GroupMax;
  }
  return 0;
}

/// What a kernel of \p N takes beside what \p Axis stands for.
OccupancyNeeds others(OccupancyNeeds N, OccupancyAxis Axis) {
  OccupancyNeeds None;
  if (Axis == OccupancyAxis::Vgprs)
    N.Vgprs = N.Agprs = 0;
  else if (Axis == OccupancyAxis::Sgprs)
    N.Sgprs = 0;
  else
    N.LdsBytes = 0, N.GroupMin = None.GroupMin, N.GroupMax = None.GroupMax;
  return N;
}

/// The curves that a kernel of \p N has, as lines.
std::vector<Line> linesOf(const Target &On, const NeedsPair &K) {
  constexpr unsigned MostSgprs = 102, MostGroup = 1024;
  const OccupancyNeeds &N = K.After;
  unsigned Lanes = N.WaveSize ? N.WaveSize : On.Family->lanes(On.Cpu);
  OccupancyNeeds Plain, Group = N;
  Plain.WaveSize = N.WaveSize;
  Group.Vgprs = Group.Agprs = Group.Sgprs = 0;
  OccupancyNeeds WithAgprs = Plain;
  WithAgprs.Agprs = N.Agprs;
  unsigned Lds =
      std::max({On.Family->mostLds(On.Cpu), N.LdsBytes, K.Before.LdsBytes});
  return {
      {OccupancyAxis::Vgprs, WithAgprs, 1, On.Family->terms().MostRegisters},
      {OccupancyAxis::GroupSize, Group, Lanes, MostGroup, Lanes},
      {OccupancyAxis::LdsBytes, Group, 0, Lds},
      {OccupancyAxis::Sgprs, Plain, 1, MostSgprs}};
}

OccupancySeries seriesOf(const Line &L, const NeedsPair &K, const Answers &A) {
  OccupancySeries S;
  S.Axis = L.Axis;
  S.First = L.firstLike(L.First);
  S.Last = L.Last;
  auto point = [&](const OccupancyNeeds &N) {
    OccupancyNeeds Whole = N;
    if (L.Axis == OccupancyAxis::GroupSize)
      Whole.GroupMin = Whole.GroupMax;
    return CurvePoint{std::clamp(valueOf(N, L.Axis), S.First, S.Last),
                      A.of(Whole)};
  };
  S.Steps = L.steps(A);
  S.Cap = A.of(others(K.After, L.Axis));
  S.Before = point(K.Before);
  S.After = point(K.After);
  return S;
}

} // namespace

std::vector<OccupancyCurves>
curvesOf(const Target &On, ArrayRef<NeedsPair> Kernels, const WavesOf &Ask) {
  std::vector<OccupancyCurves> Out(Kernels.size());
  if (!On.Family || On.isDevice())
    return Out;
  Answers A(Ask);
  std::vector<std::vector<Line>> Lines;
  std::vector<Line> All;
  std::vector<OccupancyNeeds> Points{{}};
  for (const NeedsPair &K : Kernels) {
    Lines.push_back(linesOf(On, K));
    append_range(All, Lines.back());
    for (OccupancyNeeds N : {K.Before, K.After}) {
      Points.push_back(N);
      N.GroupMin = N.GroupMax;
      Points.push_back(N);
    }
    for (const Line &L : Lines.back())
      Points.push_back(others(K.After, L.Axis));
  }
  if (!A.get(Points) || !explore(All, A))
    return Out;
  auto Line = All.begin();
  for (auto [K, C, Each] : zip(Kernels, Out, Lines)) {
    C.Max = A.of({});
    C.Terms = On.Family->terms();
    C.GroupAssumed = K.After.GroupMin != K.After.GroupMax;
    for (size_t I = 0; I < Each.size(); ++I, ++Line) {
      OccupancySeries S = seriesOf(*Line, K, A);
      // Scalar registers limit nothing on RDNA, and others have none.
      if (S.Axis != OccupancyAxis::Sgprs || S.Steps.size() > 1)
        C.Series.push_back(std::move(S));
    }
  }
  return Out;
}

} // namespace clrewrite::measure
