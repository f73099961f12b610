// Units are grouped by their settings, and each group gets its meters and
// devices.
#include "run/Setups.h"
#include "run/Console.h"
#include "run/SearchLimits.h"
#include "llvm/ADT/StringExtras.h"
#include <chrono>

using namespace llvm;

namespace clrewrite::run {

/// A meter for --no-measure, which asks for none.
class NoMeter : public measure::Meter {
  std::vector<measure::Measurement>
  measure(ArrayRef<measure::MeasureRequest> Requests) override {
    return std::vector<measure::Measurement>(Requests.size());
  }
};

const pipeline::Setup *Setups::of(pipeline::Unit &U, const std::string &File) {
  const Configs::Found &F = All.of(File);
  if (!F.Problem.empty())
    return failed(F.Merged, F.Problem);
  config::Config C = config::resolvedFor(F.Merged, File);
  if (Error E = setBuilds(U, C)) {
    std::string Problem = toString(std::move(E));
    error(Problem);
    return failed(C, Problem);
  }
  return withSettings(std::move(C));
}

const pipeline::Setup *Setups::ofCaptured(const pipeline::Unit &U) {
  // Its programs may stand anywhere, or in no file.
  const Configs::Found &F = All.ofHere();
  return F.Problem.empty() ? withSettings(config::resolvedFor(F.Merged, U.Path))
                           : failed(F.Merged, F.Problem);
}

Error Setups::setBuilds(pipeline::Unit &U, const config::Config &C) {
  std::vector<std::string> Ignored;
  Expected<std::vector<pipeline::Build>> Builds = buildsOf(C, &Ignored);
  if (!Builds)
    return Builds.takeError();
  const pipeline::Build Plain = std::move(U.Builds.front());
  U.Builds = std::move(*Builds);
  for (pipeline::Build &B : U.Builds) {
    append_range(B.Options, Plain.Options);
    B.Before = Plain.Before;
    B.After = Plain.After;
    B.Program = Plain.Program;
  }
  bool Offline = any_of(*C.Targets, [](StringRef Name) {
    return Name != "device" && !Name.starts_with("device:");
  });
  std::string Left = join(Ignored, " ");
  if (!Left.empty() && Offline && Told.insert(Left).second)
    note("build options that only a driver knows are left out: " + shown(Left));
  return Error::success();
}

const pipeline::Setup *Setups::withSettings(config::Config C) {
  // These don't change how a unit is worked on.
  C.Sets.reset();
  C.Options.reset();
  C.Exclude.reset();
  std::string Key = C.Path + "\n";
  raw_string_ostream OS(Key);
  config::writeConfig(C, OS);
  auto [It, New] = BySettings.try_emplace(Key);
  pipeline::Setup &S = It->second;
  if (!New)
    return &S;
  if (Error E = prepare(S, C)) {
    S.Problem = toString(std::move(E));
    error((C.Path.empty() ? "" : C.Path + ": ") + S.Problem);
  }
  return &S;
}

Error Setups::prepare(pipeline::Setup &S, const config::Config &C) {
  S.Options.Tell = Common.Tell;
  Expected<pipeline::PipelineOptions> P = pipelineOptions(O, Common, C);
  if (!P)
    return P.takeError();
  S.Options = std::move(*P);
  watchForInterrupts();
  S.Options.Search.Stop = [] { return interruptedBy() != 0; };
  if (!Ends.count(*C.Budget))
    Ends[*C.Budget] = endOf(cantFail(select::parseBudget(*C.Budget)));
  S.Options.Search.Latest = Ends[*C.Budget];
  if (*C.Verify != "off") {
    bool Any = *C.Verify == "auto";
    std::optional<verify::LazyDevice> &Device = Verifying[*C.Verify];
    if (!Device)
      Device.emplace(
          deviceCommand(O, O.DeviceCommand, O.DeviceTimeout).comparing(),
          Any ? "" : *C.Verify, Any && O.DeviceCommand.empty());
    S.Options.Verify.Device = &*Device;
    // A command may lead to another machine: how much at once that can do is
    // for its user to say. Here more than there are processors is slower, and
    // each has a compiler in memory.
    constexpr unsigned MostAtOnce = 8;
    S.Options.Verify.AtOnce =
        O.DeviceCommand.empty()
            ? std::min({S.Options.Limits.atOnce(),
                        process::ChildLimits().atOnce(), MostAtOnce})
            : std::max(1u, S.Options.Limits.Parallel);
  }
  Expected<Measuring *> With = measuring(C, S.Options);
  if (!With)
    return With.takeError();
  S.Options.Search.Targets = (*With)->Targets;
  if (const auto &Devices = (*With)->Open.Devices)
    S.Options.Search.BuildsAtOnce = Devices->atOnce();
  S.Options.Search.Guide = (*With)->Open.Guide;
  S.Options.Search.Bystanders = (*With)->Open.Bystanders;
  for (const std::string &Note : (*With)->Open.Notes)
    if (Told.insert(Note).second)
      note(Note);
  S.Measures = (*With)->Joined.get();
  return Error::success();
}

Expected<Setups::Measuring *>
Setups::measuring(const config::Config &C, const pipeline::PipelineOptions &P) {
  std::string Key = join(*C.Targets, ",") + " " + utostr(P.Limits.Seconds) +
                    " " + utostr(P.Limits.Parallel);
  bool WithBystanders = !*C.OnlyTarget && !O.onlyMeasures();
  Key += WithBystanders ? " with bystanders" : "";
  auto [It, New] = ByTargets.try_emplace(Key);
  Measuring &M = It->second;
  if (!New && M.Joined)
    return &M;
  M.Targets = P.Search.Targets;
  if (P.Search.NoMeasure) {
    M.Joined = std::make_unique<NoMeter>();
    return &M;
  }
  auto Start = std::chrono::steady_clock::now();
  Expected<Meters> Opened =
      openMeters(M.Targets, P.Limits, O, W.Argv0, P.Cache, WithBystanders);
  if (!Opened)
    return Opened.takeError();
  M.Open = std::move(*Opened);
  M.Joined = std::make_unique<measure::MeterByKind>(M.Open.Offline.get(),
                                                    M.Open.ofDevices());
  std::chrono::duration<double> Loading =
      std::chrono::steady_clock::now() - Start;
  W.Times.add("load libraries", Loading.count());
  return &M;
}

const pipeline::Setup *Setups::failed(const config::Config &C,
                                      const std::string &Problem) {
  pipeline::Setup &S = BySettings["wrong: " + C.Path];
  S.Options.Tell = Common.Tell;
  S.Problem = Problem;
  return &S;
}

void Setups::countCompilations() const {
  for (const auto &[Key, M] : ByTargets)
    if (const measure::OfflineMeter *Offline = M.Open.Offline.get())
      W.Times.addCompilations(Offline->compilations(), Offline->cacheHits());
}

} // namespace clrewrite::run
