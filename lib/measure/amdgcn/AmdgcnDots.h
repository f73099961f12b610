// OpenCL's dot products of bytes on AMD's GPUs, which the device libraries
// lack.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Module;
}

namespace clrewrite::measure {

/// Gives the functions of cl_khr_integer_dot_product that \p M declares one
/// instruction each where the processor \p Cpu has it (sdot4, udot4, sudot4),
/// else products and sums. To be called before the module is optimised.
void defineDotProducts(llvm::Module &M, llvm::StringRef Cpu);

} // namespace clrewrite::measure
