// Closing the file system by Landlock (Linux 5.19 and later).
#pragma once

#include <string>
#include <vector>

namespace clrewrite::device {

/// Where the file system stays open. Paths that don't exist are left out.
struct OpenPaths {
  std::vector<std::string> Read;
  /// Programs that may be started.
  std::vector<std::string> Execute;
  /// Devices of drivers: read, written and controlled.
  std::vector<std::string> Devices;
  /// The folder that is written.
  std::string Write;
};

/// Closes all else for this thread and what it starts from now on: files, TCP
/// ports, and signals to processes outside, each where the kernel knows it.
/// False where files are not closed.
bool closeFiles(const OpenPaths &Paths);

} // namespace clrewrite::device
