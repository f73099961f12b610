// Measuring and judging versions: what all parts of the search share.
#pragma once

#include "select/TimedJudge.h"
#include "select/Version.h"

namespace clrewrite {

/// Figures by target, in the order of the options.
using FiguresByTarget = std::vector<Measurement>;

class Bench {
public:
  Meter &M;
  const SelectOptions &Options;
  TimedJudge Judge;

  Bench(Meter &M, const SelectOptions &Options)
      : M(M), Options(Options), Judge(M, Options) {}

  /// Figures of \p Kernels in \p S.
  FiguresByTarget figures(const Source &S,
                          llvm::ArrayRef<std::string> Kernels) const;

  /// Pairs of every kernel and target; \p After may lack the last targets.
  std::vector<Delta> deltas(llvm::ArrayRef<Measurement> Before,
                            llvm::ArrayRef<Measurement> After,
                            llvm::ArrayRef<std::string> Kernels) const;

  /// Why no version of \p Kernels, which now have \p Figures, could pass the
  /// gate; empty where one could.
  std::string whyNothing(llvm::ArrayRef<Measurement> Figures,
                         llvm::ArrayRef<std::string> Kernels) const;

  /// The alternative may be applied: it is exact, or others are asked for.
  bool allowed(const Candidate &C, const Alternative &A) const;
  bool named(const Alternative &A) const;
  /// Why not, for an alternative that is named but not allowed.
  std::string onlyUnsafe(const Candidate &C, const Alternative &A) const;

  void say(const std::string &What) const {
    if (Options.Progress)
      Options.Progress(What);
  }
  bool stopped() const { return Options.Stop && Options.Stop(); }
};

} // namespace clrewrite
