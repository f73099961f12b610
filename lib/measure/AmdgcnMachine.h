// Counting a kernel's machine code: a pass that runs just before the assembly
// is written.
#pragma once

#include "measure/Estimate.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <string>

namespace llvm {
class BasicBlock;
class FunctionPass;
} // namespace llvm

namespace clrewrite {

struct MachineCounts {
  unsigned Instructions = 0, CodeBytes = 0;
  WaveWork Work; ///< Bytes is left 0
};

/// A machine-function pass that fills \p Into by function name. \p Trips gives
/// loop trip counts by the IR block that heads the loop.
llvm::FunctionPass *createCountingPass(
    const llvm::DenseMap<const llvm::BasicBlock *, double> &Trips,
    const GpuModel &Model, std::map<std::string, MachineCounts> &Into);

} // namespace clrewrite
