// One round is run on the device, and the differences that it reports are
// compared with the tolerance.
#include "verify/Trial.h"
#include "source/Words.h"
#include "verify/Images.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace llvm;

namespace clrewrite::verify {

using process::Clock;

/// The part of what is left that one job may take.
static constexpr double Share = 0.6;
/// No job gets less where there is more: starting a driver takes as long.
static constexpr double LeastSeconds = 0.5;
/// So little is nothing: no job is begun for it.
static constexpr double Moment = 0.1;
/// Once a round is over, another one's launches hang where they take so many
/// times as long as the longest, and LeastHang seconds.
static constexpr double LongerThanAny = 20;
/// A kernel that nothing can be wrong with takes so long only on a device that
/// is gone, or on a machine that has too much to do.
static constexpr double ProbeSeconds = 30;
/// What it must have had before the device is said to be gone.
static constexpr double FairProbe = 6;
/// How many times the original's time, and how many seconds more, the new
/// version must have had before it is said to hang. What the driver compiles
/// for the original's sizes of work-groups is known to it by then; the new
/// version's is not, and a machine may have other work. With the first launch,
/// which may take Share, it is less than the 10 s of a verification, so that a
/// new version that never ends is told by them.
static constexpr double Slower = 2, Longer = 2.5;

/// Buffers double, so there is an end; the bound is for a fake device.
static constexpr unsigned MostTries = 64;
/// Original as it is in the letters of a job's versions; 'b' is before.
static constexpr const char *Ordinary = "bba";
static constexpr const char *Thorough = "bbbbaa";
/// Only the original, often: does it race with itself?
static constexpr const char *Originals = "bbbbbbbbbbbbbbbb";
/// How many launches of Originals before a difference is believed to be the
/// new version's.
static constexpr unsigned Patience = 8;

Trial::Trial(opencl::DeviceChannel &Device, int64_t Index, const KernelShape &K,
             json::Object B, json::Object A, double Seconds,
             const Tolerances &Allowed, launch::LaunchChange Change)
    : Device(Device), Index(Index), K(K), Before(std::move(B)),
      After(std::move(A)), Change(std::move(Change)),
      Deadline(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(Seconds))),
      Allowed(Allowed) {
  Before["kernel"] = K.Name;
  After["kernel"] = K.Name;
}

TrialLaunch Trial::launch(const Inputs &In, const Recipe &R, const Fit &F,
                          unsigned Round) const {
  Recipe Now = R;
  Now.IsShort = HasHung;
  return In.make(Now, F, Round);
}

bool Trial::mayTakeLong(const TrialLaunch &L, const Inputs &In, const Recipe &R,
                        const Fit &F, unsigned Round) const {
  if (HasHung || none_of(K.Arguments,
                         [](const KernelArgument &A) { return A.OnlyCounts; }))
    return false;
  Recipe Short = R;
  Short.IsShort = true;
  return In.make(Short, F, Round).Args != L.Args;
}

json::Object Trial::job(const TrialLaunch &L, const Recipe &R,
                        StringRef Versions) const {
  json::Array List;
  json::Object New(After);
  cantFail(Change.addTo(New, L)); // as run() has seen
  for (char C : Versions)
    List.push_back(json::Object(C == 'b' ? Before : New));
  json::Object Job = L.members();
  Job["job"] = "run";
  Job["device"] = Index;
  Job["versions"] = std::move(List);
  Job["guard"] = R.FenceBefore ? "start" : "end";
  Job["any_nan"] = true;
  return Job;
}

/// \p Job, of which nothing is wanted once the original has left its buffers:
/// it comes again with larger ones.
static json::Object growing(json::Object Job) {
  Job["inside_only"] = true;
  return Job;
}

double Trial::left() const {
  double Left = std::chrono::duration<double>(Deadline - Clock::now()).count();
  return Left < Moment ? 0 : Left;
}

opencl::DeviceAnswer Trial::call(json::Object Job, double Most) const {
  double Left = left();
  if (Left <= 0) {
    opencl::DeviceAnswer Late;
    Late.Status = opencl::DeviceAnswer::TimedOut;
    Late.Problem = "had no time left";
    return Late;
  }
  Job["limit_s"] =
      std::min(Left, std::max(LeastSeconds, Most > 0 ? Most : Left * Share));
  opencl::DeviceAnswer A = Device.call(std::move(Job));
  HasFailed |= A.endsProcess();
  return A;
}

/// A kernel that nothing can be wrong with tells a bad kernel, of which \p Last
/// is an answer, from a device that is gone: then, or where there is no time to
/// tell, the round ends so.
std::optional<TrialResult>
Trial::endAfter(const opencl::DeviceAnswer &Last) const {
  const char *Text = "kernel void probe(global int *p) { p[0] = 1; }";
  json::Object B{{"bytes", 64}, {"fill", "zeros"}, {"type", "int"}};
  double Given = left();
  opencl::DeviceAnswer Probe = call(
      json::Object{
          {"job", "run"},
          {"device", Index},
          {"versions",
           json::Array{json::Object{{"source", Text}, {"kernel", "probe"}}}},
          {"global", json::Array{1}},
          {"args", json::Array{json::Object{{"buffer", std::move(B)}}}}},
      ProbeSeconds);
  if (Probe.ok())
    return std::nullopt;
  bool Hurried = Probe.Status == opencl::DeviceAnswer::TimedOut &&
                 left() <= 0 && Given < FairProbe;
  TrialResult Out;
  Out.Outcome = Hurried ? TrialResult::OutOfTime : TrialResult::Failed;
  Out.What = Last.Problem;
  return Out;
}

/// The entries of \p Name in \p A whose "version" \p Wanted takes.
template <typename Predicate>
static std::vector<const json::Object *>
entries(const opencl::DeviceAnswer &A, StringRef Name, Predicate Wanted) {
  std::vector<const json::Object *> Out;
  if (const json::Array *List = A.Body.getArray(Name))
    for (const json::Value &V : *List)
      if (const json::Object *O = V.getAsObject())
        if (Wanted(O->getInteger("version").value_or(0)))
          Out.push_back(O);
  return Out;
}

bool Trial::adapt(const opencl::DeviceAnswer &A, const Inputs &In,
                  const Recipe &R, Fit &F, bool &Ended, std::string &Why) {
  if (A.Status == opencl::DeviceAnswer::TimedOut && ++Hangs > 2) {
    Why = "the original " + A.Problem + " on the inputs that were tried";
    return Ended = true;
  }
  bool Unsupported = A.Status == opencl::DeviceAnswer::Refused &&
                     A.Body.getString("name") == "UNSUPPORTED";
  if (!A.ok()) {
    Why = (Unsupported ? "the device can't launch it: "
                       : "the original's launch ") +
          A.Problem;
    // What is misaligned fails however tame its numbers are.
    return Ended = R.Part || !In.calm(F, R), true;
  }
  Stay How = stay(A, In, R, F, Why);
  Ended = How == Stay::Stuck && !In.calm(F, R);
  return How != Stay::Inside;
}

/// Whether the original stayed inside its buffers in the launch that \p A
/// answers; where it did not, \p F gets larger ones, unless that can't help.
Trial::Stay Trial::stay(const opencl::DeviceAnswer &A, const Inputs &In,
                        const Recipe &R, Fit &F, std::string &Why) {
  // Margins don't catch reads, but hold something else in each run.
  if (A.Body.getString("guard") == "margins" && !MayVary &&
      !seen(A, 2).Racing.empty()) {
    Why = "the original's results vary, or depend on what lies outside of its "
          "buffers";
    if (In.growAll(F, R))
      return Stay::Grown;
    // It is not their size.
    MayVary = true;
    F.Elements = In.tightest(R).Elements;
    return Stay::Grown;
  }
  auto Outside = entries(A, "out_of_bounds", [](int64_t V) { return V < 2; });
  bool Grown = true;
  for (const json::Object *T : Outside) {
    size_t Arg = size_t(T->getInteger("arg").value_or(0));
    int64_t Offset = T->getInteger("offset").value_or(-1);
    int64_t Bytes = T->getInteger("bytes").value_or(0);
    Why = formatv("the original reaches outside argument {0} '{1}', at byte "
                  "{2} of {3}",
                  Arg, Arg < K.Arguments.size() ? K.Arguments[Arg].Name : "",
                  Offset, Bytes);
    Grown &=
        In.grow(F, R, Arg, Offset, T->getInteger("reach").value_or(Offset));
  }
  return Outside.empty() ? Stay::Inside : Grown ? Stay::Grown : Stay::Stuck;
}

Trial::Look Trial::look(const Inputs &In, const Recipe &R, double Most,
                        const Fit *From, function_ref<bool(Fit &)> Grow) {
  Look Out;
  Out.Fitting = From ? *From : In.tightest(R);
  std::string Why;
  double Spent = 0; // seconds in launches
  for (unsigned Try = 0; Try < MostTries; ++Try) {
    TrialLaunch L = launch(In, R, Out.Fitting, 0);
    if (Spent >= Most || errorToBool(Change.of(L).takeError()))
      return Out;
    // What another device program takes before it launches anything.
    const double ToStart = IsCompiled ? 0 : Starting;
    Clock::time_point Start = Clock::now();
    opencl::DeviceAnswer A =
        call(growing(job(L, R, "bb")),
             std::max(LeastSeconds, Most - Spent) + ToStart);
    Spent += std::max(
        0.0,
        std::chrono::duration<double>(Clock::now() - Start).count() - ToStart);
    noteEnd(A);
    if (!A.ok()) {
      HasHung |= A.Status == opencl::DeviceAnswer::TimedOut &&
                 mayTakeLong(L, In, R, Out.Fitting, 0);
      Out.Ended |= A.endsProcess();
      Out.Crashed |=
          A.endsProcess() && A.Status != opencl::DeviceAnswer::TimedOut;
      if (A.Status != opencl::DeviceAnswer::TimedOut && Grow &&
          Grow(Out.Fitting))
        continue;
      return Out;
    }
    Stay How = stay(A, In, R, Out.Fitting, Why);
    if (How == Stay::Stuck)
      return Out;
    if (How == Stay::Grown)
      continue;
    if (!seen(A, 2).Racing.empty())
      return Out;
    if (const json::Array *Buffers = A.Body.getArray("buffers"))
      for (const json::Value &B : *Buffers)
        if (const json::Object *O = B.getAsObject())
          Out.Changed +=
              uint64_t(O->getInteger("changed_elements").value_or(0));
    Out.Valid = true;
    return Out;
  }
  return Out;
}

bool Trial::compile(const Inputs &In) {
  if (IsCompiled)
    return true;
  Recipe R;
  R.Level = 3; // small integers make the launch itself short
  double Left = left();
  if (look(In, R, Share * Left).Ended)
    return false;
  Starting = Left - left();
  Longest = std::max(Longest, Starting);
  return true;
}

TrialResult Trial::run(const Inputs &In, const Recipe &R, unsigned Round,
                       const Fit *From) {
  Fit F = From ? *From : In.tightest(R);
  unsigned Level = F.Level;
  std::string Like =
      std::to_string(Level) + " " + launch(In, R, F, Round).text(K);
  if (auto It = Fits.find(Like); !From && It != Fits.end())
    F = It->second;
  TrialResult Tried;
  double Left = left();
  TrialResult Out = findAndJudge(In, R, Round, F, Tried);
  Out.Launch = std::move(Tried.Launch);
  Out.Ended = Tried.Ended;
  Out.Level = F.Level;
  bool Valid = Out.Outcome == TrialResult::Equal ||
               Out.Outcome == TrialResult::Near ||
               Out.Outcome == TrialResult::Within;
  if (Valid && !Tried.Ended)
    Longest = std::max(Longest, Left - left());
  if (Valid && F.Level == Level)
    Fits[Like] = F;
  return Out;
}

/// The original leaves its buffers in the launch \p L as it is written, and
/// only a driver's optimiser left the access out: an `x ^= 0`, say. The new
/// version may be compiled otherwise then, and a launch with larger buffers is
/// looked for.
bool Trial::reachesAsWritten(const TrialLaunch &L, const Inputs &In,
                             const Recipe &R, Fit &F, bool &Ended,
                             std::string &Why) {
  opencl::DeviceAnswer A = call(opencl::unoptimised(growing(job(L, R, "bb"))));
  noteEnd(A);
  return A.ok() && adapt(A, In, R, F, Ended, Why);
}

/// Looks for a launch in which the original is valid, and judges the new
/// version by it. What was tried on the way is noted in \p Tried.
TrialResult Trial::findAndJudge(const Inputs &In, const Recipe &R,
                                unsigned Round, Fit &F, TrialResult &Tried) {
  TrialResult Out;
  Out.Outcome = TrialResult::Invalid;
  bool Ended = false;
  auto outOfTime = [&] {
    Out.Outcome = TrialResult::OutOfTime;
    return Out;
  };
  for (unsigned Try = 0; Try < MostTries && !Ended; ++Try) {
    if (left() <= 0)
      return outOfTime();
    TrialLaunch L = launch(In, R, F, Round);
    if (mayTakeLong(L, In, R, F, Round)) {
      HasHung = call(job(L, R, "b"), LeastSeconds).Status ==
                opencl::DeviceAnswer::TimedOut;
      Tried.Ended |= HasHung;
      if (HasHung)
        continue;
    }
    Tried.Launch = L.text(K);
    if (Error E = Change.of(L).takeError()) {
      Out.What =
          "a launch does not fit the new version: " + toString(std::move(E));
      return Out;
    }
    double Most =
        Longest > 0 ? std::max(LeastHang, LongerThanAny * Longest) : 0;
    opencl::DeviceAnswer A = call(growing(job(L, R, Ordinary)), Most);
    noteEnd(A);
    if (A.ok() && !adapt(A, In, R, F, Ended, Out.What)) {
      if (seen(A, 2).Outside && reachesAsWritten(L, In, R, F, Ended, Out.What))
        continue;
      TrialResult Judged = judge(A, L, R, Round);
      if (!Judged.Racing)
        Judged.Hashes = hashesOf(A);
      return Judged;
    }
    if (A.ok())
      continue;
    Tried.Ended |= A.endsProcess();
    if (left() <= 0)
      return outOfTime();
    // Told while there is time left to tell it.
    bool Late = A.Status == opencl::DeviceAnswer::TimedOut;
    if (Late)
      if (std::optional<TrialResult> End = endAfter(A))
        return *End;
    // Which of them was it?
    Clock::time_point Start = Clock::now();
    opencl::DeviceAnswer Alone = call(growing(job(L, R, "bb")), Most);
    noteEnd(Alone);
    std::chrono::duration<double> Took = Clock::now() - Start;
    if (!Alone.ok() && left() <= 0)
      return outOfTime();
    if (!Alone.ok() &&
        !(Late && Alone.Status == opencl::DeviceAnswer::TimedOut))
      if (std::optional<TrialResult> End = endAfter(Alone))
        return *End;
    if (adapt(Alone, In, R, F, Ended, Out.What))
      continue;
    TrialResult New = newAlone(L, R, Round, Took.count());
    if (New.Outcome != TrialResult::Equal)
      return New;
    Out.What = "the versions run alone, but not one after the other";
    Ended = true;
  }
  return Out;
}

/// \p Job with a buffer of its own for each argument that begins within
/// another's, at an address as odd. None where all have the alignment that a
/// buffer has.
static std::optional<json::Object> withoutParts(json::Object Job) {
  // The least CL_DEVICE_MEM_BASE_ADDR_ALIGN.
  constexpr int64_t Align = 128;
  json::Array &Args = *Job.getArray("args");
  bool Any = false;
  for (json::Value &Each : Args) {
    const json::Object &A = *Each.getAsObject();
    const int64_t At = A.getInteger("offset").value_or(0);
    if (At % Align == 0)
      continue;
    const json::Value &Whole = Args[size_t(*A.getInteger("alias"))];
    json::Object Buffer = *Whole.getAsObject()->getObject("buffer");
    // A buffer of whole lines, less the part before: it ends at a fence.
    Buffer["bytes"] = *Buffer.getInteger("bytes") - At;
    Buffer["align"] = At & -At;
    Each = json::Object{{"buffer", std::move(Buffer)}};
    Any = true;
  }
  Job["guard"] = "end";
  return Any ? std::optional(std::move(Job)) : std::nullopt;
}

/// Differs where the new version fails by itself, OutOfTime where it was not
/// given the time that the original's launches, which took \p Original
/// seconds, make fair, and Invalid where it fails without an overlap, too.
TrialResult Trial::newAlone(const TrialLaunch &L, const Recipe &R,
                            unsigned Round, double Original) const {
  TrialResult Out;
  double Fair = Original * Slower + Longer, Time = left();
  opencl::DeviceAnswer New = call(job(L, R, "a"), std::min(Time, Fair));
  if (New.ok())
    return Out;
  if (New.Status == opencl::DeviceAnswer::TimedOut && Time < Fair) {
    Out.Outcome = TrialResult::OutOfTime;
    return Out;
  }
  // An address that an overlap makes odd is one that no buffer has.
  if (std::optional<json::Object> Apart = withoutParts(job(L, R, "a")))
    if (!call(std::move(*Apart), std::min(left(), Fair)).ok()) {
      Out.Outcome = TrialResult::Invalid;
      Out.What = "the new version " + New.Problem +
                 " at addresses that are aligned to one element alone";
      return Out;
    }
  return differs("the new version " + New.Problem + ", the original does not",
                 L, R, Round);
}

/// A result that says that the versions part on \p L.
TrialResult Trial::differs(std::string What, const TrialLaunch &L,
                           const Recipe &R, unsigned Round) const {
  TrialResult Out;
  Out.Outcome = TrialResult::Differs;
  Out.What = std::move(What);
  Out.How.Round = Round + 1;
  Out.How.Kind = name(R.Kind).str();
  Out.How.Arguments = L.members();
  Out.Replay = job(L, R, "ba");
  return Out;
}

/// "element 5", or for an image "pixel (5, 0)".
static std::string elementName(const json::Object &Difference,
                               const TrialLaunch &L) {
  auto Arg = size_t(Difference.getInteger("arg").value_or(0));
  auto Element = uint64_t(Difference.getInteger("element").value_or(0));
  if (Arg < L.Args.size())
    if (const json::Object *A = L.Args[Arg].getAsObject())
      if (const json::Object *Image = A->getObject("image"))
        return pixelName(*Image, Element);
  return "element " + std::to_string(Element);
}

Trial::Seen Trial::seen(const opencl::DeviceAnswer &A, int64_t Count) {
  auto original = [=](int64_t V) { return V < Count; };
  auto changed = [=](int64_t V) { return V >= Count; };
  Seen S;
  for (const json::Object *D : entries(A, "differences", original)) {
    S.Racing.insert(D->getInteger("arg").value_or(0));
    S.Own.widen(distanceIn(*D));
  }
  for (const json::Object *D : entries(A, "differences", changed))
    S.Apart.push_back({D->getInteger("arg").value_or(0), distanceIn(*D)});
  S.Outside = !entries(A, "out_of_bounds", changed).empty();
  return S;
}

/// The original differs from itself by more than is declared, so that nothing
/// can be told.
bool Trial::races(const Seen &S) const {
  return !S.Racing.empty() && !Allowed.Declared.allows(S.Own);
}

/// The tolerance that is declared for racing buffers must not loosen the
/// others.
const Tolerance &Trial::allowed(const Seen &S, int64_t Argument) const {
  return S.Racing.count(Argument) ? Allowed.Declared : Allowed.Bound;
}

/// The new version does what is not allowed.
bool Trial::parts(const Seen &S) const {
  return S.Outside || any_of(S.Apart, [&](const auto &Each) {
           return !allowed(S, Each.first).allows(Each.second);
         });
}

TrialResult Trial::near(const Seen &S, const TrialLaunch &L,
                        const Recipe &R) const {
  TrialResult Out;
  Out.Outcome = TrialResult::Near;
  Out.Racing = !S.Racing.empty();
  Out.Own = S.Own;
  for (const auto &[Argument, D] : S.Apart)
    if (!Out.Racing || S.Racing.count(Argument))
      Out.Apart.widen(D);
  Out.Replay = job(L, R, "ba");
  return Out;
}

std::string Trial::argumentName(size_t Argument) const {
  return formatv("argument {0} '{1}'", Argument,
                 Argument < K.Arguments.size() ? K.Arguments[Argument].Name
                                               : "");
}

TrialResult Trial::varies(const TrialLaunch &L, const Recipe &R,
                          unsigned Round) const {
  // Of what is left; the rounds that follow need as much.
  static constexpr double Fraction = 0.25;
  TrialResult Out;
  Out.Outcome = TrialResult::Races;
  if (!Allowed.Varying)
    return Out;
  json::Object Job = job(L, R, "ba");
  Job["enough_s"] = std::max(int64_t(1), int64_t(Fraction * left()));
  opencl::SpreadVerdict V = opencl::compareSpread(
      Job, [&](json::Object Each) { return call(std::move(Each)); });
  if (V.Argument && *V.Argument < K.Arguments.size())
    V.What += " ('" + K.Arguments[*V.Argument].Name + "')";
  switch (V.Is) {
  case opencl::SpreadVerdict::Agrees:
    Out.Outcome = TrialResult::Within;
    Out.Spread = std::move(V);
    Out.Replay = job(L, R, "ba");
    return Out;
  case opencl::SpreadVerdict::Differs:
    Out = differs("outside the run-to-run spread of the original: " + V.What, L,
                  R, Round);
    Out.How.Argument = V.Argument;
    Out.How.Element = V.Element.value_or(0);
    return Out;
  case opencl::SpreadVerdict::Beyond:
    Out.What = "results reach beyond the run-to-run spread of the original, "
               "but not in all runs, or not far: " +
               V.What;
    Out.Beyond = true;
    break;
  case opencl::SpreadVerdict::Permuted:
  case opencl::SpreadVerdict::Failed:
    Out.What = "no run-to-run spread can be told: " + V.What;
    break;
  }
  Out.Outcome = TrialResult::Unsteady;
  return Out;
}

/// What the third run, of the new version, did otherwise.
TrialResult Trial::judge(const opencl::DeviceAnswer &A, const TrialLaunch &L,
                         const Recipe &R, unsigned Round) const {
  auto changed = [](int64_t V) { return V == 2; };
  TrialResult Out;
  Seen S = seen(A, 2);
  if (races(S))
    return varies(L, R, Round);
  if (!parts(S) && (!S.Racing.empty() || !S.Apart.empty()))
    return near(S, L, R);
  auto Outside = entries(A, "out_of_bounds", changed);
  auto Differences = entries(A, "differences", changed);
  if (Outside.empty() && Differences.empty()) {
    const json::Array *Buffers = A.Body.getArray("buffers");
    for (size_t I = 0; Buffers && I < Buffers->size(); ++I)
      if (const json::Object *B = (*Buffers)[I].getAsObject())
        Out.Changed |= B->getBoolean("changed").value_or(true);
    Out.Replay = job(L, R, "ba");
    return Out;
  }
  auto Worst = find_if(Differences, [&](const json::Object *D) {
    int64_t Argument = D->getInteger("arg").value_or(0);
    return !allowed(S, Argument).allows(distanceIn(*D));
  });
  const json::Object &First = Outside.empty() ? **Worst : *Outside.front();
  auto text = [&](StringRef Name) {
    return First.getString(Name).value_or("").str();
  };
  std::string Name = argumentName(size_t(First.getInteger("arg").value_or(0)));
  std::string What =
      Outside.empty()
          ? formatv("{0}, {1}: {2} instead of {3}", Name, elementName(First, L),
                    text("actual"), text("expected"))
                .str()
          : formatv("a {0} outside {1}, at byte {2} of {3}", text("kind"), Name,
                    First.getInteger("offset").value_or(0),
                    First.getInteger("bytes").value_or(0))
                .str();
  Out = differs(std::move(What), L, R, Round);
  Out.How.Argument = size_t(First.getInteger("arg").value_or(0));
  Out.How.Element = uint64_t(First.getInteger("element").value_or(0));
  Out.How.Expected = text("expected");
  for (const auto &[Argument, D] : S.Apart)
    if (const Tolerance &T = allowed(S, Argument);
        !S.Outside && Argument == int64_t(*Out.How.Argument) && T.measures(D))
      Out.What += " (" + T.text(D) + " apart, allowed " + T.text() + ")";
  return confirm(std::move(Out), std::move(S), L, R, Round);
}

/// `#define get_global_id(d) ...` before \p Source is in force for all of it,
/// and its argument is a number wherever it is expanded.
static bool canBeReversed(StringRef Source) {
  auto isOurs = [](StringRef Word) {
    return Word == "get_global_id" || Word == "get_global_size" ||
           Word == "get_global_offset";
  };
  for (StringRef Line : split(Source, '\n')) {
    StringRef Rest = Line.ltrim();
    if (!Rest.consume_front("#"))
      continue;
    std::vector<StringRef> Words = wordsIn(Rest);
    StringRef Directive = Words.empty() ? "" : Words.front();
    if (Directive == "include" || (Words.size() > 1 && isOurs(Words[1])) ||
        (Directive != "define" && any_of(Words, isOurs)))
      return false;
  }
  constexpr StringLiteral Name = "get_global_id";
  for (size_t At = 0; (At = Source.find(Name, At)) != StringRef::npos;) {
    At += Name.size();
    StringRef Behind = Source.substr(At).ltrim();
    bool IsNumber = Behind.consume_front("(") &&
                    !(Behind = Behind.ltrim()).empty() &&
                    StringRef("012").contains(Behind.front()) &&
                    Behind.drop_front().ltrim("uU \t").starts_with(")");
    if (!IsNumber)
      return false;
  }
  return true;
}

/// \p Job with the last work-item in the place of the first, and so on: where
/// work-items write to one place, a device that runs them in one order leaves
/// something else. None where its text can't be made to do that.
static std::optional<json::Object> fromTheEnd(json::Object Job) {
  constexpr StringLiteral Reversed =
      "#define get_global_id(d) (get_global_size(d) - 1 + "
      "2 * get_global_offset(d) - get_global_id(d))\n";
  for (json::Value &Each : *Job.getArray("versions")) {
    json::Object &V = *Each.getAsObject();
    std::optional<StringRef> Source = V.getString("source");
    if (!Source || !canBeReversed(*Source))
      return std::nullopt;
    V["source"] = (Reversed + *Source).str();
  }
  return Job;
}

/// Gives \p Found back, or that the original races, or that the difference
/// did not show again, or is within what is declared for a racing original.
TrialResult Trial::confirm(TrialResult Found, Seen First, const TrialLaunch &L,
                           const Recipe &R, unsigned Round) const {
  bool Again = false;
  opencl::DeviceAnswer A;
  for (unsigned Try = 0; Try < 3 && !Again; ++Try) {
    A = call(job(L, R, Thorough));
    if (A.Status == opencl::DeviceAnswer::TimedOut && left() <= 0) {
      Found.Outcome = TrialResult::Unsteady;
      Found.What =
          "a difference showed, and no time was left to see it again: " +
          Found.What;
    }
    if (!A.ok())
      return Found;
    Seen S = seen(A, 4);
    // A buffer that has raced on these inputs is a racing one.
    First.Racing.insert(S.Racing.begin(), S.Racing.end());
    S.Racing = First.Racing;
    if (races(S))
      return varies(L, R, Round);
    Again = parts(S);
    if (!Again && !parts(First))
      return near(S, L, R);
  }
  // Two versions may race at different odds: nobody is blamed before the
  // original has been asked often, and oftener where thousands of work-items
  // seldom meet, or where the difference itself was seldom seen.
  unsigned Often = Patience * (R.hasManyItems() ? 8 : 1) * (Again ? 1 : 8);
  for (unsigned Try = 0; Try < Often && left() > 0; ++Try)
    if (races(seen(call(job(L, R, Originals)), INT64_MAX)))
      return varies(L, R, Round);
  if (!Again) {
    Found.Outcome = TrialResult::Unsteady;
    Found.What =
        "a difference showed once and not again, as of a race: " + Found.What;
    return Found;
  }
  if (K.OriginalUsesGroups || !First.Racing.empty() || !Found.How.Argument)
    return Found;
  auto leavesOther = [&](json::Object Job) {
    opencl::DeviceAnswer B = call(std::move(Job));
    auto Argument = int64_t(*Found.How.Argument);
    return B.ok() && hashesOf(A)[Argument] != hashesOf(B)[Argument];
  };
  // Where the new version has other groups, the order of those counts.
  json::Object Singly = job(L, R, "b");
  Singly["local"] = Change.Local.empty()
                        ? json::Array(std::vector<int>(L.Global.size(), 1))
                        : json::Array(cantFail(Change.of(L)).Local);
  bool Races = K.RequiredLocal.empty() && leavesOther(std::move(Singly));
  if (!Races && !First.Outside)
    if (std::optional<json::Object> Turned = fromTheEnd(job(L, R, "b")))
      Races = Found.ByOrder = leavesOther(std::move(*Turned));
  if (Races)
    Found.Outcome = TrialResult::Races;
  return Found;
}

Trial::Comparison Trial::distance(json::Object Job, const json::Object &A,
                                  const json::Object &B) const {
  Comparison Out;
  // The new version keeps the sizes that it has in the job.
  json::Object New;
  if (const json::Array *Old = Job.getArray("versions"))
    New = *Old->back().getAsObject();
  json::Array Versions;
  for (const json::Object *Each : {&A, &B, &A}) {
    json::Object Version = Each == &B ? New : json::Object();
    for (const auto &[Name, Value] : *Each)
      Version[Name] = Value;
    Version["kernel"] = K.Name;
    Versions.push_back(std::move(Version));
  }
  Job["versions"] = std::move(Versions);
  opencl::DeviceAnswer Answer = call(std::move(Job));
  auto between = [&](int64_t Wanted) {
    return entries(Answer, "differences",
                   [=](int64_t Version) { return Version == Wanted; });
  };
  if (!Answer.ok() || !between(2).empty())
    return Out;
  Out.Ran = true;
  auto Differences = between(1);
  Out.Equal = Differences.empty();
  for (const json::Object *D : Differences)
    Out.Apart.widen(distanceIn(*D));
  return Out;
}

std::optional<Growth> growthOf(Trial &Runs, const Inputs &In, Recipe R,
                               double Most, bool &Ended) {
  auto fitted = [&](Recipe::Size Items) -> std::optional<SuitableDraw> {
    R.Shape = Items;
    Trial::Look Seen = Runs.look(In, R, Most);
    Ended |= Seen.Ended;
    return Seen.Valid ? std::optional(SuitableDraw{R, Seen.Fitting})
                      : std::nullopt;
  };
  std::optional<SuitableDraw> Small = fitted(Recipe::Even);
  std::optional<SuitableDraw> Larger = Small ? fitted(Recipe::Few) : Small;
  return Larger ? std::optional(Growth{*Small, *Larger}) : std::nullopt;
}

std::vector<SuitableDraw> suitableDraws(Trial &Runs, const Inputs &In,
                                        double Seconds) {
  static constexpr double Most = 0.5; // seconds for one draw
  if (!In.hasDraws() || In.once() || !Runs.compile(In))
    return {};
  // Where the buffers' integers lead astray, a GPU's driver may be started
  // again for each draw, so that all of the time is gone before they are small
  // ones.
  const double Until[] = {Runs.left() - Seconds / 2, Runs.left() - Seconds};
  struct Suitable {
    uint64_t Changed, Needed; // elements, of all buffers
    SuitableDraw Draw;
  };
  std::vector<Suitable> Found;
  for (unsigned Level : {0, 1}) {
    for (unsigned Draw = 1; Draw <= Inputs::Draws; ++Draw) {
      Recipe R;
      R.Kind = Contents::Random;
      R.Draw = Draw;
      R.Level = Level;
      if (Runs.left() <= Until[Found.empty() ? Level : 1])
        break;
      Trial::Look L = Runs.look(In, R, Most);
      if (L.Valid)
        Found.push_back({L.Changed,
                         std::accumulate(L.Fitting.Elements.begin(),
                                         L.Fitting.Elements.end(), uint64_t(0)),
                         {R, L.Fitting}});
    }
    if (!Found.empty())
      break;
  }
  stable_sort(Found, [](const Suitable &A, const Suitable &B) {
    return std::tie(A.Changed, A.Needed) > std::tie(B.Changed, B.Needed);
  });
  std::vector<SuitableDraw> Out;
  for (const Suitable &Each : Found)
    if (2 * Each.Changed >= Found.front().Changed)
      Out.push_back(Each.Draw);
  return Out;
}

} // namespace clrewrite::verify
