// The kernels of a module that nobody asks for, which are there while LLVM
// inlines.
//
// A function that has one caller left is inlined whatever its size, one that
// has several only below a threshold, and an argument that all callers give the
// same value is a constant. So a kernel's code depends on the calls of the
// others, and theirs are looked at in an order: each kernel that is not asked
// for stays until it has got what it calls inlined. Only where it calls nothing
// more that is defined here is the rest of it dropped, before all passes that
// take time; where it still does, it goes through them all, which may remove a
// call.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace llvm {
class Module;
class PassBuilder;
} // namespace llvm

namespace clrewrite::measure {

/// Removes all kernels from \p M but \p Kernels; none where that is empty.
void removeOthers(llvm::Module &M, llvm::ArrayRef<std::string> Kernels);

/// Has the pipelines of \p Passes leave \p Kernels alone of all kernels, each
/// as it is with the others beside it; all where it is empty. \p Kernels must
/// last until the pipelines have run.
void leaveOnly(llvm::PassBuilder &Passes, llvm::ArrayRef<std::string> Kernels);

} // namespace clrewrite::measure
