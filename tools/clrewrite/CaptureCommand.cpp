// The command `capture`: runs a program with the OpenCL layer in it, and tells
// what it did.
#include "CaptureFigures.h"
#include "Commands.h"
#include "CommonOptions.h"
#include "Shown.h"
#include "capture/CaptureReport.h"
#include "capture/RunCaptured.h"
#include "measure/Launch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace clrewrite::cli {

static cl::SubCommand Command("capture");
static cl::opt<std::string>
    Folder("o", cl::desc("The folder to write (default clrewrite-capture)"),
           cl::value_desc("folder"), cl::init("clrewrite-capture"),
           cl::sub(Command));
static cl::opt<std::string>
    Show("show", cl::desc("Only tell what the capture in this folder holds"),
         cl::value_desc("folder"), cl::sub(Command));
static cl::opt<std::string>
    Data("data",
         cl::desc("Record what memory holds before and after the first N "
                  "launches of each shape (default 1; without: none)"),
         cl::value_desc("N"), cl::ValueOptional, cl::sub(Command));
static cl::opt<std::string>
    MaxSize("max-size", cl::desc("Bound on the folder's size (default 1G)"),
            cl::value_desc("bytes"), cl::init("1G"), cl::sub(Command));
static cl::list<std::string>
    Targets("target", cl::CommaSeparated,
            cl::desc("GPUs whose registers are told (default gfx906,gfx1100)"),
            cl::value_desc("gpu,..."), cl::sub(Command));
static cl::opt<bool> NoMeasure("no-measure", cl::desc("Tell no registers"),
                               cl::sub(Command));
static cl::opt<bool> Quiet("quiet", cl::desc("Print nothing but errors"),
                           cl::sub(Command));
static cl::opt<Format>
    How("format", cl::desc("Format of what is told:"),
        cl::values(clEnumValN(Format::Text, "text", "for people (default)"),
                   clEnumValN(Format::Json, "json", "one JSON document")),
        cl::init(Format::Text), cl::sub(Command));

/// Exit codes of our own, as env and timeout have them.
enum { OwnFailure = 125, NotFound = 127 };

static int fail(const Twine &Why, int Code = OwnFailure) {
  WithColor::error(errs(), "clrewrite") << shown(Why.str()) << "\n";
  return Code;
}

/// Tells what the capture in \p Path holds; 0 where that went well.
static int show(const std::string &Path, const char *Argv0) {
  Expected<capture::Capture> C = capture::readCapture(Path);
  if (!C)
    return fail(toString(C.takeError()));
  std::vector<capture::CaptureColumn> Columns;
  if (!NoMeasure && !C->Launches.empty()) {
    std::vector<std::string> Names(Targets.begin(), Targets.end());
    if (Names.empty())
      Names = {"gfx906", "gfx1100"};
    Expected<std::vector<capture::CaptureColumn>> Measured =
        captureFigures(*C, Names, Argv0);
    if (!Measured)
      return fail(toString(Measured.takeError()));
    Columns = std::move(*Measured);
  }
  if (How == Format::Json)
    capture::writeCaptureJson(*C, Columns, outs());
  else
    capture::writeCaptureText(*C, Columns, outs());
  outs().flush();
  return 0;
}

/// What the options say; the message of what is wrong with them.
static Expected<capture::CapturedRun> runOf(ArrayRef<char *> Program,
                                            const char *Argv0) {
  capture::CapturedRun Run;
  Run.Command.assign(Program.begin(), Program.end());
  Run.Folder = Folder;
  if (Data.getNumOccurrences()) {
    Run.DataSamples = 1;
    if (!Data.empty() && (StringRef(Data).getAsInteger(10, Run.DataSamples) ||
                          Run.DataSamples == 0))
      return createStringError("--data: '%s' is no number of launches",
                               Data.c_str());
  }
  Expected<uint64_t> Bytes = measure::parseBytes(MaxSize);
  if (!Bytes)
    return createStringError("--max-size: %s",
                             toString(Bytes.takeError()).c_str());
  Run.MaxBytes = *Bytes;
  Expected<std::string> Layer = capture::findLayer(Argv0);
  if (!Layer)
    return Layer.takeError();
  Run.Layer = *Layer;
  if (sys::fs::exists(Folder + "/capture.json") ||
      sys::fs::exists(Folder + "/used.bin"))
    return createStringError("%s holds a capture already; remove it, or name "
                             "another folder with -o",
                             Folder.c_str());
  return Run;
}

int captureCommand(int Argc, char **Argv) {
  // What follows -- is the program, whatever it looks like.
  std::vector<const char *> Own = {Argv[0], "capture"};
  int I = 1;
  for (; I < Argc && StringRef(Argv[I]) != "--"; ++I)
    Own.push_back(Argv[I]);
  ArrayRef<char *> Program(Argv + std::min(I + 1, Argc), Argv + Argc);
  if (!parseCommandLine(Own, "capture"))
    return OwnFailure;
  if (!Show.empty())
    return show(Show, Argv[0]);
  if (Program.empty())
    return fail("no program; clrewrite capture -- program arguments...");
  Expected<capture::CapturedRun> Run = runOf(Program, Argv[0]);
  if (!Run)
    return fail(toString(Run.takeError()));
  Expected<capture::RunEnd> End = capture::runCaptured(*Run);
  if (!End)
    return fail(toString(End.takeError()), NotFound);
  if (End->Signal)
    errs() << formatv("clrewrite: {0} was ended by signal {1}; the capture has "
                      "what it did until then\n",
                      Program[0], *End->Signal);
  if (!Quiet) {
    errs() << formatv("clrewrite: captured in {0}\n", Folder);
    if (int Code = show(Folder, Argv[0]))
      return Code;
  }
  return End->shellCode();
}

} // namespace clrewrite::cli
