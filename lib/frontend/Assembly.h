// Assembly in a text, whichever build takes it.
#pragma once

#include "source/Ranges.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace clrewrite::frontend {

/// The lines with a word that begins assembly, 1-based. They are found in the
/// text as it stands: an arm of #if that no target's build takes counts, and
/// what a header or a pasted token adds does not.
std::vector<LineRange> linesOfAssembly(llvm::StringRef Text);

} // namespace clrewrite::frontend
