// Advice for a text, as each of its builds has it.
#pragma once

#include "advice/AdviceSort.h"
#include "frontend/Invocation.h"
#include "frontend/Suppressions.h"
#include "pipeline/Unit.h"
#include "process/Child.h"

namespace clrewrite::pipeline {

/// The sorts of advice that \p Words name: `all` or an empty word means every
/// one, `off` none. The error names what is unknown, and what is known.
llvm::Expected<std::vector<const advice::AdviceSort *>>
adviceNamed(llvm::ArrayRef<std::string> Words);

/// How to look for advice.
struct AdviceLook {
  frontend::Arch A;
  llvm::ArrayRef<const advice::AdviceSort *> Sorts;
  process::ChildLimits Limits;
};

/// The advice for \p Text, which starts in line \p Line of its file, in any of
/// \p Builds, sorted. Finders are told the waves of \p Targets, how kernels are
/// launched, and what \p Measured, one a target or empty, says of their scratch
/// memory; of devices neither is known. Each build is looked at in a child
/// process; the error says why one could not be.
llvm::Expected<std::vector<advice::Advice>>
adviceFor(const Source &Text, llvm::ArrayRef<Build> Builds, unsigned Line,
          llvm::ArrayRef<measure::Target> Targets,
          llvm::ArrayRef<measure::Measurement> Measured, const AdviceLook &How);

} // namespace clrewrite::pipeline
