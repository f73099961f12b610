// Sides of branches that count as not taken where nothing tells how often they
// are: made by what takes the place of a GPU's own compiler.
#pragma once

#include "llvm/IR/Instructions.h"

namespace clrewrite::measure {

/// Says that \p Branch, which is conditional, does not go on at its successor
/// \p Side.
void markSeldomTaken(llvm::BranchInst &Branch, unsigned Side);

/// The successor of \p Branch of which that was said; null if there is none.
const llvm::BasicBlock *seldomTaken(const llvm::BranchInst &Branch);

} // namespace clrewrite::measure
