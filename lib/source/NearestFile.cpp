// The walk goes from the file's folder upwards.
#include "source/NearestFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite {

/// \p Path as seen from the current folder, where it lies below.
static std::string shown(StringRef Path) {
  SmallString<256> Here;
  if (!sys::fs::current_path(Here) && Path.starts_with((Here + "/").str()))
    Path = Path.drop_front(Here.size() + 1);
  return Path.str();
}

/// Whether somebody made \p Path whom neither the user nor the owner of \p File
/// is: a file in /tmp, say, has no say about what stands below.
static bool isStrangers(const std::string &Path, const std::string &File) {
  struct stat Info, Own;
  uid_t User = ::geteuid();
  if (User == 0 || ::lstat(Path.c_str(), &Info) || Info.st_uid == 0 ||
      Info.st_uid == User)
    return false;
  return ::stat(File.c_str(), &Own) || Own.st_uid != Info.st_uid;
}

std::string nearestFile(StringRef File, StringRef Name, std::string *Foreign) {
  SmallString<256> Folder(File);
  if (sys::fs::make_absolute(Folder))
    return "";
  sys::path::remove_dots(Folder, /*remove_dot_dot=*/true);
  while (sys::path::has_parent_path(Folder)) {
    sys::path::remove_filename(Folder);
    SmallString<256> Candidate(Folder);
    sys::path::append(Candidate, Name);
    // What is there and can't be read is an error, not a reason to look on.
    sys::fs::file_status Status;
    if (sys::fs::status(Candidate, Status, /*follow=*/false))
      continue;
    if (!isStrangers(Candidate.str().str(), File.str()))
      return shown(Candidate);
    if (Foreign)
      *Foreign = shown(Candidate);
  }
  return "";
}

} // namespace clrewrite
