// All builds of a text at once: an edit must be legal in every one of them, and
// is measured in every one.
#pragma once

#include "pipeline/Look.h"
#include "pipeline/Unit.h"
#include <map>
#include <tuple>

namespace clrewrite::pipeline {

/// Every target for every build, build by build; a target's name then holds
/// that of its build, and Target::Build tells the number.
std::vector<measure::Target> targetsOf(llvm::ArrayRef<measure::Target> Targets,
                                       llvm::ArrayRef<Build> Builds);

/// Looks at \p Text in every one of \p Builds. A site counts where each build
/// has it, or has preprocessed its text away; an alternative where each offers
/// the same edits; what is skipped is what each build skips. Failed where it
/// fails in one. \p Look looks at one source; \p Sift gets what that found in
/// Text, before it is joined.
///
/// Fills in what a first look tells about the builds.
Sight lookInAll(
    const Source &Text, llvm::MutableArrayRef<Build> Builds, unsigned Line,
    llvm::function_ref<Sight(const Source &, const Build &)> Look,
    llvm::function_ref<void(rewrite::Findings &)> Sift =
        [](rewrite::Findings &) {});

/// The launches that are timed: one a kernel, since each build has its own
/// (BuildsMeter).
std::vector<launch::Launch> timedIn(llvm::ArrayRef<Build> Builds);

/// A kernel whose code is not what it was, and the number of the target.
struct ChangedCode {
  std::string Kernel;
  size_t Target;
};

/// The first of those that were measured in \p Before, one a target, whose code
/// is another in \p After or that are not there; none where all are the same.
std::optional<ChangedCode>
changedCode(llvm::ArrayRef<measure::Measurement> Before,
            llvm::ArrayRef<measure::Measurement> After);

/// Measures texts as their builds have them, by Target::Build.
class BuildsMeter : public measure::Meter {
public:
  /// \p Line as for whole.
  BuildsMeter(measure::Meter &Inner, llvm::ArrayRef<Build> Builds,
              unsigned Line)
      : Inner(Inner), Builds(Builds), Line(Line) {}

  /// Kernels that a build lacks have no entry in its measurement.
  std::vector<measure::Measurement>
  measure(llvm::ArrayRef<measure::MeasureRequest> Requests) override;
  /// Each build is timed by its own launches; kernels that it never launches
  /// are not timed.
  std::vector<measure::Timing>
  time(llvm::ArrayRef<measure::TimeRequest> Requests) override;

private:
  measure::Meter &Inner;
  llvm::ArrayRef<Build> Builds;
  unsigned Line;
  /// By target, build and kernel: the launch that was made up for the first
  /// version that was measured, so that the others are seen at the same one.
  std::map<std::tuple<std::string, unsigned, std::string>,
           std::vector<unsigned>>
      MadeUp;
};

} // namespace clrewrite::pipeline
