// Running a program with other sources, and comparing the runs.
#include "pipeline/SwappedRuns.h"
#include "capture/RunCaptured.h"
#include "measure/Timing.h"
#include "pipeline/CompareRuns.h"
#include "pipeline/Planning.h"
#include "pipeline/Unseen.h"
#include "source/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <memory>
#include <set>

using namespace llvm;

namespace clrewrite::pipeline {
namespace {

constexpr size_t MostLines = 8;      // of a sort, in the report
constexpr double LeastBuilds = 0.01; // of the program's time, to be told

/// A folder that goes away with its owner.
class TemporaryFolder {
  SmallString<128> Path;

public:
  Error make() {
    if (std::error_code E =
            sys::fs::createUniqueDirectory("clrewrite-try", Path))
      return createStringError("cannot make a temporary folder: " +
                               E.message());
    return Error::success();
  }
  std::string in(const Twine &Name) const {
    SmallString<128> Out(Path);
    sys::path::append(Out, Name);
    return Out.str().str();
  }
  ~TemporaryFolder() {
    if (!Path.empty())
      sys::fs::remove_directories(Path);
  }
};

Expected<std::string> bytesOf(const std::string &Path) {
  auto Text = MemoryBuffer::getFile(Path);
  if (!Text)
    return createStringError(Path + ": " + Text.getError().message());
  return (*Text)->getBuffer().str();
}

class Runner {
public:
  explicit Runner(const SwappedRuns &Given) : Given(Given) {}

  Expected<SwappedResult> run() {
    if (Error E = Temporary.make())
      return std::move(E);
    if (Error E = prepare())
      return std::move(E);
    if (Given.Compare)
      if (Error E = compare())
        return std::move(E);
    for (unsigned I = 0; I < Given.Rounds; ++I) {
      Given.Progress(formatv("timed run {0} of {1}", I + 1, Given.Rounds));
      // Turns about, so that what drifts favours neither.
      for (bool After : {I % 2 != 0, I % 2 == 0})
        if (Error E = timeOne(After))
          return std::move(E);
    }
    return std::move(Out);
  }

private:
  const SwappedRuns &Given;
  TemporaryFolder Temporary;
  SwappedResult Out;
  unsigned Count = 0;
  std::optional<capture::RunEnd> First;
  std::set<capture::BlobHash> Planned; // texts that the plan stands for

  /// Two folders of texts: that of the own ones serves where the files hold
  /// the rewritten ones already.
  Error prepare() {
    if (!Given.Plan.empty())
      return preparePlan();
    Expected<capture::Capture> C = capture::readCapture(Given.CaptureFolder);
    if (!C)
      return C.takeError();
    std::set<capture::BlobHash> Done;
    for (const capture::CapturedProgram &P : C->Programs) {
      std::optional<std::string> New = C->rewritten(P.Hash);
      if (P.Kind != capture::CapturedProgram::Source || !New ||
          !Done.insert(P.Hash).second)
        continue;
      Expected<std::string> Own = C->text(P);
      if (!Own)
        return Own.takeError();
      tellUnseen(P.Hash, *New);
      if (Error E = putInFolders(Temporary.in("new/" + P.Hash + ".cl"), *New))
        return E;
      if (Error E = putInFolders(
              Temporary.in("own/" + capture::blobHash(*New) + ".cl"), *Own))
        return E;
    }
    if (Done.empty())
      return createStringError(
          Given.CaptureFolder +
          " has no rewritten programs: nothing paid, or clrewrite --capture=" +
          Given.CaptureFolder + " has not run yet");
    return Error::success();
  }

  Error preparePlan() {
    Expected<plan::Plan> P = readPlanFile(Given.Plan);
    if (!P)
      return P.takeError();
    for (const plan::Program &Each : P->Programs) {
      Planned.insert(Each.Hash);
      tellUnseen(Each.Hash, Each.Text);
    }
    return Error::success();
  }

  /// The program's own driver runs it, in no sandbox.
  void tellUnseen(const std::string &Hash, StringRef Text) const {
    for (const std::string &What : inWords({Text, {}, {}}))
      Given.Progress("note: the rewritten program " + Hash +
                     " runs without being looked at: " + What);
  }

  /// One run of the program; its capture.
  Expected<capture::Capture> runOne(bool After, unsigned Data,
                                    StringRef Output) {
    capture::CapturedRun R;
    R.Command = Given.Program;
    R.Folder = Temporary.in("run-" + Twine(++Count));
    if (Given.Plan.empty())
      R.SwapFolder = Temporary.in(After ? "new" : "own");
    else if (After)
      R.Plan = Given.Plan;
    R.DataSamples = Data;
    R.MaxBytes = Given.MaxBytes;
    R.Layer = Given.Layer;
    R.Output = Output.str();
    // Its errors are worth seeing once.
    R.Errors = First ? "/dev/null" : "";
    Expected<capture::RunEnd> End = capture::runCaptured(R);
    if (!End)
      return End.takeError();
    if (!First)
      First = *End;
    if (End->shellCode() != First->shellCode())
      return createStringError(
          "the program ends with " + Twine(End->shellCode()) +
          (After ? " with the rewritten kernels" : " with its own kernels") +
          ", and with " + Twine(First->shellCode()) + " before");
    return capture::readCapture(R.Folder);
  }

  void forget() {
    sys::fs::remove_directories(Temporary.in("run-" + Twine(Count)));
  }

  Error timeOne(bool After) {
    Expected<capture::Capture> C = runOne(After, 0, "/dev/null");
    if (!C)
      return C.takeError();
    std::map<std::string, double> Sums;
    for (const capture::CapturedLaunch &L : C->Launches)
      if (std::optional<double> Ns = L.totalNs())
        Sums[C->Kernels[L.Kernel].Name] += *Ns;
    for (const auto &[Name, Ns] : Sums)
      (After ? Out.Kernels[Name].After : Out.Kernels[Name].Before)
          .push_back(Ns);
    double Wall = 0;
    for (const capture::CapturedProcess &P : C->Processes)
      Wall = std::max(Wall, double(P.Nanoseconds.value_or(0)));
    (After ? Out.Program.After : Out.Program.Before).push_back(Wall);
    if (After && !Given.Plan.empty())
      Out.PlanBuilds.push_back(double(C->PlanBuildNs));
    forget();
    return countSwapped(*C, After);
  }

  /// Fails where a run with each has shown that there is nothing to swap.
  Error countSwapped(const capture::Capture &C, bool After) {
    if (!Given.Plan.empty())
      return After ? countPlanned(C) : Error::success();
    std::set<capture::BlobHash> Swapped;
    size_t Binaries = 0;
    for (const capture::CapturedProgram &P : C.Programs) {
      if (!P.Swapped.empty())
        Swapped.insert(P.Swapped);
      Binaries += P.Kind == capture::CapturedProgram::Binary;
    }
    size_t &Most = After ? Out.Swapped : Out.PutBack;
    Most = std::max(Most, Swapped.size());
    if (!After || Out.Swapped || Out.PutBack)
      return Error::success();
    std::string Why = "the program made none of the rewritten programs from "
                      "source, so nothing was swapped";
    if (Binaries)
      Why += formatv("; it made {0} from binaries: empty its own cache of "
                     "kernels before each run",
                     Binaries);
    return createStringError(Why);
  }

  Error countPlanned(const capture::Capture &C) {
    Out.Planned = C.Planned;
    if (any_of(C.Planned, [](const auto &K) { return K.Took != 0; }))
      return Error::success();
    std::string Why;
    for (const capture::PlannedKernel &K : C.Planned)
      if (K.Others)
        Why += "; kernel " + K.Name + K.Why;
    if (Why.empty() && none_of(C.Programs, [&](const auto &P) {
          return Planned.count(P.Hash) != 0;
        }))
      Why = "; it made none of the plan's programs from source";
    return createStringError("no launch took the plan" + Why +
                             "; clrewrite run --plan=" + Given.Plan +
                             " says more");
  }

  Error compare() {
    Given.Progress("a run with each, to compare what they write");
    Expected<capture::Capture> A = runOne(false, 1, Temporary.in("output-own"));
    if (!A)
      return A.takeError();
    Expected<capture::Capture> B = runOne(true, 1, Temporary.in("output-new"));
    if (!B)
      return B.takeError();
    if (Error E = countSwapped(*A, false))
      return E;
    if (Error E = countSwapped(*B, true))
      return E;
    RunComparison C = compareRuns(*A, *B);
    Out.SameOutput = sameOutput("output-own", "output-new");
    if (Error E = takeOutWhatVaries(*A, *B, C))
      return E;
    for (const auto &[Object, D] : C.Unlike)
      (D.FoundOther ? Out.Unclear : Out.Unlike)
          .push_back(D.What + ": " +
                     differingBytes({&*A, D.One}, {&*B, D.Other}));
    Out.Compared = C.Same + Out.Unlike.size();
    llvm::append_range(Out.Notes, C.Notes);
    llvm::append_range(Out.Notes, A->DataNotes);
    return Error::success();
  }

  std::optional<bool> sameOutput(const char *One, const char *Other) const {
    Expected<std::string> A = bytesOf(Temporary.in(One));
    Expected<std::string> B = bytesOf(Temporary.in(Other));
    if (A && B)
      return *A == *B;
    if (!A)
      consumeError(A.takeError());
    if (!B)
      consumeError(B.takeError());
    return std::nullopt;
  }

  /// Times that are printed and kernels that race differ from run to run: that
  /// is no fault of the rewritten ones, and can't be compared.
  Error takeOutWhatVaries(const capture::Capture &A, const capture::Capture &B,
                          RunComparison &C) {
    constexpr unsigned MostRuns = 3;
    auto Open = [&] {
      return !C.Unlike.empty() ||
             (Out.SameOutput == false && !Out.OutputVaries);
    };
    std::vector<std::unique_ptr<capture::Capture>> Runs;
    std::map<std::string, std::vector<RunBytes>> More;
    for (unsigned I = 0; I < MostRuns && Open(); ++I) {
      Given.Progress("another run with its own kernels, to see what differs "
                     "from run to run");
      Expected<capture::Capture> Again =
          runOne(false, 1, Temporary.in("output-again"));
      if (!Again)
        return Again.takeError();
      Out.OutputVaries |= sameOutput("output-own", "output-again") == false;
      Runs.push_back(std::make_unique<capture::Capture>(std::move(*Again)));
      for (const auto &[Object, D] : compareRuns(A, *Runs.back()).Unlike) {
        auto It = C.Unlike.find(Object);
        if (It == C.Unlike.end())
          continue;
        More[Object].push_back({Runs.back().get(), D.Other});
        // Results of memory that is never set may agree here and there.
        if (!D.FoundOther &&
            differsWhereSteady({&A, It->second.One}, {&B, It->second.Other},
                               More[Object]))
          continue;
        ++Out.Varying;
        C.Notes.push_back(D.What + ": differs from run to run anyway");
        C.Unlike.erase(It);
      }
    }
    return Error::success();
  }
};

double middle(std::vector<double> Times) {
  llvm::sort(Times);
  return Times[Times.size() / 2];
}

/// "12.3 -> 11.0 ms (1.12x, 1.10 to 1.14)".
std::string times(const SwappedTimes &T) {
  size_t N = std::min(T.Before.size(), T.After.size());
  if (N == 0)
    return "no times";
  std::string Out = formatv("{0,10:f3} -> {1,10:f3} ms", middle(T.Before) / 1e6,
                            middle(T.After) / 1e6);
  std::optional<measure::PairedTime> P = T.ratio();
  if (!P)
    return Out + "  too few runs for a ratio";
  return Out + formatv("  {0:f2}x ({1:f2} to {2:f2}){3}", P->Ratio, P->RatioLow,
                       P->RatioHigh,
                       P->faster()   ? " faster"
                       : P->slower() ? " slower"
                                     : " within the noise")
                   .str();
}

} // namespace

std::optional<measure::PairedTime> SwappedTimes::ratio() const {
  std::vector<double> Ratios;
  for (auto [One, Other] : zip(Before, After))
    Ratios.push_back(Other > 0 ? One / Other : 1);
  measure::PairedTime Out;
  if (!measure::summarise(Ratios, Out))
    return std::nullopt;
  return Out;
}

std::set<std::string> withoutGain(const SwappedResult &R) {
  constexpr double Least = 1.02;
  std::set<std::string> Out;
  for (const capture::PlannedKernel &K : R.Planned)
    if (auto It = R.Kernels.find(K.Name); K.Took && It != R.Kernels.end())
      if (std::optional<measure::PairedTime> P = It->second.ratio();
          P && !P->faster() && P->Ratio < Least)
        Out.insert(K.Name);
  return Out;
}

Expected<SwappedResult> runSwapped(const SwappedRuns &Runs) {
  return Runner(Runs).run();
}

static void writeVerdict(const SwappedResult &R, raw_ostream &OS) {
  auto programs = [](size_t N) {
    return utostr(N) + (N == 1 ? " program was" : " programs were");
  };
  for (const capture::PlannedKernel &K : R.Planned)
    if (K.Took + K.Others)
      OS << "kernel " << K.Name << ": " << K.Took
         << (K.Took == 1 ? " launch" : " launches") << " took the plan, "
         << K.Others << " did not" << (K.Why.empty() ? "" : ": ") << K.Why
         << "\n";
  if (R.Planned.empty() && (R.Swapped || !R.PutBack))
    OS << programs(R.Swapped) << " swapped in\n";
  if (R.PutBack)
    OS << programs(R.PutBack)
       << " rewritten already; its own text was swapped in\n";
  if (R.Compared)
    OS << R.Compared
       << (R.Compared == 1 ? " memory object after a launch compared: "
                           : " memory objects after launches compared: ")
       << (!R.Unlike.empty() ? utostr(R.Unlike.size()) + " differ"
           : R.Compared == 1 ? "the same"
                             : "all the same")
       << "\n";
  for (const std::string &What : ArrayRef(R.Unlike).take_front(MostLines))
    OS << "  differs: " << What << "\n";
  for (const std::string &What : ArrayRef(R.Unclear).take_front(MostLines))
    OS << "  can't be told: " << What
       << "; what the launch found differed already\n";
  if (!R.Unclear.empty())
    OS << "clrewrite replay compares launches on the same contents (capture "
          "--data)\n";
  if (R.Varying)
    OS << R.Varying
       << " more vary from run to run with its own kernels too; what does not "
          "vary in them is the same\n";
  if (R.SameOutput)
    OS << "the program's output is "
       << (*R.SameOutput    ? "the same\n"
           : R.OutputVaries ? "not the same, nor is it from run to run\n"
                            : "not the same\n");
}

void writeText(const SwappedResult &R, raw_ostream &OS) {
  size_t Width = 14;
  for (const auto &[Name, T] : R.Kernels)
    Width = std::max(Width, Name.size());
  for (const auto &[Name, T] : R.Kernels)
    OS << left_justify(Name, unsigned(Width)) << "  " << times(T) << "\n";
  OS << left_justify("whole program", unsigned(Width)) << "  "
     << times(R.Program) << "\n";
  double Builds = R.PlanBuilds.empty() ? 0 : middle(R.PlanBuilds);
  if (Builds && Builds >= LeastBuilds * middle(R.Program.After))
    OS << formatv("of that {0:f3} ms built the plan's programs beside the own "
                  "ones; where the driver keeps what it has built, a later run "
                  "takes less\n",
                  Builds / 1e6);
  writeVerdict(R, OS);
  for (const std::string &Note : ArrayRef(R.Notes).take_front(MostLines))
    OS << "note: " << Note << "\n";
  if (R.Notes.size() > MostLines)
    OS << "note: and " << R.Notes.size() - MostLines << " more\n";
}

} // namespace clrewrite::pipeline
