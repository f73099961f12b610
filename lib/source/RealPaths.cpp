// Links in paths are followed.
#include "source/RealPaths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite {

std::string realPath(StringRef Path) {
  SmallString<256> Out;
  return sys::fs::real_path(Path, Out) ? Path.str() : Out.str().str();
}

std::string shortPath(StringRef Real) {
  StringRef Short = Real;
  if (Short.consume_front(realPath(".")) && Short.consume_front("/"))
    return Short.str();
  return Real.str();
}

std::string folderOf(StringRef Path) {
  StringRef Folder = sys::path::parent_path(Path);
  return realPath(Folder.empty() ? "." : Folder);
}

bool isBelow(StringRef Path, StringRef Folder) {
  return Path.consume_front(Folder) &&
         (Path.starts_with("/") || Folder.ends_with("/"));
}

std::string repositoryOf(StringRef Path) {
  for (std::string Folder = folderOf(Path); !Folder.empty();
       Folder = sys::path::parent_path(Folder).str())
    if (sys::fs::exists(Folder + "/.git"))
      return Folder;
  return "";
}

bool holdsHome(StringRef Real) {
  SmallString<256> Home;
  return Real == "/" ||
         (sys::path::home_directory(Home) &&
          (Real == realPath(Home) || isBelow(realPath(Home), Real)));
}

std::string treeOf(StringRef Folder) {
  SmallString<256> Real;
  if (sys::fs::real_path(Folder, Real))
    return "";
  for (StringRef Up = Real; !Up.empty() && !holdsHome(Up);
       Up = sys::path::parent_path(Up))
    if (sys::fs::exists(Up + "/.git"))
      return Up.str();
  return holdsHome(Real) ? "" : std::string(Real);
}

} // namespace clrewrite
