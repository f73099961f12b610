// One diff a file, of all that is rewritten in it.
#pragma once

#include "pipeline/Unit.h"
#include "report/Report.h"

namespace clrewrite::pipeline {

/// Fills in FileReport::Diff of \p R, which a run gave for \p Units without
/// writing anything. Gives back the folder that their names count from, as
/// DiffNames does.
llvm::Expected<std::string> showDiffs(report::Report &R,
                                      llvm::ArrayRef<Unit> Units);

} // namespace clrewrite::pipeline
