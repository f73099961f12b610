// One job at a time on a GPU: runs of clrewrite that share one would slow each
// other's launches down, and blame a version for it.
#pragma once

#include "Problem.h"
#include <chrono>
#include <functional>

namespace clrewrite::device {

/// The file whose bytes stand for the devices of this machine, one each, and
/// that processes of one user lock: $XDG_RUNTIME_DIR/clrewrite-device.lock, or
/// /tmp/clrewrite-device-UID.lock. The kernel frees what a process has locked
/// when it ends, however it ends.
class DeviceLock {
public:
  /// Opens the file, before the sandbox closes. Where it can't be, or belongs
  /// to somebody else, nothing is locked.
  DeviceLock();
  ~DeviceLock();
  DeviceLock(const DeviceLock &) = delete;
  DeviceLock &operator=(const DeviceLock &) = delete;

  /// Its descriptor; -1 where there is none.
  int file() const { return File; }

  /// Forgets the file: kernels of a CPU device could write it.
  void close();

  /// Frees the device when it goes out of scope.
  class Held {
    int File = -1;
    off_t Device = 0;

  public:
    Held() = default;
    Held(int File, off_t Device) : File(File), Device(Device) {}
    Held(Held &&Other) noexcept : File(Other.File), Device(Other.Device) {
      Other.File = -1;
    }
    Held &operator=(Held &&) = delete;
    ~Held();
  };

  /// Waits for the device of that number (Device::number), at most \p Longest;
  /// fails with BUSY then.
  Result<Held> take(size_t Device, std::chrono::seconds Longest) const;

private:
  int File = -1;
};

/// Asks for the device of a job.
using TakeDevice = std::function<Result<DeviceLock::Held>()>;

} // namespace clrewrite::device
