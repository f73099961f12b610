// Advice for a text, as each of its builds has it.
#pragma once

#include "advice/AdviceSort.h"
#include "frontend/Invocation.h"
#include "frontend/Suppressions.h"
#include "pipeline/Unit.h"
#include "process/Child.h"

namespace clrewrite {

/// The sorts of advice that \p Words name: `all` or an empty word means every
/// one, `off` none. The error names what is unknown, and what is known.
llvm::Expected<std::vector<const AdviceSort *>>
adviceNamed(llvm::ArrayRef<std::string> Words);

/// How to look for advice.
struct AdviceLook {
  Arch A;
  llvm::ArrayRef<const AdviceSort *> Sorts;
  ChildLimits Limits;
};

/// The advice for \p Text, which starts in line \p Line of its file, in any of
/// \p Builds, sorted. Finders are told the waves of \p Targets, how kernels are
/// launched, and what \p Measured, one a target or empty, says of their scratch
/// memory; of devices neither is known. Each build is looked at in a child
/// process; the error says why one could not be.
llvm::Expected<std::vector<Advice>>
adviceFor(const Source &Text, llvm::ArrayRef<Build> Builds, unsigned Line,
          llvm::ArrayRef<Target> Targets, llvm::ArrayRef<Measurement> Measured,
          const AdviceLook &How);

} // namespace clrewrite
