// The launches of a capture without its program.
#pragma once

#include "capture/Capture.h"
#include "verify/Device.h"
#include "llvm/Support/raw_ostream.h"

namespace clrewrite::pipeline {

struct ReplayOptions {
  std::string Kernel;   ///< only this one; empty for all
  unsigned Repeat = 20; ///< timed rounds
};

/// Launches, by what came of them.
struct ReplayCounts {
  unsigned Same = 0, Different = 0, Failed = 0;
};

/// Runs every launch shape of \p C whose arguments are known, with its data
/// where they were recorded; where the capture has a rewritten version of the
/// program, that too, on the same inputs. Prints a line each: the time, whether
/// the program's own kernel leaves what it left then (objects up to 1 MiB), and
/// whether the rewritten one leaves the same.
llvm::Expected<ReplayCounts> replay(const capture::Capture &C,
                                    verify::LazyDevice &Device,
                                    const ReplayOptions &Options,
                                    llvm::raw_ostream &OS);

} // namespace clrewrite::pipeline
