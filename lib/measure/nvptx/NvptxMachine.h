// The cost of NVPTX's machine instructions, in cycles of the units that run
// them.
#pragma once

#include "measure/llvm/MachineCount.h"

namespace clrewrite::measure {

/// See CountingPass, which has the parameters.
CountingPass *createNvptxCountingPass(const WaveKnowledge &What,
                                      const GpuModel &Model,
                                      CountsByFunction &Into);

} // namespace clrewrite::measure
