// How the kernels of a file are launched, as its user says it: by --launch, or
// by comments before the kernels.
#pragma once

#include "measure/Launch.h"
#include "rewrite/Candidate.h"
#include "verify/Inputs.h"

namespace clrewrite {

struct FileLaunches {
  /// For timing, one a kernel at most: what the command line gives, else the
  /// kernel's first comment.
  std::vector<Launch> Timed;
  /// For verification, by kernel: what the command line gives, else all of the
  /// kernel's comments.
  std::map<std::string, std::vector<LaunchShape>> Verified;
};

/// \p Given are those of the command line; where they name a kernel, its
/// comments are not used, but still checked. Fails on a comment that is
/// malformed or names no parameter: "PATH:LINE: error: ...".
llvm::Expected<FileLaunches> launchesOf(llvm::StringRef Path,
                                        llvm::ArrayRef<KernelInfo> Kernels,
                                        llvm::ArrayRef<Launch> Given);

} // namespace clrewrite
