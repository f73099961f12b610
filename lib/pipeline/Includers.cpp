// Reading the sources of a folder for their #include directives.
#include "pipeline/Includers.h"
#include "pipeline/InputUnits.h"
#include "source/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::pipeline {

std::vector<std::string> includedPaths(StringRef Text) {
  std::vector<std::string> Out;
  for (StringRef Rest = Text; !Rest.empty();) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    Line = Line.ltrim();
    if (!Line.consume_front("#"))
      continue;
    Line = Line.ltrim();
    if (!Line.consume_front("include"))
      continue;
    Line = Line.ltrim();
    if (Line.consume_front("\"") || Line.consume_front("<"))
      Out.push_back(
          Line.take_until([](char C) { return C == '"' || C == '>'; }).str());
  }
  return Out;
}

bool mayInclude(StringRef Text, const StringSet<> &Names) {
  for (size_t At = Text.find("include"); At != StringRef::npos;
       At = Text.find("include", At + 1)) {
    StringRef Rest = Text.substr(At + StringRef("include").size());
    Rest = Rest.take_until([](char C) { return C == '\n'; }).ltrim();
    if (!Rest.starts_with("\"") && !Rest.starts_with("<"))
      return true;
    StringRef Path = Rest.drop_front().take_until(
        [](char C) { return C == '"' || C == '>'; });
    if (Names.contains(sys::path::filename(Path)))
      return true;
  }
  return false;
}

Includers::Includers(const std::string &Root) {
  for (std::string &File : filesBelow(Root)) {
    if (sortOf(File) == FileSort::Other)
      continue;
    std::optional<std::string> Text = expectedToOptional(readText(File, Root));
    if (!Text)
      continue;
    std::vector<std::string> List = includedPaths(*Text);
    if (!List.empty())
      Paths[std::move(File)] = std::move(List);
  }
}

/// What \p Path, included in \p File, stands for beside it; empty for nothing.
static std::string beside(StringRef File, StringRef Path) {
  SmallString<256> Whole(sys::path::parent_path(File)), Real;
  sys::path::append(Whole, Path);
  return sys::fs::real_path(Whole, Real) ? "" : Real.str().str();
}

std::string Includers::unknown(StringRef Header,
                               const std::set<std::string> &Known) const {
  std::set<std::string> Wanted = {Header.str()};
  std::set<std::string> Names = {sys::path::filename(Header).str()};
  auto IsWanted = [&](StringRef File, const std::string &Path) {
    if (!Names.count(sys::path::filename(Path).str()))
      return false;
    std::string Real = beside(File, Path);
    return Real.empty() || Wanted.count(Real);
  };
  // Those that a known file brings in count through it.
  for (bool More = true; More;) {
    More = false;
    for (const auto &Each : Paths) {
      const std::string &File = Each.first;
      if (Wanted.count(File) || none_of(Each.second, [&](const std::string &P) {
            return IsWanted(File, P);
          }))
        continue;
      if (!Known.count(File))
        return File;
      Wanted.insert(File);
      Names.insert(sys::path::filename(File).str());
      More = true;
    }
  }
  return "";
}

} // namespace clrewrite::pipeline
