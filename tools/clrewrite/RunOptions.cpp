// The options that say how a run works, and what they amount to.
#include "RunOptions.h"
#include "AddSuppressions.h"
#include "BaselineOptions.h"
#include "CommonOptions.h"
#include "Meters.h"
#include "SearchLimits.h"
#include "frontend/BuildOptions.h"
#include "rewrite/Registry.h"
#include "rewrite/Rewrite.h"
#include "source/Nearest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace clrewrite {

static cl::list<std::string> Only("only", cl::CommaSeparated,
                                  cl::desc("Try these rewrites only"),
                                  cl::value_desc("rewrite,..."),
                                  cl::cat(Choice));
static cl::opt<std::string>
    OnlyAlternative("alternative",
                    cl::desc("Try this alternative of each rewrite only"),
                    cl::value_desc("label"), cl::cat(Choice));
static cl::opt<bool> Unsafe("unsafe-fixes",
                            cl::desc("Allow edits of the classes assumes, "
                                     "approximate and contract too"),
                            cl::cat(Choice));
static cl::opt<Objective> Goal(
    "objective", cl::desc("What an edit must gain:"),
    cl::values(clEnumValN(Objective::Auto, "auto",
                          "time for kernels whose launch is known (--launch or "
                          "a launch comment), where there is a device target; "
                          "else occupancy (default)"),
               clEnumValN(Objective::Occupancy, "occupancy",
                          "more waves, or less scratch or spills"),
               clEnumValN(Objective::Registers, "registers",
                          "fewer VGPRs, or the above"),
               clEnumValN(Objective::Estimate, "estimate",
                          "a lower estimate of time, whatever the registers"),
               clEnumValN(Objective::Time, "time",
                          "less time on a device, by --launch, whatever all "
                          "else does")),
    cl::init(Objective::Auto), cl::cat(Choice));
static cl::opt<double>
    MaxSlowdown("max-slowdown",
                cl::desc("How much the estimate may rise anywhere (default 0)"),
                cl::value_desc("percent"), cl::init(0), cl::cat(Choice));
static cl::list<std::string>
    Lines("lines",
          cl::desc("Limit edits to these lines, from 1; may be given again"),
          cl::value_desc("first:last"), cl::cat(Choice));
static cl::opt<bool>
    NoMeasure("no-measure",
              cl::desc("Apply every legal edit, without the gate"),
              cl::cat(Choice));

static cl::list<std::string>
    Targets("target", cl::CommaSeparated,
            cl::desc("GPUs to measure for: gfx906, gfx1100, hawaii, ..., "
                     "sm_90, ..., device, device:NAME, device:all "
                     "(default gfx906,gfx1100)"),
            cl::value_desc("gpu,..."), cl::cat(Building));
static cl::list<std::string>
    BuildOptions("options",
                 cl::desc("Options of clBuildProgram; or give them after --"),
                 cl::value_desc("\"-D N=16 ...\""), cl::cat(Building));
static cl::list<std::string>
    Launches("launch",
             cl::desc("How a kernel is launched, to be timed on a device and "
                      "verified; e.g. f:1024x1024:64x4,width=1024,in=4M"),
             cl::value_desc("kernel:global[:local][,arg=value...]"),
             cl::cat(Building));
static cl::opt<unsigned>
    Timeout("compile-timeout",
            cl::desc("Limit for one compilation (default 60)"),
            cl::value_desc("seconds"), cl::init(60), cl::cat(Building));
static cl::opt<std::string>
    Budget("budget",
           cl::desc("How many alternatives are tried for each kernel that can "
                    "gain (default 200; 0 is no limit), or for how long the "
                    "run may search"),
           cl::value_desc("n|SECONDSs"), cl::init("200"), cl::cat(Building));
static cl::opt<bool> NoCache("no-cache",
                             cl::desc("Use and keep no results of other runs"),
                             cl::cat(Building));
static cl::opt<unsigned> Jobs("jobs",
                              cl::desc("Compilations at a time (default: one a "
                                       "processor)"),
                              cl::value_desc("n"), cl::init(0),
                              cl::cat(Building));
static cl::opt<std::string>
    LibraryDir("device-libs",
               cl::desc("Directory of AMD's device libraries or libclc"),
               cl::value_desc("dir"), cl::cat(Building));

static cl::opt<std::string>
    Verify("verify",
           cl::desc("Run kernels before and after their edits, and refuse "
                    "edits that change a result: auto (default: where there "
                    "is an OpenCL device), off, or a device's index or part "
                    "of its name"),
           cl::value_desc("auto|off|device"), cl::init("auto"),
           cl::cat(Verifying));
static cl::opt<double>
    VerifySeconds("verify-seconds",
                  cl::desc("Limit for one kernel (default 10)"),
                  cl::value_desc("seconds"), cl::init(10), cl::cat(Verifying));
static cl::opt<std::string>
    WitnessFile("witness",
                cl::desc("Write the job that shows a changed result here"),
                cl::value_desc("file"), cl::cat(Verifying));
static cl::opt<std::string> DeclaredTolerance(
    "tolerance",
    cl::desc("How far floating-point results may be apart where the original "
             "differs from itself (a sum in no fixed order): 4, 4ulp or 1e-5 "
             "(relative)"),
    cl::value_desc("ulps|relative"), cl::cat(Verifying));
static const Rewrite *rewriteNamed(StringRef Name) {
  for (const Rewrite *R : allRewrites())
    if (R->Name == Name)
      return R;
  return nullptr;
}

std::string unknownRewrite(StringRef Name) {
  std::vector<StringRef> Known;
  for (const Rewrite *R : allRewrites())
    Known.push_back(R->Name);
  StringRef Near = nearest(Name, Known);
  return ("unknown rewrite '" + Name + "'" +
          (Near.empty() ? "" : "; did you mean '" + Near + "'?") +
          " (known: " + join(Known, " ") + ")")
      .str();
}

std::string badOption(bool OnlyMeasure) {
  for (const std::string &Name : Only)
    if (!rewriteNamed(Name))
      return unknownRewrite(Name);
  if (OnlyMeasure && NoMeasure)
    return "clrewrite measure reports figures and changes nothing";
  if (addsSuppressions() && NoMeasure)
    return "--add-suppressions is for edits that pay; leave out --no-measure";
  if (Timeout == 0)
    return "--compile-timeout takes 1 second or more";
  if (!(VerifySeconds > 0) || DeviceTimeout == 0)
    return "--verify-seconds and --device-timeout take seconds above 0";
  if (MaxSlowdown < 0)
    return "--max-slowdown takes a percentage of 0 or more";
  return badBaselineOption(NoMeasure);
}

bool limitsLines() { return !Lines.empty(); }

/// Reads --lines.
static Error readLines(PipelineOptions &P) {
  for (StringRef Text : Lines) {
    auto [First, Last] = Text.split(':');
    LineRange L;
    if (First.getAsInteger(10, L.First) || Last.getAsInteger(10, L.Last) ||
        L.First < 1 || L.Last < L.First)
      return createStringError("--lines takes two lines, counted from 1, such "
                               "as 12:20, not '" +
                               Text + "'");
    P.Lines.push_back(L);
  }
  return Error::success();
}

bool wantsCache() { return !NoCache; }
std::string libraryDir() { return LibraryDir; }

/// The build options as a host would pass them, in one string.
static std::string deviceOptions(ArrayRef<std::string> AfterDashes) {
  std::string Out = join(BuildOptions, " ");
  for (StringRef Word : AfterDashes) {
    bool Quote = Word.contains(' ');
    Out += (Out.empty() ? "" : " ") + (Quote ? "\"" + Word + "\"" : Word).str();
  }
  return Out;
}

static Error readLaunches(PipelineOptions &P) {
  for (const std::string &Text : Launches) {
    Expected<Launch> L = parseLaunch(Text);
    if (!L)
      return L.takeError();
    for (const Launch &Other : P.Search.Launches)
      if (Other.Kernel == L->Kernel)
        return createStringError("kernel " + L->Kernel +
                                 " has two launches; give one");
    P.Search.Launches.push_back(std::move(*L));
  }
  if (!anyTarget(P.Search.Targets, TargetKind::Device) &&
      (!P.Search.Launches.empty() || P.Search.Rule.Goal == Objective::Time))
    return createStringError(
        "--launch and --objective=time need a device among the targets "
        "(--target=device)");
  return Error::success();
}

Expected<PipelineOptions> pipelineOptions(ArrayRef<std::string> AfterDashes,
                                          bool Colour, bool OnlyMeasure,
                                          const std::string &Captured) {
  PipelineOptions P;
  if (Targets.empty() && !Captured.empty())
    Targets.push_back(Captured);
  if (Targets.empty())
    for (const char *Default : {"gfx906", "gfx1100"})
      Targets.push_back(Default);
  for (const std::string &Name : Targets) {
    Expected<Target> T = parseTarget(Name);
    if (!T)
      return T.takeError();
    P.Search.Targets.push_back(std::move(*T));
  }
  for (const Rewrite *R : allRewrites()) {
    bool Tried = Only.empty() ? !(NoMeasure && R->Turn)
                              : is_contained(Only, StringRef(R->Name));
    if (!OnlyMeasure && Tried)
      P.Rewrites.push_back(R);
  }
  std::vector<std::string> Words;
  for (const std::string &Given : BuildOptions)
    append_range(Words, splitBuildOptions(Given));
  append_range(Words, AfterDashes);
  std::vector<std::string> Ignored;
  Expected<std::vector<std::string>> Parsed = parseBuildOptions(Words, Ignored);
  if (!Parsed)
    return Parsed.takeError();
  P.AsGiven.Options = std::move(*Parsed);
  P.AsGiven.DeviceOptions = deviceOptions(AfterDashes);
  bool Offline = any_of(P.Search.Targets, [](const Target &T) {
    return T.Kind != TargetKind::Device;
  });
  if (!Ignored.empty() && Offline)
    WithColor::note(errs(), "clrewrite")
        << "build options that only a driver knows are left out: "
        << join(Ignored, " ") << "\n";
  P.Search.Rule = {Goal, MaxSlowdown / 100};
  if (Error E = readLaunches(P))
    return E;
  if (Error E = readLines(P))
    return E;
  P.Search.Unsafe = Unsafe;
  P.Search.NoMeasure = NoMeasure;
  P.Search.OnlyAlternative = OnlyAlternative;
  P.Colour = Colour;
  P.Limits = {Timeout, Jobs};
  Expected<SearchLimits> Limits = parseBudget(Budget);
  if (!Limits)
    return Limits.takeError();
  P.Search.Budget = Limits->Alternatives;
  P.Search.Stop = watchForTheEnd(*Limits);
  return P;
}

/// How edits are verified; \p Device must outlive the run.
Expected<VerifySettings> verifySettings(std::optional<LazyDevice> &Device) {
  VerifySettings V;
  if (!DeclaredTolerance.empty()) {
    Expected<Tolerance> T = parseTolerance(DeclaredTolerance);
    if (!T)
      return T.takeError();
    V.How.Allowed.Declared = *T;
  }
  V.How.Seconds = VerifySeconds;
  V.WitnessPath = WitnessFile;
  if (Verify == "off")
    return V;
  bool Any = Verify == "auto";
  Device.emplace(deviceCommand(DeviceCommandLine, DeviceTimeout),
                 Any ? "" : Verify.getValue(),
                 Any && DeviceCommandLine.empty());
  V.Device = [&] { return Device->get(); };
  return V;
}

} // namespace clrewrite
