// A kernel's launch, executed in part, to count what its waves do.
//
// The estimate asks how often a wave runs each block, and which lines its
// memory instructions touch. Where the launch is known that need not be
// guessed: some waves of it are executed, with buffers that hold what timing
// and verification would fill them with (docs/targets.md, "Time").
#pragma once

#include "launch/Launch.h"
#include "measure/estimate/Estimate.h"
#include "measure/estimate/WaveTrace.h"
#include "llvm/IR/Function.h"

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace clrewrite::measure {

/// Executes some waves of \p Kernel on \p Model as \p Launch says: four, each
/// of another work-group, or the whole of a work-group where its work-items
/// wait for each other or share local memory. Which they are depends on the
/// launch, and on whether the kernel has barriers or local memory, so that
/// versions that agree in this are seen on the same work-items. Blocks are
/// those of the IR as it stands.
WaveCounts executeWaves(const llvm::Function &Kernel, const GpuModel &Model,
                        const launch::LaunchFacts &Launch);

/// The same for a launch that is made up (MadeUpLaunch.h): the one with \p
/// Sizes, as LaunchFacts::MadeUp has them, or the largest one that does not
/// take too much where they are empty. Problem is set where there is none.
WaveCounts executeMadeUp(const llvm::Function &Kernel, const GpuModel &Model,
                         llvm::ArrayRef<unsigned> Sizes);

/// A pass of the code generator's that does so for each kernel, at its launch
/// where that is known, else at one that is made up; \p Into has them by name,
/// but for those that can't be executed at one that is made up.
llvm::FunctionPass *createExecutingPass(const launch::FactsByKernel &Launches,
                                        const GpuModel &Model,
                                        CountsByKernel &Into);

} // namespace clrewrite::measure
