// Counting a kernel's machine code: a pass that runs just before the assembly
// is written.
#pragma once

#include "measure/Estimate.h"
#include "measure/WaveTrace.h"
#include <map>
#include <string>

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace clrewrite {

struct MachineCounts {
  unsigned Instructions = 0, CodeBytes = 0;
  WaveWork Work; ///< Bytes is left 0
};

/// A machine-function pass that fills \p Into by function name. \p Memory holds
/// loop trip counts and skipped blocks, by the IR's blocks, of all functions.
llvm::FunctionPass *
createCountingPass(const WaveMemory &Memory, const GpuModel &Model,
                   std::map<std::string, MachineCounts> &Into);

} // namespace clrewrite
