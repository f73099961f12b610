// How many registers a work-item really has.
//
// Kernels that keep N variables alive (ProbeKernel.h) are run for N = 4, 8, 16,
// ..., each for the same number of turns. While the variables have registers
// and enough waves are resident, the time for each variable stays the same.
// Then it rises, for one of two reasons that time alone can't tell apart: the
// variables still have registers, but so many that fewer waves fit (lost
// occupancy), or they have none, and live in memory (spilling). The driver's
// own figures tell, where it has them; where it has none the probe says so.
//
// Doubling stops one step after a kernel spills, or where there are no figures,
// one after the time has doubled; then the first N that is slower, and the
// first that spills, are found by bisecting. Each N costs a build, which takes
// long for large N: hence the limits on one build, on N, and on all.
#pragma once

#include "instrument/ProbeKernel.h"
#include "instrument/Session.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace clrewrite::instrument {

/// What the driver tells of one kernel; what it can't is nullopt.
struct ProbeFigures {
  std::optional<unsigned> Registers;  ///< a work-item
  std::optional<unsigned> SpillBytes; ///< a work-item, memory for variables
  std::optional<unsigned> Waves, MostWaves; ///< resident, a compute unit
};

/// Where a number of variables stands.
enum class ProbeCause {
  Flat,          ///< as fast as the fastest with fewer variables
  LostOccupancy, ///< slower, nothing spilled, fewer waves
  Spilling,      ///< slower, and spilled
  FreeSpills,    ///< spilled, but no slower
  Unclear,       ///< slower; the driver has no figures: time alone can't tell
  Other,         ///< slower, though nothing spilled, and no fewer waves that
                 ///< the driver would tell of
  NotMeasured,   ///< Problem says why
};

/// One number of variables, measured.
struct ProbeStep {
  unsigned Variables = 0;
  double Ns = 0; ///< least time of a launch
  double MedianNs = 0;
  double Ratio = 1; ///< time a variable, over that of the fastest before it;
                    ///< both from launches in turns
  unsigned Against = 0; ///< the variables of that one; 0 for the first
  double BuildSeconds = 0;
  ProbeFigures Figures;
  ProbeCause Cause = ProbeCause::Flat;
  std::string Problem; ///< why it was not measured; empty where it was

  double nsPerVariable() const { return Ns / Variables; }
};

struct ProbeOptions {
  unsigned MostVariables = 512;
  double Slower = 1.15;     ///< a Ratio above this is slower
  unsigned BuildLimit = 20; ///< seconds for one build
  unsigned Repeat = 5;      ///< timed launches of each kernel
};

/// An edge between numbers of variables: \p Below is the largest measured that
/// is not so, \p At the next measured one.
struct ProbeEdge {
  unsigned Below = 0, At = 0;
};

struct ProbeResult {
  std::vector<ProbeStep> Steps; ///< by number of variables
  std::optional<ProbeEdge> Slower, Spills;
  /// Why it ended before all was known; empty where it did not.
  std::string Stopped;
  unsigned Turns = 0, Items = 0, Group = 0, Repeat = 0;
};

/// What \p Step is, given the figures of the one that it is compared with.
ProbeCause causeOf(const ProbeStep &Step, const ProbeFigures &Reference,
                   double Slower);

/// Measures a number of variables against the step that is the fastest so far
/// (null for the first). A step with a Problem ends the search in its
/// direction.
using ProbeMeasure =
    llvm::function_ref<ProbeStep(unsigned Variables, const ProbeStep *)>;

/// The search. \p Spent says whether no time is left for another step.
ProbeResult searchRegisters(const ProbeOptions &Options, ProbeMeasure Measure,
                            llvm::function_ref<bool()> Spent);

/// Probes the device of \p S. Fails where not even the smallest kernel can be
/// built, run and timed there, or leaves other results than it must.
llvm::Expected<ProbeResult> probeDevice(Session &S,
                                        const ProbeOptions &Options);

/// How much the times of a launch vary: the largest median over the least time
/// of all steps; 1 where there is none.
double unsteadiness(const ProbeResult &R);

/// In words: "lost occupancy: 12 of 64 waves, nothing spilled".
std::string explain(const ProbeStep &Step);

void writeProbeText(const ProbeResult &R, const DeviceFacts &D,
                    llvm::raw_ostream &OS);
/// One JSON document (docs/device-tools.md).
void writeProbeJson(const ProbeResult &R, const DeviceFacts &D,
                    llvm::raw_ostream &OS);

} // namespace clrewrite::instrument
