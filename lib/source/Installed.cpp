// Finding what is installed with the program.
#include "source/Installed.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite {

std::string programFolder() {
  // The address of any function of the program will do.
  static const std::string Self = sys::fs::getMainExecutable(
      nullptr, reinterpret_cast<void *>(&programFolder));
  return sys::path::parent_path(Self).str();
}

std::string installed(StringRef Name) {
  SmallString<256> Path(programFolder());
  if (Path.empty()) // no /proc
    return "";
  sys::path::append(Path, "..", "lib", "clrewrite", Name);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return sys::fs::exists(Path) ? std::string(Path) : "";
}

} // namespace clrewrite
