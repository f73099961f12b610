// Escaping what messages hold of somebody else's names.
#include "run/Console.h"
#include "source/Printable.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include <algorithm>
#include <vector>

using namespace llvm;

namespace clrewrite::run {

/// Names with control characters, longest first.
static std::vector<std::string> &oddNames() {
  static std::vector<std::string> Names;
  return Names;
}

void rememberName(StringRef Path) {
  std::vector<std::string> &Names = oddNames();
  // Beside it stand headers, which have its folder in their names.
  for (; hasControls(Path); Path = sys::path::parent_path(Path))
    if (std::find(Names.begin(), Names.end(), Path) == Names.end())
      Names.push_back(Path.str());
  std::sort(Names.begin(), Names.end(),
            [](auto &A, auto &B) { return A.size() > B.size(); });
}

std::string shown(StringRef Text) {
  std::string Out = Text.str();
  for (const std::string &Name : oddNames()) {
    std::string New = printable(Name);
    for (size_t At = 0; (At = Out.find(Name, At)) != std::string::npos;
         At += New.size())
      Out.replace(At, Name.size(), New);
  }
  return printable(Out, /*KeepLines=*/true, /*KeepColours=*/true);
}

void note(const Twine &Text) {
  WithColor::note(errs(), "clrewrite") << Text << "\n";
}

void error(const Twine &Text) {
  WithColor::error(errs(), "clrewrite") << shown(Text.str()) << "\n";
}

} // namespace clrewrite::run
