// Defaults are filled in, and texts such as targets and launches are parsed.
#include "config/Config.h"
#include "config/Glob.h"
#include "frontend/BuildOptions.h"
#include "frontend/IncludeFolders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::config {

Config defaultConfig() {
  Config C;
  C.Targets = {"gfx906", "gfx1100"};
  C.Goal = select::Objective::Auto;
  C.MaxSlowdown = 0;
  C.OnlyTarget = false;
  C.Variants = false;
  C.Budget = "200";
  C.Verify = "auto";
  C.VerifySeconds = 10;
  C.RequireProof = false;
  C.AllowVarying = false;
  C.OnlyTheseBuilds = false;
  C.GuessLaunches = false;
  C.ProofSeconds = 10;
  C.CompileTimeout = 60;
  C.Jobs = 0;
  return C;
}

/// \p File as patterns see it: relative to the configuration's folder.
static std::string placeOf(const Config &C, StringRef File) {
  SmallString<256> Path(File);
  (void)sys::fs::make_absolute(Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  StringRef Place = Path;
  if (Place.consume_front(C.Folder))
    Place.consume_front("/");
  return Place.str();
}

Config resolvedFor(Config C, StringRef File) {
  std::string Place = placeOf(C, File);
  auto IsForOthers = [&](const auto &Each) {
    return !Each.Files.empty() && !anyGlobMatches(Each.Files, Place);
  };
  if (C.Sets)
    llvm::erase_if(*C.Sets, IsForOthers);
  if (C.Launches)
    llvm::erase_if(*C.Launches, IsForOthers);
  return C;
}

bool excludes(const Config &C, StringRef File) {
  return C.Exclude && anyGlobMatches(*C.Exclude, placeOf(C, File));
}

std::string quotedOption(StringRef Word) {
  std::string Out;
  for (char C : Word)
    Out += StringRef("\"'\\").contains(C) ? std::string("\\") + C
                                          : std::string(1, C);
  bool Quote = Word.empty() || Word.find_first_of(" \t\r\n") != StringRef::npos;
  // Within quotes a ' means itself, and its backslash would stay.
  if (Quote)
    for (size_t At = 0; (At = Out.find("\\'", At)) != std::string::npos;)
      Out.erase(At, 1);
  return Quote ? "\"" + Out + "\"" : Out;
}

/// \p Name within \p Folder; as it is where it is absolute.
static std::string within(StringRef Folder, StringRef Name) {
  if (sys::path::is_absolute(Name))
    return Name.str();
  SmallString<256> Path(Folder);
  sys::path::append(Path, Name);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

std::string rebasedOptions(const std::string &Text, StringRef Folder) {
  Words Old = frontend::splitBuildOptions(Text);
  Words List = frontend::withIncludeFolders(
      Old, [&](StringRef Name) { return within(Folder, Name); });
  // What is not in the folder is looked up as #include does it.
  for (size_t I = 1; I < List.size(); ++I)
    if (List[I - 1] == "-include" && sys::fs::exists(within(Folder, List[I])))
      List[I] = within(Folder, List[I]);
  return List == Old ? Text : join(map_range(List, quotedOption), " ");
}

std::string withoutForeignFolders(const std::string &Text,
                                  ArrayRef<std::string> Roots, Words &LeftOut) {
  Words List = frontend::splitBuildOptions(Text),
        Kept = frontend::withoutForeignFolders(List, Roots, LeftOut);
  return Kept == List ? Text : join(map_range(Kept, quotedOption), " ");
}

} // namespace clrewrite::config
