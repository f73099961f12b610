// Verification within the pipeline: which kernels, and what their verdicts
// mean for the file.
#pragma once

#include "cache/DiskCache.h"
#include "pipeline/Launches.h"
#include "report/Report.h"
#include "verify/Verify.h"

namespace clrewrite {

struct VerifySettings {
  /// Asked when the first kernel is to be verified. Empty: verification is off.
  std::function<llvm::Expected<ChosenDevice>()> Device;
  VerifyOptions How;
  /// Keeps verdicts of `same` from run to run; null for not.
  const DiskCache *Cache = nullptr;
  /// Where the job goes that replays a witness; empty for nowhere.
  std::string WitnessPath;
};

struct EditsVerified {
  /// One entry a kernel that a kept edit touches, in order of \p Kernels.
  std::vector<KernelEvidence> Kernels;
  /// Why the edits must not stand in the file; empty where they may.
  std::string Refusal;
};

/// Verifies the kept edits of \p S, made to \p Given.
EditsVerified verifyEdits(const Source &Given, const Selection &S,
                          llvm::ArrayRef<KernelInfo> Kernels,
                          llvm::ArrayRef<Target> Targets,
                          const FileLaunches &Launches,
                          const VerifySettings &Settings);

/// Writes the job of \p V to \p Path. Says where it went, and how to use it.
std::string writeReplay(const Verification &V, llvm::StringRef Path);

} // namespace clrewrite
