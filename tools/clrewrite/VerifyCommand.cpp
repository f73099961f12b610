// The command `verify`: two sources in, a line a kernel out.
#include "Commands.h"
#include "CommonOptions.h"
#include "Shown.h"
#include "frontend/BuildOptions.h"
#include "measure/TargetFamily.h"
#include "pipeline/Launches.h"
#include "pipeline/Look.h"
#include "pipeline/Unseen.h"
#include "pipeline/Verifying.h"
#include "report/Listing.h"
#include "source/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace clrewrite;
using namespace clrewrite::cli;

namespace {

enum Exit { Same = 0, Different = 1, CouldNotTell = 2 };

cl::SubCommand Command("verify");

cl::opt<std::string> BeforePath(cl::Positional, cl::Required,
                                cl::desc("<before.cl>"), cl::sub(Command));
cl::opt<std::string> AfterPath(cl::Positional, cl::Required,
                               cl::desc("<after.cl>"), cl::sub(Command));
cl::opt<std::string> Kernel("kernel", cl::desc("Only this one (default: all)"),
                            cl::value_desc("name"), cl::sub(Command));
cl::opt<std::string> Device("device",
                            cl::desc("Index or part of the name (default: the "
                                     "first CPU device, else the first)"),
                            cl::value_desc("device"), cl::sub(Command));
cl::opt<std::string>
    CommandLine("device-command",
                cl::desc("Command that starts clrewrite-device, here or "
                         "elsewhere (default: the one beside clrewrite)"),
                cl::value_desc("command"), cl::sub(Command));
cl::opt<unsigned> Timeout("device-timeout",
                          cl::desc("Limit for one job (default 60)"),
                          cl::value_desc("seconds"), cl::init(60),
                          cl::sub(Command));
cl::opt<double> Seconds("seconds",
                        cl::desc("Limit for one kernel (default 30)"),
                        cl::value_desc("seconds"), cl::init(30),
                        cl::sub(Command));
cl::opt<unsigned> Rounds("rounds", cl::desc("Launches a kernel (default 12)"),
                         cl::value_desc("n"), cl::init(12), cl::sub(Command));
cl::opt<unsigned> Seed("seed", cl::desc("Of the inputs (default 1)"),
                       cl::value_desc("n"), cl::init(1), cl::sub(Command));
cl::opt<bool> NoOverlap("no-overlap",
                        cl::desc("Two arguments are never the same buffer"),
                        cl::sub(Command));
cl::list<int64_t> Global("global", cl::CommaSeparated,
                         cl::desc("Global size of the launches"),
                         cl::value_desc("n,..."), cl::sub(Command));
cl::list<int64_t> Local("local", cl::CommaSeparated,
                        cl::desc("Work-group size of the launches"),
                        cl::value_desc("n,..."), cl::sub(Command));
cl::list<std::string> Set("set", cl::CommaSeparated,
                          cl::desc("Values of integer arguments by name"),
                          cl::value_desc("name=n,..."), cl::sub(Command));
cl::opt<std::string> DeclaredTolerance(
    "tolerance",
    cl::desc("How far floating-point results may be apart where the original "
             "differs from itself (a sum in no fixed order): 4, 4ulp or 1e-5 "
             "(relative)"),
    cl::value_desc("ulps|relative"), cl::sub(Command));
cl::opt<std::string>
    WitnessPath("witness",
                cl::desc("Write the job that shows a difference here"),
                cl::value_desc("file"), cl::sub(Command));

int fail(const Twine &Why) {
  WithColor::error(errs(), "clrewrite") << shown(Why.str()) << "\n";
  return CouldNotTell;
}

Expected<Source> read(StringRef Path, ArrayRef<std::string> BuildOptions) {
  Expected<std::string> Text = readText(Path);
  if (!Text)
    return Text.takeError();
  SmallString<256> Absolute(Path);
  sys::fs::make_absolute(Absolute);
  return Source{Absolute.str().str(), std::move(*Text), BuildOptions.vec()};
}

/// What the front end knows of the kernels of \p S: the sizes of structures,
/// how many dimensions are asked for. Nothing where it can't parse what the
/// device's own compiler may take.
pipeline::Sight parsed(Source S) {
  std::vector<std::string> Ignored;
  Expected<std::vector<std::string>> Options =
      frontend::parseBuildOptions(S.Options, Ignored);
  if (!Options) {
    consumeError(Options.takeError());
    pipeline::Sight Nothing;
    Nothing.Failed = true;
    return Nothing;
  }
  S.Options = std::move(*Options);
  return pipeline::look(S, measure::archOf({}), {}, false, {60, 1},
                        nullptr);
}

/// Says what of \p S the front end, which saw it so, has not looked at.
void tellUnseen(const Source &S, StringRef Path, const pipeline::Sight &Seen) {
  std::vector<LineRange> Skipped = linesSkipped(S.Text, Seen.Found.Skipped);
  for (const std::string &What :
       pipeline::inWords({S.Text, Skipped, Seen.AssemblyInHeaders}))
    errs() << shown(pipeline::unseenNote(Path, What));
  if (Seen.Failed)
    errs() << shown(
        pipeline::unseenNote(Path, "all of it, which does not parse here"));
}

Error launchShape(verify::LaunchShape &Shape) {
  Shape.Global.assign(Global.begin(), Global.end());
  Shape.Local.assign(Local.begin(), Local.end());
  for (ArrayRef<int64_t> Sizes :
       {ArrayRef(Shape.Global), ArrayRef(Shape.Local)})
    if (Sizes.size() > 3 || any_of(Sizes, [](int64_t N) { return N < 1; }))
      return createStringError("--global and --local take 1 to 3 sizes");
  if (!Shape.Local.empty() && Shape.Local.size() != Shape.Global.size())
    return createStringError("--local needs a --global of as many sizes");
  for (StringRef Each : Set) {
    auto [Name, Number] = Each.split('=');
    int64_t Value = 0;
    if (Number.getAsInteger(0, Value))
      return createStringError("--set takes NAME=NUMBER, not '" + Each + "'");
    Shape.Scalars.push_back({Name.str(), Value});
  }
  return Error::success();
}

/// Verifies and prints one kernel.
verify::Verification one(const Source &Before, const Source &After,
                         const std::string &Name,
                         ArrayRef<rewrite::KernelInfo> Known,
                         const verify::ChosenDevice &On,
                         const verify::VerifyOptions &How) {
  const rewrite::KernelInfo *Info = nullptr;
  for (const rewrite::KernelInfo &K : Known)
    if (K.Name == Name)
      Info = &K;
  verify::Verification V = verify::verify(Before, After, Name, Info, On, How);
  outs() << Name << ": " << verify::name(V.Verdict) << ": " << V.Evidence
         << "\n";
  if (V.How)
    outs() << "  launch: " << V.How->Arguments << "\n";
  if (std::string Where = pipeline::writeReplay(V, WitnessPath); !Where.empty())
    outs() << "  " << Where << "\n";
  return V;
}

int work(ArrayRef<std::string> BuildOptions) {
  verify::VerifyOptions How;
  How.Rounds = Rounds;
  How.Seconds = Seconds;
  How.Seed = Seed;
  How.MayOverlap = !NoOverlap;
  verify::LaunchShape Shape;
  if (Error E = launchShape(Shape))
    return fail(toString(std::move(E)));
  if (!DeclaredTolerance.empty()) {
    Expected<verify::Tolerance> T = verify::parseTolerance(DeclaredTolerance);
    if (!T)
      return fail(toString(T.takeError()));
    How.Allowed.Declared = *T;
  }
  Expected<Source> Before = read(BeforePath, BuildOptions);
  if (!Before)
    return fail(toString(Before.takeError()));
  Expected<Source> After = read(AfterPath, BuildOptions);
  if (!After)
    return fail(toString(After.takeError()));
  verify::LazyDevice Lazy(deviceCommand(CommandLine, Timeout), Device, false);
  Expected<verify::ChosenDevice> On = Lazy.get();
  if (!On)
    return fail(toString(On.takeError()));
  if (!On->Channel)
    return fail(On->Absent);
  std::vector<std::string> Names{Kernel};
  if (Kernel.empty()) {
    Expected<std::vector<std::string>> All = verify::kernelsOf(*Before, *On);
    if (!All)
      return fail(toString(All.takeError()));
    Names = std::move(*All);
  }
  if (Names.empty())
    return fail(BeforePath + ": no kernels");
  pipeline::Sight Seen = parsed(*Before);
  tellUnseen(*Before, BeforePath, Seen);
  tellUnseen(*After, AfterPath, parsed(*After));
  const std::vector<rewrite::KernelInfo> &Known = Seen.Found.Kernels;
  Expected<pipeline::FileLaunches> Launches =
      pipeline::launchesOf(BeforePath, Known, {});
  if (!Launches) {
    errs() << shown(toString(Launches.takeError())) << "\n";
    return CouldNotTell;
  }
  bool Given = !Global.empty() || !Local.empty() || !Set.empty();
  int Code = Same;
  for (const std::string &Name : Names) {
    How.Launches = Given ? std::vector{Shape} : Launches->Verified[Name];
    verify::Verification V = one(*Before, *After, Name, Known, *On, How);
    if (V.Verdict == verify::Verification::Different)
      Code = Different;
    else if (V.Verdict == verify::Verification::Unknown && Code == Same)
      Code = CouldNotTell;
    if (V.DeviceFailed)
      break;
  }
  if (!On->Sandbox.empty())
    outs() << report::SandboxWords << shown(On->Sandbox) << "\n";
  return Code;
}

} // namespace

int clrewrite::cli::verifyCommand(int Argc, char **Argv) {
  // The subcommand's options are told apart by its name, which comes back in;
  // what follows -- are build options.
  std::vector<const char *> Words{Argv[0], "verify"};
  std::vector<std::string> BuildOptions;
  bool Own = true;
  for (int I = 1; I < Argc; ++I) {
    bool Dashes = Own && StringRef(Argv[I]) == "--";
    Own &= !Dashes;
    if (Own)
      Words.push_back(Argv[I]);
    else if (!Dashes)
      BuildOptions.push_back(Argv[I]);
  }
  if (!parseCommandLine(Words, "verify"))
    return CouldNotTell;
  if (!(Seconds > 0) || Timeout == 0 || Rounds == 0)
    return fail("--seconds, --device-timeout and --rounds take numbers above "
                "0");
  return work(BuildOptions);
}
