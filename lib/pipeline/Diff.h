// Unified diffs, by the system's diff program.
#pragma once

#include "pipeline/Unit.h"
#include "process/Child.h"
#include "report/Report.h"
#include "llvm/Support/Error.h"
#include <string>

namespace clrewrite::pipeline {

/// What `diff -u` prints for the two texts, labelled a/Path and b/Path; empty
/// where they are equal. Fails where there is no diff program, or where it
/// takes more than \p Limits allow: some pairs of long texts keep it busy for
/// hours.
llvm::Expected<std::string>
unifiedDiff(llvm::StringRef Path, llvm::StringRef Before, llvm::StringRef After,
            const process::ChildLimits &Limits = {});

/// Fills in FileReport::Diff of \p R, which a run gave for \p Units without
/// writing anything. \p From is the folder that their names count from, as
/// DiffNames gives it. The error tells of diffs that are left out.
llvm::Error showDiffs(report::Report &R, llvm::ArrayRef<Unit> Units,
                      std::string &From);

} // namespace clrewrite::pipeline
