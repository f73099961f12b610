// Measuring, as an interface: the search is tested with a meter of made-up
// figures.
#pragma once

#include "launch/LaunchChange.h"
#include "measure/KernelReport.h"
#include "measure/Pressure.h"
#include "measure/Target.h"
#include "measure/Timing.h"
#include "measure/Usage.h"
#include "measure/Work.h"
#include "source/Source.h"

namespace clrewrite::measure {

/// What to measure: the named kernels of a source on a target.
struct MeasureRequest {
  Source What;
  Target On;
  /// Empty for all kernels of the source. Their figures are those that they
  /// have in the whole source, with functions inlined as it has them.
  std::vector<std::string> Kernels;
  /// How the kernels are launched, as far as that is known. Code and resources
  /// don't depend on it; estimates and counts do.
  launch::FactsByKernel Launches = {};
  /// Nothing but the estimate is asked for, so that no assembler is needed.
  bool EstimateOnly = false;
  /// The other kernels of the source are taken away at once: with them the
  /// compiler crashes, or takes too long. Functions may be inlined otherwise.
  bool Alone = false;
};

/// The figures of one request. Its problem: the source does not compile for the
/// target, or the compiler failed before any kernel.
using Measurement = KernelReport<KernelUsage>;

/// Two versions of a kernel to be timed against each other.
struct TimeRequest {
  Source Before, After;
  Target On;
  launch::Launch Shape;
  /// What each version's host does otherwise.
  launch::LaunchChange OfBefore = {}, OfAfter = {};
  /// The two may leave different results.
  bool MayDiffer = false;
  /// Where the first one's results differ from run to run, those of the second
  /// need only be no further apart.
  bool MayVary = false;
};

class Meter {
public:
  virtual ~Meter() = default;
  /// One measurement a request, in order.
  virtual std::vector<Measurement>
  measure(llvm::ArrayRef<MeasureRequest> Requests) = 0;
  /// One timing a request, in order. A meter that runs no kernels says so in
  /// each.
  virtual std::vector<Timing> time(llvm::ArrayRef<TimeRequest> Requests);
  /// How many vector registers are alive where, one report a request, in order.
  /// A meter that does not see the machine code says so in each.
  virtual std::vector<PressureReport>
  pressure(llvm::ArrayRef<MeasureRequest> Requests);
  /// What the work-items of the kernels of \p Request do. A meter that does not
  /// compile says so.
  virtual WorkReport work(const MeasureRequest &Request);
};

} // namespace clrewrite::measure
