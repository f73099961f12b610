// The command `cache`: where results are kept from run to run, and how to be
// rid of them.
#include "Commands.h"
#include "CommonOptions.h"
#include "cache/DiskCache.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clrewrite::cli {

static cl::SubCommand Command("cache");
static cl::opt<bool> Clear("clear", cl::desc("Remove them"), cl::sub(Command));

int cacheCommand(int Argc, char **Argv) {
  // LLVM finds the subcommand by its name.
  std::vector<const char *> Words(Argv, Argv + Argc);
  Words.insert(Words.begin() + 1, "cache");
  if (!parseCommandLine(Words, "cache"))
    return 2;
  std::string Directory = cache::DiskCache::defaultDirectory();
  if (Directory.empty()) {
    outs() << "no cache: CLREWRITE_CACHE_DIR is empty, or there is no home\n";
    return 0;
  }
  cache::DiskCache::Size Size = Clear ? cache::DiskCache::clear(Directory)
                                      : cache::DiskCache::sizeOf(Directory);
  outs() << formatv("{0}: {1} {2} result{3}, {4} bytes\n", Directory,
                    Clear ? "removed" : "holds", Size.Entries,
                    Size.Entries == 1 ? "" : "s", Size.Bytes);
  return 0;
}

} // namespace clrewrite::cli
