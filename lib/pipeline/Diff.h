// Unified diffs, by the system's diff program.
#pragma once

#include "pipeline/Unit.h"
#include "report/Report.h"
#include "llvm/Support/Error.h"
#include <string>

namespace clrewrite::pipeline {

/// What `diff -u` prints for the two texts, labelled a/Path and b/Path; empty
/// where they are equal. Fails where there is no diff program.
llvm::Expected<std::string> unifiedDiff(llvm::StringRef Path,
                                        llvm::StringRef Before,
                                        llvm::StringRef After);

/// Fills in FileReport::Diff of \p R, which a run gave for \p Units without
/// writing anything. Gives back the folder that their names count from, as
/// DiffNames does.
llvm::Expected<std::string> showDiffs(report::Report &R,
                                      llvm::ArrayRef<Unit> Units);

} // namespace clrewrite::pipeline
