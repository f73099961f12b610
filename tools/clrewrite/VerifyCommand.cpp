// The command `verify` takes two sources, and prints one line per kernel.
#include "CommandLine.h"
#include "Commands.h"
#include "frontend/BuildOptions.h"
#include "measure/TargetFamily.h"
#include "measure/device/DeviceMeter.h"
#include "measure/device/DeviceTargets.h"
#include "pipeline/Covering.h"
#include "pipeline/Launches.h"
#include "pipeline/Look.h"
#include "pipeline/Proving.h"
#include "pipeline/Unseen.h"
#include "pipeline/Verifying.h"
#include "report/Listing.h"
#include "source/File.h"
#include "source/Options.h"
#include "verify/Versions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace clrewrite;
using namespace clrewrite::cli;

namespace {

Expected<Source> read(StringRef Path, ArrayRef<std::string> BuildOptions) {
  Expected<std::string> Text = readText(Path);
  if (!Text)
    return Text.takeError();
  SmallString<256> Absolute(Path);
  sys::fs::make_absolute(Absolute);
  return Source{Absolute.str().str(), std::move(*Text), BuildOptions.vec()};
}

/// The facts that the front end knows of the kernels of \p S: the sizes of
/// structures, how many dimensions are asked for. Nothing where it can't parse
/// what the device's own compiler may take.
pipeline::Sight parsed(Source S) {
  Expected<std::vector<std::string>> Options =
      frontend::parseBuildOptions(S.Options);
  if (!Options) {
    consumeError(Options.takeError());
    pipeline::Sight Nothing;
    Nothing.Failed = true;
    return Nothing;
  }
  S.Options = std::move(*Options);
  return pipeline::look(S, measure::archOf({}), {}, false, {60, 1}, nullptr);
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

Error launchShape(const config::CompareOptions &O, verify::LaunchShape &Shape) {
  Shape.Global.assign(O.Global.begin(), O.Global.end());
  Shape.Local.assign(O.Local.begin(), O.Local.end());
  for (ArrayRef<int64_t> Sizes : {ArrayRef(O.Global), ArrayRef(O.Local)})
    if (Sizes.size() > 3 || any_of(Sizes, [](int64_t N) { return N < 1; }))
      return createStringError("--global and --local take 1 to 3 sizes");
  if (!Shape.Local.empty() && Shape.Local.size() != Shape.Global.size())
    return createStringError("--local needs a --global of as many sizes");
  for (StringRef Each : O.Set) {
    auto [Name, Number] = Each.split('=');
    int64_t Value = 0;
    if (Number.getAsInteger(0, Value))
      return createStringError("--set takes NAME=NUMBER, not '" + Each + "'");
    Shape.Scalars.push_back({Name.str(), Value});
  }
  return Error::success();
}

/// By kernel, how the second version is launched otherwise.
Expected<select::LaunchChanges> launchChanges(const config::CompareOptions &O) {
  select::LaunchChanges Out;
  for (StringRef Each : O.LaunchChanges) {
    auto [Kernel, Text] = Each.split(':');
    Expected<launch::LaunchChange> Change = launch::parseLaunchChange(Text);
    if (!Change)
      return createStringError("--new-launch=" + Each + ": " +
                               toString(Change.takeError()));
    Out[Kernel.str()] = std::move(*Change);
  }
  return Out;
}

/// What the front end has seen of the kernel \p Name; null where it has not.
const rewrite::KernelInfo *infoOf(const pipeline::Sight &Seen, StringRef Name) {
  auto It = find_if(Seen.Found.Kernels, [&](const rewrite::KernelInfo &K) {
    return K.Name == Name;
  });
  return It == Seen.Found.Kernels.end() ? nullptr : &*It;
}

/// Verifies and prints one kernel.
verify::Verification one(const Source &Before, const Source &After,
                         const std::string &Name, const pipeline::Sight &Seen,
                         const pipeline::Sight &SeenAfter,
                         const verify::ChosenDevice &On,
                         verify::VerifyOptions How,
                         const config::CompareOptions &O) {
  prove::Proof P;
  if (O.Prove == "on" && !Seen.Failed)
    P = pipeline::prove(Before, After, Seen.Standard, Name, How);
  std::optional<rewrite::KernelInfo> Info;
  if (const rewrite::KernelInfo *Old = infoOf(Seen, Name)) {
    Info = *Old;
    if (const rewrite::KernelInfo *New = infoOf(SeenAfter, Name))
      addInputsOf(*Info, *New);
    else
      Info->UsesGroups = Info->AsksForWhole = true;
    How.AddsGroupUse = std::exchange(Info->UsesGroups, Old->UsesGroups);
    How.Suspects = pipeline::shapesOf(P.Suspects, *Info);
  }
  How.Exceeds16Bits = !P.Proved && verify::mayCutTo16Bits(Before, After);
  if (!P.Proved) {
    rewrite::KernelInfo Unseen;
    Unseen.Name = Name;
    pipeline::cover(How, Seen.Standard, Info ? *Info : Unseen);
  }
  verify::Verification V =
      verify::verify(Before, After, Name, Info ? &*Info : nullptr, On, How);
  pipeline::addProof(V, P, On);
  outs() << Name << ": " << verify::name(V.Verdict) << ": " << V.Evidence
         << "\n";
  if (V.How)
    outs() << "  launch: " << V.How->Arguments << "\n";
  if (O.Verbose && !P.Proved && !P.Why.empty())
    outs() << "  " << shown(pipeline::words(P)) << "\n";
  if (O.Verbose)
    for (const verify::RoundNote &R : V.Rounds)
      outs() << "  round " << R.Number << ", " << verify::name(R.Kind)
             << " inputs, " << R.Launch << ": " << R.Result
             << formatv(" ({0:f0} ms)", 1000 * R.Seconds) << "\n";
  if (O.Verbose && V.Reached)
    outs() << formatv("  coverage: {0} of {1} branches were reached, {2} not "
                      "looked at ({3:f0} ms)\n",
                      V.Reached->Taken, V.Reached->Branches,
                      V.Reached->NotLookedAt, 1000 * V.Reached->Seconds);
  if (std::string Where = pipeline::writeReplay(V, O.Witness); !Where.empty())
    outs() << "  " << Where << "\n";
  return V;
}

/// Prints the times of \p Before and \p After, launched as one of \p Launches
/// says for \p Kernel; without one, why there are none.
void printTime(const Source &Before, const Source &After,
               const std::string &Kernel, ArrayRef<launch::Launch> Launches,
               const launch::LaunchChange &Change, bool MayVary,
               const verify::ChosenDevice &On) {
  measure::Timing T;
  T.Problem = "no launch comment says how it is launched";
  auto asBuilt = [](Source S) {
    S.DeviceOptions = joinOptions(S.Options);
    return S;
  };
  if (const launch::Launch *Known = launch::launchOf(Launches, Kernel)) {
    measure::Target Device{On.Name, "", &measure::deviceFamily()};
    Device.Device = unsigned(On.Index);
    T = measure::DeviceMeter(*On.Channel)
            .time({{asBuilt(Before),
                    asBuilt(After),
                    Device,
                    *Known,
                    {},
                    Change,
                    /*MayDiffer=*/false,
                    MayVary}})
            .front();
  }
  outs() << "  time: "
         << (T.Time ? measure::describe(*T.Time) : "none: " + shown(T.Problem))
         << "\n";
}

/// Proves what can be proved, and runs nothing.
int onlyProve(const Source &Before, const Source &After, StringRef Path,
              verify::VerifyOptions How, select::LaunchChanges &Changes,
              const config::CompareOptions &O) {
  pipeline::Sight Seen = parsed(Before);
  tellUnseen(Before, Path, Seen);
  std::vector<std::string> Names{O.Kernel};
  if (O.Kernel.empty()) {
    Names.clear();
    for (const rewrite::KernelInfo &K : Seen.Found.Kernels)
      Names.push_back(K.Name);
  }
  if (Names.empty())
    return fail((Path + ": no kernels").str());
  int Code = Same;
  for (const std::string &Name : Names) {
    How.Change = Changes[Name];
    prove::Proof P = pipeline::prove(Before, After, Seen.Standard, Name, How);
    outs() << Name << ": "
           << (P.Proved ? "proved: equal for all inputs"
                        : "unknown: " + shown(pipeline::words(P)))
           << "\n";
    outs().flush();
    if (!P.Proved)
      Code = CouldNotTell;
  }
  return Code;
}

int work(const config::Options &Given) {
  const config::CompareOptions &O = Given.Compare;
  const std::string &BeforePath = Given.Files[0], &AfterPath = Given.Files[1];
  verify::VerifyOptions How;
  How.Rounds = O.Rounds;
  How.Seconds = O.Seconds;
  How.ProofSeconds = O.ProofSeconds;
  How.Seed = O.Seed;
  How.MayOverlap = !O.NoOverlap;
  verify::LaunchShape Shape;
  if (Error E = launchShape(O, Shape))
    return fail(toString(std::move(E)));
  Expected<select::LaunchChanges> Changes = launchChanges(O);
  if (!Changes)
    return fail(toString(Changes.takeError()));
  How.Allowed.Varying = O.AllowVarying;
  if (!O.Tolerance.empty())
    How.Allowed.Declared = cantFail(verify::parseTolerance(O.Tolerance));
  Expected<Source> Before = read(BeforePath, Given.AfterDashes);
  if (!Before)
    return fail(toString(Before.takeError()));
  Expected<Source> After = read(AfterPath, Given.AfterDashes);
  if (!After)
    return fail(toString(After.takeError()));
  if (O.Prove == "only")
    return onlyProve(*Before, *After, BeforePath, How, *Changes, O);
  opencl::DeviceCommand Command =
      deviceCommand(Given, O.DeviceCommand, O.DeviceTimeout);
  verify::LazyDevice Lazy(O.Time ? Command : Command.comparing(), O.Device,
                          false);
  Expected<verify::ChosenDevice> On = Lazy.get();
  if (!On)
    return fail(toString(On.takeError()));
  if (!On->Channel)
    return fail(On->Absent);
  std::vector<std::string> Names{O.Kernel};
  if (O.Kernel.empty()) {
    Expected<std::vector<std::string>> All = verify::kernelsOf(*Before, *On);
    if (!All)
      return fail(toString(All.takeError()));
    Names = std::move(*All);
  }
  if (Names.empty())
    return fail(BeforePath + ": no kernels");
  // A text that is no program at all is no version that gives other results.
  if (Error E = verify::kernelsOf(*After, *On).takeError())
    return fail(shown(toString(std::move(E))));
  pipeline::Sight Seen = parsed(*Before);
  tellUnseen(*Before, BeforePath, Seen);
  pipeline::Sight SeenAfter = parsed(*After);
  tellUnseen(*After, AfterPath, SeenAfter);
  const std::vector<rewrite::KernelInfo> &Known = Seen.Found.Kernels;
  Expected<pipeline::FileLaunches> Launches =
      pipeline::launchesOf(BeforePath, Known, {});
  if (!Launches) {
    errs() << shown(toString(Launches.takeError())) << "\n";
    return CouldNotTell;
  }
  bool Shaped = !O.Global.empty() || !O.Local.empty() || !O.Set.empty();
  int Code = Same;
  for (const std::string &Name : Names) {
    How.Change = (*Changes)[Name];
    How.Launches = Shaped ? std::vector{Shape} : Launches->Verified[Name];
    verify::Verification V =
        one(*Before, *After, Name, Seen, SeenAfter, *On, How, O);
    if (V.Verdict == verify::Verification::Different)
      Code = Different;
    else if (V.Verdict == verify::Verification::Unknown && Code == Same)
      Code = CouldNotTell;
    if (V.DeviceFailed)
      break;
    if (O.Time)
      printTime(*Before, *After, Name, Launches->Timed, How.Change,
                O.AllowVarying, *On);
  }
  if (!On->Sandbox.empty())
    outs() << report::SandboxWords << shown(On->Sandbox) << "\n";
  return Code;
}

} // namespace

int clrewrite::cli::verifyCommand(int Argc, char **Argv) {
  config::Options O;
  if (!parseCommandLine(Argc, Argv, "verify", O))
    return CouldNotTell;
  const config::CompareOptions &Own = O.Compare;
  if (!(Own.Seconds > 0) || Own.DeviceTimeout == 0 || Own.Rounds == 0 ||
      Own.ProofSeconds == 0)
    return fail("--seconds, --proof-seconds, --device-timeout and --rounds "
                "take numbers above 0");
  return work(O);
}
