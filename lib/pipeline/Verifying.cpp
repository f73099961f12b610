// Verifying the kept edits of a file.
#include "pipeline/Verifying.h"
#include "pipeline/Covering.h"
#include "pipeline/Proving.h"
#include "process/Workers.h"
#include "source/BoundedJson.h"
#include "source/File.h"
#include "source/OpenFiles.h"
#include "verify/Versions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clrewrite::pipeline {

std::string writeReplay(const verify::Verification &V, StringRef Path) {
  if (Path.empty() || V.Replay.empty())
    return "";
  if (Error E = putText(Path, V.Replay))
    return "the witness could not be written: " + toString(std::move(E));
  return ("replay: clrewrite-device < " + Path).str();
}

/// True where the optimised code of \p Kernel is the same on every target.
static bool sameCode(const select::Selection &S, StringRef Kernel) {
  for (size_t T = 0; T < S.Before.size(); ++T) {
    const measure::KernelUsage *B = S.Before[T].find(Kernel);
    const measure::KernelUsage *A = S.After[T].find(Kernel);
    if (!A || !B || !A->measured() || !B->measured() || B->CodeHash.empty() ||
        A->CodeHash != B->CodeHash)
      return false;
  }
  return !S.Before.empty();
}

/// What the kept edits of one kernel ask for.
struct Touched {
  bool Any = false, Assumes = false, Contract = false;
  bool Approximate = false, Unbounded = false;
  unsigned Ulps = 0; ///< the largest bound of an approximate edit
  launch::LaunchChange Launch;
};

static Touched editsOf(const select::Selection &S, const std::string &Kernel) {
  Touched Out;
  select::LaunchChanges Launches;
  for (const select::Outcome &O : S.Outcomes) {
    if (!O.Applied || !is_contained(O.Kernels, Kernel))
      continue;
    Out.Any = true;
    Out.Assumes |= O.Class == rewrite::Safety::Assumes;
    if (O.Class == rewrite::Safety::Approximate) {
      Out.Approximate = true;
      Out.Unbounded |= !O.Ulps;
      Out.Ulps = std::max(Out.Ulps, O.Ulps.value_or(0));
    }
    // What the host changes at a launch is changed here too.
    Out.Contract |= O.Class == rewrite::Safety::Contract && !O.Launch;
    select::addChange(Launches, O.Kernels, O.Launch);
  }
  Out.Launch = Launches[Kernel];
  return Out;
}

/// The verdict where none needs a launch.
static std::optional<verify::Verification>
withoutRunning(const Touched &Edits, const select::Selection &S,
               const std::string &Kernel, ArrayRef<measure::Target> Targets) {
  verify::Verification V;
  if (Edits.Launch.empty() && sameCode(S, Kernel)) {
    V.Verdict = verify::Verification::Same;
    V.Evidence =
        "same optimised code on " +
        join(
            map_range(Targets, [](const measure::Target &T) { return T.Name; }),
            ", ");
    return V;
  }
  if (Edits.Contract)
    V.Evidence = "the host's part changes";
  else if (Edits.Unbounded)
    V.Evidence = "an edit changes rounding, and states no bound";
  return V.Evidence.empty() ? std::nullopt
                            : std::optional<verify::Verification>(V);
}

/// The proof that no assumption is needed for. Text.as() has chosen a standard,
/// where the options did not.
static prove::Proof proofOf(const Source &Before, const Source &After,
                            const std::string &Kernel,
                            verify::VerifyOptions How) {
  How.MayOverlap = true;
  return prove(Before, After, "", Kernel, How);
}

std::string whyNotProved(const BuiltText &Text, const select::Version &Now,
                         ArrayRef<std::string> Kernels) {
  for (const std::string &Kernel : Kernels)
    for (const Build &B : Text.Builds) {
      if (!is_contained(B.Kernels, Kernel))
        continue;
      verify::VerifyOptions How;
      if (auto It = Now.Launches.find(Kernel); It != Now.Launches.end())
        How.Change = It->second;
      prove::Proof P =
          proofOf(Text.as(B), whole(Now.Text, B, Text.Line), Kernel, How);
      if (!P.Proved)
        return "is " + words(P) + " (kernel " + Kernel +
               (B.Name.empty() ? "" : ", " + B.Name) + "; --require-proof)";
    }
  return "";
}

/// A verdict for the cache and between processes, without the launch that shows
/// a difference.
static json::Value packed(const verify::Verification &V) {
  return json::Object{{"verdict", int(V.Verdict)},
                      {"evidence", textOfBytes(V.Evidence)},
                      {"proved", V.Proved},
                      {"beyond_spread", V.BeyondSpread},
                      {"coverage", V.Reached}};
}

/// The verdict that \p From holds, if it holds one.
static std::optional<verify::Verification> unpacked(const json::Value &From) {
  verify::Verification V;
  int Verdict;
  json::Path::Root Root;
  json::ObjectMapper O(From, Root);
  if (!O || !O.map("verdict", Verdict) || Verdict < 0 ||
      Verdict > verify::Verification::Unknown ||
      !mapBytes(O, "evidence", V.Evidence) || !O.map("proved", V.Proved) ||
      !O.map("beyond_spread", V.BeyondSpread) || !O.map("coverage", V.Reached))
    return std::nullopt;
  V.Verdict = verify::Verification::Kind(Verdict);
  return V;
}

namespace {

/// A kernel as one build has it, whose versions are to be compared.
struct Comparison {
  const Build *As; ///< null where no run is needed
  Source Before, After;
  rewrite::KernelInfo Kernel;
  verify::VerifyOptions How;
  std::optional<verify::Verification> Verdict; ///< none: it is not known yet

  cache::CacheKey keyOn(const verify::ChosenDevice &Device) const;
  /// Proves that the versions are equal, and runs them.
  void verifyOn(const verify::ChosenDevice &Device);
  bool isSame() const {
    return Verdict && Verdict->Verdict == verify::Verification::Same;
  }
};

cache::CacheKey Comparison::keyOn(const verify::ChosenDevice &Device) const {
  cache::CacheKey Key("verdicts of kernels");
  Key.add(Before).add(After).add(Kernel.Name);
  Key.add(Device.Identity).add(Device.Absent);
  Key.add(utostr(How.Rounds)).add(std::to_string(How.Seconds));
  Key.add(utostr(How.Seed)).add(How.MayOverlap ? "overlap" : "apart");
  Key.add(How.Change.text());
  Key.add(How.Allowed.Declared.text()).add(How.Allowed.Bound.text());
  Key.add(How.Allowed.Varying ? "varying" : "steady");
  for (const verify::LaunchShape &L : How.Launches) {
    for (const auto &Sizes : {L.Global, L.Local, L.Offset})
      Key.add(launch::sizesText(Sizes));
    for (const auto &[Name, Value] : L.Scalars)
      Key.add(Name).add(itostr(Value));
    for (const auto &[Name, Value] : L.Values)
      Key.add(Name).add(formatv("{0}", Value).str());
    for (const auto &[Name, Value] : L.Bytes)
      Key.add(Name).add(utostr(Value));
  }
  return Key;
}

void Comparison::verifyOn(const verify::ChosenDevice &Device) {
  prove::Proof P = proofOf(Before, After, Kernel.Name, How);
  verify::VerifyOptions Rounds = How;
  Rounds.Suspects = shapesOf(P.Suspects, Kernel);
  // Text.as() has chosen a standard here, too.
  if (!P.Proved)
    cover(Rounds, "", Kernel);
  Rounds.Exceeds16Bits = !P.Proved && verify::mayCutTo16Bits(Before, After);
  rewrite::KernelInfo K = Kernel;
  Rounds.AddsGroupUse = verify::mayAddGroupUse(Before, After);
  K.AsksForWhole |= verify::mayAskForWhole(Before, After);
  Verdict = verify::verify(Before, After, K.Name, &K, Device, Rounds);
  addProof(*Verdict, P, Device);
}

} // namespace

/// Shares \p List out to several processes, each of which has a device program
/// of its own, and fills in the verdicts that are settled. Any other is
/// dropped, as it may come from what the processes do to each other: the caller
/// asks again. A process ends early where \p MustStop is true of a comparison
/// of its share; where that is this one, all do.
static void verifyAtOnce(ArrayRef<Comparison *> List,
                         const verify::ChosenDevice &Device,
                         verify::LazyDevice &Program, size_t Processes,
                         function_ref<bool(const Comparison &)> MustStop) {
  // The first share is this process's own.
  auto shareOf = [&](size_t Process) {
    std::vector<Comparison *> Out;
    for (size_t I = Process; I < List.size(); I += Processes)
      Out.push_back(List[I]);
    return Out;
  };
  auto verifyShare = [&](size_t Process, const verify::ChosenDevice &On) {
    for (Comparison *C : shareOf(Process)) {
      C->verifyOn(On);
      bool Stops = MustStop(*C);
      if (!C->Verdict->IsSettled)
        C->Verdict.reset();
      if (Stops)
        return false;
    }
    return true;
  };
  auto answer = [&](StringRef Request) {
    size_t Process = 0;
    Request.getAsInteger(10, Process);
    FilesAgain ForTheDevice;
    verify::LazyDevice Own = Program.another();
    Expected<verify::ChosenDevice> On = Own.get();
    if (!On)
      consumeError(On.takeError());
    else if (On->Channel && On->Identity == Device.Identity)
      verifyShare(Process, *On);
    json::Array Verdicts;
    for (Comparison *C : shareOf(Process))
      Verdicts.push_back(C->Verdict ? packed(*C->Verdict) : nullptr);
    return jsonText(std::move(Verdicts));
  };
  std::vector<std::string> Requests;
  for (size_t Process = 1; Process < Processes; ++Process)
    Requests.push_back(utostr(Process));
  // A day is no limit: each comparison has limits of its own.
  process::Workers Others(answer, {/*Seconds=*/86400, 0, /*Memory=*/0});
  Others.begin(Requests, unsigned(Requests.size()));
  if (!verifyShare(0, Device))
    return;
  for (auto [I, R] : enumerate(Others.finish())) {
    json::Value Verdicts = jsonOrNull(R.Output);
    if (const json::Array *Each = Verdicts.getAsArray())
      for (auto [C, V] : zip(shareOf(I + 1), *Each))
        C->Verdict = unpacked(V);
  }
}

/// Fills in the verdicts of \p List, in order, up to one of which \p MustStop
/// is true. Calls \p BeforeRunning before a kernel runs.
///
/// A CPU's driver takes most of the time to compile, on one processor, so that
/// several are verified at once there. A GPU does one job after the other.
static void verifyAll(MutableArrayRef<Comparison> List,
                      const verify::ChosenDevice &Device,
                      const VerifySettings &Settings,
                      function_ref<bool(const Comparison &)> MustStop,
                      function_ref<void()> BeforeRunning) {
  std::vector<Comparison *> Left;
  for (Comparison &C : List) {
    if (Settings.Cache && !C.Verdict)
      if (std::optional<std::string> Kept =
              Settings.Cache->get(C.keyOn(Device)))
        C.Verdict = unpacked(jsonOrNull(*Kept));
    if (!C.Verdict)
      Left.push_back(&C);
    else if (MustStop(C))
      break;
  }
  if (Left.empty())
    return;
  if (Device.Channel)
    BeforeRunning();
  size_t Processes = std::min<size_t>(Left.size(), Settings.AtOnce);
  if (Device.IsCpu && Processes > 1)
    verifyAtOnce(Left, Device, *Settings.Device, Processes, MustStop);
  for (Comparison *C : Left) {
    if (!C->Verdict)
      C->verifyOn(Device);
    if (Settings.Cache && C->isSame())
      Settings.Cache->put(C->keyOn(Device), jsonText(packed(*C->Verdict)));
    if (MustStop(*C))
      return;
  }
}

/// None where verification is off.
static Expected<verify::ChosenDevice> deviceOf(const VerifySettings &Settings) {
  if (Settings.Device)
    return Settings.Device->get();
  verify::ChosenDevice None;
  None.Absent = "verification is off";
  return None;
}

/// How \p K is verified whose edits are \p Edits.
static verify::VerifyOptions howFor(const rewrite::KernelInfo &K,
                                    const Touched &Edits,
                                    const FileLaunches &Launches,
                                    const VerifySettings &Settings) {
  verify::VerifyOptions How = Settings.How;
  How.MayOverlap &= !Edits.Assumes;
  How.Change = Edits.Launch;
  How.Allowed.Varying &= !Edits.Assumes && !Edits.Approximate &&
                         !Edits.Contract && Edits.Launch.empty();
  if (auto It = Launches.Verified.find(K.Name); It != Launches.Verified.end())
    How.Launches = It->second;
  if (Edits.Approximate)
    How.Allowed.Bound.Ulps = Edits.Ulps;
  return How;
}

/// Why edits must not stand that have the verdict \p V; empty where they may.
static std::string refusal(const verify::Verification &V,
                           const std::string &Kernel, const Touched &Edits,
                           const VerifySettings &Settings) {
  if (V.DeviceFailed)
    return "kernel " + Kernel + " can not be verified: " + V.Evidence +
           (Settings.Required ? "" : " (--verify=off does without)");
  if (V.BeyondSpread)
    return "kernel " + Kernel + ": " + V.Evidence +
           " (--allow-varying holds edits to it)";
  bool Shown = V.Verdict == verify::Verification::Same ||
               V.Verdict == verify::Verification::Different;
  if (Settings.Required && !Shown)
    return "kernel " + Kernel + " is not verified: " + V.Evidence +
           " (--require-verified)";
  if (V.Verdict != verify::Verification::Different)
    return Settings.RequireProof && !V.Proved
               ? "kernel " + Kernel + " is not proved (--require-proof)"
               : "";
  return "kernel " + Kernel +
         ": the rewritten version gives other results: " + V.Evidence +
         (Edits.Approximate
              ? "; an approximate edit is beyond its bound "
                "(without --unsafe-fixes or a grant there is none)"
          : Edits.Assumes ? "; an assumption of its edits does not hold "
                            "(without --unsafe-fixes or a grant there is none)"
                          : "; please report it");
}

/// What several builds showed of one kernel: the worst of it.
static void addEvidence(std::vector<report::KernelEvidence> &List,
                        report::KernelEvidence New, const std::string &Build) {
  if (!Build.empty())
    New.Evidence = Build + ": " + New.Evidence;
  auto Known = find_if(List, [&](const report::KernelEvidence &E) {
    return E.Kernel == New.Kernel;
  });
  if (Known == List.end()) {
    List.push_back(std::move(New));
    return;
  }
  Known->Evidence += "; " + New.Evidence;
  Known->NoDevice |= New.NoDevice;
  Known->Proved &= New.Proved;
  if (Known->Reached && New.Reached)
    merge(*Known->Reached, *New.Reached);
  else if (New.Reached)
    Known->Reached = std::move(New.Reached);
  Known->Verdict = verify::worse(Known->Verdict, New.Verdict);
}

EditsVerified verifyEdits(const BuiltText &Text, const select::Selection &S,
                          ArrayRef<rewrite::KernelInfo> Kernels,
                          const VerifySettings &Settings,
                          function_ref<void()> BeforeRunning) {
  EditsVerified Out;
  auto refused = [&](const verify::Verification &V, const std::string &Kernel) {
    return refusal(V, Kernel, editsOf(S, Kernel), Settings);
  };
  std::vector<Comparison> List;
  for (const rewrite::KernelInfo &K : Kernels) {
    Touched Edits = editsOf(S, K.Name);
    if (!Edits.Any)
      continue;
    if (!Settings.RequireProof)
      if (auto V = withoutRunning(Edits, S, K.Name, Text.Targets)) {
        bool Last = !refused(*V, K.Name).empty();
        List.push_back({nullptr, {}, {}, K, {}, std::move(V)});
        if (Last)
          break;
        continue;
      }
    for (const Build &B : Text.Builds)
      if (is_contained(B.Kernels, K.Name))
        List.push_back({&B,
                        Text.as(B),
                        whole(S.Result, B, Text.Line),
                        K,
                        howFor(K, Edits, B.Launches, Settings),
                        {}});
  }
  verify::ChosenDevice Device;
  if (any_of(List, [](const Comparison &C) { return C.As; })) {
    if (Error E = deviceOf(Settings).moveInto(Device)) {
      Out.Refusal = "can not be verified: " + toString(std::move(E)) +
                    " (--verify=off does without)";
      return Out;
    }
    verifyAll(
        List, Device, Settings,
        [&](const Comparison &C) {
          return !refused(*C.Verdict, C.Kernel.Name).empty();
        },
        [&] {
          BeforeRunning();
          Out.Sandbox = Device.Sandbox;
        });
  }
  for (const Comparison &C : List) {
    const verify::Verification &V = *C.Verdict;
    addEvidence(Out.Kernels,
                {C.Kernel.Name, V.Verdict, V.Evidence,
                 /*NoDevice=*/C.As && !Device.Channel && !V.Proved, V.Proved,
                 V.Reached},
                C.As ? C.As->Name : "");
    Out.Refusal = refused(V, C.Kernel.Name);
    if (Out.Refusal.empty())
      continue;
    Touched Edits = editsOf(S, C.Kernel.Name);
    Out.BlamesInexact = V.Verdict == verify::Verification::Different &&
                        (Edits.Approximate || Edits.Assumes);
    if (std::string Where = writeReplay(V, Settings.WitnessPath);
        !Where.empty())
      Out.Refusal += "\n  " + Where;
    break;
  }
  return Out;
}

/// How \p K is verified against itself, built with an option of the class
/// \p Class: both versions are built as their host does it, and launched as
/// \p Edits ask.
static verify::VerifyOptions howForBuild(const rewrite::KernelInfo &K,
                                         const Touched &Edits,
                                         const FileLaunches &Launches,
                                         rewrite::Safety Class,
                                         const VerifySettings &Settings) {
  verify::VerifyOptions How = howFor(K, Edits, Launches, Settings);
  How.Build = verify::Arithmetic::Given;
  How.Allowed.Varying &= Class == rewrite::Safety::Exact;
  How.Allowed.Bound = Class == rewrite::Safety::Approximate
                          ? How.Allowed.Declared
                          : verify::Tolerance();
  How.Change = {};
  llvm::erase_if(How.Launches, [&](verify::LaunchShape &L) {
    if (L.Global.empty())
      return false;
    Expected<launch::NDRange> New = Edits.Launch.of(L);
    if (New)
      static_cast<launch::NDRange &>(L) = *New;
    return errorToBool(New.takeError());
  });
  return How;
}

verify::Verification
verifyBuild(const BuiltText &Text, const select::Selection &S,
            ArrayRef<rewrite::KernelInfo> Kernels, const select::BuildChoice &C,
            const VerifySettings &Settings,
            function_ref<void(const verify::ChosenDevice &)> BeforeRunning) {
  verify::Verification All;
  Expected<verify::ChosenDevice> Device = Settings.Device->get();
  if (!Device) {
    All.Evidence = toString(Device.takeError());
    return All;
  }
  if (StringRef(Device->Name).trim() != C.Device) {
    All.Evidence = Device->Channel
                       ? "verification runs on " + Device->Name +
                             ", whose driver is another (--verify=" + C.Device +
                             ")"
                       : Device->Absent;
    return All;
  }
  const Build &B = Text.Builds[C.Build];
  const Source Before = whole(S.Result, B, Text.Line);
  Source After = Before;
  After.Options.push_back(C.Option.Text);
  std::vector<Comparison> List;
  for (const rewrite::KernelInfo &K : Kernels)
    if (is_contained(B.Kernels, K.Name))
      List.push_back({&B,
                      Before,
                      After,
                      K,
                      howForBuild(K, editsOf(S, K.Name), B.Launches,
                                  C.Option.Class, Settings),
                      {}});
  auto MustStop = [](const Comparison &Each) {
    return Each.Verdict->DeviceFailed ||
           Each.Verdict->Verdict == verify::Verification::Different;
  };
  verifyAll(List, *Device, Settings, MustStop, [&] { BeforeRunning(*Device); });
  All.Verdict = verify::Verification::Same;
  for (const Comparison &Each : List) {
    const verify::Verification &V = *Each.Verdict;
    All.Verdict = verify::worse(All.Verdict, V.Verdict);
    All.DeviceFailed |= V.DeviceFailed;
    All.BeyondSpread |= V.BeyondSpread;
    All.Evidence += (All.Evidence.empty() ? "" : "; ") + Each.Kernel.Name +
                    ": " + V.Evidence;
    if (MustStop(Each))
      break;
  }
  return All;
}

} // namespace clrewrite::pipeline
