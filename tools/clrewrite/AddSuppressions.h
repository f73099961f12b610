// The mode --add-suppressions.
#pragma once

#include "report/Report.h"

namespace clrewrite {

/// --add-suppressions was given.
bool addsSuppressions();

/// Tells how many were added to each file.
void writeAdded(const Report &R, llvm::raw_ostream &OS);

} // namespace clrewrite
