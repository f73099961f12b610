// Advice for a text, as each of its builds has it.
#pragma once

#include "advice/AdviceSort.h"
#include "pipeline/Unit.h"
#include "process/Child.h"

namespace clrewrite::pipeline {

/// The advice of \p Sorts for \p Text, in any of its builds, sorted. Finders
/// are told the waves of the targets, how kernels are launched, and what
/// \p Measured, one a target or empty, says of their scratch memory; of devices
/// neither is known. Each build is looked at in a child process; the error says
/// why one could not be.
llvm::Expected<std::vector<advice::Advice>>
adviceFor(const BuiltText &Text, llvm::ArrayRef<measure::Measurement> Measured,
          llvm::ArrayRef<const advice::AdviceSort *> Sorts,
          const process::ChildLimits &Limits);

} // namespace clrewrite::pipeline
