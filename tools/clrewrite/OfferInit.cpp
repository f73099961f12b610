// Offering a first .clrewrite.yaml.
#include "OfferInit.h"
#include "cache/DiskCache.h"
#include "config/Config.h"
#include "run/Console.h"
#include "source/RealPaths.h"

using namespace llvm;

namespace clrewrite::cli {
namespace {

/// The real path of the folder of the project without a configuration; empty
/// where a file of the run has one, or there is no kernel.
std::string unconfigured(const report::Report &R) {
  std::string Project;
  for (const report::FileReport &F : R.Files) {
    if (F.Kernels.empty())
      continue;
    if (F.HostMade || !config::configFor(F.Path, nullptr).empty())
      return "";
    if (Project.empty())
      Project = repositoryOf(F.Path);
    if (Project.empty())
      Project = folderOf(F.Path);
  }
  return holdsHome(Project) ? "" : Project;
}

} // namespace

void offerInit(const report::Report &R, const config::Options &O) {
  bool Seen = outs().is_displayed() && errs().is_displayed();
  std::string Folder = cache::DiskCache::defaultDirectory();
  if (!Seen || O.Form != config::Format::Text || !O.Output.empty() ||
      O.NoConfig || !O.ConfigFile.empty() || O.NoCache || Folder.empty())
    return;
  std::string Project = unconfigured(R);
  if (Project.empty())
    return;
  cache::DiskCache Cache(Folder);
  cache::CacheKey Key("offered init");
  Key.add(Project);
  if (Cache.get(Key))
    return;
  Cache.put(Key, "said");
  std::string Place = shortPath(Project);
  run::note("this project has no .clrewrite.yaml: clrewrite init" +
            (Place == realPath(".") ? "" : " " + run::shown(Place)) +
            " writes one, with the build options and GPUs that count");
}

} // namespace clrewrite::cli
