// How often the trials of a rewrite pay on real code: what a search goes by
// before it has tried any on the kernel at hand.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace clrewrite::select {

/// The share of the trials of \p Rewrite that are expected to pay by figures.
double usualShare(llvm::StringRef Rewrite);

} // namespace clrewrite::select
