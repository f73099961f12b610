// Measuring and judging versions: what all parts of the search share.
#pragma once

#include "select/TimedJudge.h"
#include "select/Version.h"

namespace clrewrite::select {

/// Figures by target, in the order of the options.
using FiguresByTarget = std::vector<measure::Measurement>;

class Bench {
public:
  measure::Meter &M;
  const SelectOptions &Options;
  TimedJudge Judge;

  Bench(measure::Meter &M, const SelectOptions &Options)
      : M(M), Options(Options), Judge(M, Options) {}

  /// Figures of \p Kernels in \p S.
  FiguresByTarget figures(const Source &S,
                          llvm::ArrayRef<std::string> Kernels) const;

  /// Pairs of every kernel and target; \p After may lack the last targets.
  std::vector<Delta> deltas(llvm::ArrayRef<measure::Measurement> Before,
                            llvm::ArrayRef<measure::Measurement> After,
                            llvm::ArrayRef<std::string> Kernels) const;

  /// Why no version of \p Kernels, which now have \p Figures, could pass the
  /// gate; empty where one could.
  WhyNot whyNothing(llvm::ArrayRef<measure::Measurement> Figures,
                    llvm::ArrayRef<std::string> Kernels) const;

  /// The alternative may be applied: it is exact, or others are asked for.
  bool allowed(const rewrite::Candidate &C,
               const rewrite::Alternative &A) const;
  bool named(const rewrite::Alternative &A) const;
  /// Why not, for an alternative that is named but not allowed.
  WhyNot onlyUnsafe(const rewrite::Candidate &C,
                    const rewrite::Alternative &A) const;

  void say(const std::string &What) const {
    if (Options.Progress)
      Options.Progress(What);
  }
  bool stopped() const { return Options.Stop && Options.Stop(); }
};

} // namespace clrewrite::select
