// The command `run`: runs a program with the OpenCL layer in it, which takes
// the kernels of a plan where they stand for the program's own.
#include "CommandLine.h"
#include "Commands.h"
#include "capture/RunCaptured.h"
#include "pipeline/Planning.h"

using namespace llvm;

namespace clrewrite::cli {

int runCommand(int Argc, char **Argv) {
  config::Options O;
  if (!parseCommandLine(Argc, Argv, "run", O))
    return OwnFailure;
  if (O.AfterDashes.empty() || O.PlanFile.empty())
    return fail("no plan or no program; clrewrite run --plan=file -- program "
                "arguments...",
                OwnFailure);
  Expected<plan::Plan> Plan = pipeline::readPlanFile(O.PlanFile);
  if (!Plan)
    return fail(toString(Plan.takeError()), OwnFailure);
  Expected<std::string> Layer = capture::findLayer(Argv[0]);
  if (!Layer)
    return fail(toString(Layer.takeError()), OwnFailure);
  capture::CapturedRun Run;
  Run.Command = O.AfterDashes;
  Run.Plan = O.PlanFile;
  Run.Layer = *Layer;
  Expected<capture::RunEnd> End = capture::runCaptured(Run);
  if (!End)
    return fail(toString(End.takeError()), NotFound);
  return End->shellCode();
}

} // namespace clrewrite::cli
