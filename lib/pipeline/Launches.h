// How the kernels of a file are launched, as its user says it: by --launch, or
// by comments before the kernels.
#pragma once

#include "launch/Launch.h"
#include "rewrite/Candidate.h"
#include "verify/Inputs.h"
#include <functional>

namespace clrewrite::pipeline {

struct FileLaunches {
  /// For timing, one a kernel at most: what the command line gives, else the
  /// kernel's first comment.
  std::vector<launch::Launch> Timed;
  /// For verification, by kernel: what the command line gives, else all of the
  /// kernel's comments.
  std::map<std::string, std::vector<verify::LaunchShape>> Verified;
  /// What is known of those in Timed.
  launch::FactsByKernel Facts = {};
};

/// \p Given are those of the command line; where they name a kernel, its
/// comments are not used, but still checked. Fails on a comment that is
/// malformed or names no parameter: "PATH:LINE: error: ...".
llvm::Expected<FileLaunches>
launchesOf(llvm::StringRef Path, llvm::ArrayRef<rewrite::KernelInfo> Kernels,
           llvm::ArrayRef<launch::Launch> Given);

/// Puts down in \p List what is known of the parameters of \p Kernels, beside
/// what drivers tell of them: their types, and what is read of images and
/// written to them.
void addParameters(std::vector<launch::Launch> &List,
                   llvm::ArrayRef<rewrite::KernelInfo> Kernels);

/// What estimates and counts are told of \p List, the launches of \p Kernels.
launch::FactsByKernel factsOf(llvm::ArrayRef<launch::Launch> List,
                              llvm::ArrayRef<rewrite::KernelInfo> Kernels);

/// What rewrites may know of \p List.
std::vector<rewrite::KnownLaunch>
knownLaunches(llvm::ArrayRef<launch::Launch> List);

/// A launch that was watched (docs/capture.md). Its Recorded has an entry for
/// each parameter: that of a buffer has its size, and no contents.
struct RecordedLaunch : launch::Launch {
  /// Recorded with the buffers' and images' contents, which are looked at for
  /// it (opencl/Contents.h); the error says why there are none.
  std::function<llvm::Expected<llvm::json::Array>()> Data;
  double TotalNs = 0; ///< of all launches of this shape; 0 where not known
};

/// For timing, of each of \p Kernels the one that took longest in all, or,
/// where that has no data, one that has, and differs from it in scalars alone;
/// for verification all, with their data where there are, and with other
/// contents.
FileLaunches launchesOf(llvm::ArrayRef<RecordedLaunch> Recorded,
                        llvm::ArrayRef<rewrite::KernelInfo> Kernels);

/// What rewrites may know of them.
std::vector<rewrite::KnownLaunch>
knownLaunches(llvm::ArrayRef<RecordedLaunch> Recorded);

} // namespace clrewrite::pipeline
