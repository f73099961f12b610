// Libraries of built-in functions as LLVM bitcode.
#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace clrewrite::measure {

using FunctionSet = llvm::SmallPtrSet<const llvm::Function *, 32>;

/// Where libclc's \p File is: in the folder \p Given, in
/// $CLREWRITE_DEVICE_LIBS or in the distribution's place. Empty: nowhere.
std::string libclcWith(llvm::StringRef File, const std::string &Given);

/// Reads a bitcode file lazily. The error names the file.
llvm::Expected<std::unique_ptr<llvm::Module>>
openBitcode(const std::string &Path, llvm::LLVMContext &Context);

/// Links what \p M needs from \p Library, as internal functions. False where
/// they do not fit together.
bool linkBitcode(llvm::Module &M, std::unique_ptr<llvm::Module> Library);

/// \p M as bytes, with the order of uses.
std::string bitcodeOf(const llvm::Module &M);

/// The functions with a body.
FunctionSet definedIn(const llvm::Module &M);

/// Has what was linked into \p M compiled for the same processor as \p Own,
/// the functions that were there before, as Clang does for linked bitcode.
void adoptTarget(llvm::Module &M, const FunctionSet &Own);

} // namespace clrewrite::measure
