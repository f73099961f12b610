// sin, cos and sincos as NVIDIA's compiler has them.
#pragma once

#include "llvm/Passes/PassBuilder.h"

namespace clrewrite::measure {

/// Gives sin, cos and sincos of floats that \p M declares the code that
/// NVIDIA's own compiler makes of them, half of libclc's and mostly a fifth of
/// it when it runs. To be called before libclc is linked.
void defineTrigonometry(llvm::Module &M);

/// Has \p Passes put a part of that code where it is called once loops are
/// unrolled, as it counts as a call there.
void inlineTrigonometry(llvm::PassBuilder &Passes);

} // namespace clrewrite::measure
