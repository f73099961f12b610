// The options that say how a run works, and what they amount to.
#include "RunOptions.h"
#include "AddSuppressions.h"
#include "AdviseOptions.h"
#include "BaselineOptions.h"
#include "CommonOptions.h"
#include "rewrite/Registry.h"
#include "rewrite/Rewrite.h"
#include "select/Budget.h"
#include "source/Nearest.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::cli {

static cl::list<std::string> Only("only", cl::CommaSeparated,
                                  cl::desc("Try these rewrites only"),
                                  cl::value_desc("rewrite,..."),
                                  cl::cat(Choice));
static cl::list<std::string> Without("without", cl::CommaSeparated,
                                     cl::desc("Try all but these rewrites"),
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
static cl::list<std::string>
    Granted("grant", cl::CommaSeparated,
            cl::desc("Allow these edits although they are not exact"),
            cl::value_desc("rewrite[/alternative][:class],..."),
            cl::cat(Choice));
static cl::list<std::string>
    Demoted("demote", cl::CommaSeparated,
            cl::desc("Apply these edits with --unsafe-fixes only"),
            cl::value_desc("rewrite[/alternative][:class],..."),
            cl::cat(Choice));
static cl::opt<select::Objective> Goal(
    "objective", cl::desc("What an edit must gain:"),
    cl::values(clEnumValN(select::Objective::Auto, "auto",
                          "time for kernels whose launch is known (--launch or "
                          "a launch comment), where there is a device target; "
                          "else occupancy (default)"),
               clEnumValN(select::Objective::Occupancy, "occupancy",
                          "more waves, or less scratch or spills"),
               clEnumValN(select::Objective::Registers, "registers",
                          "fewer VGPRs, or the above"),
               clEnumValN(select::Objective::Estimate, "estimate",
                          "a lower estimate of time, whatever the registers"),
               clEnumValN(select::Objective::Time, "time",
                          "less time on a device, by --launch, whatever all "
                          "else does")),
    cl::init(select::Objective::Auto), cl::cat(Choice));
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
                     "redwood, cayman, ..., sm_90, ..., device, device:NAME, "
                     "device:all "
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
/// Clang, LLVM and a kernel of ordinary size.
static constexpr unsigned LeastMemory = 512;
static cl::opt<unsigned> MaxMemory(
    "max-memory",
    cl::desc("Limit for one compiling process (default 4096; 0 is no limit)"),
    cl::value_desc("MiB"), cl::init(4096), cl::cat(Building));
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
static cl::opt<bool> RequireVerified(
    "require-verified",
    cl::desc("Refuse edits that could not be verified, too, with exit code 2"),
    cl::cat(Verifying));
static const rewrite::Rewrite *rewriteNamed(StringRef Name) {
  for (const rewrite::Rewrite *R : rewrite::allRewrites())
    if (R->Name == Name)
      return R;
  return nullptr;
}

std::string unknownRewrite(StringRef Name) {
  std::vector<StringRef> Known;
  for (const rewrite::Rewrite *R : rewrite::allRewrites())
    Known.push_back(R->Name);
  StringRef Near = nearest(Name, Known);
  return ("unknown rewrite '" + Name + "'" +
          (Near.empty() ? "" : "; did you mean '" + Near + "'?") +
          " (known: " + join(Known, " ") + ")")
      .str();
}

std::string badOption(bool OnlyMeasure) {
  for (const auto *List : {&Only, &Without})
    for (const std::string &Name : *List)
      if (!rewriteNamed(Name))
        return unknownRewrite(Name);
  if (OnlyMeasure && NoMeasure)
    return "clrewrite measure reports figures and changes nothing";
  if (addsSuppressions() && NoMeasure)
    return "--add-suppressions is for edits that pay; leave out --no-measure";
  if (Timeout == 0)
    return "--compile-timeout takes 1 second or more";
  if (MaxMemory != 0 && MaxMemory < LeastMemory)
    return "--max-memory takes " + std::to_string(LeastMemory) +
           " MiB or more, which the compiler itself needs, or 0 for no limit";
  if (!(VerifySeconds > 0) || DeviceTimeout == 0)
    return "--verify-seconds and --device-timeout take seconds above 0";
  if (MaxSlowdown < 0)
    return "--max-slowdown takes a percentage of 0 or more";
  return badBaselineOption(NoMeasure);
}

bool limitsLines() { return !Lines.empty(); }

/// Reads --lines.
static Error readLines(pipeline::PipelineOptions &P) {
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

/// The values of \p List, where it was given.
static std::optional<config::Words> given(const cl::list<std::string> &List) {
  if (List.empty())
    return std::nullopt;
  return config::Words(List.begin(), List.end());
}

/// The value of \p Option, where it was given.
template <typename T, typename Value>
static void take(std::optional<T> &Into, const Value &Option) {
  if (Option.getNumOccurrences())
    Into = Option;
}

static Expected<std::optional<std::vector<select::EditName>>>
givenEdits(const cl::list<std::string> &List) {
  if (List.empty())
    return std::nullopt;
  std::vector<select::EditName> Out;
  for (const std::string &Text : List) {
    Expected<select::EditName> Name = select::parseEditName(Text);
    if (!Name)
      return Name.takeError();
    if (!rewriteNamed(Name->Rewrite))
      return createStringError(unknownRewrite(Name->Rewrite));
    Out.push_back(std::move(*Name));
  }
  return Out;
}

/// What can be known to be wrong before any file is looked at.
static Error check(const config::Config &C) {
  for (const std::string &Name : C.Targets.value_or(config::Words()))
    if (Expected<measure::Target> T = measure::parseTarget(Name); !T)
      return T.takeError();
  if (auto Advice = pipeline::adviceNamed(C.Advise.value_or(config::Words()));
      !Advice)
    return Advice.takeError();
  for (const config::FileLaunch &L :
       C.Launches.value_or(std::vector<config::FileLaunch>()))
    if (Expected<measure::Launch> Parsed = measure::parseLaunch(L.Text);
        !Parsed)
      return Parsed.takeError();
  if (C.Budget)
    if (Expected<select::SearchLimits> Limits = select::parseBudget(*C.Budget);
        !Limits)
      return createStringError("--budget: " + toString(Limits.takeError()));
  if (C.Tolerance)
    if (Expected<verify::Tolerance> T = verify::parseTolerance(*C.Tolerance);
        !T)
      return T.takeError();
  std::vector<std::string> Ignored;
  return config::buildsOf(C, Ignored).takeError();
}

Expected<config::Config> givenOptions(ArrayRef<std::string> AfterDashes) {
  config::Config C;
  C.Targets = given(Targets);
  take(C.Goal, Goal);
  take(C.MaxSlowdown, MaxSlowdown);
  take(C.Budget, Budget);
  C.Only = given(Only);
  C.Without = given(Without);
  C.Advise = givenAdvice();
  Expected<std::optional<std::vector<select::EditName>>> Edits =
      givenEdits(Granted);
  if (!Edits)
    return Edits.takeError();
  C.Granted = std::move(*Edits);
  Edits = givenEdits(Demoted);
  if (!Edits)
    return Edits.takeError();
  C.Demoted = std::move(*Edits);
  C.Options = given(BuildOptions);
  if (!AfterDashes.empty()) {
    C.Options = C.Options.value_or(config::Words());
    C.Options->push_back(
        join(map_range(AfterDashes, config::quotedOption), " "));
  }
  if (!Launches.empty()) {
    C.Launches.emplace();
    for (const std::string &Text : Launches)
      C.Launches->push_back({Text});
  }
  take(C.Verify, Verify);
  take(C.VerifySeconds, VerifySeconds);
  if (!DeclaredTolerance.empty())
    C.Tolerance = DeclaredTolerance;
  take(C.CompileTimeout, Timeout);
  take(C.Jobs, Jobs);
  if (Error E = check(C))
    return std::move(E);
  return std::move(C);
}

Expected<pipeline::PipelineOptions> commonOptions(bool Colour) {
  pipeline::PipelineOptions P;
  if (Error E = readLines(P))
    return std::move(E);
  P.Limits.Memory = MaxMemory;
  P.Search.Unsafe = Unsafe;
  P.Search.NoMeasure = NoMeasure;
  P.Search.OnlyAlternative = OnlyAlternative;
  P.Colour = Colour;
  P.Verify.WitnessPath = WitnessFile;
  P.Verify.Required = RequireVerified;
  return std::move(P);
}

std::vector<measure::Launch> givenLaunches() {
  std::vector<measure::Launch> Out;
  for (const std::string &Text : Launches)
    Out.push_back(cantFail(measure::parseLaunch(Text)));
  return Out;
}

verify::LazyDevice verifyingDevice(const std::string &Wanted) {
  bool Any = Wanted == "auto";
  return verify::LazyDevice(deviceCommand(DeviceCommandLine, DeviceTimeout),
                            Any ? "" : Wanted,
                            Any && DeviceCommandLine.empty());
}

} // namespace clrewrite::cli
