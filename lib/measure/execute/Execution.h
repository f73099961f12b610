// A kernel's launch, executed in part, to count what its waves do.
//
// The estimate asks how often a wave runs each block, and which lines its
// memory instructions touch. Where the launch is known that need not be
// guessed: some waves of it are executed, with buffers that hold what timing
// and verification would fill them with (docs/targets.md, "Time").
#pragma once

#include "launch/Launch.h"
#include "measure/estimate/WaveTrace.h"
#include "llvm/IR/Function.h"

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace clrewrite::measure {

/// Executes some waves of \p Kernel, of \p WaveLanes lanes, as \p Launch says:
/// four, each of another work-group, or the whole of a work-group where its
/// work-items wait for each other or share local memory. Which they are depends
/// on the launch, and on whether the kernel has barriers or local memory, so
/// that versions that agree in this are seen on the same work-items. Blocks are
/// those of the IR as it stands.
WaveCounts executeWaves(const llvm::Function &Kernel, unsigned WaveLanes,
                        const launch::LaunchFacts &Launch);

/// A pass of the code generator's that does so for each kernel whose launch
/// is known; \p Into has them by name.
llvm::FunctionPass *createExecutingPass(const launch::FactsByKernel &Launches,
                                        unsigned WaveLanes,
                                        CountsByKernel &Into);

} // namespace clrewrite::measure
