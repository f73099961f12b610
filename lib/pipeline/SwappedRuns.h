// A whole program as it is and with rewritten kernels, in turns.
#pragma once

#include "capture/Capture.h"
#include "measure/Timing.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <map>
#include <set>

namespace clrewrite::pipeline {

struct SwappedRuns {
  /// Holds rewritten/HASH.cl, as clrewrite --capture writes them. Of no use
  /// where there is a plan.
  std::string CaptureFolder;
  /// A plan's file, for runs with it and without instead of other sources;
  /// empty for none.
  std::string Plan = {};
  std::vector<std::string> Program;
  /// As findLayer gives it.
  std::string Layer;
  /// Pairs of runs that are timed; below 6 the interval is none.
  unsigned Rounds = 7;
  /// Run each once more, and compare what the kernels wrote to memory and the
  /// program to its output.
  bool Compare = true;
  /// Of the data that one of these records; as many as five lie on the disk
  /// together.
  uint64_t MaxBytes = uint64_t(1) << 30;
  std::function<void(const std::string &)> Progress;
};

/// Times of one kernel, or of the whole program, in ns: a number a round.
struct SwappedTimes {
  std::vector<double> Before, After;

  /// By pairs of runs; none where they are too few for an interval.
  std::optional<measure::PairedTime> ratio() const;
};

struct SwappedResult {
  /// By kernel: the sum of all its launches, by event profiling.
  std::map<std::string, SwappedTimes> Kernels;
  /// Wall time, from the layer's start to the program's end.
  SwappedTimes Program;
  /// How many programs were swapped in a run: rewritten ones, and, where the
  /// files hold those already, own ones.
  size_t Swapped = 0, PutBack = 0;
  /// What became of the launches of a run with the plan, by kernel.
  std::vector<capture::PlannedKernel> Planned = {};
  /// How long the plan's programs took to build, in ns: a number a round.
  std::vector<double> PlanBuilds = {};
  /// Memory objects after launches that were compared, and descriptions of
  /// those that differ. Launches are paired by kernel, shape and order.
  size_t Compared = 0;
  std::vector<std::string> Unlike;
  /// Those that differ after launches that found other bytes: memory that is
  /// never set, or what other launches left.
  std::vector<std::string> Unclear;
  /// Further objects, which differ from run to run with the program's own
  /// kernels too, and in nothing else.
  size_t Varying = 0;
  /// Of the program's output; none where it was not looked at.
  std::optional<bool> SameOutput;
  bool OutputVaries = false; ///< with its own kernels too
  /// What could not be compared, and other remarks.
  std::vector<std::string> Notes;
};

/// Fails where there is nothing to swap, or nothing was swapped, or where a run
/// of the program fails in one way and not in the other.
llvm::Expected<SwappedResult> runSwapped(const SwappedRuns &Runs);

void writeText(const SwappedResult &R, llvm::raw_ostream &OS);

/// The kernels that took the plan and gained nothing in the program: those that
/// are slower, and those that by less than 2 % and within the noise are faster.
std::set<std::string> withoutGain(const SwappedResult &R);

} // namespace clrewrite::pipeline
