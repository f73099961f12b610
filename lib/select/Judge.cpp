// The criteria: what of a change counts as better or worse, in which order.
#include "select/Judge.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <set>

using namespace llvm;

namespace clrewrite::select {
namespace {

/// How much an estimate may rise beside --max-slowdown: what measured times
/// count as noise. All bounds count, so that a cycle more anywhere is seen.
/// docs/estimate.md has what passes by it of versions that were timed.
constexpr double Grace = measure::PairedTime::Resolution;

unsigned count(std::optional<unsigned> V) { return V.value_or(0); }

/// Whether a figure rises; unknown ones say nothing.
bool rises(std::optional<unsigned> From, std::optional<unsigned> To) {
  return From && To && *To > *From;
}

std::string shown(std::optional<unsigned> V) { return V ? utostr(*V) : "?"; }

Verdict refused(std::string Why) {
  return {/*Pays=*/false, /*Refused=*/true, std::move(Why), {}};
}

Verdict idle(std::string Why) {
  return {/*Pays=*/false, /*Refused=*/false, std::move(Why), {}};
}

unsigned spills(const measure::Usage &U) {
  return count(U.VgprSpills) + count(U.SgprSpills);
}

std::string place(const Delta &D) { return D.Target + ": "; }

/// The estimate falls so far that it counts as a gain.
bool isFaster(const Delta &D, const Criterion &By) {
  if (By.Faster > 0 && !D.Held)
    return false;
  measure::EstimatePair Est =
      measure::comparable(D.Before.Figures, D.After.Figures);
  double Least =
      By.Goal == Objective::Estimate ? std::max(Grace, By.Faster) : By.Faster;
  return Least > 0 && Est.Before && Est.After &&
         *Est.After < *Est.Before * (1 - Least);
}

/// Scratch falls so far that it counts as a gain: an array that lies there
/// takes its time whether it has some bytes of padding or not.
bool fallsClearly(const measure::Usage &B, const measure::Usage &A) {
  constexpr double Least = 0.05;
  return count(A.ScratchBytes) < count(B.ScratchBytes) &&
         count(A.ScratchBytes) <= (1 - Least) * count(B.ScratchBytes);
}

/// Half of the waves or more are left. Of the edits that were timed on an H200
/// and kept the estimate, those with fewer warps took as long as before
/// (docs/estimate.md, "Waves that an edit costs").
bool sparesWaves(const measure::Usage &U) {
  return U.OccupancyMax && count(U.Occupancy) * 2 >= *U.OccupancyMax;
}

/// Why code that stores less to \p Object ("arg 2") counts as wrong.
std::string storesLess(StringRef Object) {
  bool IsArgument = Object.consume_front("arg ");
  return formatv("the optimised code stores fewer bytes to {0}{1} than before, "
                 "as where the compiler drops a part of a kernel",
                 IsArgument ? "argument " : "", Object);
}

/// All figures that got worse from \p D.Before to \p D.After; empty if nothing
/// did. Waves that the kernel can spare count only where no target \p
/// GainsTime.
std::string worse(const Delta &D, const Criterion &By, bool GainsTime = false) {
  const measure::Usage &B = D.Before.Figures, &A = D.After.Figures;
  std::vector<std::string> Why;
  std::string Object;
  if (measure::losesStores(D.Before, D.After, Object))
    Why.push_back(storesLess(Object));
  if (By.Goal != Objective::Estimate || By.Faster > 0) {
    bool Spared = isFaster(D, By) ||
                  (GainsTime && sparesWaves(A) && B.EstCycles && A.EstCycles);
    if (rises(A.Occupancy, B.Occupancy) && !Spared)
      Why.push_back(formatv("occupancy falls from {0} to {1}",
                            count(B.Occupancy), count(A.Occupancy)));
    if (count(A.ScratchBytes) > count(B.ScratchBytes))
      Why.push_back(formatv("scratch rises from {0} to {1} bytes",
                            count(B.ScratchBytes), count(A.ScratchBytes)));
    if (spills(A) > spills(B))
      Why.push_back(
          formatv("spills rise from {0} to {1}", spills(B), spills(A)));
  }
  measure::EstimatePair Est = measure::comparable(B, A);
  double Allowed = Est.Before.value_or(0) * (1 + By.MaxSlowdown + Grace);
  if (Est.Before && Est.After && *Est.After > Allowed)
    Why.push_back(formatv("the estimate rises from {0:f0} to {1:f0} cycles "
                          "({2}-bound{3})",
                          *Est.Before, *Est.After, A.EstBound.value_or("issue"),
                          Est.basis()));
  return Why.empty() ? "" : place(D) + join(Why, ", ");
}

/// Why Objective::Estimate refuses \p D though nothing is worse to it: most of
/// the waves that hide what memory takes are gone, which the estimate knows
/// least of, and it falls too little to make up for them. Empty where that is
/// not so.
std::string losesWaves(const Delta &D) {
  const measure::Usage &B = D.Before.Figures, &A = D.After.Figures;
  if (!A.Occupancy || *A.Occupancy * 2 >= count(B.Occupancy))
    return "";
  measure::EstimatePair Est = measure::comparable(B, A);
  if (Est.Before && Est.After && *Est.After < *Est.Before * (1 - ClearFall))
    return "";
  return place(D) +
         formatv("occupancy falls from {0} to {1}, and the estimate by less "
                 "than {2:f0} %",
                 count(B.Occupancy), count(A.Occupancy), ClearFall * 100)
             .str();
}

/// What got better, as a sentence without the place, and in a few words.
struct Gained {
  std::string Sentence, Words;
  bool Estimated = false; ///< rather than counted in registers or waves
};

/// The first figure that got better, in the sense of the objective; none if
/// none did.
std::optional<Gained> better(const Delta &D, const Criterion &By) {
  const measure::Usage &B = D.Before.Figures, &A = D.After.Figures;
  auto from = [](const char *Sentence, unsigned Old, unsigned New,
                 const std::string &Unit) {
    return Gained{formatv(Sentence, Old, New),
                  formatv("{0} -> {1} {2}", Old, New, Unit)};
  };
  auto estimated = [&]() -> std::optional<Gained> {
    if (!isFaster(D, By))
      return std::nullopt;
    measure::EstimatePair Est = measure::comparable(B, A);
    return Gained{formatv("the estimate falls from {0:f0} to {1:f0} cycles{2}",
                          *Est.Before, *Est.After, Est.basis()),
                  formatv("{0:f2} times as fast",
                          *Est.Before / std::max(1.0, *Est.After)),
                  /*Estimated=*/true};
  };
  if (By.Goal == Objective::Estimate)
    return estimated();
  if (rises(B.Occupancy, A.Occupancy))
    return from("occupancy rises from {0} to {1}", count(B.Occupancy),
                count(A.Occupancy), measure::wavesWord(A).str());
  if (fallsClearly(B, A))
    return from("scratch falls from {0} to {1} bytes", count(B.ScratchBytes),
                count(A.ScratchBytes), "bytes of scratch");
  if (spills(A) < spills(B))
    return from("spills fall from {0} to {1}", spills(B), spills(A), "spills");
  if (By.Goal == Objective::Registers && A.Vgprs && B.Vgprs &&
      *A.Vgprs < *B.Vgprs) {
    std::string Word = measure::registersWord(A).str();
    return from((Word + " fall from {0} to {1}").c_str(), *B.Vgprs, *A.Vgprs,
                Word);
  }
  return estimated();
}

/// The kernels that were timed, or should have been.
std::set<std::string> timedKernels(ArrayRef<Delta> Deltas) {
  std::set<std::string> Names;
  for (const Delta &D : Deltas)
    if (D.Time || !D.TimeProblem.empty())
      Names.insert(D.Kernel);
  return Names;
}

/// Judges by the criterion Objective::Time.
Verdict judgeByTime(ArrayRef<Delta> Pairs, const Criterion &By) {
  std::set<std::string> Timed = timedKernels(Pairs);
  if (Timed.empty())
    return idle(NotTimed);
  std::string Faster, Same;
  for (const Delta &D : Pairs) {
    std::string Object;
    if (!Timed.count(D.Kernel)) {
      if (std::string Why = worse(D, By); !Why.empty())
        return refused(std::move(Why));
      continue;
    }
    if (measure::losesStores(D.Before, D.After, Object))
      return refused(place(D) + storesLess(Object));
    if (!D.TimeProblem.empty())
      return refused(place(D) + "not timed: " + D.TimeProblem);
    if (!D.Time)
      continue;
    if (D.Time->slower(By.MaxSlowdown))
      return refused(place(D) + "time rises, " + measure::describe(*D.Time));
    std::string &Into = D.Time->faster() ? Faster : Same;
    if (Into.empty())
      Into = place(D) +
             (D.Time->faster() ? "time falls, " : "no faster beyond noise, ") +
             measure::describe(*D.Time);
  }
  if (Faster.empty())
    return idle(Same);
  return {/*Pays=*/true, /*Refused=*/false, Faster, promise(Pairs, By)};
}

/// The ratio as a logarithm, 0 where either is unknown or 0.
double gained(double Before, double After) {
  return Before > 0 && After > 0 ? std::log2(After / Before) : 0;
}

} // namespace

static measure::KernelUsage usageIn(const measure::Measurement &In,
                                    const std::string &Kernel) {
  if (const measure::KernelUsage *K = In.find(Kernel))
    return *K;
  measure::KernelUsage Missing;
  Missing.Kernel = Kernel;
  Missing.Problem =
      In.Problem.empty() ? "not in the compiled module" : In.Problem;
  return Missing;
}

std::vector<Delta> deltasOf(const std::string &Name,
                            const measure::Measurement &Before,
                            const measure::Measurement &After,
                            ArrayRef<std::string> Kernels) {
  std::vector<Delta> List;
  for (const std::string &Kernel : Kernels)
    List.push_back(
        {Kernel, Name, usageIn(Before, Kernel), usageIn(After, Kernel)});
  return List;
}

bool wasTimed(ArrayRef<Delta> Deltas) {
  return any_of(
      Deltas, [](const Delta &D) { return D.Time || !D.TimeProblem.empty(); });
}

bool sameCode(ArrayRef<Delta> Deltas) {
  return all_of(Deltas, [](const Delta &D) {
    return !D.Before.CodeHash.empty() && D.Before.CodeHash == D.After.CodeHash;
  });
}

bool betters(ArrayRef<Delta> Deltas, const Criterion &By) {
  return By.Goal != Objective::Time && any_of(Deltas, [&](const Delta &D) {
           return D.Before.measured() && D.After.measured() &&
                  better(D, By).has_value();
         });
}

/// \p Name, as far as it may stand in a comment whatever a user calls his
/// target: no backslash, trigraph, quote or end of a line.
static std::string inComment(StringRef Name) {
  std::string Out;
  for (char C : Name)
    if (isAlnum(C) || StringRef(" -_.:+,").contains(C))
      Out += C;
  return StringRef(Out).trim().str();
}

std::string gainInWords(ArrayRef<Delta> Deltas, const Criterion &By) {
  const bool Timed = By.Goal == Objective::Time;
  std::set<StringRef> Kernels;
  for (const Delta &D : Deltas)
    Kernels.insert(D.Kernel);
  for (const Delta &D : Deltas) {
    if (!D.Before.measured() || !D.After.measured())
      continue;
    std::string Words;
    bool Estimated = false;
    if (Timed && D.Time && D.Time->faster()) {
      Words = formatv("{0:f2} times as fast", D.Time->Ratio);
    } else if (std::optional<Gained> G = Timed ? std::nullopt : better(D, By)) {
      Words = G->Words;
      Estimated = G->Estimated;
    }
    if (Words.empty())
      continue;
    if (Kernels.size() > 1)
      Words += " in " + D.Kernel;
    Words += " on " + inComment(D.Target);
    return Words + (Timed ? ", measured" : Estimated ? ", estimated" : "");
  }
  return "";
}

Gains gains(ArrayRef<Delta> Deltas) {
  Gains G;
  for (const Delta &D : Deltas) {
    const measure::Usage &B = D.Before.Figures, &A = D.After.Figures;
    G.Waves += gained(count(B.Occupancy), count(A.Occupancy));
    G.Memory += double(count(B.ScratchBytes)) - count(A.ScratchBytes) +
                4.0 * (double(spills(B)) - spills(A));
    G.Registers -= gained(count(B.Vgprs), count(A.Vgprs));
    measure::EstimatePair Est = measure::comparable(B, A);
    G.Time -= gained(Est.Before.value_or(0), Est.After.value_or(0));
    G.Size -= gained(count(B.CodeBytes), count(A.CodeBytes));
  }
  return G;
}

double Gains::coarseTime() const {
  return std::round(Time / std::log2(1 + Grace));
}

/// A driver that reports no registers, as a CPU's.
static bool tellsNothing(const measure::Usage &U) {
  return !U.Vgprs && !U.Occupancy && !U.ScratchBytes;
}

WhyNot whyNothingToGain(ArrayRef<Delta> Now, const Criterion &By) {
  std::vector<measure::Usage> Known;
  for (const Delta &D : Now)
    if (D.Before.measured())
      Known.push_back(D.Before.Figures);
  bool Estimated = any_of(Now, [&](const Delta &D) {
    return D.Before.measured() && D.Before.Figures.EstCycles &&
           (D.Held || By.Faster == 0);
  });
  if (By.Goal == Objective::Estimate && !Estimated)
    return "nothing to go by: no target has an estimate";
  if (Estimated && (By.Goal == Objective::Estimate || By.Faster > 0))
    return "";
  if (all_of(Known, tellsNothing))
    return "nothing to go by: no target reports registers; with --launch, a "
           "launch comment or a capture that launches it, time decides";
  if (By.Goal == Objective::Occupancy &&
      all_of(Known, [](const measure::Usage &U) {
        return tellsNothing(U) ||
               (U.OccupancyMax && U.Occupancy >= U.OccupancyMax &&
                !count(U.ScratchBytes) && !spills(U));
      }))
    return {"nothing to gain: occupancy is at its maximum on every target, "
            "without scratch or spills",
            WhyNot::NothingToGain};
  return "";
}

std::vector<double> promise(ArrayRef<Delta> Deltas, const Criterion &By) {
  Gains G = gains(Deltas);
  auto [Memory, Waves, Registers, Time, Size] = G;
  double Coarse = G.coarseTime();
  switch (By.Goal) {
  case Objective::Occupancy:
  case Objective::Auto:
    return {Memory, Waves, Coarse, Registers, Size};
  case Objective::Registers:
    return {Memory, Registers, Waves, Coarse, Size};
  case Objective::Estimate:
    return {Time, Waves, Registers, Size};
  case Objective::Time:
    return {timeGained(Deltas)};
  }
  return {};
}

double timeGained(ArrayRef<Delta> Deltas) {
  double Sum = 0;
  for (const Delta &D : Deltas)
    Sum += D.Time ? std::log2(D.Time->Ratio) : 0;
  return Sum;
}

/// The caveat of a reason where no estimate keeps a slower variant out.
static std::string unguarded(const Delta &D) {
  return D.After.Figures.StackEntries && !D.After.Figures.EstCycles
             ? " (static figures only: no estimate there)"
             : "";
}

static std::string unchanged(const Delta &D) {
  const measure::Usage &B = D.Before.Figures, &A = D.After.Figures;
  return formatv("no target gains ({0}: {1} {2} -> {3}, occupancy {4} -> {5})",
                 D.Target, measure::registersWord(A), shown(B.Vgprs),
                 shown(A.Vgprs), shown(B.Occupancy), shown(A.Occupancy))
      .str();
}

Verdict judge(ArrayRef<Delta> Deltas, const Criterion &By, bool MayGainTime) {
  std::vector<Delta> Pairs;
  for (const Delta &D : Deltas) {
    if (!D.Before.measured())
      continue;
    if (!D.After.measured())
      return refused(place(D) +
                     "can't be measured any more: " + D.After.Problem);
    Pairs.push_back(D);
  }
  if (Pairs.empty())
    return idle("nothing could be measured");
  // The same code may be launched otherwise.
  if (!wasTimed(Pairs) && sameCode(Pairs))
    return idle("the compiler makes the same code of it on every target");
  if (By.Goal == Objective::Time)
    return judgeByTime(Pairs, By);
  bool GainsTime =
      (MayGainTime && By.Faster > 0) ||
      any_of(Pairs, [&](const Delta &D) { return isFaster(D, By); });
  for (const Delta &D : Pairs)
    if (std::string Why = worse(D, By, GainsTime); !Why.empty())
      return refused(std::move(Why));
  for (const Delta &D : Pairs)
    if (std::string Why = By.Goal == Objective::Estimate && By.Faster == 0
                              ? losesWaves(D)
                              : "";
        !Why.empty())
      return refused(std::move(Why));
  for (const Delta &D : Pairs)
    if (std::optional<Gained> Why = better(D, By))
      return {/*Pays=*/true, /*Refused=*/false,
              place(D) + Why->Sentence + unguarded(D), promise(Pairs, By)};
  return idle(unchanged(Pairs.front()));
}

std::string costsTime(ArrayRef<Delta> Deltas, double MaxSlowdown) {
  for (const Delta &D : Deltas) {
    if (!D.Before.measured())
      continue;
    if (!D.After.measured())
      return place(D) + "can't be measured any more: " + D.After.Problem;
    if (std::string Why = worse(D, {Objective::Estimate, MaxSlowdown});
        !Why.empty())
      return Why;
  }
  return "";
}

} // namespace clrewrite::select
