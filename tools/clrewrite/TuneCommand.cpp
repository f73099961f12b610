// The command `tune`: capture, a search by time, a plan, and a trial of the
// whole program with it. It is those commands one after another.
#include "CommandLine.h"
#include "Commands.h"
#include "pipeline/Planning.h"
#include "pipeline/SwappedRuns.h"
#include "run/CaptureInput.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace clrewrite::cli {

/// Runs \p Command with these words behind its name.
static int runWith(int (*Command)(int, char **), const char *Argv0,
                   std::vector<std::string> Words) {
  Words.insert(Words.begin(), Argv0);
  std::vector<char *> List;
  for (std::string &Word : Words)
    List.push_back(Word.data());
  List.push_back(nullptr);
  return Command(int(Words.size()), List.data());
}

static std::vector<std::string>
withProgram(std::vector<std::string> Words,
            const std::vector<std::string> &Program) {
  Words.push_back("--");
  Words.insert(Words.end(), Program.begin(), Program.end());
  return Words;
}

int tuneCommand(int Argc, char **Argv) {
  config::Options O;
  O.Capture.Folder = "clrewrite-tune";
  if (!parseCommandLine(Argc, Argv, "tune", O))
    return Failed;
  const std::vector<std::string> &Program = O.AfterDashes;
  if (Program.empty())
    return fail("no program; clrewrite tune -- program arguments...");
  const std::string &Folder = O.Capture.Folder;
  std::string Plan = O.PlanFile.empty() ? Folder + "/plan.json" : O.PlanFile;
  auto tell = [](const Twine &Text) {
    WithColor::note(errs(), "clrewrite") << Text << "\n";
  };

  tell("running " + Program.front() + " to watch it");
  int Code = runWith(captureCommand, Argv[0],
                     withProgram({"--quiet", "--data", "-o", Folder}, Program));
  if (Code == OwnFailure || Code == NotFound)
    return Failed; // it has said why
  if (Code != 0)
    return fail("the program ended with " + std::to_string(Code) +
                "; what it did until then is in " + Folder);
  std::vector<std::string> Search = {
      "--capture=" + Folder, "--plan=" + Plan, "--objective=time",
      // The layer launches what they make.
      "--grant=coarsen", "--grant=restrict-buffers",
      "--grant=set-work-group-size", "--budget=" + O.Tune.Budget,
      "--output=" + Folder + "/report.txt", "--exit-zero"};
  if (!O.Tune.Only.empty())
    Search.push_back("--only=" + O.Tune.Only);
  if (O.Set.AllowVarying.value_or(false))
    Search.push_back("--allow-varying");
  if (O.AllowNative)
    Search.push_back("--allow-native");
  tell("searching for " + O.Tune.Budget + "; the report is " + Folder +
       "/report.txt");
  tell("the search is clrewrite " + join(Search, " "));
  if (Code = runWith(rewriteCommand, Argv[0], Search); Code != 0)
    return Code;
  Expected<plan::Plan> Kept = pipeline::readPlanFile(Plan);
  if (!Kept)
    return fail(toString(Kept.takeError()));
  if (Kept->Programs.empty()) {
    outs() << "nothing pays; " << Folder << "/report.txt says why\n";
    return 0;
  }
  O.PlanFile = Plan;
  Expected<pipeline::SwappedResult> R = tried(O, Argv[0]);
  if (!R)
    return fail(toString(R.takeError()));
  if (Code = exitCodeOf(*R, /*Compared=*/true); Code != Same)
    return Code;
  std::set<std::string> Dropped = pipeline::withoutGain(*R);
  if (!Dropped.empty()) {
    *Kept = pipeline::withoutKernels(std::move(*Kept), Dropped);
    if (Error E = run::writePlanFile(*Kept, Plan))
      return fail(toString(std::move(E)));
    outs() << "the plan leaves out " << join(Dropped, ", ")
           << ": no faster in the program\n";
  }
  if (Kept->Programs.empty())
    outs() << "nothing pays in the program; " << Folder
           << "/report.txt has what paid in the launches\n";
  else
    outs() << "to keep it: clrewrite run --plan=" << Plan
           << " -- PROGRAM ..., which changes no file, or clrewrite --capture="
           << Folder << " --objective=time --fix, which edits the kernels\n";
  outs().flush();
  return Code;
}

} // namespace clrewrite::cli
