// Unoptimised LLVM IR of a source, as Clang emits it.
#pragma once

#include "frontend/Parse.h"
#include <map>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace clrewrite::frontend {

/// The texts of files, by the names that Clang has for them.
using FileTexts = std::map<std::string, std::string>;

/// The IR of \p S as Clang writes it, before any pass; null on an error, which
/// \p D then holds. With \p Lines it says which line instructions are from.
/// \p Headers are read as they stand there, and get those that are not among
/// them, but for Clang's own.
std::unique_ptr<llvm::Module> emit(const Source &S, const Arch &A,
                                   llvm::LLVMContext &Context, Diagnosis &D,
                                   bool Lines = false,
                                   FileTexts *Headers = nullptr);

} // namespace clrewrite::frontend
