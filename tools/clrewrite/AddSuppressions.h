// The mode --add-suppressions.
#pragma once

#include "report/Report.h"

namespace clrewrite::cli {

/// --add-suppressions was given.
bool addsSuppressions();

/// Tells how many were added to each file.
void writeAdded(const report::Report &R, llvm::raw_ostream &OS);

} // namespace clrewrite::cli
