// A plan as a file of the user's.
#pragma once

#include "plan/Plan.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace clrewrite::pipeline {

/// The plan in \p Path; fails, with the path first, where there is none.
llvm::Expected<plan::Plan> readPlanFile(llvm::StringRef Path);

} // namespace clrewrite::pipeline
