// The system calls of Landlock, which libraries don't have yet.
#include "Landlock.h"
#include <cstdint>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace clrewrite::device {
namespace {

// Older headers lack the later members and rights.
struct Ruleset {
  uint64_t Files = 0, Ports = 0, Scopes = 0;
};
constexpr uint64_t Truncate = 1ull << 14, ControlDevice = 1ull << 15;
constexpr uint64_t AllPorts = 3;  // binding and connecting
constexpr uint64_t AllScopes = 3; // abstract sockets and signals

constexpr uint64_t Read =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
constexpr uint64_t OfFiles =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
    LANDLOCK_ACCESS_FS_EXECUTE | Truncate | ControlDevice;
constexpr uint64_t Write =
    Read | Truncate | LANDLOCK_ACCESS_FS_WRITE_FILE |
    LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_DIR |
    LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
    LANDLOCK_ACCESS_FS_REFER;

long version() {
  return ::syscall(SYS_landlock_create_ruleset, nullptr, 0,
                   LANDLOCK_CREATE_RULESET_VERSION);
}

/// All rights that a kernel with \p Version knows.
Ruleset all(long Version) {
  Ruleset R;
  R.Files = (1ull << 14) - 1;
  if (Version >= 3)
    R.Files |= Truncate;
  if (Version >= 4)
    R.Ports = AllPorts;
  if (Version >= 5)
    R.Files |= ControlDevice;
  if (Version >= 6)
    R.Scopes = AllScopes;
  return R;
}

size_t size(long Version) { return Version >= 6 ? 24 : Version >= 4 ? 16 : 8; }

void allow(int Rules, const std::string &Path, uint64_t Rights) {
  int FD = ::open(Path.c_str(), O_PATH | O_CLOEXEC);
  if (FD < 0)
    return;
  struct stat S = {};
  if (::fstat(FD, &S) == 0) {
    landlock_path_beneath_attr Rule = {};
    Rule.allowed_access = S_ISDIR(S.st_mode) ? Rights : Rights & OfFiles;
    Rule.parent_fd = FD;
    ::syscall(SYS_landlock_add_rule, Rules, LANDLOCK_RULE_PATH_BENEATH, &Rule,
              0);
  }
  ::close(FD);
}

} // namespace

bool closeFiles(const OpenPaths &Paths) {
  long Version = version();
  // The first version forbids to move a file to another folder, which PoCL
  // does with what it has linked.
  if (Version < 2)
    return false;
  Ruleset Handled = all(Version);
  int Rules =
      int(::syscall(SYS_landlock_create_ruleset, &Handled, size(Version), 0));
  if (Rules < 0)
    return false;
  for (const std::string &P : Paths.Read)
    allow(Rules, P, Read & Handled.Files);
  for (const std::string &P : Paths.Execute)
    allow(Rules, P, (LANDLOCK_ACCESS_FS_EXECUTE | Read) & Handled.Files);
  for (const std::string &P : Paths.Devices)
    allow(Rules, P,
          (Read | LANDLOCK_ACCESS_FS_WRITE_FILE | ControlDevice) &
              Handled.Files);
  allow(Rules, Paths.Write, Write & Handled.Files);
  bool Done = ::syscall(SYS_landlock_restrict_self, Rules, 0) == 0;
  ::close(Rules);
  return Done;
}

} // namespace clrewrite::device
