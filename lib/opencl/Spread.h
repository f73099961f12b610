// Whether a version's results stay within what the original's own runs leave,
// where these differ from run to run.
//
// The device program runs both versions and says how far the new version's
// results reach beyond the original's, in units of what an element may be
// expected to vary (the member "spread" of the job `run`, docs/verify.md). Here
// that is judged:
//
// - Agrees: nothing reaches further than MostUnits, and no more than one of
//   twenty elements lies on one side of all that the original left.
// - Differs: in all runs some element lies further away than MostUnits.
// - Beyond: neither. Other runs of the original might reach as far.
// - Permuted: the original leaves the same values in other places, as where an
//   atomic counter hands out slots. The values of a place say nothing then.
//
// What does not agree is run again, oftener, and only that counts.
#pragma once

#include "opencl/DeviceClient.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace clrewrite::opencl {

struct SpreadVerdict {
  enum Kind { Agrees, Differs, Beyond, Permuted, Failed } Is = Failed;
  /// Of each version.
  unsigned Runs = 0;
  /// Of the buffers in which the original's runs differ: how many elements they
  /// have, and in how many they do; the largest difference in one element, and
  /// the largest one over the larger magnitude. None where there is one between
  /// something and a value that is not finite.
  uint64_t Elements = 0, Varying = 0;
  std::optional<double> Absolute = 0, Relative = 0;
  /// How far the new version reaches beyond that, in units.
  double Excess = 0;
  /// What was told apart, for all but Agrees: "argument 1, element 3: 2.5 in 16
  /// runs, where 16 runs of the original leave 1.25 to 1.5"; for Failed why.
  std::string What;
  std::optional<size_t> Argument, Element;

  /// "37 of 4096 elements vary by up to 3e-07 (2.1e-07 of the larger value)";
  /// "its own runs left the same bytes".
  std::string spread() const;

  /// Notes what another launch, on which the versions agree as well, shows: the
  /// most of all counts, but of Runs the fewest.
  void widen(const SpreadVerdict &By);
};

/// More than this reaches beyond the original's spread: so many times the unit
/// beyond the hull of its runs.
inline constexpr double MostUnits = 8;

/// Judges an answer to a job `run` with "spread".
SpreadVerdict judgeSpread(const DeviceAnswer &A);

/// Has \p Call do \p Job, of two versions, with "spread", and once more with
/// more runs where they do not agree.
SpreadVerdict
compareSpread(llvm::json::Object Job,
              llvm::function_ref<DeviceAnswer(llvm::json::Object)> Call);

} // namespace clrewrite::opencl
