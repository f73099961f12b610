// The evaluator: it measures the kernels of a text and judges the differences,
// for all parts of the search, and knows which alternatives the options allow.
#pragma once

#include "select/TimedJudge.h"
#include "select/Variant.h"

namespace clrewrite::select {

class Evaluator {
public:
  measure::Meter &M;
  const SelectOptions &Options;
  TimedJudge Judge;
  using Clock = std::chrono::steady_clock;
  /// When the time of the kernels that are searched now is over.
  Clock::time_point Until = Clock::time_point::max();

  /// What is kept of the time for what comes after a part of the work: the time
  /// for so many trials by the clock, each in twice what one took so far. It is
  /// never more than a share of all, and that share before the first trial.
  struct Kept {
    double Share = 0;
    unsigned Trials = 0;
  };
  /// When a part has to end that leaves \p For; max() where no clock ends it.
  Clock::time_point endWith(const Kept &For) const;
  /// Notes what \p Count trials by the clock took.
  void took(Clock::duration Time, size_t Count);

  Evaluator(measure::Meter &M, const SelectOptions &Options)
      : M(M), Options(Options), Judge(M, Options) {}

  /// Figures of \p Kernels in \p S.
  FiguresByTarget figures(const Source &S,
                          llvm::ArrayRef<std::string> Kernels) const;

  /// A pair of figures for every kernel and target; \p After may lack the last
  /// targets.
  std::vector<Delta> deltas(llvm::ArrayRef<measure::Measurement> Before,
                            llvm::ArrayRef<measure::Measurement> After,
                            llvm::ArrayRef<std::string> Kernels) const;

  /// Why no variant of \p Kernels, which now have \p Figures, could meet the
  /// criterion, by default Judge.criterionFor(Kernels); empty where one could.
  WhyNot whyNothing(llvm::ArrayRef<measure::Measurement> Figures,
                    llvm::ArrayRef<std::string> Kernels,
                    std::optional<Criterion> By = std::nullopt) const;

  /// The alternative may be applied: it is exact, or the user asked for it.
  bool allowed(const rewrite::Candidate &C,
               const rewrite::Alternative &A) const;
  bool named(const rewrite::Alternative &A) const;
  /// Why an alternative is not allowed that is named.
  WhyNot onlyUnsafe(const rewrite::Candidate &C,
                    const rewrite::Alternative &A) const;

  void say(const std::string &What) const {
    if (Options.Progress)
      Options.Progress(What);
  }
  bool stopped() const { return Options.stopped() || Clock::now() >= Until; }
  /// A clock ends the search, so that what is likely to pay has to come first.
  bool endsByClock() const {
    return Options.Latest != Clock::time_point::max();
  }

private:
  Clock::time_point Begun = Clock::now();
  Clock::duration Taken = {}; ///< by Trials trials
  size_t Trials = 0;
};

/// Leaves what is searched while it lives only a share of the time.
class TimeShare {
public:
  TimeShare(Evaluator &Of, double Share) : Of(Of), Before(Of.Until) {
    using Clock = Evaluator::Clock;
    if (Before == Clock::time_point::max() || Share >= 1)
      return;
    std::chrono::duration<double> Own = (Before - Clock::now()) * Share;
    Of.Until = Clock::now() + std::chrono::duration_cast<Clock::duration>(Own);
  }
  TimeShare(const TimeShare &) = delete;
  TimeShare &operator=(const TimeShare &) = delete;
  ~TimeShare() { Of.Until = Before; }

private:
  Evaluator &Of;
  Evaluator::Clock::time_point Before;
};

} // namespace clrewrite::select
