// The command `cache`: where results are kept from run to run, and how to be
// rid of them.
#include "CommandLine.h"
#include "Commands.h"
#include "cache/DiskCache.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clrewrite::cli {

int cacheCommand(int Argc, char **Argv) {
  config::Options O;
  if (!parseCommandLine(Argc, Argv, "cache", O))
    return 2;
  std::string Directory = cache::DiskCache::defaultDirectory();
  if (Directory.empty()) {
    outs() << "no cache: CLREWRITE_CACHE_DIR is empty, or there is no home\n";
    return 0;
  }
  cache::DiskCache::Size Size = O.ClearCache
                                    ? cache::DiskCache::clear(Directory)
                                    : cache::DiskCache::sizeOf(Directory);
  outs() << formatv("{0}: {1} {2} result{3}, {4} bytes\n", Directory,
                    O.ClearCache ? "removed" : "holds", Size.Entries,
                    Size.Entries == 1 ? "" : "s", Size.Bytes);
  return 0;
}

} // namespace clrewrite::cli
