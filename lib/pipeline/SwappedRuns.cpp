// Running a program with other sources, and comparing the runs.
#include "pipeline/SwappedRuns.h"
#include "capture/RunCaptured.h"
#include "measure/Timing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace clrewrite {
namespace {

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

Error put(const std::string &Path, StringRef Text) {
  std::error_code E;
  raw_fd_ostream OS(Path, E);
  OS << Text;
  OS.close();
  if (!E && OS.has_error())
    E = OS.error();
  OS.clear_error();
  return E ? createStringError("cannot write " + Path + ": " + E.message())
           : Error::success();
}

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
  std::optional<RunEnd> First;

  /// Two folders of texts: that of the own ones serves where the files hold
  /// the rewritten ones already.
  Error prepare() {
    Expected<Capture> C = readCapture(Given.CaptureFolder);
    if (!C)
      return C.takeError();
    for (const char *Name : {"own", "new"})
      if (std::error_code E = sys::fs::create_directories(Temporary.in(Name)))
        return createStringError("cannot make a folder: " + E.message());
    std::set<BlobHash> Done;
    for (const CapturedProgram &P : C->Programs) {
      SmallString<256> Path(Given.CaptureFolder);
      sys::path::append(Path, "rewritten", P.Hash + ".cl");
      if (P.Kind != CapturedProgram::Source || !sys::fs::exists(Path) ||
          !Done.insert(P.Hash).second)
        continue;
      Expected<std::string> New = bytesOf(Path.str().str());
      if (!New)
        return New.takeError();
      Expected<std::string> Own = C->text(P);
      if (!Own)
        return Own.takeError();
      if (Error E = put(Temporary.in("new/" + P.Hash + ".cl"), *New))
        return E;
      if (Error E = put(Temporary.in("own/" + blobHash(*New) + ".cl"), *Own))
        return E;
    }
    if (Done.empty())
      return createStringError(
          Given.CaptureFolder +
          " has no rewritten programs: nothing paid, or clrewrite --capture=" +
          Given.CaptureFolder + " has not run yet");
    return Error::success();
  }

  /// One run of the program; its capture.
  Expected<Capture> runOne(bool After, unsigned Data, StringRef Output) {
    CapturedRun R;
    R.Command = Given.Program;
    R.Folder = Temporary.in("run-" + Twine(++Count));
    R.SwapFolder = Temporary.in(After ? "new" : "own");
    R.DataSamples = Data;
    R.MaxBytes = uint64_t(16) << 30;
    R.Layer = Given.Layer;
    R.Output = Output.str();
    // Its errors are worth seeing once.
    R.Errors = First ? "/dev/null" : "";
    Expected<RunEnd> End = runCaptured(R);
    if (!End)
      return End.takeError();
    if (!First)
      First = *End;
    if (End->shellCode() != First->shellCode())
      return createStringError(
          "the program ends with " + Twine(End->shellCode()) +
          (After ? " with the rewritten kernels" : " with its own kernels") +
          ", and with " + Twine(First->shellCode()) + " before");
    return readCapture(R.Folder);
  }

  void forget() {
    sys::fs::remove_directories(Temporary.in("run-" + Twine(Count)));
  }

  Error timeOne(bool After) {
    Expected<Capture> C = runOne(After, 0, "/dev/null");
    if (!C)
      return C.takeError();
    std::map<std::string, double> Sums;
    for (const CapturedLaunch &L : C->Launches)
      if (std::optional<double> Ns = L.totalNs())
        Sums[C->Kernels[L.Kernel].Name] += *Ns;
    for (const auto &[Name, Ns] : Sums)
      (After ? Out.Kernels[Name].After : Out.Kernels[Name].Before)
          .push_back(Ns);
    double Wall = 0;
    for (const CapturedProcess &P : C->Processes)
      Wall = std::max(Wall, double(P.Nanoseconds.value_or(0)));
    (After ? Out.Program.After : Out.Program.Before).push_back(Wall);
    if (After)
      countSwapped(*C);
    forget();
    return Error::success();
  }

  void countSwapped(const Capture &C) {
    std::set<BlobHash> Swapped;
    for (const CapturedProgram &P : C.Programs)
      if (!P.Swapped.empty())
        Swapped.insert(P.Swapped);
    Out.Swapped = std::max(Out.Swapped, Swapped.size());
  }

  /// Launches of one kernel and shape, which both runs have.
  static std::string shapeOf(const Capture &C, const CapturedLaunch &L) {
    auto sizes = [](ArrayRef<uint64_t> List) {
      return join(map_range(List, [](uint64_t N) { return utostr(N); }), "x");
    };
    std::string Key = C.Kernels[L.Kernel].Name + " " + sizes(L.Global) + ":" +
                      sizes(L.Local) + "+" + sizes(L.Offset);
    for (const CapturedArgument &A : L.Arguments)
      Key += " " + utostr(unsigned(A.Kind)) + "," + utostr(A.Size.value_or(0)) +
             "," + toHex(A.Value);
    return Key;
  }

  Error compare() {
    Given.Progress("a run with each, to compare what they write");
    Expected<Capture> A = runOne(false, 1, Temporary.in("output-own"));
    if (!A)
      return A.takeError();
    Expected<Capture> B = runOne(true, 1, Temporary.in("output-new"));
    if (!B)
      return B.takeError();
    countSwapped(*B);
    Expected<std::string> Own = bytesOf(Temporary.in("output-own"));
    Expected<std::string> New = bytesOf(Temporary.in("output-new"));
    if (Own && New)
      Out.SameOutput = *Own == *New;
    if (!Own)
      consumeError(Own.takeError());
    if (!New)
      consumeError(New.takeError());
    std::map<std::string, std::vector<const CapturedLaunch *>> Others;
    for (const CapturedLaunch &L : B->Launches)
      Others[shapeOf(*B, L)].push_back(&L);
    std::map<std::string, size_t> Next;
    for (const CapturedLaunch &L : A->Launches) {
      std::string Key = shapeOf(*A, L);
      auto &List = Others[Key];
      size_t At = Next[Key]++;
      const std::string &Name = A->Kernels[L.Kernel].Name;
      if (At >= List.size())
        Out.Notes.push_back("a launch of kernel " + Name +
                            " has none like it with the rewritten kernels");
      else
        compareLaunch(*A, L, *List[At]);
    }
    return Error::success();
  }

  void compareLaunch(const Capture &C, const CapturedLaunch &L,
                     const CapturedLaunch &Other) {
    const std::string &Name = C.Kernels[L.Kernel].Name;
    for (const CapturedData &D : L.Data) {
      auto Same = find_if(Other.Data, [&](const CapturedData &E) {
        return E.Sample == D.Sample && E.Argument == D.Argument &&
               (E.Argument || E.Size == D.Size);
      });
      std::string What =
          "kernel " + Name +
          (D.Argument ? ", argument " + utostr(*D.Argument) : ", SVM memory");
      if (Same == Other.Data.end() || D.After.empty() || Same->After.empty()) {
        Out.Notes.push_back(What + ": not compared" +
                            (D.Unreadable.empty() ? "" : ": " + D.Unreadable));
        continue;
      }
      ++Out.Compared;
      if (D.After == Same->After)
        continue;
      // What it found was other already: no fault of this kernel.
      if (D.Before != Same->Before)
        Out.Notes.push_back(What + ": differs, and did before the launch");
      Out.Unlike.push_back(What);
    }
  }
};

/// "12.3 -> 11.0 ms (1.12x, 1.10 to 1.14)".
std::string times(const SwappedTimes &T) {
  size_t N = std::min(T.Before.size(), T.After.size());
  std::vector<double> Ratios, Before(T.Before), After(T.After);
  for (size_t I = 0; I < N; ++I)
    Ratios.push_back(T.After[I] > 0 ? T.Before[I] / T.After[I] : 1);
  llvm::sort(Before);
  llvm::sort(After);
  if (N == 0)
    return "no times";
  PairedTime P;
  bool Known = summarise(Ratios, P);
  std::string Out = formatv("{0,10:f3} -> {1,10:f3} ms", Before[N / 2] / 1e6,
                            After[N / 2] / 1e6);
  if (!Known)
    return Out + "  too few runs for a ratio";
  return Out + formatv("  {0:f2}x ({1:f2} to {2:f2}){3}", P.Ratio, P.RatioLow,
                       P.RatioHigh,
                       P.faster()   ? " faster"
                       : P.slower() ? " slower"
                                    : " within the noise")
                   .str();
}

} // namespace

Expected<SwappedResult> runSwapped(const SwappedRuns &Runs) {
  return Runner(Runs).run();
}

void writeText(const SwappedResult &R, raw_ostream &OS) {
  constexpr size_t Most = 8;
  size_t Width = 14;
  for (const auto &[Name, T] : R.Kernels)
    Width = std::max(Width, Name.size());
  for (const auto &[Name, T] : R.Kernels)
    OS << left_justify(Name, unsigned(Width)) << "  " << times(T) << "\n";
  OS << left_justify("whole program", unsigned(Width)) << "  "
     << times(R.Program) << "\n";
  OS << R.Swapped << (R.Swapped == 1 ? " program was" : " programs were")
     << " swapped in\n";
  if (R.Compared)
    OS << R.Compared << " memory objects after launches compared: "
       << (R.Unlike.empty() ? "all the same"
                            : utostr(R.Unlike.size()) + " differ")
       << "\n";
  for (const std::string &What : ArrayRef(R.Unlike).take_front(Most))
    OS << "  differs: " << What << "\n";
  if (R.SameOutput)
    OS << "the program's output is "
       << (*R.SameOutput ? "the same\n" : "not the same\n");
  for (const std::string &Note : ArrayRef(R.Notes).take_front(Most))
    OS << "note: " << Note << "\n";
  if (R.Notes.size() > Most)
    OS << "note: and " << R.Notes.size() - Most << " more\n";
}

} // namespace clrewrite
