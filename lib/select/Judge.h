// The judge: it says whether a variant of some kernels pays against another, by
// a criterion.
#pragma once

#include "measure/Meter.h"

namespace clrewrite::select {

enum class Objective {
  Occupancy, ///< occupancy rises, or scratch or spills fall, somewhere
  Registers, ///< VGPRs fall somewhere, or the above
  Estimate,  ///< the estimate falls somewhere, whatever the registers do
  Time,      ///< a device takes less time, whatever all else does
  Auto,      ///< Time for kernels that can be timed, Occupancy for others
};

/// An estimate that falls so far is right about it more often than not
/// (docs/estimate.md, "What is kept by it"): by 15 %.
inline constexpr double ClearFall = 0.15;

/// What decides whether figures are better, the same or worse.
struct Criterion {
  Objective Goal = Objective::Occupancy;
  /// How much the estimate may rise on any target beyond 1 %, which says
  /// nothing of time: 0.05 allows 6 %.
  double MaxSlowdown = 0;
  /// By how much a target's estimate must fall, where it was held against a
  /// clock (Delta::Held), to count as a gain, which makes up for waves that are
  /// lost: all of them on that target, and on others down to half of the most,
  /// unless the estimate rises there: 0.05 for 5 %. With 0 an estimate that
  /// falls is no gain to Objective::Occupancy, and to Objective::Estimate it is
  /// one if it falls by 1 %, or by ClearFall where more than half of the waves
  /// are lost.
  double Faster = 0;
};

/// One kernel on one target, before and after.
struct Delta {
  std::string Kernel;
  std::string Target;
  measure::KernelUsage Before, After;
  /// On a device for which the kernel's launch is known; or why it was not
  /// timed there. Both empty where nobody tried.
  std::optional<measure::PairedTime> Time = std::nullopt;
  std::string TimeProblem = "";
  /// The kernel ran, as in Timing.
  bool Ran = false;
  /// GPUs of the target's family were timed, to see what its estimate is worth.
  bool Held = false;
};

/// A pair of figures on the target \p Name for each of \p Kernels.
std::vector<Delta> deltasOf(const std::string &Name,
                            const measure::Measurement &Before,
                            const measure::Measurement &After,
                            llvm::ArrayRef<std::string> Kernels);

/// Why kernels have no time of which no launch is known.
inline constexpr char NotTimed[] =
    "nothing was timed: no launch of it is known; --launch or a comment tells "
    "one, a capture has those of a run, and --guess-launches makes one up";

/// Why an alternative is left out: a sentence for the user, and its sort where
/// a report treats those of one sort in a way of its own.
struct WhyNot {
  enum Sort {
    Other,
    NothingToGain, ///< its kernels have all that the objective asks for
    NotNeeded,     ///< it limits what no target reaches
    BelowLive,     ///< it limits VGPRs to fewer than are alive at once
    Withheld,      ///< it needs --unsafe-fixes or a grant
    ForTargets,    ///< it is often slower on a bystander
    ForWaves, ///< it is often slower on a target, and nobody asked for waves
    TakenOut  ///< it was applied, and the rest does as well
  };
  std::string Sentence;
  Sort What = Other;

  WhyNot(std::string Sentence, Sort What = Other)
      : Sentence(std::move(Sentence)), What(What) {}
  WhyNot(const char *Sentence, Sort What = Other)
      : Sentence(Sentence), What(What) {}
  /// Nothing is against it.
  bool empty() const { return Sentence.empty(); }
};

struct Verdict {
  bool Pays = false;
  /// Something got worse, so further targets can't change the verdict.
  bool Refused = false;
  /// Why it pays or not, with the figures that decide.
  std::string Reason;
  /// Orders variants that pay; larger is better.
  std::vector<double> Score;
};

/// With Objective::Time a kernel that has a time anywhere is judged by its
/// times alone: one must be faster beyond its noise (PairedTime::faster), none
/// slower. Other kernels of the change must not get worse. Objective::Auto is
/// for the caller to resolve; here it is Occupancy.
///
/// Judges a change by all kernels and targets that it touches. Nothing may get
/// worse anywhere, and something must get better somewhere. Pairs of which one
/// was not measured before say nothing; one that could be measured before and
/// can't after speaks against. \p MayGainTime: a target is still to be measured
/// whose estimate may fall so far that it makes up for waves, so that waves
/// that can be spared do not refuse the change yet.
Verdict judge(llvm::ArrayRef<Delta> Deltas, const Criterion &By,
              bool MayGainTime = false);

/// Why a change that pays elsewhere must not be made on the GPUs of \p Deltas,
/// of which nothing counts but that they take no more time by their estimates,
/// or more by \p MaxSlowdown and 1 %; empty where nothing is against it. What
/// could not be measured before says nothing.
std::string costsTime(llvm::ArrayRef<Delta> Deltas, double MaxSlowdown);

/// The gains of a change over all kernels and targets. Memory in bytes of
/// scratch and spills, the others as sums of logarithms to base 2: larger is
/// better.
struct Gains {
  double Memory = 0, Waves = 0, Registers = 0, Time = 0, Size = 0;

  /// Time in steps of 1 %, for versions that something else was looked for in:
  /// what is less is noise, and puts none before another.
  double coarseTime() const;
};
Gains gains(llvm::ArrayRef<Delta> Deltas);

/// A clock was asked of some pair, whatever it said.
bool wasTimed(llvm::ArrayRef<Delta> Deltas);

/// The compiler makes the same code of both everywhere.
bool sameCode(llvm::ArrayRef<Delta> Deltas);

/// Why no variant of kernels that have the figures of \p Now, each against
/// itself, could pass; empty where one could. Goals without a device only.
WhyNot whyNothingToGain(llvm::ArrayRef<Delta> Now, const Criterion &By);

/// Something gets better in the sense of the objective, whatever gets worse.
/// Times don't count.
bool betters(llvm::ArrayRef<Delta> Deltas, const Criterion &By);

/// What a change gains where it first does, in the sense of the criterion and
/// in a few words for a comment in the code: "8 -> 9 waves on gfx600", "1.12
/// times as fast on gfx906, estimated". They name the kernel where there are
/// several. Empty where nothing is known to get better.
std::string gainInWords(llvm::ArrayRef<Delta> Deltas, const Criterion &By);

/// The speed-ups of the kernels that were timed: the sum of their logarithms to
/// base 2.
double timeGained(llvm::ArrayRef<Delta> Deltas);

/// Smaller gains by the estimate say nothing of time, and those by a clock's
/// median alone little.
inline constexpr double ClearGain = 1.02;

/// The score of a change as if it paid, to compare changes that do not.
std::vector<double> promise(llvm::ArrayRef<Delta> Deltas, const Criterion &By);
/// Where registers are in a score by Objective::Occupancy: behind memory, waves
/// and time.
inline constexpr size_t RegistersInScore = 3;

} // namespace clrewrite::select
