// The fuzzers' entry points without libFuzzer: the seeds, and mutations of them
// that are the same in every run, so that the ordinary tests go through them.
// The parsers are compiled with AddressSanitizer and UBSan.
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

using namespace llvm;

namespace {
struct Entry {
  StringLiteral Name;
  int (*Call)(const uint8_t *, size_t);
};
} // namespace

// The fuzzers' sources, and Entries, a line for each (CMakeLists.txt).
#include "Entries.inc"

/// With \p Beyond, as if one byte more were there, which a sanitizer must see.
static void give(const Entry &To, StringRef Text, bool Beyond = false) {
  // Of its own size on the heap, so that a sanitizer sees its end.
  std::vector<char> Bytes(Text.begin(), Text.end());
  To.Call(reinterpret_cast<const uint8_t *>(Bytes.data()),
          Bytes.size() + Beyond);
}

/// In one to four places: a byte changed, put in or taken out; a piece doubled
/// or left out; something that parsers count put in.
static std::string mutated(std::string Text, std::mt19937 &Random) {
  static const char *const Pieces[] = {
      "[[[[[[[[", "{\"a\":", "-1",   "18446744073709551616",
      "1e999",    "\\ud800", "\xff", "\r\n\r\n",
      "null",     "\"",      "*a",   "- - - - "};
  auto below = [&](size_t N) { return N ? Random() % N : 0; };
  for (size_t Times = 1 + below(4); Times; --Times) {
    size_t At = below(Text.size() + 1), Length = below(Text.size() - At + 1);
    switch (below(6)) {
    case 0:
      if (At < Text.size())
        Text[At] = char(Random());
      break;
    case 1:
      Text.insert(At, 1, char(Random()));
      break;
    case 2:
      Text.erase(At, below(8));
      break;
    case 3:
      Text.insert(At, Text.substr(At, Length));
      break;
    case 4:
      Text.erase(At, Length);
      break;
    default:
      Text.insert(At, Pieces[below(std::size(Pieces))]);
    }
  }
  Text.resize(std::min<size_t>(Text.size(), 1 << 16));
  return Text;
}

/// Leaks are looked for by a tracer, which containers often forbid.
extern "C" const char *__asan_default_options() { return "detect_leaks=0"; }

/// usage: fuzz-replay SEEDS MUTATIONS, where SEEDS has a folder for each
/// parser; or fuzz-replay SEEDS beyond PARSER.
int main(int Argc, char **Argv) {
  unsigned Mutations = 0;
  bool Beyond = Argc == 4 && StringRef(Argv[2]) == "beyond";
  if (!Beyond &&
      (Argc != 3 || StringRef(Argv[2]).getAsInteger(10, Mutations))) {
    errs() << "usage: fuzz-replay SEEDS MUTATIONS | SEEDS beyond PARSER\n";
    return 2;
  }
  for (const Entry &To : Entries) {
    if (Beyond && To.Name != Argv[3])
      continue;
    std::vector<std::string> Seeds;
    std::error_code EC;
    for (sys::fs::directory_iterator It(Twine(Argv[1]) + "/" + To.Name, EC),
         End;
         It != End && !EC; It.increment(EC))
      Seeds.push_back(It->path());
    llvm::sort(Seeds);
    std::mt19937 Random(1);
    for (const std::string &Path : Seeds) {
      auto Text = MemoryBuffer::getFile(Path);
      if (!Text)
        continue;
      give(To, (*Text)->getBuffer(), Beyond);
      for (unsigned I = 0; I < Mutations; ++I)
        give(To, mutated((*Text)->getBuffer().str(), Random));
    }
    outs() << To.Name << ": " << Seeds.size() << " seeds, "
           << Seeds.size() * Mutations << " mutations\n";
    if (Seeds.empty())
      return 1;
  }
  return 0;
}
