// Loops are unrolled as NVIDIA's compiler unrolls them, which LLVM would not do
// by itself.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Passes/PassBuilder.h"

namespace clrewrite::measure {

/// Has \p Passes mark the loops of a module for NVIDIA's GPUs, before they are
/// unrolled, as NVIDIA's compiler would unroll them. A hint in the source
/// stays as it is. All that the module calls is linked before they run.
void unrollAsNvidia(llvm::PassBuilder &Passes);

/// \p L runs what unrolling so has left of another loop.
bool isRemainder(const llvm::Loop &L);

} // namespace clrewrite::measure
