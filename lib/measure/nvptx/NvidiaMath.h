// What exp, native_exp, native_log and their kin stand for on NVIDIA's GPUs.
#pragma once

namespace llvm {
class Module;
}

namespace clrewrite::measure {

/// Replaces LLVM's intrinsics exp, log, log2 and log10 of float, which the
/// NVPTX back end has no code for, by ex2.approx and lg2.approx and a factor,
/// as NVIDIA's own compiler does.
void lowerNativeMath(llvm::Module &M);

/// Gives exp, exp2 and exp10 of floats that \p M declares the code that
/// NVIDIA's own compiler makes of them, a third of libclc's. To be called
/// before libclc is linked.
void defineExponentials(llvm::Module &M);

} // namespace clrewrite::measure
