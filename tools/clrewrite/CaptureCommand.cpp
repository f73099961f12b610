// The command `capture`: runs a program with the OpenCL layer in it, and tells
// what it did.
#include "CaptureFigures.h"
#include "CommandLine.h"
#include "Commands.h"
#include "capture/CaptureReport.h"
#include "capture/RunCaptured.h"
#include "launch/Launch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace clrewrite::cli {

/// Tells what the capture in \p Path holds; 0 where that went well.
static int show(const config::Options &Given, const std::string &Path,
                const char *Argv0) {
  const config::CaptureOptions &O = Given.Capture;
  Expected<capture::Capture> C = capture::readCapture(Path);
  if (!C)
    return fail(toString(C.takeError()), OwnFailure);
  std::vector<capture::CaptureColumn> Columns;
  if (!O.NoMeasure && !C->Launches.empty()) {
    std::vector<std::string> Names = O.Targets;
    if (Names.empty())
      Names = {"gfx906", "gfx1100"};
    Expected<std::vector<capture::CaptureColumn>> Measured =
        captureFigures(Given, *C, Names, Argv0);
    if (!Measured)
      return fail(toString(Measured.takeError()), OwnFailure);
    Columns = std::move(*Measured);
  }
  if (O.Form == config::Format::Json)
    capture::writeCaptureJson(*C, Columns, outs());
  else
    capture::writeCaptureText(*C, Columns, outs());
  outs().flush();
  return 0;
}

/// The run that the options describe, or the error in them.
static Expected<capture::CapturedRun> runOf(const config::Options &Given,
                                            const char *Argv0) {
  capture::CapturedRun Run;
  const config::CaptureOptions &O = Given.Capture;
  Run.Command = Given.AfterDashes;
  Run.Folder = O.Folder;
  if (O.Data) {
    Run.DataSamples = 1;
    if (!O.Data->empty() &&
        (StringRef(*O.Data).getAsInteger(10, Run.DataSamples) ||
         Run.DataSamples == 0))
      return createStringError("--data: '%s' is no number of launches",
                               O.Data->c_str());
  }
  Expected<uint64_t> Bytes = launch::parseBytes(O.MaxSize);
  if (!Bytes)
    return createStringError("--max-size: %s",
                             toString(Bytes.takeError()).c_str());
  Run.MaxBytes = *Bytes;
  Expected<std::string> Layer = capture::findLayer(Argv0);
  if (!Layer)
    return Layer.takeError();
  Run.Layer = *Layer;
  if (sys::fs::exists(O.Folder + "/capture.json") ||
      sys::fs::exists(O.Folder + "/used.bin"))
    return createStringError("%s holds a capture already; remove it, or name "
                             "another folder with -o",
                             O.Folder.c_str());
  return Run;
}

int captureCommand(int Argc, char **Argv) {
  config::Options O;
  if (!parseCommandLine(Argc, Argv, "capture", O))
    return OwnFailure;
  if (!O.Capture.Show.empty())
    return show(O, O.Capture.Show, Argv[0]);
  if (O.AfterDashes.empty())
    return fail("no program; clrewrite capture -- program arguments...",
                OwnFailure);
  Expected<capture::CapturedRun> Run = runOf(O, Argv[0]);
  if (!Run)
    return fail(toString(Run.takeError()), OwnFailure);
  Expected<capture::RunEnd> End = capture::runCaptured(*Run);
  if (!End)
    return fail(toString(End.takeError()), NotFound);
  if (End->Signal)
    errs() << formatv("clrewrite: {0} was ended by signal {1}; the capture has "
                      "what it did until then\n",
                      O.AfterDashes.front(), *End->Signal);
  if (!O.Capture.Quiet) {
    errs() << formatv("clrewrite: captured in {0}\n", O.Capture.Folder);
    if (int Code = show(O, O.Capture.Folder, Argv[0]))
      return Code;
  }
  return End->shellCode();
}

} // namespace clrewrite::cli
