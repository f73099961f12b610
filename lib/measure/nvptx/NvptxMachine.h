// The cost of NVPTX's machine instructions, in cycles of the units that run
// them.
#pragma once

#include "measure/llvm/MachineCount.h"

namespace clrewrite::measure {

/// An attribute of the buffers that are read through the cache for constants,
/// since nothing else may lead to them: such a load waits for no store.
inline constexpr llvm::StringLiteral UnwrittenMark = "clrewrite.unwritten";

/// See CountingPass, which has the parameters.
CountingPass *createNvptxCountingPass(const WaveKnowledge &What,
                                      const GpuModel &Model,
                                      CountsByFunction &Into);

} // namespace clrewrite::measure
