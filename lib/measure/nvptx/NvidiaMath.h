// What libclc's native_exp, native_log and their kin stand for on NVIDIA's
// GPUs.
#pragma once

namespace llvm {
class Module;
}

namespace clrewrite::measure {

/// Replaces LLVM's intrinsics exp, log, log2 and log10 of float, which the
/// NVPTX back end has no code for, by ex2.approx and lg2.approx and a factor,
/// as NVIDIA's own compiler does.
void lowerNativeMath(llvm::Module &M);

} // namespace clrewrite::measure
