// The command `fleet`: a run in shards, by what starts programs on this machine
// or on others. None of it is our own: xargs, GNU parallel or Slurm starts a
// shell script for each shard.
//
// A folder beside the output holds the scripts and what each shard leaves: its
// document, and then the file I.code, by which it is done. So whatever ends in
// the middle, the shards that are not done are told by that folder, and only
// those are run again: by the next round, or by the same command once more.
#include "CheckOptions.h"
#include "CommandLine.h"
#include "Commands.h"
#include "FileNames.h"
#include "Generate.h"
#include "ProgressLine.h"
#include "config/Shard.h"
#include "process/Program.h"
#include "source/File.h"
#include "source/Installed.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/WithColor.h"
#include <map>
#include <set>
#include <thread>

using namespace llvm;

namespace clrewrite::cli {
namespace {

std::string absolute(StringRef Path) {
  SmallString<256> Out(Path);
  sys::fs::make_absolute(Out);
  sys::path::remove_dots(Out);
  return Out.str().str();
}

/// What is to be run in shards.
struct Job {
  const config::FleetOptions &How;
  std::vector<std::string> Command; ///< measure and the like; may be empty
  std::vector<std::string> Words;   ///< behind it
  std::string Output, Folder;       ///< absolute

  std::string in(const Twine &Name) const {
    return (Folder + "/" + Name).str();
  }
  bool isDone(unsigned Shard) const {
    return sys::fs::exists(in(Twine(Shard) + ".code"));
  }
  std::vector<unsigned> missing() const {
    std::vector<unsigned> Out;
    for (unsigned I = 1; I <= How.Shards; ++I)
      if (!isDone(I))
        Out.push_back(I);
    return Out;
  }
};

/// What both scripts begin with.
std::string scriptHead(const Job &J) {
  SmallString<256> Here;
  sys::fs::current_path(Here);
  return "cd " + quoted(Here) + " || exit 2\nfolder=" + quoted(J.Folder) + "\n";
}

/// The script that runs one shard. It is done where it left a document, and an
/// exit code that says that the run came to its end.
std::string shardScript(const Job &J) {
  std::string Line;
  if (J.How.Timeout)
    Line += "timeout --foreground -k 10 " + utostr(J.How.Timeout) + " ";
  Line += quoted(programFolder() + "/clrewrite");
  for (const std::string &Word : J.Command)
    Line += " " + quoted(Word);
  Line += " --shard=\"$shard/" + utostr(J.How.Shards) +
          "\" --output=\"$folder/$shard.doc\"";
  for (const std::string &Word : J.Words)
    Line += " " + quoted(Word);
  return "#!/bin/sh\n"
         "# Runs the shard whose number is given, unless it is done.\n"
         "shard=${1:-$SLURM_ARRAY_TASK_ID}\n" +
         scriptHead(J) +
         "[ ! -e \"$folder/$shard.code\" ] || exit 0\n"
         "rm -f \"$folder/$shard.doc\"\n" +
         Line +
         " >\"$folder/$shard.log\" 2>&1 </dev/null\n"
         "code=$?\n"
         "[ $code -le 2 ] && [ -e \"$folder/$shard.doc\" ] || exit 1\n"
         "echo $code >\"$folder/$shard.tmp\" || exit 1\n"
         "mv \"$folder/$shard.tmp\" \"$folder/$shard.code\"\n";
}

/// The script that merges; the run is over where it leaves the file `code`.
std::string gatherScript(const Job &J) {
  return "#!/bin/sh\n"
         "# Merges the documents of the shards, where all are done.\n" +
         scriptHead(J) +
         "set --\ncode=0 i=1\n"
         "while [ $i -le " +
         utostr(J.How.Shards) +
         " ]; do\n"
         "  if read -r one 2>/dev/null <\"$folder/$i.code\"; then\n"
         "    set -- \"$@\" \"$folder/$i.doc\"\n"
         "    [ \"$one\" -le $code ] || code=$one\n"
         "  fi\n"
         "  i=$((i + 1))\n"
         "done\n" +
         quoted(programFolder() + "/clrewrite") + " merge " + quoted(J.Output) +
         " \"$@\" || exit 2\n"
         "echo $code >\"$folder/code.tmp\" &&\n"
         "  mv \"$folder/code.tmp\" \"$folder/code\"\n";
}

std::string numbers(ArrayRef<unsigned> Shards, StringRef Between) {
  return join(map_range(Shards, [](unsigned I) { return utostr(I); }), Between);
}

/// The line that runs \p Shards; a shell's, in the folder.
std::string lineFor(const Job &J, ArrayRef<unsigned> Shards) {
  std::string AtOnce = utostr(J.How.AtOnce);
  if (J.How.Local)
    return "printf '%s\\n' " + numbers(Shards, " ") + " | xargs -n 1 -P " +
           AtOnce + " sh ./shard.sh";
  if (J.How.Parallel) {
    // What its log counts are places in the list, so that is always the same.
    std::vector<unsigned> All;
    for (unsigned I = 1; I <= J.How.Shards; ++I)
      All.push_back(I);
    return "parallel --will-cite --joblog joblog --resume-failed --jobs " +
           AtOnce + " sh ./shard.sh ::: " + numbers(All, " ");
  }
  return "sbatch --parsable --requeue --job-name=clrewrite --output=/dev/null "
         "--array=" +
         numbers(Shards, ",") + (J.How.AtOnce ? "%" + AtOnce : "") +
         " ./shard.sh";
}

std::string mergeLine(StringRef Array) {
  return ("sbatch --parsable --requeue --job-name=clrewrite-merge "
          "--output=gather.log --dependency=afterany:" +
          Array + " ./gather.sh")
      .str();
}

std::string inFolder(const Job &J, const std::string &Line) {
  return "cd " + quoted(J.Folder) + " && " + Line;
}

/// Runs the shell's \p Line, a command of Slurm's, and gives its exit code and
/// what it prints. Slurm itself gives up on a controller within minutes.
std::pair<int, std::string> outputOf(const std::string &Line) {
  process::ProgramResult Ran =
      process::runProgram({"/bin/sh", "-c", Line}, {/*Seconds=*/600});
  errs() << Ran.Errors;
  return {Ran.ExitStatus.value_or(-1), Ran.Output};
}

/// The number of the job that \p Line submits.
Expected<std::string> submit(const Job &J, const std::string &Line) {
  auto [Code, Text] = outputOf(inFolder(J, Line));
  StringRef Id = StringRef(Text).split(';').first.trim();
  if (Code == 0 && !Id.empty() && all_of(Id, isDigit))
    return Id.str();
  return createStringError("sbatch took no job (exit code " + Twine(Code) +
                           "); run this again when it does");
}

/// Shows how many shards are done, while they run.
class Watch {
public:
  explicit Watch(const Job &J) : J(J) {}
  ~Watch() { Line.clear(); }

  /// Says \p Text in a line of its own, above the one that is shown.
  void note(const Twine &Text) {
    Line.clear();
    WithColor::note(errs(), "clrewrite") << Text << '\n';
    Last = std::nullopt;
  }

  /// Shows it, and waits a moment.
  void step() {
    size_t Done = J.How.Shards - J.missing().size();
    if (Done != Last)
      Line.show({J.Output,
                 formatv("{0} of {1} shards done", Done, J.How.Shards),
                 std::min<size_t>(Done + 1, J.How.Shards), J.How.Shards});
    Last = Done;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }

private:
  const Job &J;
  ProgressLine Line;
  std::optional<size_t> Last = std::nullopt;
};

/// Runs \p Shards by a program here that waits for them.
Error runHere(const Job &J, ArrayRef<unsigned> Shards) {
  std::string Line =
      inFolder(J, "{ " + lineFor(J, Shards) + "; } >round.log 2>&1 </dev/null");
  std::string Why;
  sys::ProcessInfo Child = sys::ExecuteNoWait("/bin/sh", {"sh", "-c", Line},
                                              std::nullopt, {}, 0, &Why);
  if (Child.Pid == sys::ProcessInfo::InvalidPid)
    return createStringError("cannot start a shell: " + Why);
  Watch W(J);
  while (sys::Wait(Child, 0, &Why).Pid != Child.Pid)
    W.step();
  return Error::success();
}

/// Those of \p Jobs that Slurm still has, and why it lets them wait, in lines;
/// none where it gives no answer.
std::optional<std::map<std::string, std::string>>
queued(ArrayRef<StringRef> Jobs) {
  auto [Code, Text] =
      outputOf("squeue --noheader --me --format='%F %r' 2>/dev/null");
  if (Code != 0)
    return std::nullopt;
  std::map<std::string, std::string> Out;
  SmallVector<StringRef> Lines;
  StringRef(Text).split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Each : Lines)
    if (auto [Job, Reason] = Each.trim().split(' '); is_contained(Jobs, Job))
      Out[Job.str()] += (Reason.trim() + "\n").str();
  return Out;
}

/// Waits until Slurm has none of the jobs that the file `jobs` names. What does
/// not answer is restarted, or will be: the jobs go on meanwhile.
void waitForJobs(const Job &J) {
  auto Buffer = MemoryBuffer::getFile(J.in("jobs"));
  if (!Buffer)
    return;
  SmallVector<StringRef> Jobs;
  (*Buffer)->getBuffer().split(Jobs, '\n', -1, /*KeepEmpty=*/false);
  Watch W(J);
  std::set<std::string> Told;
  while (true) {
    std::optional<std::map<std::string, std::string>> Left = queued(Jobs);
    if (Left && Left->empty())
      return;
    if (Left)
      for (const auto &[Id, Reasons] : *Left)
        // "JobHeldUser", or "launch failed requeued held": it waits for ever.
        if (StringRef(Reasons).contains_insensitive("held") &&
            Told.insert(Id).second)
          W.note("Slurm holds job " + Id + " (" +
                 StringRef(Reasons).split('\n').first +
                 "): `scontrol release " + Id +
                 "` lets it go on, and `scancel " + Id + "` ends it");
    for (unsigned I = 0; I < 4; ++I)
      W.step();
  }
}

/// Submits the array job and the merge job, and waits for both.
Error runOnSlurm(const Job &J, ArrayRef<unsigned> Shards) {
  Expected<std::string> Array = submit(J, lineFor(J, Shards));
  if (!Array)
    return Array.takeError();
  // Before the next is submitted, so that none is ever forgotten.
  if (Error E = putText(J.in("jobs"), *Array + "\n"))
    return E;
  Expected<std::string> Merge = submit(J, mergeLine(*Array));
  if (!Merge)
    return Merge.takeError();
  if (Error E = putText(J.in("jobs"), *Array + "\n" + *Merge + "\n"))
    return E;
  waitForJobs(J);
  return Error::success();
}

std::string contentOf(const std::string &Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

/// Whether \p Name is one that is written into the folder.
bool isOurs(StringRef Name) {
  auto [Stem, Extension] = Name.split('.');
  if (all_of(Stem, isDigit) &&
      is_contained({"doc", "log", "tmp", "code"}, Extension))
    return true;
  return is_contained({"shard.sh", "gather.sh", "code", "code.tmp", "jobs",
                       "joblog", "round.log", "gather.log"},
                      Name);
}

std::vector<std::string> filesIn(const std::string &Folder) {
  std::vector<std::string> Out;
  std::error_code Code;
  for (sys::fs::directory_iterator It(Folder, Code), End; It != End && !Code;
       It.increment(Code))
    Out.push_back(It->path());
  return Out;
}

/// Removes what the run has left, and the folder where nothing else is in it.
void clear(const Job &J) {
  for (const std::string &Path : filesIn(J.Folder))
    if (isOurs(sys::path::filename(Path)))
      sys::fs::remove(Path);
  sys::fs::remove(J.Folder);
}

/// The folder with its scripts. That of a run that is over begins anew; that of
/// a run that is not goes on, where it is of this command.
Error prepare(const Job &J) {
  if (sys::fs::exists(J.in("code")) && sys::fs::exists(J.in("shard.sh")))
    clear(J);
  const std::string Script = shardScript(J);
  if (!filesIn(J.Folder).empty() && contentOf(J.in("shard.sh")) != Script)
    return createStringError(
        J.Folder + " holds something else, such as a run of another command "
                   "that was not finished; remove it, or give --folder");
  if (Error E = putInFolders(J.in("shard.sh"), Script))
    return E;
  return putText(J.in("gather.sh"), gatherScript(J));
}

Error runMissing(const Job &J) {
  if (J.How.Slurm)
    waitForJobs(J); // which an earlier call of this command has left
  for (std::vector<unsigned> Left = J.missing(); !Left.empty();) {
    if (Error E = J.How.Slurm ? runOnSlurm(J, Left) : runHere(J, Left))
      return E;
    std::vector<unsigned> Now = J.missing();
    if (Now.size() == Left.size()) {
      std::string First = J.in(utostr(Now.front()) + ".log");
      return createStringError(
          (Now.size() == 1 ? "shard " : "shards ") + numbers(Now, ", ") +
          " did not come to an end, also when run again (" + First +
          "); the same command runs what is missing alone");
    }
    if (!Now.empty())
      WithColor::note(errs(), "clrewrite")
          << Now.size() << (Now.size() == 1 ? " shard" : " shards")
          << " did not come to an end: run again\n";
    Left = std::move(Now);
  }
  return Error::success();
}

/// The exit code of the run, whose document is written.
Expected<int> gather(const Job &J) {
  if (!sys::fs::exists(J.in("code")))
    if (outputOf(inFolder(J, "sh ./gather.sh >gather.log 2>&1")).first != 0)
      return createStringError("the documents could not be merged: " +
                               StringRef(contentOf(J.in("gather.log"))).trim());
  int Code = Failed;
  if (StringRef(contentOf(J.in("code"))).trim().getAsInteger(10, Code))
    return createStringError(J.in("code") + " holds no exit code");
  clear(J);
  return Code;
}

/// The exit code of the run.
Expected<int> runAll(const Job &J) {
  if (Error E = prepare(J))
    return std::move(E);
  if (Error E = runMissing(J))
    return std::move(E);
  return gather(J);
}

void print(const Job &J) {
  std::vector<unsigned> All;
  for (unsigned I = 1; I <= J.How.Shards; ++I)
    All.push_back(I);
  outs() << "# " << J.in("shard.sh") << "\n"
         << shardScript(J) << "\n# " << J.in("gather.sh") << "\n"
         << gatherScript(J) << "\n# what is run\n"
         << inFolder(J, lineFor(J, All)) << "\n"
         << inFolder(J, J.How.Slurm ? mergeLine("JOB") : "sh ./gather.sh")
         << "\n";
}

/// What is wrong with the command that is to be run in shards; empty where
/// nothing is. \p Jobs says whether it has --jobs.
std::string badCommand(const Job &J, bool &Jobs) {
  config::Options O;
  O.OnlyMeasure = !J.Command.empty();
  O.Roofline = J.Command == std::vector<std::string>{"roofline"};
  std::vector<std::string> Kept{"clrewrite"};
  append_range(Kept, J.Words);
  std::vector<char *> Words;
  for (std::string &Word : Kept)
    Words.push_back(Word.data());
  if (std::string Problem = separateNames(Words); !Problem.empty())
    return Problem;
  config::Misuse Wrong = config::parseOptions(
      "clrewrite", J.Command.empty() ? "" : J.Command.front(),
      std::vector<std::string>(Words.begin() + 1, Words.end()), O);
  if (Wrong.any())
    return Wrong.Words.empty() ? Wrong.Value
                               : StringRef(Wrong.Words).trim().str();
  if (!O.Output.empty() || !O.Shard.empty())
    return "give --output and --shards to clrewrite fleet, before --";
  if (O.Form != config::Format::Json && O.Form != config::Format::Sarif)
    return "the command needs --format=json or sarif, which can be merged";
  if (O.FilesFrom == "-")
    return "shards have no stdin to read names from; put them in a file";
  if (!O.Baseline.empty())
    return "--baseline: a shard is compared with none; clrewrite merge takes "
           "baselines that shards write";
  Jobs = O.Set.Jobs.has_value();
  O.Shard = "1/1";
  if (!O.FilesFrom.empty())
    O.Files.push_back(".");
  return badOptions(O);
}

/// Fills in \p O what is not said. Returns what is wrong.
std::string badFleetOptions(config::Options &O) {
  config::FleetOptions &F = O.Fleet;
  if (F.Local + F.Parallel + F.Slurm != 1)
    return "give one of --local, --parallel and --slurm";
  if (O.Output.empty())
    return "--output=FILE is needed: the merged document";
  if (O.AfterDashes.empty())
    return "no command; clrewrite fleet --local --output=FILE -- measure "
           "--format=json FILE|FOLDER...";
  unsigned Processors = hardware_concurrency().compute_thread_count();
  if (!F.Shards)
    F.Shards = Processors;
  if (F.Shards > config::MostShards)
    return formatv("--shards takes {0} at most", config::MostShards);
  if (!F.AtOnce && !F.Slurm)
    F.AtOnce = std::min(Processors, F.Shards);
  return "";
}

} // namespace

int fleetCommand(int Argc, char **Argv) {
  config::Options O;
  if (!parseCommandLine(Argc, Argv, "fleet", O))
    return Failed;
  if (std::string Problem = badFleetOptions(O); !Problem.empty())
    return fail(Problem);
  Job J{O.Fleet, {}, O.AfterDashes, absolute(O.Output), ""};
  J.Folder =
      O.Fleet.Folder.empty() ? J.Output + ".fleet" : absolute(O.Fleet.Folder);
  if (is_contained({"measure", "roofline"}, J.Words.front())) {
    J.Command = {J.Words.front()};
    J.Words.erase(J.Words.begin());
  }
  bool HasJobs = false;
  if (std::string Problem = badCommand(J, HasJobs); !Problem.empty())
    return fail(Problem);
  // Else each shard would compile on all processors.
  if (!HasJobs && J.How.AtOnce > 1 && !J.How.Slurm)
    J.Command.push_back("--jobs=1");
  if (O.Fleet.Print) {
    print(J);
    return 0;
  }
  Expected<int> Code = runAll(J);
  return Code ? *Code : fail(toString(Code.takeError()));
}

} // namespace clrewrite::cli
