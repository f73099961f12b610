// What the user should know of a search, beside its result.
#pragma once

#include "report/Report.h"

namespace clrewrite::pipeline {

/// Kernels of \p R that ask for their id and of which no code is left do
/// nothing, or something undefined that Clang's warnings don't see (an element
/// of an array, say). Their few registers are no merit. \p Targets are those
/// of the measurements.
std::vector<rewrite::Warning>
vanishedKernels(const report::FileReport &R,
                llvm::ArrayRef<measure::Target> Targets);

/// Alternatives that a search of \p Options left out; none if it did not.
std::vector<rewrite::Warning> leftUntried(const select::Selection &Chosen,
                                          const select::SelectOptions &Options);

} // namespace clrewrite::pipeline
