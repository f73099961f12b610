// Finding the configuration of each file (--config, --no-config), and showing
// it (--show-config).
#include "ConfigOptions.h"
#include "Shown.h"
#include "source/Printable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace clrewrite::cli {

const Configs::Found &Configs::of(const std::string &File) {
  std::string Path = O.ConfigFile;
  if (Path.empty() && !O.NoConfig) {
    auto [It, New] = Near.insert({sys::path::parent_path(File).str(), ""});
    std::string Note;
    if (New)
      It->second = config::configFor(File, &Note);
    if (!Note.empty() && Told.insert(Note).second)
      WithColor::note(errs(), "clrewrite") << printable(Note) << "\n";
    Path = It->second;
  }
  auto [It, New] = ByPath.try_emplace(Path);
  Found &Out = It->second;
  if (!New)
    return Out;
  config::Config Said;
  if (!Path.empty()) {
    Expected<config::Config> Read = O.ConfigFile.empty()
                                        ? config::readFoundConfig(Path)
                                        : config::readConfigFile(Path);
    if (Read) {
      Said = std::move(*Read);
      for (const std::string &Folder : Said.LeftOut)
        WithColor::note(errs(), "clrewrite")
            << printable(Path + ": -I " + Folder +
                         " lies outside of the repository and is left out; "
                         "give it behind -- or in --options where the program "
                         "is meant to have it")
            << "\n";
    } else {
      Out.Problem = toString(Read.takeError());
      // What has a place stands at the start of its line.
      if (StringRef(Out.Problem).contains(": error: "))
        errs() << shown(Out.Problem) << "\n";
      else
        WithColor::error(errs(), "clrewrite") << shown(Out.Problem) << "\n";
    }
  }
  Out.Merged = config::overlay(Defaults, Said);
  Out.Merged = config::overlay(std::move(Out.Merged), Given);
  Out.Merged.Path = Path;
  Out.Merged.Folder = Said.Folder;
  return Out;
}

int showConfig(const std::string &File, Configs &All) {
  const Configs::Found &F = All.of(File);
  if (!F.Problem.empty())
    return 2;
  outs() << "# " << (F.Merged.Path.empty() ? "no configuration" : F.Merged.Path)
         << ", for " << File << "\n";
  if (config::excludes(F.Merged, File))
    outs() << "# exclude: this file is left alone\n";
  config::Config C = config::resolvedFor(F.Merged, File);
  // Those of the command line count from here, wherever this is read back.
  SmallString<256> Here;
  if (C.Options && !sys::fs::current_path(Here))
    for (std::string &Text : *C.Options)
      Text = config::rebasedOptions(Text, Here);
  config::writeConfig(C, outs());
  return 0;
}

} // namespace clrewrite::cli
