// The command `try`: a whole program as it is, and with the rewritten kernels
// of its capture swapped in.
#include "Commands.h"
#include "CommonOptions.h"
#include "Shown.h"
#include "capture/RunCaptured.h"
#include "measure/Launch.h"
#include "pipeline/SwappedRuns.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace clrewrite::cli {

static cl::SubCommand Command("try");
static cl::opt<std::string>
    Folder("capture",
           cl::desc("The capture, after clrewrite --capture=... (default "
                    "clrewrite-capture)"),
           cl::value_desc("folder"), cl::init("clrewrite-capture"),
           cl::sub(Command));
static cl::opt<unsigned>
    Rounds("rounds", cl::desc("Pairs of runs to be timed (default 7)"),
           cl::value_desc("n"), cl::init(7), cl::sub(Command));
static cl::opt<bool>
    NoCompare("no-compare",
              cl::desc("Leave out the two runs that record what the kernels "
                       "write, and compare nothing"),
              cl::sub(Command));

static cl::opt<std::string>
    MaxSize("max-size",
            cl::desc("Bound on the data that one run records to be compared "
                     "(default 1G; up to five lie on the disk together)"),
            cl::value_desc("bytes"), cl::init("1G"), cl::sub(Command));

enum { Same = 0, Different = 1, Failed = 2 };

static int fail(const Twine &Why) {
  WithColor::error(errs(), "clrewrite") << shown(Why.str()) << "\n";
  return Failed;
}

int tryCommand(int Argc, char **Argv) {
  std::vector<const char *> Own = {Argv[0], "try"};
  int I = 1;
  for (; I < Argc && StringRef(Argv[I]) != "--"; ++I)
    Own.push_back(Argv[I]);
  std::vector<std::string> Program(Argv + std::min(I + 1, Argc), Argv + Argc);
  if (!parseCommandLine(Own, "try"))
    return Failed;
  if (Program.empty())
    return fail("no program; clrewrite try --capture=folder -- program "
                "arguments...");
  Expected<std::string> Layer = capture::findLayer(Argv[0]);
  if (!Layer)
    return fail(toString(Layer.takeError()));
  Expected<uint64_t> Bytes = measure::parseBytes(MaxSize);
  if (!Bytes)
    return fail("--max-size: " + toString(Bytes.takeError()));
  pipeline::SwappedRuns Runs;
  Runs.MaxBytes = *Bytes;
  Runs.CaptureFolder = Folder;
  Runs.Program = std::move(Program);
  Runs.Layer = *Layer;
  Runs.Rounds = Rounds;
  Runs.Compare = !NoCompare;
  Runs.Progress = [](const std::string &Text) {
    errs() << "clrewrite: " << Text << "\n";
  };
  Expected<pipeline::SwappedResult> R = pipeline::runSwapped(Runs);
  if (!R)
    return fail(toString(R.takeError()));
  pipeline::writeText(*R, outs());
  outs().flush();
  if (!R->Unlike.empty() || (R->SameOutput == false && !R->OutputVaries))
    return Different;
  return R->Unclear.empty() && (R->Compared || NoCompare) ? Same : Failed;
}

} // namespace clrewrite::cli
