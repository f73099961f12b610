// The sandbox that kernels run in: on a CPU device they are native code of this
// process, and a repository that nobody has looked at may have written them.
//
// It closes in two steps. enter(), before any driver is loaded, gives the work
// to a child in namespaces of its own and closes the file system by Landlock.
// closeFor(), once a device is chosen and before anything is built on it,
// closes the system calls by seccomp: on a CPU device to what compiling,
// linking and running need; on another to all but what no driver needs, since
// drivers of GPUs are many and talk to device nodes.
// docs/verify.md says what that holds and what it does not.
#pragma once

#include "Problem.h"
#include <string>
#include <vector>

namespace clrewrite::device {

struct SandboxOptions {
  /// Run kernels of a CPU device even where too little of the sandbox holds.
  bool AllowNative = false;
  /// Kernels are interpreted (Interpreter.h), and no driver is loaded.
  bool Interpret = false;
  /// No job is timed.
  bool OnlyCompares = false;
  /// Folders that builds may read headers in.
  std::vector<std::string> Read;
  /// The folder that is written, of a caller who starts several processes one
  /// after the other and keeps what they compiled; empty for one of its own.
  std::string Private;
  /// Nobody removes that folder: the user has named it.
  bool Keep = false;
};

class Sandbox {
public:
  /// Returns in the process that does the work, which the sandbox holds as far
  /// as this system allows. The caller's own process stays outside, waits for
  /// it, ends whatever it left behind, and exits as it did. No file stays open
  /// but the three streams and \p Kept.
  static Sandbox enter(const SandboxOptions &Options, int Kept = -1);

  /// Closes the system calls before anything is built on a device. Refuses the
  /// device where kernels would run unheld, and one that is not a CPU after one
  /// that is: that needs a new process.
  Status closeFor(bool Cpu);

  /// What holds for kernels of such a device, as reports say it.
  std::vector<std::string> layers(bool Cpu) const;
  /// Enough holds for native code that nobody has looked at: files and system
  /// calls are closed.
  bool enough() const { return Landlock && Seccomp; }
  /// Kernels of such a device are run.
  bool runs(bool Cpu) const { return !Cpu || AllowNative || enough(); }

private:
  bool AllowNative = false;
  bool Landlock = false, Seccomp = false, Limits = false;
  /// The namespaces that hold, as CLONE_NEW* flags.
  unsigned Spaces = 0;
  enum { Open, ForGpu, ForCpu } Closed = Open;
};

} // namespace clrewrite::device
