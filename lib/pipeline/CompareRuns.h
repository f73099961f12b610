// What the kernels of two runs of a program left in memory.
#pragma once

#include "capture/Capture.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>

namespace clrewrite::pipeline {

/// An object after a launch: two runs left other bytes in it, and some of them
/// the kernel wrote. What neither wrote it found so: memory that was never set,
/// mostly.
struct RunDifference {
  std::string What;
  const capture::CapturedData *One, *Other;
  /// Some object of the launch, this or another, had other bytes before it.
  bool FoundOther = false;
};

/// What two runs left in memory. Objects have names that all runs share.
struct RunComparison {
  size_t Same = 0;
  std::map<std::string, RunDifference> Unlike;
  std::vector<std::string> Notes;
};

/// Launches of \p A and \p B are paired by kernel, shape and order. The result
/// points into both.
RunComparison compareRuns(const capture::Capture &A, const capture::Capture &B);

/// One object's bytes in one run.
struct RunBytes {
  const capture::Capture *Run;
  const capture::CapturedData *Data;
};

/// "12 of 64 bytes, the first at 8": where \p Own and \p New differ; empty
/// where that can not be read.
std::string differingBytes(const RunBytes &Own, const RunBytes &New);

/// True where a byte differs in \p New that one of the versions wrote, though
/// \p Own and \p More, all of runs with the program's own kernels, agree on it.
/// Kernels that race leave some results that vary, beside others that do not.
bool differsWhereSteady(const RunBytes &Own, const RunBytes &New,
                        llvm::ArrayRef<RunBytes> More);

} // namespace clrewrite::pipeline
