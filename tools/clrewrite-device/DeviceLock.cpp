#include "DeviceLock.h"
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace clrewrite::device {
namespace {

std::string lockPath() {
  const char *Folder = ::getenv("XDG_RUNTIME_DIR");
  if (Folder && *Folder == '/')
    return std::string(Folder) + "/clrewrite-device.lock";
  return "/tmp/clrewrite-device-" + std::to_string(::getuid()) + ".lock";
}

/// Locks that belong to the open file, and not to the process, so that they
/// also part two threads.
bool setLock(int File, short Type, off_t Device) {
  struct flock Lock = {};
  Lock.l_type = Type;
  Lock.l_whence = SEEK_SET;
  Lock.l_start = Device;
  Lock.l_len = 1;
  return ::fcntl(File, F_OFD_SETLK, &Lock) == 0;
}

} // namespace

DeviceLock::DeviceLock() {
  File = ::open(lockPath().c_str(),
                O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  struct stat Stat;
  if (File >= 0 && (::fstat(File, &Stat) || !S_ISREG(Stat.st_mode) ||
                    Stat.st_uid != ::getuid()))
    close();
}

DeviceLock::~DeviceLock() { close(); }

void DeviceLock::close() {
  if (File >= 0)
    ::close(File);
  File = -1;
}

DeviceLock::Held::~Held() {
  if (File >= 0)
    setLock(File, F_UNLCK, Device);
}

Result<DeviceLock::Held> DeviceLock::take(size_t Device,
                                          std::chrono::seconds Longest) const {
  using Clock = std::chrono::steady_clock;
  if (File < 0)
    return Held();
  for (auto Until = Clock::now() + Longest;
       !setLock(File, F_WRLCK, off_t(Device));) {
    if (errno != EAGAIN && errno != EACCES)
      return Held(); // a file system without locks
    if (Clock::now() >= Until)
      return refused("BUSY", "another run of clrewrite has kept this device "
                             "busy for " +
                                 std::to_string(Longest.count()) + " s");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return Held(File, off_t(Device));
}

} // namespace clrewrite::device
