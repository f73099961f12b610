// What the host does otherwise when it launches the new version of a kernel.
#pragma once

#include "launch/Launch.h"

namespace clrewrite::launch {

/// How each launch of a kernel changes with its text. Written
/// FACTORS[:LOCAL][:round-up], e.g. "1x4:32x4".
struct LaunchChange {
  /// By dimension: a work-item does the work of so many, so that the global
  /// size is divided by it. A dimension that is not listed stays as it is.
  std::vector<uint64_t> Factors = {};
  /// The size of a work-group; empty where it stays as it is.
  std::vector<uint64_t> Local = {};
  /// Work-items beyond the old global size do nothing, so that a size that is
  /// divided may be rounded up, and to whole work-groups.
  bool RoundUp = false;

  bool empty() const { return Factors.empty() && Local.empty(); }
  uint64_t factor(size_t Dimension) const {
    return Dimension < Factors.size() ? Factors[Dimension] : 1;
  }

  /// The sizes that the new version is launched with where the old one has
  /// those of \p Old. Where there are none, the error is a sentence about the
  /// launch: "its global size in dimension 1, 37, is not a multiple of 4".
  llvm::Expected<NDRange> of(const NDRange &Old) const;
  /// Gives \p Version, an entry of "versions" of the job `run`, sizes of its
  /// own where the job has those of \p Old; none where nothing changes.
  llvm::Error addTo(llvm::json::Object &Version, const NDRange &Old) const;
  /// What the host must do: "launch blur with a quarter of its global size in
  /// dimension 1, which must be a multiple of 4".
  std::string sentence(llvm::StringRef Kernel) const;
  /// As parseLaunchChange reads it.
  std::string text() const;

  bool operator==(const LaunchChange &O) const {
    return Factors == O.Factors && Local == O.Local && RoundUp == O.RoundUp;
  }
};

llvm::Expected<LaunchChange> parseLaunchChange(llvm::StringRef Text);

/// The change that does first \p A and then \p B; none where they ask for
/// different work-groups.
std::optional<LaunchChange> both(const LaunchChange &A, const LaunchChange &B);

llvm::json::Value toJSON(const LaunchChange &C);
bool fromJSON(const llvm::json::Value &V, LaunchChange &C, llvm::json::Path P);

} // namespace clrewrite::launch
