// Build options as choices: the kept text is built with another option, such as
// a limit of registers, and timed against itself.
//
// A build option holds for a whole program, whatever kernels share a function,
// and for one device's driver. So it is no alternative of a site, which the
// beam search could put beside others: it is chosen once for each device and
// build, by all kernels together, after the edits are. The edits are judged
// without it, since the file that they are written to can't hold it, and a host
// that does not pass it must not lose by them.
#pragma once

#include "select/Evaluator.h"

namespace clrewrite::select {

/// What is tried where nobody says otherwise, and its opposite.
inline constexpr llvm::StringLiteral RegisterLimits = "registers",
                                     NoBuildOptions = "off";

/// The options that \p Words name: limits of registers ("registers"), none
/// ("off"), or an option as clBuildProgram takes it. The error lists those that
/// are known.
llvm::Expected<std::vector<BuildOption>>
buildOptionsNamed(llvm::ArrayRef<std::string> Words);

/// What came of an option on a device.
struct BuildChoice {
  BuildOption Option;
  /// The target's name in reports, and what else tells which one it is.
  std::string Target, Device;
  unsigned Build = 0;
  bool Tried = true; ///< the time lasted for it
  /// It is faster, whatever it leaves.
  bool Pays = false;
  /// It pays, nothing pays more, and its results stand.
  bool Kept = false;
  /// Why it pays, or why it is not kept.
  std::string Reason = {};
  /// All kernels, built without it and with it.
  std::vector<Delta> Deltas = {};
  /// As of verify::Verification; empty where it was not asked for.
  std::string Verdict = {}, Evidence = {};

  /// How many times faster the kernels that were timed are: the geometric mean.
  double speedup() const;
  /// "build with -cl-nv-maxrregcount=80 on NVIDIA H200: 1.59x; the host must
  /// pass it, ...".
  std::string sentence() const;
};

/// Some device that \p Options name takes one of the build options that are to
/// be tried, and time decides there.
bool triesBuildOptions(const SelectOptions &Options);

/// What is kept of the time for trying the build options on so many versions.
Evaluator::Kept keptForBuilds(const SelectOptions &Options, unsigned Versions);

/// Tries all build options on \p Kernels of \p Of, by device. Those that pay
/// come first, the fastest before the others; none is kept yet.
std::vector<BuildChoice> tryBuildOptions(const Version &Of,
                                         llvm::ArrayRef<std::string> Kernels,
                                         measure::Meter &M,
                                         const SelectOptions &Options);

/// \p Plainer is faster than \p Best, where each is built with that of the
/// exact options which pays most for it. False where the time does not last for
/// all options, or not one device alone is a target.
bool isFasterBuilt(const Version &Plainer, const Version &Best,
                   llvm::ArrayRef<std::string> Kernels, measure::Meter &M,
                   const SelectOptions &Options);

} // namespace clrewrite::select
