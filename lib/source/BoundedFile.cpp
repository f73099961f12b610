// Opened first, then looked at: what is read is what was looked at.
#include "source/BoundedFile.h"
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace clrewrite {

FileHandle &FileHandle::operator=(FileHandle &&O) {
  std::swap(FD, O.FD);
  return *this;
}

FileHandle::~FileHandle() {
  if (FD >= 0)
    ::close(FD);
}

int FileHandle::release() { return std::exchange(FD, -1); }

/// All of \p FD, which may grow meanwhile.
static std::optional<std::string> readAll(int FD, uint64_t Most) {
  std::string Out;
  char Buffer[65536];
  for (;;) {
    ssize_t N = ::read(FD, Buffer, sizeof Buffer);
    if (N < 0 && errno == EINTR)
      continue;
    if (N < 0 || Out.size() + uint64_t(N) > Most)
      return std::nullopt;
    if (N == 0)
      return Out;
    Out.append(Buffer, size_t(N));
  }
}

static std::optional<std::string> read(int Folder, const char *Name, int Flags,
                                       uint64_t Most, struct stat *Info) {
  // A pipe without a writer is opened at once, and refused then.
  FileHandle File(
      ::openat(Folder, Name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | Flags));
  struct stat Own;
  if (!Info)
    Info = &Own;
  if (!File || ::fstat(File.get(), Info) || !S_ISREG(Info->st_mode) ||
      uint64_t(Info->st_size) > Most)
    return std::nullopt;
  return readAll(File.get(), Most);
}

std::optional<std::string> readRegularAt(int Folder, const std::string &Name,
                                         uint64_t Most, struct stat *Info) {
  return read(Folder, Name.c_str(), O_NOFOLLOW, Most, Info);
}

} // namespace clrewrite
