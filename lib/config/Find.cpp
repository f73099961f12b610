// Looking for the configuration of a file.
#include "config/Config.h"
#include "source/Beneath.h"
#include "source/File.h"
#include "source/RealPaths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::config {

/// \p Path as seen from the current folder, where it lies below.
static std::string shown(StringRef Path) {
  SmallString<256> Here;
  if (!sys::fs::current_path(Here) && Path.starts_with((Here + "/").str()))
    Path = Path.drop_front(Here.size() + 1);
  return Path.str();
}

/// Whether somebody made \p Config whom neither the user nor the owner of \p
/// File is: a file in /tmp, say, has no say about what stands below.
static bool isStrangers(const std::string &Config, const std::string &File) {
  struct stat Info, Own;
  uid_t User = ::geteuid();
  if (User == 0 || ::lstat(Config.c_str(), &Info) || Info.st_uid == 0 ||
      Info.st_uid == User)
    return false;
  return ::stat(File.c_str(), &Own) || Own.st_uid != Info.st_uid;
}

std::string configFor(StringRef File, std::string *Note) {
  SmallString<256> Folder(File);
  if (sys::fs::make_absolute(Folder))
    return "";
  sys::path::remove_dots(Folder, /*remove_dot_dot=*/true);
  while (sys::path::has_parent_path(Folder)) {
    sys::path::remove_filename(Folder);
    SmallString<256> Candidate(Folder);
    sys::path::append(Candidate, ConfigName);
    // What is there and can't be read is an error, not a reason to look on.
    sys::fs::file_status Status;
    if (sys::fs::status(Candidate, Status, /*follow=*/false))
      continue;
    if (!isStrangers(Candidate.str().str(), File.str()))
      return shown(Candidate);
    if (Note)
      *Note = shown(Candidate) +
              " belongs to somebody else and is left out; "
              "--config=" +
              shown(Candidate) + " takes it";
  }
  return "";
}

/// A link's text, where it stays below \p Root.
static Expected<std::string> readLink(StringRef Path, StringRef Root) {
  std::string Name = folderOf(Path).substr(Root.size());
  Name.erase(0, Name.find_first_not_of('/'));
  Name += (Name.empty() ? "" : "/") + sys::path::filename(Path).str();
  return readBeneath(Root.str(), Name, Links::Within);
}

static Config withOwnFolders(Config C, const std::string &Root) {
  auto Keep = [&](Words &Options) {
    for (std::string &Text : Options)
      Text = withoutForeignFolders(Text, Root, C.LeftOut);
  };
  if (C.Options)
    Keep(*C.Options);
  if (C.Sets)
    for (OptionSet &S : *C.Sets)
      Keep(S.Options);
  return C;
}

Expected<Config> readFoundConfig(StringRef Path) {
  std::string Root = repositoryOf(Path);
  if (Root.empty())
    Root = folderOf(Path);
  if (!sys::fs::is_symlink_file(Path) || !sys::fs::exists(Path)) {
    Expected<Config> C = readConfigFile(Path);
    return C ? withOwnFolders(std::move(*C), Root) : std::move(C);
  }
  if (!isBelow(realPath(Path), Root))
    return createStringError(Path + ": a link that leads out of " + Root +
                             ", so it is not read; --config=" + Path +
                             " takes it");
  Expected<std::string> Text = readLink(Path, Root);
  if (!Text)
    return Text.takeError();
  if (Error E = checkText(Path, *Text))
    return std::move(E);
  Expected<Config> C = readConfig(Path, *Text);
  return C ? withOwnFolders(std::move(*C), Root) : std::move(C);
}

Expected<Config> readConfigFile(StringRef Path) {
  if (sys::fs::is_symlink_file(Path) && !sys::fs::exists(Path))
    return createStringError(Path +
                             ": a link that leads nowhere; remove it, or "
                             "make what it names");
  Expected<std::string> Text = readText(Path);
  if (!Text)
    return Text.takeError();
  return readConfig(Path, *Text);
}

} // namespace clrewrite::config
