// Building programs, and keeping those that a later job may use again.
#pragma once

#include "Devices.h"
#include <deque>

namespace clrewrite::device {

struct Built {
  Program TheProgram;
  std::string Log;
  /// The options that the driver was given: the job's and this program's own.
  std::string Options;
};

/// The most recently used programs of this process.
class Programs {
  struct Entry {
    const Device *Where;
    std::string Source, Options;
    Built Result;
  };
  std::deque<Entry> Entries; // most recent first

public:
  /// Builds \p Source for \p D, or finds it among those built before. The
  /// pointer lives until 64 others have been asked for. The Problem of a
  /// failed build holds its log.
  Result<Built *> get(Device &D, const std::string &Source,
                      const std::string &Options);
};

} // namespace clrewrite::device
