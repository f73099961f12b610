// The options that several commands have.
#include "CommonOptions.h"
#include "Help.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clrewrite::cli {

cl::OptionCategory Modes("What to do (default: report, change nothing)");
cl::OptionCategory Choice("Which edits");
cl::OptionCategory Building("How kernels are built and measured");
cl::OptionCategory Roofline("What a device can do");
cl::OptionCategory Verifying("Whether results stay the same");
cl::OptionCategory Output("Output");

cl::opt<Format> OutputFormat(
    "format", cl::desc("Format of the report; --report is the same option:"),
    cl::values(clEnumValN(Format::Text, "text", "for people (default)"),
               clEnumValN(Format::Json, "json", "one JSON document"),
               clEnumValN(Format::Sarif, "sarif", "SARIF 2.1.0, with fixes"),
               clEnumValN(Format::GitHub, "github",
                          "annotations of a GitHub Actions workflow"),
               clEnumValN(Format::JUnit, "junit",
                          "XML for CI servers, a test case a kernel"),
               clEnumValN(Format::Csv, "csv", "for tables"),
               clEnumValN(Format::Markdown, "markdown",
                          "tables for a pull request"),
               clEnumValN(Format::Html, "html",
                          "a page: figures, occupancy curves, diffs"),
               clEnumValN(Format::Svg, "svg", "the occupancy curves alone")),
    cl::init(Format::Text), cl::cat(Output));
static cl::alias ReportFormat("report", cl::aliasopt(OutputFormat),
                              cl::desc("--format"), cl::cat(Output));
cl::opt<std::string> DeviceCommandLine(
    "device-command",
    cl::desc("How to start the device program, e.g. \"ssh gpuhost "
             "clrewrite-device\" (default: the one beside clrewrite)"),
    cl::value_desc("command"), cl::cat(Building));
cl::opt<unsigned>
    DeviceTimeout("device-timeout",
                  cl::desc("Limit for one job on a device (default 60)"),
                  cl::value_desc("seconds"), cl::init(60), cl::cat(Building));

cl::opt<bool> AllowNative(
    "allow-native",
    cl::desc("Run kernels on a CPU device even where no sandbox holds: they "
             "are native code, and can do all that you can"),
    cl::cat(Verifying), cl::sub(cl::SubCommand::getAll()));

void keepOwnOptions() {
  auto &All = cl::getRegisteredOptions();
  SmallVector<cl::Option *> Foreign;
  for (auto &Entry : All) {
    cl::Option *O = Entry.second;
    bool Own = any_of(O->Categories, [](const cl::OptionCategory *C) {
      return C == &Modes || C == &Choice || C == &Building || C == &Roofline ||
             C == &Verifying || C == &Output;
    });
    StringRef Name = Entry.first;
    if (!Own && Name != "help" && Name != "h" && Name != "version")
      Foreign.push_back(O);
  }
  for (cl::Option *O : Foreign)
    O->removeArgument();
}

bool parseCommandLine(ArrayRef<const char *> Words, StringRef Command) {
  keepOwnOptions();
  answerQuestions(Words, Command);
  std::string Problem = misspeltValue(Words, Command);
  if (!Problem.empty()) {
    WithColor::error(errs(), "clrewrite") << Problem << "\n";
    return false;
  }
  raw_string_ostream OS(Problem);
  if (cl::ParseCommandLineOptions(int(Words.size()), Words.data(), "", &OS))
    return true;
  errs() << Problem;
  return false;
}

opencl::DeviceCommand deviceCommand(const std::string &Line, unsigned Seconds,
                                    const char *Argv0) {
  opencl::DeviceCommand C = Line.empty() ? opencl::DeviceCommand::beside(Argv0)
                                         : opencl::DeviceCommand::shell(Line);
  C.Seconds = Seconds;
  if (AllowNative && Line.empty())
    C.Words.push_back("--allow-native");
  return C;
}

Expected<std::unique_ptr<opencl::DeviceClient>> startDevice(const char *Argv0) {
  return opencl::DeviceClient::start(
      deviceCommand(DeviceCommandLine, DeviceTimeout, Argv0));
}

} // namespace clrewrite::cli
