// Verifying the kept edits of a file.
#include "pipeline/Verifying.h"
#include "pipeline/Covering.h"
#include "pipeline/Proving.h"
#include "source/BoundedJson.h"
#include "source/File.h"
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

static cache::CacheKey keyOf(const Source &Before, const Source &After,
                             const std::string &Kernel,
                             const verify::ChosenDevice &Device,
                             const verify::VerifyOptions &How) {
  cache::CacheKey Key("verify, prove and cover");
  Key.add(Before).add(After).add(Kernel);
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

/// A verdict of same, as the cache keeps it.
static std::string kept(const verify::Verification &V) {
  json::Object Out{{"evidence", textOfBytes(V.Evidence)}, {"proved", V.Proved}};
  if (V.Reached)
    Out["coverage"] = verify::toJSON(*V.Reached);
  return jsonText(std::move(Out));
}

static std::optional<verify::Verification> readKept(StringRef Text) {
  verify::Verification V;
  V.Verdict = verify::Verification::Same;
  Expected<json::Value> Read = parseJson(Text);
  if (!Read) {
    consumeError(Read.takeError());
    return std::nullopt;
  }
  json::Path::Root Root;
  json::ObjectMapper O(*Read, Root);
  if (!O || !mapBytes(O, "evidence", V.Evidence) ||
      !O.map("proved", V.Proved) || !O.map("coverage", V.Reached))
    return std::nullopt;
  return V;
}

/// Proves and runs the kernel, unless the cache knows that the versions are the
/// same.
static verify::Verification
verifyOnce(const Source &Before, const Source &After, rewrite::KernelInfo K,
           const verify::ChosenDevice &Device, verify::VerifyOptions How,
           const cache::DiskCache *Cache, function_ref<void()> BeforeRunning) {
  cache::CacheKey Key = keyOf(Before, After, K.Name, Device, How);
  if (Cache)
    if (std::optional<std::string> Text = Cache->get(Key))
      if (std::optional<verify::Verification> V = readKept(*Text))
        return std::move(*V);
  if (Device.Channel)
    BeforeRunning();
  prove::Proof P = proofOf(Before, After, K.Name, How);
  How.Suspects = shapesOf(P.Suspects, K);
  // Text.as() has chosen a standard here, too.
  if (!P.Proved)
    cover(How, "", K);
  How.Exceeds16Bits = !P.Proved && verify::mayCutTo16Bits(Before, After);
  K.UsesGroups |= verify::mayAddGroupUse(Before, After);
  K.AsksForWhole |= verify::mayAskForWhole(Before, After);
  verify::Verification V =
      verify::verify(Before, After, K.Name, &K, Device, How);
  addProof(V, P, Device);
  if (Cache && V.Verdict == verify::Verification::Same)
    Cache->put(Key, kept(V));
  return V;
}

/// None where verification is off.
static Expected<verify::ChosenDevice> deviceOf(const VerifySettings &Settings) {
  if (Settings.Device)
    return Settings.Device();
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
  for (const rewrite::KernelInfo &K : Kernels) {
    Touched Edits = editsOf(S, K.Name);
    if (!Edits.Any)
      continue;
    if (std::optional<verify::Verification> V =
            Settings.RequireProof
                ? std::nullopt
                : withoutRunning(Edits, S, K.Name, Text.Targets)) {
      addEvidence(Out.Kernels, {K.Name, V->Verdict, V->Evidence}, "");
      Out.Refusal = refusal(*V, K.Name, Edits, Settings);
      if (!Out.Refusal.empty())
        return Out;
      continue;
    }
    for (const Build &B : Text.Builds) {
      if (!is_contained(B.Kernels, K.Name))
        continue;
      Expected<verify::ChosenDevice> Device = deviceOf(Settings);
      if (!Device) {
        Out.Refusal = "can not be verified: " + toString(Device.takeError()) +
                      " (--verify=off does without)";
        return Out;
      }
      auto run = [&] {
        if (Out.Sandbox.empty())
          BeforeRunning();
        Out.Sandbox = Device->Sandbox;
      };
      verify::Verification V = verifyOnce(
          Text.as(B), whole(S.Result, B, Text.Line), K, *Device,
          howFor(K, Edits, B.Launches, Settings), Settings.Cache, run);
      addEvidence(Out.Kernels,
                  {K.Name, V.Verdict, V.Evidence,
                   /*NoDevice=*/!Device->Channel && !V.Proved, V.Proved,
                   V.Reached},
                  B.Name);
      Out.Refusal = refusal(V, K.Name, Edits, Settings);
      if (Out.Refusal.empty())
        continue;
      if (std::string Where = writeReplay(V, Settings.WitnessPath);
          !Where.empty())
        Out.Refusal += "\n  " + Where;
      return Out;
    }
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
  Expected<verify::ChosenDevice> Device = Settings.Device();
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
  All.Verdict = verify::Verification::Same;
  for (const rewrite::KernelInfo &K : Kernels) {
    if (!is_contained(B.Kernels, K.Name))
      continue;
    verify::Verification V =
        verifyOnce(Before, After, K, *Device,
                   howForBuild(K, editsOf(S, K.Name), B.Launches,
                               C.Option.Class, Settings),
                   Settings.Cache, [&] { BeforeRunning(*Device); });
    All.Verdict = verify::worse(All.Verdict, V.Verdict);
    All.DeviceFailed |= V.DeviceFailed;
    All.BeyondSpread |= V.BeyondSpread;
    All.Evidence +=
        (All.Evidence.empty() ? "" : "; ") + K.Name + ": " + V.Evidence;
    if (V.Verdict == verify::Verification::Different || V.DeviceFailed)
      break;
  }
  return All;
}

} // namespace clrewrite::pipeline
