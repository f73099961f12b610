// Counting the folders up from the working folder.
#include "pipeline/DiffNames.h"
#include "source/RealPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::pipeline {

static bool goesUp(StringRef Path) {
  return is_contained(make_range(sys::path::begin(Path), sys::path::end(Path)),
                      StringRef(".."));
}

static std::string realFile(StringRef Path) {
  SmallString<256> Out(folderOf(Path));
  sys::path::append(Out, sys::path::filename(Path));
  return Out.str().str();
}

DiffNames::DiffNames(ArrayRef<std::string> Paths) {
  std::string Here = realPath(".");
  StringRef Top = Here;
  for (const std::string &Path : Paths)
    if (goesUp(Path))
      while (!isBelow(realFile(Path), Top) && Top != "/") {
        Top = sys::path::parent_path(Top);
        ++Up;
      }
  Down = StringRef(Here).substr(Top.size()).ltrim('/').str();
}

std::string DiffNames::of(StringRef Path) const {
  SmallString<256> Out(Down);
  if (!goesUp(Path)) {
    if (sys::path::is_absolute(Path))
      return Path.str();
    sys::path::append(Out, Path);
    return Out.str().str();
  }
  std::string Top = realPath("."), Real = realFile(Path);
  Top.resize(Top.size() - Down.size());
  StringRef Rest = Real;
  Rest.consume_front(StringRef(Top).rtrim('/'));
  return Rest.ltrim('/').str();
}

std::string DiffNames::folder() const {
  std::string Out;
  for (size_t I = 0; I < Up; ++I)
    Out += Out.empty() ? ".." : "/..";
  return Out;
}

} // namespace clrewrite::pipeline
