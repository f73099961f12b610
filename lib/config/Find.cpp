// Looking for the configuration of a file.
#include "config/Config.h"
#include "source/Beneath.h"
#include "source/File.h"
#include "source/NearestFile.h"
#include "source/RealPaths.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::config {

std::string configFor(StringRef File, std::string *Note) {
  std::string Foreign,
      Found = nearestFile(File, ConfigName, Note ? &Foreign : nullptr);
  if (!Foreign.empty())
    *Note = Foreign +
            " belongs to somebody else and is left out; --config=" + Foreign +
            " takes it";
  return Found;
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
