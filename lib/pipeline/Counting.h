// What the work-items of a text do, as each of its builds has it.
#pragma once

#include "measure/Work.h"
#include "pipeline/Unit.h"
#include "report/Report.h"

namespace clrewrite {

/// Counts for one request; the second parameter has what launches pass.
using WorkCounter =
    std::function<WorkReport(const MeasureRequest &, const ScalarArguments &)>;

/// Fills in FileReport::Work and LaunchedItems of \p Out, whose kernels are
/// known, for \p Targets: of \p Text, which starts in line \p Line, as the
/// target's build has it. Where \p Count is empty, and for devices, there is
/// nothing, and the report says so.
void countWork(FileReport &Out, const Source &Text,
               llvm::ArrayRef<Build> Builds, unsigned Line,
               llvm::ArrayRef<Target> Targets, const WorkCounter &Count);

} // namespace clrewrite
