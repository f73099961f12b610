// Reading a command line, and saying what is wrong with it.
#include "CommandLine.h"
#include "Help.h"
#include "Shown.h"
#include "llvm/Support/WithColor.h"
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
  WithColor::error(errs(), "clrewrite") << shown(Why.str()) << "\n";
  return Code;
}

opencl::DeviceCommand deviceCommand(const config::Options &O,
                                    const std::string &Line, unsigned Seconds,
                                    const char *Argv0) {
  opencl::DeviceCommand C = Line.empty() ? opencl::DeviceCommand::beside(Argv0)
                                         : opencl::DeviceCommand::shell(Line);
  C.Seconds = Seconds;
  if (O.AllowNative && Line.empty())
    C.Words.push_back("--allow-native");
  return C;
}

Expected<std::unique_ptr<opencl::DeviceClient>>
startDevice(const config::Options &O, const char *Argv0) {
  return opencl::DeviceClient::start(
      deviceCommand(O, O.DeviceCommand, O.DeviceTimeout, Argv0));
}

} // namespace clrewrite::cli
