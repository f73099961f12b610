// Unoptimised LLVM IR of a source, as Clang emits it.
#pragma once

#include "frontend/Parse.h"

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace clrewrite::frontend {

/// The IR of \p S as Clang writes it, before any pass; null on an error, which
/// \p D then holds. With \p Lines it says which line instructions are from.
std::unique_ptr<llvm::Module> emit(const Source &S, const Arch &A,
                                   llvm::LLVMContext &Context, Diagnosis &D,
                                   bool Lines = false);

} // namespace clrewrite::frontend
