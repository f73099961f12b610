// One process's events, read line by line into a capture.
#pragma once

#include "capture/Capture.h"

namespace clrewrite::capture {

/// Adds what \p Text, an events file, and \p Counts, the counts file beside it,
/// say to \p C. Lines that can't be read are counted; fails on a version that
/// is not known.
llvm::Error readEvents(llvm::StringRef Text, llvm::StringRef Counts,
                       Capture &C);

/// Adds what \p Text, capture.json, says.
llvm::Error readRun(llvm::StringRef Text, Capture &C);

} // namespace clrewrite::capture
