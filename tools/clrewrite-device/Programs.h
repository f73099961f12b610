// Building programs, and keeping those that a later job may use again.
#pragma once

#include "Devices.h"
#include <deque>
#include <initializer_list>

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

/// The build log of \p Ptx for \p D, one of NVIDIA's, with those of \p Options
/// that ptxas heeds; empty where the driver takes no such program.
std::string logOfPtx(Device &D, const std::string &Ptx,
                     const std::string &Options);

/// An argument of a kernel: how many bytes, and where they are.
struct KernelArgument {
  size_t Bytes;
  const void *Value;
};

/// Runs \p Name, a kernel of our own in \p Source, with \p Arguments and behind
/// them a buffer of \p AnswerBytes: what it holds before, and then holds, is at
/// \p Answer. False where \p D does not do that.
bool ask(Device &D, Programs &Cache, const char *Source, const char *Name,
         std::initializer_list<KernelArgument> Arguments, size_t WorkItems,
         void *Answer, size_t AnswerBytes);

} // namespace clrewrite::device
