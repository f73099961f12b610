// Looking for the configuration of a file.
#include "config/Config.h"
#include "source/File.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite {

/// \p Path as seen from the current folder, where it lies below.
static std::string shown(StringRef Path) {
  SmallString<256> Here;
  if (!sys::fs::current_path(Here) && Path.starts_with((Here + "/").str()))
    Path = Path.drop_front(Here.size() + 1);
  return Path.str();
}

std::string configFor(StringRef File) {
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
    if (!sys::fs::status(Candidate, Status, /*follow=*/false))
      return shown(Candidate);
  }
  return "";
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

} // namespace clrewrite
