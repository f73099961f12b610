// The kernels of a run are known; other files are searched for the name.
#include "run/UnusedLaunches.h"
#include "pipeline/InputUnits.h"
#include "source/File.h"
#include "source/RealPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::run {

/// Whether some source below \p Folder has \p Name in it, or may: beyond these
/// limits nobody looks.
static bool mayMention(const std::string &Folder, StringRef Name) {
  constexpr size_t MostEntries = 2000;
  constexpr uint64_t MostBytes = 16 << 20;
  const std::string Real = realPath(Folder);
  size_t Entries = 0;
  uint64_t Bytes = 0;
  std::error_code Code;
  for (sys::fs::recursive_directory_iterator
           It(Folder, Code, /*follow_symlinks=*/false),
       End;
       It != End && !Code; It.increment(Code)) {
    if (++Entries > MostEntries)
      return true;
    if (sys::path::filename(It->path()).starts_with(".")) {
      It.no_push();
      continue;
    }
    if (It->type() != sys::fs::file_type::regular_file ||
        pipeline::sortOf(It->path()) == pipeline::FileSort::Other)
      continue;
    ErrorOr<sys::fs::basic_file_status> Status = It->status();
    if (!Status || (Bytes += Status->getSize()) > MostBytes)
      return true;
    Expected<std::string> Text = readText(It->path(), Real);
    if (!Text)
      consumeError(Text.takeError());
    else if (StringRef(*Text).contains(Name))
      return true;
  }
  return bool(Code);
}

std::vector<std::string> unusedLaunches(const config::Options &O, Configs &All,
                                        const report::Report &R) {
  std::vector<std::string> Out;
  std::set<std::string> Kernels, Seen;
  for (const report::FileReport &F : R.Files) {
    if (!F.Problem.empty())
      return Out;
    for (const rewrite::KernelInfo &K : F.Kernels)
      Kernels.insert(K.Name);
  }
  if (O.Set.Launches) {
    for (const config::FileLaunch &Each : *O.Set.Launches)
      if (launch::Launch L = cantFail(launch::parseLaunch(Each.Text));
          !Kernels.count(L.Kernel))
        Out.push_back("--launch: no file has a kernel " + L.Kernel);
    return Out;
  }
  for (const report::FileReport &F : R.Files) {
    const config::Config &C = All.of(F.Path).Merged;
    if (C.Path.empty() || C.Folder.empty() || !C.Launches ||
        !Seen.insert(C.Path).second)
      continue;
    for (const config::FileLaunch &Each : *C.Launches) {
      Expected<launch::Launch> L = launch::parseLaunch(Each.Text);
      if (!L)
        consumeError(L.takeError()); // which has been said
      else if (!Kernels.count(L->Kernel) && !mayMention(C.Folder, L->Kernel))
        Out.push_back(C.Path + ": launch: no file has a kernel " + L->Kernel);
    }
  }
  return Out;
}

} // namespace clrewrite::run
