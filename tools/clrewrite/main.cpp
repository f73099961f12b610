// clrewrite: the command line.
#include "Commands.h"
#include "CommonOptions.h"
#include "Meters.h"
#include "SearchLimits.h"
#include "frontend/BuildOptions.h"
#include "pipeline/Pipeline.h"
#include "rewrite/Registry.h"
#include "rewrite/Rewrite.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include <chrono>

using namespace llvm;
using namespace clrewrite;

namespace {

/// Exit codes, as Ruff and clang-format have them.
enum Exit { Clean = 0, FindingsLeft = 1, Failed = 2 };

cl::list<std::string> Files(cl::Positional, cl::desc("<file.cl>..."));
cl::opt<bool> Fix("fix", cl::desc("Write the edits that pay into the files"),
                  cl::cat(Modes));
cl::opt<bool> ShowDiff("diff", cl::desc("Print them as a unified diff"),
                       cl::cat(Modes));
cl::opt<bool> Check("check",
                    cl::desc("Only name the files that --fix would change"),
                    cl::cat(Modes));
cl::opt<bool> ListRewrites("list-rewrites", cl::desc("List the rewrites"),
                           cl::cat(Modes));
cl::opt<std::string> Explain("explain", cl::desc("Print a rewrite's page"),
                             cl::value_desc("rewrite"), cl::cat(Modes));

cl::list<std::string> Only("only", cl::CommaSeparated,
                           cl::desc("Try these rewrites only"),
                           cl::value_desc("rewrite,..."), cl::cat(Choice));
cl::opt<std::string>
    OnlyAlternative("alternative",
                    cl::desc("Try this alternative of each rewrite only"),
                    cl::value_desc("label"), cl::cat(Choice));
cl::opt<bool> Unsafe("unsafe-fixes",
                     cl::desc("Allow edits of the classes assumes, "
                              "approximate and contract too"),
                     cl::cat(Choice));
cl::opt<Objective> Goal(
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
cl::opt<double>
    MaxSlowdown("max-slowdown",
                cl::desc("How much the estimate may rise anywhere (default 0)"),
                cl::value_desc("percent"), cl::init(0), cl::cat(Choice));
cl::opt<bool> NoMeasure("no-measure",
                        cl::desc("Apply every legal edit, without the gate"),
                        cl::cat(Choice));

cl::list<std::string>
    Targets("target", cl::CommaSeparated,
            cl::desc("GPUs to measure for: gfx906, gfx1100, hawaii, ..., "
                     "sm_90, ..., device, device:NAME, device:all "
                     "(default gfx906,gfx1100)"),
            cl::value_desc("gpu,..."), cl::cat(Building));
cl::list<std::string>
    BuildOptions("options",
                 cl::desc("Options of clBuildProgram; or give them after --"),
                 cl::value_desc("\"-D N=16 ...\""), cl::cat(Building));
cl::list<std::string>
    Launches("launch",
             cl::desc("How a kernel is launched, to be timed on a device and "
                      "verified; e.g. f:1024x1024:64x4,width=1024,in=4M"),
             cl::value_desc("kernel:global[:local][,arg=value...]"),
             cl::cat(Building));
cl::opt<unsigned> Timeout("compile-timeout",
                          cl::desc("Limit for one compilation (default 60)"),
                          cl::value_desc("seconds"), cl::init(60),
                          cl::cat(Building));
cl::opt<std::string>
    Budget("budget",
           cl::desc("How many alternatives of a file are tried (default 200; "
                    "0 is no limit), or for how long the run may search"),
           cl::value_desc("n|SECONDSs"), cl::init("200"), cl::cat(Building));
cl::opt<bool> NoCache("no-cache",
                      cl::desc("Use and keep no results of other runs"),
                      cl::cat(Building));
cl::opt<unsigned> Jobs("jobs",
                       cl::desc("Compilations at a time (default: one a "
                                "processor)"),
                       cl::value_desc("n"), cl::init(0), cl::cat(Building));
cl::opt<std::string>
    LibraryDir("device-libs",
               cl::desc("Directory of AMD's device libraries or libclc"),
               cl::value_desc("dir"), cl::cat(Building));

cl::opt<std::string>
    Verify("verify",
           cl::desc("Run kernels before and after their edits, and refuse "
                    "edits that change a result: auto (default: where there "
                    "is an OpenCL device), off, or a device's index or part "
                    "of its name"),
           cl::value_desc("auto|off|device"), cl::init("auto"),
           cl::cat(Verifying));
cl::opt<double> VerifySeconds("verify-seconds",
                              cl::desc("Limit for one kernel (default 10)"),
                              cl::value_desc("seconds"), cl::init(10),
                              cl::cat(Verifying));
cl::opt<std::string>
    WitnessFile("witness",
                cl::desc("Write the job that shows a changed result here"),
                cl::value_desc("file"), cl::cat(Verifying));
cl::opt<std::string> DeclaredTolerance(
    "tolerance",
    cl::desc("How far floating-point results may be apart where the original "
             "differs from itself (a sum in no fixed order): 4, 4ulp or 1e-5 "
             "(relative)"),
    cl::value_desc("ulps|relative"), cl::cat(Verifying));
cl::opt<bool> Verbose("verbose",
                      cl::desc("List every site that was left alone, and why"),
                      cl::cat(Output));
cl::opt<bool> Timing("timing", cl::desc("Tell on stderr where the time goes"),
                     cl::cat(Output));
cl::opt<bool>
    ExplainSearch("explain-search",
                  cl::desc("Report what was tried, what it gave, and why it "
                           "was dropped"),
                  cl::cat(Output));
cl::alias VerboseShort("v", cl::aliasopt(Verbose), cl::desc("--verbose"),
                       cl::cat(Output));

int fail(const Twine &Why) {
  WithColor::error(errs(), "clrewrite") << Why << "\n";
  return Failed;
}

const Rewrite *rewriteNamed(StringRef Name) {
  for (const Rewrite *R : allRewrites())
    if (R->Name == Name)
      return R;
  return nullptr;
}

int unknownRewrite(StringRef Name) {
  std::string Known;
  for (const Rewrite *R : allRewrites())
    Known += std::string(" ") + R->Name;
  return fail("unknown rewrite '" + Name + "' (known:" + Known + ")");
}

int listRewrites() {
  for (const Rewrite *R : allRewrites())
    outs() << formatv("{0,-18} {1,-11} {2}\n", R->Name, name(R->Class),
                      R->Summary);
  return Clean;
}

int explain(StringRef Name) {
  for (auto [R, Page] : zip(allRewrites(), rewritePages()))
    if (R->Name == Name) {
      outs() << Page;
      return Clean;
    }
  return unknownRewrite(Name);
}

/// A line of progress on a terminal; nothing elsewhere.
class ProgressLine {
public:
  void show(const std::string &Text) {
    if (!errs().is_displayed())
      return;
    clear();
    errs() << StringRef(Text).take_front(78);
    Shown = true;
  }
  void clear() {
    if (Shown)
      errs() << "\r\033[K";
    Shown = false;
  }

private:
  bool Shown = false;
};

/// A meter for --no-measure, which asks for none.
class NoMeter : public Meter {
  std::vector<Measurement> measure(ArrayRef<MeasureRequest> Requests) override {
    return std::vector<Measurement>(Requests.size());
  }
};

/// The build options as a host would pass them, in one string.
std::string deviceOptions(ArrayRef<std::string> AfterDashes) {
  std::string Out = join(BuildOptions, " ");
  for (StringRef Word : AfterDashes) {
    bool Quote = Word.contains(' ');
    Out += (Out.empty() ? "" : " ") + (Quote ? "\"" + Word + "\"" : Word).str();
  }
  return Out;
}

Error readLaunches(PipelineOptions &P) {
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
                                          bool Colour, bool OnlyMeasure) {
  PipelineOptions P;
  if (Targets.empty())
    for (const char *Default : {"gfx906", "gfx1100"})
      Targets.push_back(Default);
  for (const std::string &Name : Targets) {
    Expected<Target> T = parseTarget(Name);
    if (!T)
      return T.takeError();
    P.Search.Targets.push_back(std::move(*T));
  }
  for (const Rewrite *R : allRewrites())
    if (!OnlyMeasure && (Only.empty() || is_contained(Only, R->Name)))
      P.Rewrites.push_back(R);
  std::vector<std::string> Words;
  for (const std::string &Given : BuildOptions)
    append_range(Words, splitBuildOptions(Given));
  append_range(Words, AfterDashes);
  std::vector<std::string> Ignored;
  Expected<std::vector<std::string>> Parsed = parseBuildOptions(Words, Ignored);
  if (!Parsed)
    return Parsed.takeError();
  P.BuildOptions = std::move(*Parsed);
  P.DeviceOptions = deviceOptions(AfterDashes);
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
  P.Search.Unsafe = Unsafe;
  P.Search.NoMeasure = NoMeasure;
  P.Search.OnlyAlternative = OnlyAlternative;
  P.Fix = Fix;
  P.WantDiff = ShowDiff;
  P.Colour = Colour;
  P.Limits = {Timeout, Jobs};
  return P;
}

void print(const Report &R, bool Colour) {
  if (ShowDiff)
    for (const FileReport &F : R.Files)
      outs() << F.Diff;
  else if (Check)
    for (const FileReport &F : R.Files)
      outs() << (F.Result.changed() ? F.Path + ": would be rewritten\n" : "");
  else if (OutputFormat == Format::Json)
    writeJson(R, outs());
  else
    writeText(R, outs(), Colour, Verbose);
  if (ExplainSearch)
    writeSearch(R, OutputFormat == Format::Json ? errs() : outs());
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

/// Sums up the phases of a run for --timing.
class PhaseTimes {
public:
  void add(StringRef Phase, double Seconds) { Sums[Phase.str()] += Seconds; }
  void print(const OfflineMeter *Offline) const {
    for (const auto &[Phase, Seconds] : Sums)
      errs() << formatv("{0,-20} {1,8:f3} s\n", Phase, Seconds);
    if (Offline)
      errs() << formatv("{0,-20} {1,8}\n{2,-20} {3,8}\n", "compilations",
                        Offline->compilations(), "answered by cache",
                        Offline->cacheHits());
  }

private:
  std::map<std::string, double> Sums;
};

/// A launch of a kernel that no file has is a slip of the pen.
void warnOfUnusedLaunches(const PipelineOptions &P, const Report &R) {
  for (const Launch &L : P.Search.Launches)
    if (none_of(R.Files, [&](const FileReport &F) {
          return !F.Problem.empty() ||
                 any_of(F.Kernels, [&](const KernelInfo &K) {
                   return K.Name == L.Kernel;
                 });
        }))
      WithColor::warning(errs(), "clrewrite")
          << "--launch: no file has a kernel " << L.Kernel << "\n";
}

int work(ArrayRef<std::string> AfterDashes, const char *Argv0,
         bool OnlyMeasure) {
  bool Colour = outs().has_colors() && !sys::Process::GetEnv("NO_COLOR");
  Expected<PipelineOptions> P =
      pipelineOptions(AfterDashes, Colour, OnlyMeasure);
  if (!P)
    return fail(toString(P.takeError()));
  Expected<SearchLimits> Limits = parseBudget(Budget);
  if (!Limits)
    return fail(toString(Limits.takeError()));
  P->Search.Budget = Limits->Alternatives;
  P->Search.Stop = watchForTheEnd(*Limits);
  DiskCache Cache(NoCache ? "" : DiskCache::defaultDirectory());
  P->Cache = &Cache;
  PhaseTimes Times;
  P->Took = [&](StringRef Phase, double Seconds) { Times.add(Phase, Seconds); };
  Meters Open;
  if (!NoMeasure) {
    auto Start = std::chrono::steady_clock::now();
    Expected<Meters> Opened =
        openMeters(P->Search.Targets, P->Limits, LibraryDir, Argv0, &Cache);
    if (!Opened)
      return fail(toString(Opened.takeError()));
    Open = std::move(*Opened);
    std::chrono::duration<double> Loading =
        std::chrono::steady_clock::now() - Start;
    Times.add("load libraries", Loading.count());
  }
  std::optional<LazyDevice> Device;
  Expected<VerifySettings> Settings = verifySettings(Device);
  if (!Settings)
    return fail(toString(Settings.takeError()));
  P->Verify = std::move(*Settings);
  ProgressLine Line;
  P->Progress = [&](const std::string &Text) { Line.show(Text); };
  P->Tell = [&](const std::string &Text) {
    Line.clear();
    errs() << Text;
  };
  NoMeter None;
  MeterByKind ByKind(Open.Offline.get(), Open.Devices.get());
  Report R = run(Files, NoMeasure ? static_cast<Meter &>(None) : ByKind, *P);
  Line.clear();
  warnOfUnusedLaunches(*P, R);
  print(R, Colour);
  outs().flush();
  if (outs().has_error()) {
    std::string Why = outs().error().message();
    outs().clear_error();
    return fail("cannot write the report: " + Why);
  }
  if (Timing)
    Times.print(Open.Offline.get());
  bool AnyFailed =
      any_of(R.Files, [](const FileReport &F) { return !F.Problem.empty(); });
  bool AnyLeft = any_of(R.Files, [](const FileReport &F) {
    return F.Result.changed() && !F.Written;
  });
  return AnyFailed ? Failed : AnyLeft ? FindingsLeft : Clean;
}

} // namespace

int clrewrite::runTool(int Argc, char **Argv, bool OnlyMeasure) {
  // What follows -- are build options, whatever they look like.
  std::vector<const char *> Own(Argv, Argv + Argc);
  std::vector<std::string> AfterDashes;
  if (auto It = find_if(Own, [](StringRef A) { return A == "--"; });
      It != Own.end()) {
    AfterDashes.assign(It + 1, Own.end());
    Own.erase(It, Own.end());
  }
  if (!parseCommandLine(Own))
    return Failed;
  if (ListRewrites)
    return listRewrites();
  if (!Explain.empty())
    return explain(Explain);
  for (const std::string &Name : Only)
    if (!rewriteNamed(Name))
      return unknownRewrite(Name);
  if (Fix + ShowDiff + Check > 1)
    return fail("--fix, --diff and --check exclude each other");
  if (OnlyMeasure && (Fix || ShowDiff || Check || NoMeasure))
    return fail("clrewrite measure reports figures and changes nothing");
  if ((ShowDiff || Check) && OutputFormat != Format::Text)
    return fail("--diff and --check print no JSON; leave out --format");
  if (Timeout == 0)
    return fail("--compile-timeout takes 1 second or more");
  if (!(VerifySeconds > 0) || DeviceTimeout == 0)
    return fail("--verify-seconds and --device-timeout take seconds above 0");
  if (MaxSlowdown < 0)
    return fail("--max-slowdown takes a percentage of 0 or more");
  if (Files.empty())
    return fail("no files; try clrewrite --help");
  return work(AfterDashes, Argv[0], OnlyMeasure);
}

int main(int Argc, char **Argv) {
  std::vector<char *> Words(Argv, Argv + Argc);
  for (const Command &C : Commands)
    if (Argc > 1 && StringRef(Argv[1]) == C.Name) {
      Words.erase(Words.begin() + 1);
      return C.Run(int(Words.size()), Words.data());
    }
  return runTool(Argc, Argv, /*OnlyMeasure=*/false);
}
