// Reading a command line, and saying what is wrong with it.
#include "CommandLine.h"
#include "Help.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clrewrite::cli {

bool parseCommandLine(int Argc, char **Argv, StringRef Command,
                      config::Options &O) {
  std::vector<std::string> Words(Argv + 1, Argv + Argc);
  answerQuestions(Words, Command);
  if (std::string Problem = misspeltValue(Words, Command); !Problem.empty()) {
    fail(Problem);
    return false;
  }
  return tell(config::parseOptions(Argv[0], Command, Words, O));
}

bool tell(const config::Misuse &Wrong) {
  errs() << Wrong.Words;
  if (Wrong.Words.empty() && !Wrong.Value.empty())
    fail(Wrong.Value);
  return !Wrong.any();
}

int fail(const Twine &Why, int Code) {
  run::error(Why);
  return Code;
}

} // namespace clrewrite::cli
