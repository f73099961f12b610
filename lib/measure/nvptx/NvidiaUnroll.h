// Loops are unrolled as NVIDIA's compiler unrolls them, which LLVM would not do
// by itself.
#pragma once

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Passes/PassBuilder.h"

namespace clrewrite::measure {

/// Says of the loops of \p M, with which all that it calls is linked, that they
/// end, as NVIDIA's compiler takes for granted: turns of `for (int i = a; i < n; i += step)` are counted then,
/// although a step of 0 or less would go on for ever.
void assumeLoopsEnd(llvm::Module &M);

/// Has \p Passes mark the loops of a module for NVIDIA's GPUs, before they are
/// unrolled, as NVIDIA's compiler would unroll them. A hint in the source
/// stays as it is.
void unrollAsNvidia(llvm::PassBuilder &Passes);

/// \p L runs what unrolling so has left of another loop.
bool isRemainder(const llvm::Loop &L);

} // namespace clrewrite::measure
