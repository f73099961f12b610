// The program's entry: which command runs.
#include "Commands.h"
#include "FileNames.h"
#include "Shown.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include <vector>

using namespace llvm;
using namespace clrewrite;
using namespace clrewrite::cli;

int main(int Argc, char **Argv) {
  // A pipe of ours must not take the place of a stream that was closed.
  sys::Process::FixupStandardFileDescriptors();
  std::vector<char *> Words(Argv, Argv + Argc);
  // The name under which editors start the server.
  static char Lsp[] = "lsp";
  if (sys::path::stem(Argv[0]) == "clrewrite-lsp")
    Words.insert(Words.begin() + 1, Lsp);
  auto first = [&] { return StringRef(Words.size() > 1 ? Words[1] : ""); };
  static char Help[] = "--help";
  if (first() == "help") { // help COMMAND is COMMAND --help
    Words.erase(Words.begin() + 1);
    Words.push_back(Help);
  }
  if (std::string Problem = separateNames(Words); !Problem.empty()) {
    WithColor::error(errs(), "clrewrite") << shown(Problem) << "\n";
    return 2;
  }
  for (const Command &C : Commands)
    if (*C.Name && first() == C.Name) {
      Words.erase(Words.begin() + 1);
      return C.Run(int(Words.size()), Words.data());
    }
  return rewriteCommand(int(Words.size()), Words.data());
}
