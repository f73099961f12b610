// The caller's side of the device protocol (docs/device-protocol.md).
//
// A driver that crashes or hangs takes its process with it, not this one: the
// job fails with the reason, and the next job gets a fresh process.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace clrewrite::opencl {

/// What whoever has no OpenCL device can do.
inline constexpr const char *NoDeviceRemedy =
    "install a GPU's OpenCL driver, or PoCL, which runs kernels on the CPU "
    "(the package pocl-opencl-icd of Debian and Ubuntu)";

/// A program as jobs take it: "options" and "source", or "source_base64" where
/// that is no UTF-8.
llvm::json::Object programOf(llvm::StringRef Text, llvm::StringRef Options);

/// The job \p Run with all its versions built without the driver's optimiser.
llvm::json::Object unoptimised(llvm::json::Object Run);

class DeviceProcess;

/// What became of a job.
struct DeviceAnswer {
  enum Kind {
    Ok,       ///< done: Body is the answer
    Refused,  ///< the device program answered with an error: Body is "error"
    Crashed,  ///< its process ended
    TimedOut, ///< it was killed at the limit
    Garbled,  ///< it answered with something else than an answer
  } Status = Ok;
  llvm::json::Object Body;
  /// Why it is not Ok, for the user: "crashed (SIGSEGV)", "exceeded 60 s",
  /// "clBuildProgram failed with ...".
  std::string Problem;

  bool ok() const { return Status == Ok; }
  /// Another process does the next job, since this one has ended, can't be
  /// understood, or says that its driver has lost the device.
  bool endsProcess() const;
};

/// Why a job failed, with the line of the build log that says most.
std::string reasonOf(const DeviceAnswer &A);

/// What holds the kernels of \p Device, an entry of the job `devices`:
/// "landlock, seccomp", or "none"; empty where the device program does not say.
std::string sandboxOf(const llvm::json::Object &Device);

/// Something that does device jobs. Tests put a fake in its place.
class DeviceChannel {
public:
  virtual ~DeviceChannel() = default;
  /// Does \p Job, which holds "job" and its members; "v" and "id" are added.
  /// Its own "limit_s", which may be a fraction, can only shorten the
  /// command's limit.
  virtual DeviceAnswer call(llvm::json::Object Job) = 0;
};

/// How the device program is started.
struct DeviceCommand {
  /// The program and its arguments.
  std::vector<std::string> Words;
  /// Wall-clock seconds for one job.
  unsigned Seconds = 60;
  /// It takes --read=DIR for folders of headers: our own program, here.
  bool TakesFolders = false;

  /// The clrewrite-device in the folder of the running program.
  static DeviceCommand beside(const char *Argv0);
  /// A command line for /bin/sh -c, e.g. "ssh gpuhost clrewrite-device".
  static DeviceCommand shell(llvm::StringRef Line);
  /// The same where no job times anything, which is faster on PoCL.
  DeviceCommand comparing() const;
};

class DeviceClient : public DeviceChannel {
  DeviceCommand Command;
  std::unique_ptr<DeviceProcess> Process; // null: start one at the next job
  std::set<std::string> Folders;          // that it may read headers in
  std::string Private;                    // the folder that it writes
  bool Keep = false;                      // the user named it: it stays
  bool TakesVersionSizes = false;         // versions of a `run` may have some
  bool KeepsContents = false;             // it knows keep: and kept:
  std::set<std::string> Kept;             // by Process, by name
  uint64_t NextId = 1;

  explicit DeviceClient(DeviceCommand C);

public:
  static constexpr unsigned Protocol = 1;

  /// Starts the program and asks for its protocol version. Fails where it
  /// can't be started, doesn't answer, or speaks another version.
  static llvm::Expected<std::unique_ptr<DeviceClient>>
  start(DeviceCommand Command);
  ~DeviceClient() override;

  DeviceAnswer call(llvm::json::Object Job) override;

private:
  void makePrivateFolder();
  void openFolders(const llvm::json::Object &Job);
  DeviceAnswer callOnce(llvm::json::Object Job);
  void endProcess();
};

/// What \p Line, which a device program sent, says to job \p Id.
DeviceAnswer readAnswer(llvm::StringRef Line, uint64_t Id);

} // namespace clrewrite::opencl
