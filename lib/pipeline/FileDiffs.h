// One diff a file, of all that is rewritten in it.
#pragma once

#include "pipeline/Unit.h"
#include "report/Report.h"

namespace clrewrite {

/// Fills in FileReport::Diff of \p R, which a run gave for \p Units without
/// writing anything.
llvm::Error showDiffs(Report &R, llvm::ArrayRef<Unit> Units);

} // namespace clrewrite
