// The device that versions are compared on, started when it is first needed.
#pragma once

#include "opencl/DeviceClient.h"

namespace clrewrite::verify {

struct ChosenDevice {
  /// Null where there is none: then Absent says why.
  opencl::DeviceChannel *Channel = nullptr;
  int64_t Index = 0;
  /// Its kernels run on a CPU.
  bool IsCpu = false;
  std::string Name;
  std::string Absent;
  /// There are devices, but nothing would hold their kernels.
  bool IsUnheld = false;
  /// All that the device program says of it, driver and version included.
  std::string Identity;
  /// As in KernelShape.
  uint64_t PartAlign = 0;
  /// What holds for the kernels that run there, "landlock, seccomp"; empty
  /// where the device program does not say.
  std::string Sandbox;
};

/// Chooses among the devices of \p Channel: the one whose index is \p Wanted
/// or whose name contains it; without one the first CPU device, where fences
/// catch every access outside a buffer, else the first; none whose kernels the
/// device program refuses to run for want of a sandbox. Fails where the device
/// program does not answer or has no device of that name.
llvm::Expected<ChosenDevice> chooseDevice(opencl::DeviceChannel &Channel,
                                          llvm::StringRef Wanted);

/// Starts the device program at the first call of get.
class LazyDevice {
  opencl::DeviceCommand Command;
  std::string Wanted;
  bool Optional;
  std::unique_ptr<opencl::DeviceClient> Client;
  ChosenDevice Chosen;
  std::string Failure;
  bool Asked = false;

public:
  /// \p Optional: where the program can't be started there is no device, and
  /// that is no error.
  LazyDevice(opencl::DeviceCommand Command, std::string Wanted, bool Optional)
      : Command(std::move(Command)), Wanted(std::move(Wanted)),
        Optional(Optional) {}

  /// Where nothing holds the kernels of a CPU device, and the command is our
  /// own program here, it is oclgrind, an interpreter, if that is installed.
  llvm::Expected<ChosenDevice> get();

  /// The same device, by a device program of its own.
  LazyDevice another() const { return {Command, Wanted, Optional}; }

private:
  void fallBack();
};

} // namespace clrewrite::verify
