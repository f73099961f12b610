// What the work-items of a text do, as each of its builds has it.
#pragma once

#include "measure/Work.h"
#include "pipeline/Unit.h"
#include "report/Report.h"

namespace clrewrite::pipeline {

/// Counts for one request; the second parameter has what launches pass.
using WorkCounter = std::function<measure::WorkReport(
    const measure::MeasureRequest &, const measure::ScalarArguments &)>;

/// Fills in FileReport::Work and LaunchedItems of \p Out, whose kernels are
/// known, for \p Targets: of \p Text, which starts in line \p Line, as the
/// target's build has it. Where \p Count is empty, and for devices, there is
/// nothing, and the report says so.
void countWork(report::FileReport &Out, const Source &Text,
               llvm::ArrayRef<Build> Builds, unsigned Line,
               llvm::ArrayRef<measure::Target> Targets,
               const WorkCounter &Count);

} // namespace clrewrite::pipeline
