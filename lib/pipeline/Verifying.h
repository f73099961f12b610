// Verification within the pipeline: which kernels, and what their verdicts
// mean for the file.
#pragma once

#include "cache/DiskCache.h"
#include "pipeline/Unit.h"
#include "report/Report.h"
#include "verify/Device.h"
#include "verify/Verify.h"

namespace clrewrite::pipeline {

struct VerifySettings {
  /// Asked when the first kernel is to be verified. Null: verification is off.
  verify::LazyDevice *Device = nullptr;
  /// How many kernels may be verified at once, by a process each.
  unsigned AtOnce = 1;
  verify::VerifyOptions How;
  /// Keeps verdicts of `same` from run to run; null for not.
  const cache::DiskCache *Cache = nullptr;
  /// Where the job goes that replays a witness; empty for nowhere.
  std::string WitnessPath;
  /// Edits that can't be verified are refused, too.
  bool Required = false;
  /// Edits that can't be proved are, whatever runs show.
  bool RequireProof = false;
};

/// Why it is not proved that \p Kernels of \p Now leave what those of \p Text
/// do, in every build; empty where it is.
std::string whyNotProved(const BuiltText &Text, const select::Version &Now,
                         llvm::ArrayRef<std::string> Kernels);

struct EditsVerified {
  /// One entry a kernel that a kept edit touches, in order of \p Kernels.
  std::vector<report::KernelEvidence> Kernels;
  /// Why the edits must not stand in the file; empty where they may.
  std::string Refusal;
  /// The refused kernel gives other results, and has an edit that is not exact,
  /// which may be why.
  bool BlamesInexact = false;
  /// What held the kernels that ran; empty where none did.
  std::string Sandbox;
};

/// Verifies the kept edits of \p S, a search of \p Text, in every build of it:
/// they are proved where that is possible, and run where there is a device.
/// Calls \p BeforeRunning once, before the first kernel runs.
EditsVerified verifyEdits(const BuiltText &Text, const select::Selection &S,
                          llvm::ArrayRef<rewrite::KernelInfo> Kernels,
                          const VerifySettings &Settings,
                          llvm::function_ref<void()> BeforeRunning);

/// What running the kernels shows of \p C, which \p S is built with: Same where
/// none leaves other results than without the option, or, where that is
/// approximate, none that are further apart than the declared tolerance. Only
/// the device itself can tell. Calls \p BeforeRunning before a kernel runs.
verify::Verification verifyBuild(
    const BuiltText &Text, const select::Selection &S,
    llvm::ArrayRef<rewrite::KernelInfo> Kernels, const select::BuildChoice &C,
    const VerifySettings &Settings,
    llvm::function_ref<void(const verify::ChosenDevice &)> BeforeRunning);

/// Writes the job of \p V to \p Path. Says where it went, and how to use it.
std::string writeReplay(const verify::Verification &V, llvm::StringRef Path);

} // namespace clrewrite::pipeline
