// The command `try`: a whole program as it is, and with the rewritten kernels
// of its capture swapped in, or with a plan.
#include "CommandLine.h"
#include "Commands.h"
#include "capture/RunCaptured.h"
#include "launch/Launch.h"
#include "pipeline/SwappedRuns.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace clrewrite::cli {

Expected<pipeline::SwappedResult> tried(const config::Options &O,
                                        const char *Argv0) {
  Expected<std::string> Layer = capture::findLayer(Argv0);
  if (!Layer)
    return Layer.takeError();
  Expected<uint64_t> Bytes = launch::parseBytes(O.Try.MaxSize);
  if (!Bytes)
    return createStringError("--max-size: " + toString(Bytes.takeError()));
  pipeline::SwappedRuns Runs;
  Runs.MaxBytes = *Bytes;
  Runs.CaptureFolder = O.Try.Folder;
  Runs.Plan = O.PlanFile;
  Runs.Program = O.AfterDashes;
  Runs.Layer = *Layer;
  Runs.Rounds = O.Try.Rounds;
  Runs.Compare = !O.Try.NoCompare;
  Runs.Progress = [](const std::string &Text) {
    errs() << "clrewrite: " << Text << "\n";
  };
  Expected<pipeline::SwappedResult> R = pipeline::runSwapped(Runs);
  if (R)
    pipeline::writeText(*R, outs());
  outs().flush();
  return R;
}

int exitCodeOf(const pipeline::SwappedResult &R, bool Compared) {
  if (!R.Unlike.empty() || (R.SameOutput == false && !R.OutputVaries))
    return Different;
  return R.Unclear.empty() && (R.Compared || !Compared) ? Same : Failed;
}

int tryCommand(int Argc, char **Argv) {
  config::Options O;
  if (!parseCommandLine(Argc, Argv, "try", O))
    return Failed;
  if (O.AfterDashes.empty())
    return fail("no program; clrewrite try --capture=folder -- program "
                "arguments...");
  Expected<pipeline::SwappedResult> R = tried(O, Argv[0]);
  return R ? exitCodeOf(*R, !O.Try.NoCompare) : fail(toString(R.takeError()));
}

} // namespace clrewrite::cli
