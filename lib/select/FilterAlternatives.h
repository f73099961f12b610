// A filter for a site's alternatives: those that edit text which may not change
// are left out.
#pragma once

#include "rewrite/Candidate.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace clrewrite::select {

/// Leaves out the alternatives of \p C with an edit for which \p Unwanted
/// holds; where C is separable, those edits alone. False where nothing is left,
/// but perhaps shared insertions, which are for others.
bool filterAlternatives(rewrite::Candidate &C,
                        llvm::function_ref<bool(const Edit &)> Unwanted);

} // namespace clrewrite::select
