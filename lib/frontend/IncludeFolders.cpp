// Folders are compared after links are followed.
#include "frontend/IncludeFolders.h"
#include "source/RealPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cstdlib>

using namespace llvm;

namespace clrewrite::frontend {

std::vector<std::string>
withIncludeFolders(ArrayRef<std::string> Words,
                   function_ref<std::optional<std::string>(StringRef)> Change) {
  std::vector<std::string> Out;
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    if ((Word == "-I" || Word == "-isystem") && I + 1 < Words.size()) {
      if (std::optional<std::string> New = Change(Words[++I]))
        Out.insert(Out.end(), {Word.str(), std::move(*New)});
    } else if (Word != "-I" && Word.consume_front("-I")) {
      if (std::optional<std::string> New = Change(Word))
        Out.push_back("-I" + *New);
    } else {
      Out.push_back(Word.str());
    }
  }
  return Out;
}

std::vector<std::string> includeFolders(ArrayRef<std::string> Words) {
  std::vector<std::string> Out;
  withIncludeFolders(Words, [&](StringRef Folder) {
    Out.push_back(Folder.str());
    return std::nullopt;
  });
  return Out;
}

std::vector<std::string> readableFolders() {
  const char *Said = ::getenv("CLREWRITE_READABLE");
  SmallVector<StringRef> List;
  StringRef(Said ? Said : "").split(List, ':', -1, /*KeepEmpty=*/false);
  std::vector<std::string> Out;
  for (StringRef Each : List)
    Out.push_back(realPath(Each));
  return Out;
}

/// The real path of \p Folder; where it is not there, what it will be if no
/// link is made on the way.
static std::string placeOf(StringRef Folder) {
  SmallString<256> Real(Folder);
  if (sys::fs::real_path(Folder, Real)) {
    Real = Folder;
    (void)sys::fs::make_absolute(Real);
    sys::path::remove_dots(Real, /*remove_dot_dot=*/true);
  }
  return Real.str().str();
}

std::vector<std::string>
withoutForeignFolders(ArrayRef<std::string> Words, ArrayRef<std::string> Roots,
                      std::vector<std::string> &LeftOut) {
  std::vector<std::string> Allowed = readableFolders();
  append_range(Allowed, Roots);
  Allowed.insert(Allowed.end(), {"/usr", "/opt"});
  return withIncludeFolders(
      Words, [&](StringRef Folder) -> std::optional<std::string> {
        std::string Place = placeOf(Folder);
        if (any_of(Allowed, [&](const std::string &Root) {
              return !Root.empty() && (Place == Root || isBelow(Place, Root));
            }))
          // One that begins with a dash could be taken for an option.
          return sys::path::is_absolute(Folder) && sys::fs::exists(Folder)
                     ? Folder.str()
                     : Place;
        if (!is_contained(LeftOut, Folder))
          LeftOut.push_back(Folder.str());
        return std::nullopt;
      });
}

} // namespace clrewrite::frontend
