// The capture folder, as one process writes it (docs/capture.md).
//
// What is written must be readable whenever the process dies: a line is one
// write(2) to a file opened for appending, a blob is renamed when it is whole,
// and the counts lie in a file mapped into memory, which outlives the process.
#pragma once

#include "Line.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>

namespace clrewrite::layer {

/// The counts of one launch shape: a record of the counts file.
struct Counts {
  std::atomic<uint64_t> Launches, Refused, Timed, Nanoseconds, MinNs, MaxNs;
  /// The same as Timed and Nanoseconds, each launch as often as it stands for
  /// others that were not timed.
  std::atomic<uint64_t> Weights, WeightedNs;

  void addTime(uint64_t Ns, unsigned Weight);
};
static_assert(sizeof(Counts) == 64, "docs/capture.md says so");

/// The name that bytes have as a blob.
std::string blobHash(std::string_view Bytes);

class Folder {
public:
  struct Settings {
    std::string Path;
    uint64_t MaxBytes = 0;
    unsigned DataSamples = 0;
  };

  /// Makes the folder and this process's files in it; null where that fails,
  /// with the reason in \p Why.
  static std::unique_ptr<Folder> open(const Settings &S, std::string &Why);

  /// Appends one line; false where the bound leaves no room for it.
  bool write(Line L);

  /// The fate of bytes that were given to keep.
  struct Kept {
    std::string Hash;
    bool Stored = false;
  };
  /// Keeps \p Bytes as a blob. \p IsData leaves room for everything else.
  Kept keep(std::string_view Bytes, bool IsData = false);

  /// The counts of launch \p Id (from 1); null beyond MaxLaunches.
  Counts *counts(uint64_t Id);

  /// Notes that something is not recorded, once for each of \p What, \p Why and
  /// \p Launch (0: none).
  void drop(std::string_view What, std::string_view Why, uint64_t Launch = 0);

  /// Called at the process's end.
  void end();

  const Settings &settings() const { return Config; }

  static constexpr uint64_t MaxLaunches = 65536;

private:
  explicit Folder(Settings S) : Config(std::move(S)) {}
  bool openFiles(std::string &Why);
  /// Adds to the bytes used; false, adding nothing, where \p Limit forbids it.
  bool take(uint64_t Bytes, uint64_t Limit);
  bool append(const std::string &Text);

  Settings Config;
  int Events = -1, CountsFile = -1;
  char *Mapped = nullptr;
  std::atomic<uint64_t> *Used = nullptr;
  uint64_t StartNs = 0;
  std::atomic<bool> Broken{false};
  std::atomic<uint64_t> NextTemporary{0};
  std::mutex Lock; // of what follows
  uint64_t CountsSize = 0;
  std::unordered_set<std::string> Blobs, Drops;
};

/// Monotonic time.
uint64_t nowNs();

} // namespace clrewrite::layer
