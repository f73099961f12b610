// Building both versions, running the rounds, and summing them up.
#include "verify/Verify.h"
#include "source/RealPaths.h"
#include "verify/Build.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <set>

using namespace llvm;

namespace clrewrite::verify {

/// Rounds that are compared with the user's own options too.
static constexpr unsigned GivenRounds = 3;
/// With fewer rounds than these asked for, no pair of buffers has rounds of its
/// own.
static constexpr unsigned FewRounds = 32;
/// How long the original runs again to see what it reaches, as a part of the
/// time for the rounds.
static constexpr double CoverageShare = 0.4;
/// For finding integer arguments that suit a kernel, as a part of the time that
/// is left, and in seconds.
static constexpr double ShareForDraws = 0.1, MostForDraws = 1;
/// As many of them are used.
static constexpr size_t MostDraws = 4;

StringRef name(Verification::Kind V) {
  return V == Verification::Same        ? "same"
         : V == Verification::Varying   ? "within-spread"
         : V == Verification::Different ? "different"
                                        : "unknown";
}

Verification::Kind worse(Verification::Kind A, Verification::Kind B) {
  for (Verification::Kind Each :
       {Verification::Different, Verification::Unknown, Verification::Varying})
    if (A == Each || B == Each)
      return Each;
  return Verification::Same;
}

static Verification unknown(std::string Why, bool DeviceFailed = false) {
  Verification V;
  V.Evidence = std::move(Why);
  V.DeviceFailed = DeviceFailed;
  return V;
}

static Verification different(std::string What) {
  Verification V;
  V.Verdict = Verification::Different;
  V.Evidence = std::move(What);
  return V;
}

/// A launch that is guessed may make any kernel race.
static Tolerances allowedBy(const VerifyOptions &Options) {
  Tolerances Out = Options.Allowed;
  Out.Varying &= !Options.Launches.empty();
  return Out;
}

namespace {

/// The verification of one kernel whose versions both build.
class Verifier {
  const Source &Before, &After;
  const ChosenDevice &Device;
  const VerifyOptions &Options;
  KernelShape K;
  Trial Exact;
  std::vector<Inputs> Launches;
  unsigned Equal = 0, Idle = 0, Races = 0, Given = 0;
  unsigned ByOrder = 0; ///< of Races, see TrialResult
  /// Rounds that are not bit-identical, but within what is allowed: for
  /// approximate edits, and where the original differs from itself.
  unsigned Bounded = 0, Tolerated = 0;
  Distance BoundedBy, Own, ToleratedBy;
  /// Rounds in which the versions agree within the original's own spread, and
  /// what was seen there at most; of Runs the fewest.
  unsigned Within = 0;
  opencl::SpreadVerdict Widest;
  bool ReachesBeyond = false; ///< some round's results reach beyond that
  bool GivenDiffers = false;
  Distance GivenApart;
  std::string LastInvalid, LastUnsteady;
  /// Recipes without valid inputs: where, contents, size, draw.
  std::set<std::tuple<const Inputs *, Contents, unsigned, unsigned>> Hopeless;
  /// The draws that suit the kernel, best first, and the level that they need;
  /// by the launch that leaves something to be drawn.
  std::map<const Inputs *, std::vector<Recipe>> Draws;
  /// How the buffers of a draw grow, by contents, draw and level, where that
  /// was asked for.
  std::map<std::tuple<const Inputs *, Contents, unsigned, unsigned>,
           std::optional<Growth>>
      Grows;
  /// The level to begin with, by draw, where a lower one ended the device
  /// program: to start that again costs more than all other rounds. Rounds of
  /// Many have one for all draws: where one loops too long for so many
  /// work-items, so do others, and in smaller rounds none need.
  std::map<std::pair<const Inputs *, unsigned>, unsigned> Levels;
  static constexpr unsigned AllDraws = ~0u;
  /// Seconds that the last round of thousands of work-items took, by draw, and
  /// that the shortest of all rounds took.
  std::map<unsigned, double> Took;
  double Shortest = INFINITY;
  /// Seconds that went to large launches which ended the device program, and to
  /// starting it again, for which a GPU's driver may take two; and whether the
  /// last of them did.
  double Lost = 0;
  bool HasEnded = false;
  /// Launches that ran as they were given, rather than with one work-item.
  std::set<const Inputs *> Ran;
  bool OutOfTime = false;
  /// A launch whose arguments overlap in part has ended the device program: to
  /// start it again takes longer than the other rounds.
  bool PartsFail = false;
  std::vector<RoundNote> Notes;
  std::vector<Inputs> Suspects;
  /// The rounds that the verdict counts.
  std::vector<CountedRound> Counted;

public:
  Verifier(const Source &Before, const Source &After, KernelShape Shape,
           const ChosenDevice &Device, const VerifyOptions &Options)
      : Before(Before), After(After), Device(Device), Options(Options),
        K(std::move(Shape)),
        Exact(*Device.Channel, Device.Index, K,
              deviceProgram(Before, Options.Build),
              deviceProgram(After, Options.Build), Options.Seconds,
              allowedBy(Options), Options.Change) {
    for (const LaunchShape &L : Options.Launches)
      Launches.emplace_back(K, L, Options.Seed, Options.Change);
    if (Launches.empty())
      Launches.emplace_back(K, LaunchShape(), Options.Seed, Options.Change);
    if (!Options.Launches.empty())
      return;
    for (const LaunchShape &L : Options.Suspects)
      Suspects.push_back(solved(L));
  }

  Verification run() {
    Verification V = rounds();
    bool Idles = Idle && Options.Launches.empty() && !V.DeviceFailed &&
                 V.Verdict == Verification::Unknown && LastUnsteady.empty();
    if (Options.Instrument && (V.Verdict == Verification::Same || Idles))
      cover(V);
    V.Rounds = std::move(Notes);
    V.IsSettled = isSettled(V);
    return V;
  }

private:
  Verification rounds();
  /// The launch \p L, in which something was solved.
  Inputs solved(LaunchShape L) const {
    if (!K.RequiredLocal.empty())
      static_cast<launch::NDRange &>(L) = {};
    return Inputs(K, std::move(L), Options.Seed, Options.Change);
  }
  std::optional<Verification> runSolved(const Inputs &In);
  std::optional<Verification> overlapRounds();
  std::optional<Verification> farRounds(unsigned Turns);
  /// The number of a round behind those of the plan.
  unsigned nextRound() const {
    return std::max(Options.Rounds * unsigned(Launches.size()),
                    Notes.empty() ? 0 : Notes.back().Number);
  }
  /// The level with which rounds like \p R begin.
  unsigned &firstLevel(const Inputs &In, const Recipe &R) {
    return Levels[{&In, R.Shape == Recipe::Many ? AllDraws : R.Draw}];
  }
  /// Later ones begin at \p Level, or at the last one.
  void beginAt(const Inputs &In, const Recipe &R, unsigned Level) {
    firstLevel(In, R) = std::min(Level, Fit::Levels - 1);
  }
  ArrayRef<Recipe> drawsOf(const Inputs &In) const {
    auto It = Draws.find(&In);
    return It == Draws.end() ? ArrayRef<Recipe>() : ArrayRef(It->second);
  }
  bool isSettled(const Verification &V) const;
  Recipe drawn(Recipe R, const Inputs &In, unsigned Round) const;
  std::optional<Verification> round(const Inputs &In, const Recipe &R,
                                    unsigned Round, const Fit *From);
  const Growth *growth(const Recipe &R, const Inputs &In, double Most);
  std::optional<Fit> largeFit(const Recipe &R, const Inputs &In,
                              bool *Crashes = nullptr);
  std::optional<std::pair<Recipe, Fit>> farWay(const Recipe &R,
                                               const Inputs &In);
  void compareAsGiven(json::Object Job);
  void noteNear(TrialResult T);
  std::string neverRan() const;
  Verification parted(TrialResult T);
  std::optional<Agreement> agreement() const;
  std::string steadyRounds() const;
  std::string racingRounds() const;
  std::string varyingRounds() const;
  Verification conclude() const;
  std::string asGiven() const;
  void cover(Verification &V);
};

/// Says in \p V, by which the versions are the same or the original wrote
/// nothing, what the rounds that count reached of the original. Rounds are made
/// for what they did not; where one of them tells the versions apart, or they
/// are the first in which something is written, \p V is that.
void Verifier::cover(Verification &V) {
  auto Start = std::chrono::steady_clock::now();
  CoverageRuns Copy(Options.Instrument(Before), Before, K.Name, Options.Build,
                    *Device.Channel, CoverageShare * Options.Seconds);
  Coverage C = Copy.run(Counted);
  std::vector<unsigned> Missed = Copy.missed();
  if (!Missed.empty() && !C.Looked && Options.Reach &&
      Options.Launches.empty() && Exact.left() > 0) {
    for (const LaunchShape &L : Options.Reach(Before, Copy.copy(), Missed)) {
      const Inputs In = solved(L);
      unsigned Idled = Idle;
      std::optional<Verification> Parted = runSolved(In);
      if (!Parted && Idle > Idled) // the buffer may have held what was written
        Parted = runSolved(In);
      if (!Parted)
        continue;
      V = std::move(*Parted);
      return;
    }
    V = conclude();
    C = Copy.run(Counted);
  }
  C.Seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - Start)
          .count();
  if (V.Verdict == Verification::Same)
    V.Reached = std::move(C);
}

/// A round with inputs in which something was solved. The verdict, where that
/// ends all.
std::optional<Verification> Verifier::runSolved(const Inputs &In) {
  Recipe R;
  R.Kind = Contents::Solved;
  if (Exact.left() <= 0)
    return std::nullopt;
  return round(In, R, nextRound(), nullptr);
}

/// Runs the launch again with the user's own options.
void Verifier::compareAsGiven(json::Object Job) {
  if (Given == GivenRounds || Options.Build == Arithmetic::Given ||
      isIntegerOnly(Before))
    return;
  Trial::Comparison D =
      Exact.distance(std::move(Job), deviceProgram(Before, Arithmetic::Given),
                     deviceProgram(After, Arithmetic::Given));
  Given += D.Ran;
  if (!D.Ran || D.Equal)
    return;
  GivenDiffers = true;
  GivenApart.widen(D.Apart);
}

void Verifier::noteNear(TrialResult T) {
  ++(T.Racing ? Tolerated : Bounded);
  (T.Racing ? ToleratedBy : BoundedBy).widen(T.Apart);
  if (T.Racing)
    Own.widen(T.Own);
  else
    compareAsGiven(std::move(T.Replay));
}

Verification Verifier::parted(TrialResult T) {
  Verification V = different(std::move(T.What));
  V.Evidence += formatv(" (round {0}, {1} inputs, on {2})", T.How.Round,
                        T.How.Kind, Device.Name)
                    .str();
  V.How = std::move(T.How);
  T.Replay["v"] = int64_t(opencl::DeviceClient::Protocol);
  T.Replay["id"] = 1;
  V.Replay = formatv("{0}\n", json::Value(std::move(T.Replay)));
  return V;
}

/// What \p T showed, in a few words.
static std::string resultOf(const TrialResult &T) {
  switch (T.Outcome) {
  case TrialResult::Equal:
    return T.Changed ? "equal" : "equal, but the original wrote nothing";
  case TrialResult::Near:
    return "not bit-identical, but within what is allowed";
  case TrialResult::Within:
    return "within the run-to-run spread of the original: " + T.Spread.spread();
  case TrialResult::Differs:
    return "different: " + T.What;
  case TrialResult::Invalid:
    return "no valid inputs: " + T.What;
  case TrialResult::Races:
    return "the original differs from itself";
  case TrialResult::Unsteady:
    return T.What;
  case TrialResult::OutOfTime:
    return "the time was over";
  case TrialResult::Failed:
    return "the device program " + T.What;
  }
  llvm_unreachable("all outcomes are told");
}

bool Verifier::isSettled(const Verification &V) const {
  if (V.Verdict == Verification::Different || V.DeviceFailed)
    return false;
  if (V.Verdict == Verification::Same)
    return !OutOfTime || 2 * V.Rounds.size() >= Options.Rounds;
  return !OutOfTime && !Exact.hasFailed();
}

/// Two rounds of three have a draw that suits the kernel, one has any. Of
/// rounds with many work-items on a GPU all have one: any other may lead so far
/// that the driver has to be started again.
Recipe Verifier::drawn(Recipe R, const Inputs &In, unsigned Round) const {
  const ArrayRef<Recipe> All = drawsOf(In);
  const bool HasAny = Round % 3 == 1 && (Device.IsCpu || !R.hasManyItems());
  if (All.empty() || HasAny || R.Kind == Contents::Wild)
    return R;
  const Recipe &Best = All[Round / 3 % All.size()];
  R.Draw = Best.Draw;
  R.Level = Best.Level;
  return R;
}

/// How buffers grow for the draw of \p R, a round with thousands of work-items
/// on a GPU, where an access far outside a buffer costs the driver. Null for
/// all other rounds, and where small launches, of \p Most seconds each, do not
/// tell. HasEnded says that one of them has lost the driver.
const Growth *Verifier::growth(const Recipe &R, const Inputs &In, double Most) {
  if (Device.IsCpu || !R.Draw || !R.hasManyItems() || R.exceeds16Bits())
    return nullptr;
  auto [It, IsNew] =
      Grows.insert({{&In, R.Kind, R.Draw, R.Level}, std::nullopt});
  if (IsNew) {
    const double Left = Exact.left();
    It->second = growthOf(Exact, In, R, Most, HasEnded);
    Lost += HasEnded ? Left - Exact.left() : 0;
  }
  return It->second ? &*It->second : nullptr;
}

/// Buffers for a large round, or one with negative scalars. None where it would
/// take too much of the time, as a round that is smaller by SizeStep shows, or
/// a launch of the original alone: that has half of what a round has at least
/// (Trial), which runs it with the new version; or where too much has been lost
/// to others. Sets \p Crashes where there are none since the original crashes.
std::optional<Fit> Verifier::largeFit(const Recipe &R, const Inputs &In,
                                      bool *Crashes) {
  static constexpr double Share = 0.05, SizeStep = 16, MostLost = 0.3;
  double Most = std::min(Trial::LeastHang / 2, Share * Exact.left()),
         Smaller = Shortest;
  if (R.Shape == Recipe::Many)
    Smaller = Took.count(R.Draw) ? Took[R.Draw] : INFINITY;
  if (Lost > MostLost * Options.Seconds || Smaller * SizeStep > Most)
    return std::nullopt;
  auto timed = [&](auto Do) {
    const double Left = Exact.left();
    auto Result = Do();
    return std::pair(std::move(Result), Left - Exact.left());
  };
  auto [IsThere, Starting] = timed([&] { return Exact.compile(In); });
  Lost += std::exchange(HasEnded, false) ? Starting : 0;
  if (!IsThere)
    return std::nullopt;
  // Small scalars do not lead far out of a buffer.
  static constexpr unsigned SmallScalars = 2;
  auto beginWithSmall = [&] {
    if (R.hasManyItems() && !R.exceeds16Bits()) // where they lead nowhere
      beginAt(In, R, std::max(R.Level + 1, SmallScalars));
  };
  std::optional<Fit> From;
  const Growth *Known = growth(R, In, Most);
  // Once a launch has lost the driver, what is not sure to do is not tried.
  if (Known)
    From = In.expected(R, *Known, Lost > 0 ? 1 : Inputs::GrowthOfAll);
  if (HasEnded || (Known && !From)) {
    beginWithSmall();
    return std::nullopt;
  }
  // Where it fails beyond what the buffers' fences catch, larger buffers help.
  auto grow = [&](Fit &F) { return In.growAll(F, R); };
  auto [L, Looking] = timed([&] {
    return R.exceeds16Bits() ? Exact.look(In, R, Most, nullptr, grow)
                             : Exact.look(In, R, Most, From ? &*From : nullptr);
  });
  Lost += L.Ended ? Looking : 0;
  HasEnded = L.Ended;
  if (Crashes)
    *Crashes = L.Crashed && !L.Valid;
  // So far off many draws lead nowhere.
  if (R.exceeds16Bits() && !L.Changed)
    L.Valid = false;
  if (L.Ended)
    beginWithSmall();
  return L.Valid ? std::optional(L.Fitting) : std::nullopt;
}

/// \p L lies between two launches that \p Crashed, or is one of them: one has
/// no larger number, the other no smaller one. Beyond the largest that crashed,
/// a launch may still be valid: a kernel that divides by a number reaches less
/// far with a larger one.
static bool liesBetween(const TrialLaunch &L, ArrayRef<TrialLaunch> Crashed) {
  return any_of(Crashed,
                [&](const TrialLaunch &Small) { return Small.isWithin(L); }) &&
         any_of(Crashed,
                [&](const TrialLaunch &Large) { return L.isWithin(Large); });
}

/// \p R, a round of farPlan(), with the first draw by which the original does
/// something there, and buffers for it.
std::optional<std::pair<Recipe, Fit>> Verifier::farWay(const Recipe &R,
                                                       const Inputs &In) {
  const ArrayRef<Recipe> Best = drawsOf(In);
  // Sizes as they are need the smallest buffers, but may have work-items write
  // over what others wrote. Of the last of a launch, few do.
  std::vector<unsigned> All;
  if (R.isFar())
    All = {1, 2};
  for (const Recipe &Each : Best)
    if (Each.Draw > 2)
      All.push_back(Each.Draw);
  if (!R.isFar())
    All.insert(All.end(), {2, 1});
  if (!In.hasDraws())
    All.resize(1);
  // To start the device program again takes longer than most rounds.
  std::vector<TrialLaunch> Crashed;
  for (unsigned Draw : All) {
    Recipe Way = R;
    Way.Draw = Draw;
    // All that suit have one level (suitableDraws).
    Way.Level = Best.empty() ? 0 : Best.front().Level;
    TrialLaunch First = Exact.launch(In, Way, In.tightest(Way), 0);
    if (liesBetween(First, Crashed))
      continue;
    bool Crashes = false;
    if (std::optional<Fit> F = largeFit(Way, In, &Crashes))
      return std::pair(Way, *F);
    if (Crashes)
      Crashed.push_back(std::move(First));
  }
  return std::nullopt;
}

/// Rounds in which each pair of arguments is one buffer, or overlaps in part.
/// The verdict, where one of them ends all.
std::optional<Verification> Verifier::overlapRounds() {
  for (const Inputs &In : Launches)
    for (const Recipe &Each : In.overlapPlan(Options.MayOverlap)) {
      if (Exact.left() <= 0 || OutOfTime || Options.Rounds < FewRounds)
        return std::nullopt;
      if (Each.Part && PartsFail)
        continue;
      Recipe R = drawn(Each, In, nextRound());
      R.Level = std::max(R.Level, firstLevel(In, R));
      if (std::optional<Verification> V = round(In, R, nextRound(), nullptr))
        return V;
    }
  return std::nullopt;
}

/// Rounds with what 16 bits can't count, \p Turns times with other contents.
/// The verdict, where one of them ends all.
std::optional<Verification> Verifier::farRounds(unsigned Turns) {
  if (!Options.Exceeds16Bits)
    return std::nullopt;
  const Inputs &In = Launches.front();
  std::map<std::pair<unsigned, unsigned>, // Shape and Large
           std::optional<std::pair<Recipe, Fit>>>
      Ways;
  for (unsigned Turn = 0; Turn < Turns; ++Turn)
    for (Recipe R : In.farPlan()) {
      if (Exact.left() <= 0 || OutOfTime)
        return std::nullopt;
      auto [Way, IsNew] = Ways.insert({{R.Shape, R.Large}, std::nullopt});
      if (IsNew)
        Way->second = farWay(R, In);
      if (!Way->second)
        continue;
      R.Draw = Way->second->first.Draw;
      R.Level = Way->second->first.Level;
      if (std::optional<Verification> V =
              round(In, R, nextRound(), &Way->second->second))
        return V;
    }
  return std::nullopt;
}

Verification Verifier::rounds() {
  std::vector<Recipe> Plan = Launches.front().plan(Options.MayOverlap);
  unsigned Ways = unsigned(Launches.size());
  for (const Inputs &In : Launches)
    for (SuitableDraw &Each : suitableDraws(
             Exact, In, std::min(MostForDraws, ShareForDraws * Exact.left())))
      if (Draws[&In].size() < MostDraws)
        Draws[&In].push_back(Each.R);
  for (unsigned Round = 0; Round < Options.Rounds * Ways; ++Round) {
    const Inputs &In = Launches[Round % Ways];
    Recipe R = drawn(Plan[Round / Ways % Plan.size()], In, Round / Ways);
    if (Exact.left() <= 0)
      OutOfTime = true;
    if (OutOfTime)
      break;
    if (Hopeless.count({&In, R.Kind, R.Shape, R.Draw}) ||
        (In.once() && Round >= Ways))
      continue;
    R.Level = std::max(R.Level, firstLevel(In, R));
    std::optional<Fit> Large;
    if (R.isLarge() && !(Large = largeFit(R, In)))
      continue;
    // Most kernels are not made for negative sizes.
    if (R.Kind == Contents::Negative) {
      Recipe Below = R;
      Below.Draw = std::max(R.Draw, 1u);
      Large = largeFit(Below, In);
      if (Large)
        R = Below;
      else
        R.Kind = Contents::Small;
    }
    if (std::optional<Verification> V =
            round(In, R, Round, Large ? &*Large : nullptr))
      return std::move(*V);
  }
  if (std::optional<Verification> V =
          farRounds(Options.Rounds / unsigned(Plan.size())))
    return std::move(*V);
  for (const Inputs &In : Suspects)
    if (std::optional<Verification> V = runSolved(In))
      return std::move(*V);
  // The last, since those with misaligned addresses may end the device program.
  if (std::optional<Verification> V = overlapRounds())
    return std::move(*V);
  return conclude();
}

/// Runs a round, and notes what it shows. The verdict, where that ends all.
std::optional<Verification> Verifier::round(const Inputs &In, const Recipe &R,
                                            unsigned Round, const Fit *From) {
  double Left = Exact.left();
  TrialResult T = Exact.run(In, R, Round, From);
  double Seconds = Left - Exact.left();
  if (T.Ended)
    beginAt(In, R, T.Level);
  PartsFail |= T.Ended && R.Part;
  Shortest = std::min(Shortest, Seconds);
  if (R.Shape == Recipe::Some)
    Took[R.Draw] = Seconds;
  Notes.push_back({Round + 1, R.Kind, T.Launch, Seconds, resultOf(T)});
  if (R.Kind != Contents::Overlap && R.Kind != Contents::Solved &&
      (T.Outcome == TrialResult::Equal || T.Outcome == TrialResult::Near ||
       T.Outcome == TrialResult::Within))
    Ran.insert(&In);
  if (T.Outcome == TrialResult::Near || T.Outcome == TrialResult::Equal)
    Counted.push_back({T.Replay, T.Outcome == TrialResult::Near || T.Changed,
                       std::move(T.Hashes)});
  switch (T.Outcome) {
  case TrialResult::Differs:
    return parted(std::move(T));
  case TrialResult::Failed:
    return unknown("the device program " + T.What, true);
  case TrialResult::Near:
    noteNear(std::move(T));
    break;
  case TrialResult::Within:
    if (Within++)
      Widest.widen(T.Spread);
    else
      Widest = std::move(T.Spread);
    break;
  case TrialResult::OutOfTime:
    OutOfTime = true;
    break;
  case TrialResult::Races:
    ++Races;
    ByOrder += T.ByOrder;
    break;
  case TrialResult::Unsteady:
    // What speaks against the new version is not to be hidden.
    if (!ReachesBeyond || T.Beyond)
      LastUnsteady = std::move(T.What);
    ReachesBeyond |= T.Beyond;
    break;
  case TrialResult::Invalid:
    // It says why a launch that is given never ran; an overlap never is that.
    if (!R.Part)
      LastInvalid = std::move(T.What);
    Hopeless.insert({&In, R.Kind, R.Shape, R.Draw});
    break;
  case TrialResult::Equal:
    ++(T.Changed ? Equal : Idle);
    if (T.Changed)
      compareAsGiven(std::move(T.Replay));
  }
  return std::nullopt;
}

/// The result with the user's own options.
std::string Verifier::asGiven() const {
  if (!Given)
    return "";
  if (!GivenDiffers)
    return ", with contraction as the options have it too";
  if (!GivenApart.Ulps)
    return "; with contraction as the options have it the results differ";
  return formatv("; with contraction as the options have it, up to {0} ulps "
                 "apart",
                 *GivenApart.Ulps);
}

static std::string countOf(unsigned N) {
  return formatv("{0} round{1}", N, N == 1 ? "" : "s");
}

/// Those rounds, where none was within a bound alone.
std::optional<Agreement> Verifier::agreement() const {
  if (!Equal || Bounded)
    return std::nullopt;
  return Agreement{Equal, Device.Name + asGiven() +
                              (Options.Allowed.Bound.isExact()
                                   ? ""
                                   : "; a change is approximate, so that other "
                                     "inputs may give other bits")};
}

/// What the rounds showed in which the original agrees with itself; empty
/// where there are none.
std::string Verifier::steadyRounds() const {
  const Tolerance &Bound = Options.Allowed.Bound;
  if (!Equal && !Bounded)
    return "";
  if (std::optional<Agreement> A = agreement())
    return A->text();
  std::string On = countOf(Equal + Bounded) + " on " + Device.Name;
  return "not bit-identical, as a change is approximate, but within its bound "
         "of " +
         Bound.text() + " on " + On + ": up to " + Bound.text(BoundedBy) +
         " apart in floating point, the same in all else" + asGiven();
}

/// The same for rounds in which it differs from itself as far as is declared.
std::string Verifier::racingRounds() const {
  const Tolerance &T = Options.Allowed.Declared;
  if (!Tolerated)
    return "";
  return (Equal || Bounded ? "; on " : "not bit-identical: on ") +
         countOf(Tolerated) +
         (Equal || Bounded ? " more" : " on " + Device.Name) +
         " the original differs from itself by up to " + T.text(Own) +
         ", and the versions agree within the declared tolerance of " +
         T.text() + " (up to " + T.text(ToleratedBy) + " apart)" +
         (Options.Allowed.Bound.isExact() ? ""
                                          : ", elsewhere within the bound of " +
                                                Options.Allowed.Bound.text());
}

/// What all rounds showed, where in some of them the new version is held to how
/// far the original is apart from itself.
std::string Verifier::varyingRounds() const {
  std::string Out = "agrees within the run-to-run spread of the original, on " +
                    countOf(Within) + " of " + std::to_string(Widest.Runs) +
                    " runs on " + Device.Name + ": " + Widest.spread();
  if (Widest.Excess > 0)
    Out += formatv(", and those of the new version reach {0:f1} times as far "
                   "as is usual beyond that",
                   Widest.Excess);
  if (Equal + Bounded)
    Out += "; on " + countOf(Equal + Bounded) + " more all runs left the same";
  return Out;
}

/// Why a launch that somebody gave is not verified, although others may be;
/// empty where each has run.
std::string Verifier::neverRan() const {
  if (Options.Launches.empty() || Ran.size() == Launches.size() || Races)
    return "";
  std::string Which =
      Launches.size() == 1
          ? "the launch that is given never ran"
          : formatv("{0} of the {1} launches that are given "
                    "never ran",
                    Launches.size() - Ran.size(), Launches.size())
                .str();
  return Which +
         (LastInvalid.empty() ? ": the time was over" : ": " + LastInvalid);
}

Verification Verifier::conclude() const {
  if (!LastUnsteady.empty()) {
    Verification V = unknown(LastUnsteady);
    V.BeyondSpread = ReachesBeyond;
    return V;
  }
  const Tolerance &Declared = Options.Allowed.Declared;
  std::string Beyond =
      Declared.isExact()
          ? ""
          : " beyond the declared tolerance of " + Declared.text();
  if (std::string Why = neverRan(); !Why.empty())
    return unknown(Why);
  if (Within) {
    Verification V;
    V.Verdict = Verification::Varying;
    V.Evidence = varyingRounds() + racingRounds();
    return V;
  }
  // Of versions that differ more often than they agree, an order of the
  // work-items is no excuse that proves anything.
  if (ByOrder <= Equal + Bounded + Tolerated &&
      (Equal || Bounded || Tolerated)) {
    Verification V;
    V.Verdict = Verification::Same;
    V.Evidence = steadyRounds() + racingRounds();
    if (!Tolerated && !Races)
      V.Agreed = agreement();
    if (Races)
      V.Evidence += formatv(
          "; in {0} more the original differed from itself{1}", Races, Beyond);
    return V;
  }
  if (Races)
    return unknown("the original's results differ between two runs of itself" +
                   Beyond + ": a race, or sums whose order is not fixed" +
                   (Options.Launches.empty() || Options.Allowed.Varying
                        ? ""
                        : " (--allow-varying holds exact edits to how far they "
                          "differ)"));
  if (OutOfTime)
    return unknown(formatv("a launch took longer than the limit of {0:f0} s",
                           Options.Seconds));
  if (!LastInvalid.empty())
    return unknown("no valid inputs were found: " + LastInvalid);
  return unknown(Idle ? "the original wrote nothing on the inputs that were "
                        "tried"
                      : "no round was run");
}

} // namespace

std::string Agreement::text() const {
  return "bit-identical on " + countOf(Rounds) + " on " + On;
}

/// What verify() says of one reading.
static Verification verifyReading(const Source &Before, const Source &After,
                                  const std::string &Kernel,
                                  const rewrite::KernelInfo *Known,
                                  const ChosenDevice &Device,
                                  const VerifyOptions &Options) {
  opencl::DeviceAnswer Old = build(Before, Device, Options.Build);
  bool Refused = Old.Status == opencl::DeviceAnswer::Refused;
  if (!Old.ok())
    return unknown(Refused ? "the original does not build on " + Device.Name +
                                 ": " + whyNotBuilt(Old, Before)
                           : "the device program " + Old.Problem +
                                 " on building the original",
                   !Refused);
  const json::Object *OldKernel = kernelNamed(Old, Kernel);
  if (!OldKernel)
    return unknown("the original has no kernel '" + Kernel + "'");
  KernelShape Shape = describeKernel(*OldKernel, Known);
  Shape.UsesGroups |= Options.AddsGroupUse;
  if (!Shape.Problem.empty())
    return unknown(Shape.Problem);
  Shape.PartAlign = Device.PartAlign;
  opencl::DeviceAnswer New = build(After, Device, Options.Build);
  if (New.Status == opencl::DeviceAnswer::Refused)
    return different("the new version does not build on " + Device.Name + ": " +
                     whyNotBuilt(New, After));
  if (!New.ok())
    return unknown("the device program " + New.Problem +
                       " on building the new version",
                   true);
  const json::Object *NewKernel = kernelNamed(New, Kernel);
  if (!NewKernel)
    return different("the new version has no kernel '" + Kernel + "'");
  if (!sameArguments(Shape, describeKernel(*NewKernel, Known)))
    return unknown("the kernel's arguments change");
  return Verifier(Before, After, std::move(Shape), Device, Options).run();
}

Verification verify(const Source &Before, const Source &After,
                    const std::string &Kernel, const rewrite::KernelInfo *Known,
                    const ChosenDevice &Device, const VerifyOptions &Options) {
  if (!Device.Channel)
    return unknown(Device.Absent);
  Verification All;
  Verification::Kind Verdict = Verification::Same;
  struct Reason {
    std::string Evidence, How;
    std::optional<Agreement> Agreed;
  };
  std::vector<Reason> Shown;
  for (const Reading &R : readingsOf(Before, After)) {
    Verification V =
        verifyReading(R.Before, R.After, Kernel, Known, Device, Options);
    V.Rounds.insert(V.Rounds.begin(), All.Rounds.begin(), All.Rounds.end());
    if (V.Verdict != Verification::Same && V.Verdict != Verification::Varying) {
      V.Evidence = R.label() + V.Evidence;
      V.Reached.reset();
      return V;
    }
    if (V.Reached && All.Reached)
      merge(*V.Reached, *All.Reached);
    Reason *Last = Shown.empty() ? nullptr : &Shown.back();
    // How many rounds there was time for is no difference.
    if (Last && Last->Agreed && V.Agreed && Last->Agreed->On == V.Agreed->On) {
      Last->Agreed->Rounds = std::min(Last->Agreed->Rounds, V.Agreed->Rounds);
      Last->Evidence = V.Evidence = Last->Agreed->text();
    }
    if (Last && Last->Evidence == V.Evidence)
      Last->How += " and " + R.How;
    else
      Shown.push_back({V.Evidence, R.How, V.Agreed});
    Verdict = worse(Verdict, V.Verdict);
    All = std::move(V);
  }
  All.Verdict = Verdict;
  All.Evidence = join(map_range(Shown,
                                [](const Reason &R) {
                                  return R.How.empty() ? R.Evidence
                                                       : R.Evidence + ", " +
                                                             R.How + KeptLines;
                                }),
                      "; ");
  if (All.Reached)
    if (std::string Words = words(*All.Reached); !Words.empty())
      All.Evidence += "; " + Words;
  return All;
}

Expected<std::vector<std::string>> kernelsOf(const Source &S,
                                             const ChosenDevice &Device) {
  opencl::DeviceAnswer A = build(S, Device, Arithmetic::Exact);
  if (!A.ok())
    return createStringError(
        shortPath(S.Path) + ": " +
        (A.Status == opencl::DeviceAnswer::Refused
             ? "does not build on " + Device.Name + ": " + whyNotBuilt(A, S)
             : "the device program " + A.Problem));
  std::vector<std::string> Names;
  if (const json::Array *List = A.Body.getArray("kernels"))
    for (const json::Value &V : *List)
      if (const json::Object *O = V.getAsObject())
        Names.push_back(O->getString("name").value_or("").str());
  return Names;
}

} // namespace clrewrite::verify
