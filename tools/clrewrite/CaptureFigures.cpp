// A program is compiled once a target for each of its builds. Headers that the
// host gave as programs are laid in a folder, where their names lead to them.
#include "CaptureFigures.h"
#include "frontend/BuildOptions.h"
#include "pipeline/Captured.h"
#include "run/Console.h"
#include "run/Meters.h"
#include "source/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace clrewrite::cli {

/// The steps that compiled what kernel \p K is made of: one, or for a linked
/// program those of its inputs.
static std::vector<size_t> stepsOf(const capture::Capture &C,
                                   const capture::CapturedKernel &K) {
  if (!K.Build)
    return {};
  const capture::CapturedBuild &B = C.Builds[*K.Build];
  if (B.Step != capture::CapturedBuild::Link)
    return {*K.Build};
  std::vector<size_t> Steps;
  for (const capture::CapturedBuild::Input &I : B.Inputs)
    if (I.Build)
      Steps.push_back(*I.Build);
  return Steps;
}

/// The source that step \p Build compiled, as Clang takes it.
static Expected<Source> sourceOf(const capture::Capture &C, size_t Build,
                                 const std::string &HeaderFolder,
                                 std::vector<std::string> &Notes) {
  const capture::CapturedBuild &B = C.Builds[Build];
  const capture::CapturedProgram &P = C.Programs[*B.Program];
  if (P.Kind != capture::CapturedProgram::Source)
    return createStringError("its source is not known");
  Expected<std::string> Text = C.text(P);
  if (!Text)
    return Text.takeError();
  Expected<std::vector<std::string>> Words = pipeline::optionWords(
      C, B, P, HeaderFolder + formatv("/{0}", Build).str(), ".", Notes);
  if (!Words)
    return Words.takeError();
  Expected<std::vector<std::string>> Options =
      frontend::parseBuildOptions(*Words);
  if (!Options)
    return Options.takeError();
  return Source{C.pathOf("program-" + P.Hash.substr(0, 8) + ".cl"),
                std::move(*Text), std::move(*Options), B.Options};
}

/// "24, 10 waves" for the table.
static std::string cell(const measure::Usage &U) {
  std::string Text = U.Vgprs ? std::to_string(*U.Vgprs) : "?";
  if (U.VgprSpills.value_or(0))
    Text += formatv(", {0} spilled", *U.VgprSpills);
  return U.Occupancy ? formatv("{0}, {1} waves", Text, *U.Occupancy).str()
                     : Text;
}

/// Enters the figures of kernel \p K, looked for in \p Found, its pieces'
/// measurements. Returns why there are none; else empty.
static std::string enter(capture::CaptureColumn &Column, size_t K,
                         StringRef Name,
                         ArrayRef<const measure::Measurement *> Found,
                         std::string Problem) {
  for (const measure::Measurement *M : Found) {
    const measure::KernelUsage *U = M->find(Name);
    if (U && U->measured()) {
      Column.Cells[K] = cell(U->Figures);
      Column.Figures[K] = measure::toJSON(U->Figures);
      return "";
    }
    if (Problem.empty())
      Problem = U ? U->Problem : M->Problem;
  }
  Column.Cells[K] = "?";
  return Problem.empty() ? "no figures"
                         : StringRef(Problem).split('\n').first.str();
}

namespace {

/// What is compiled, by step, and the steps that each launched kernel is of.
struct Pieces {
  std::map<size_t, Source> Texts;
  std::map<size_t, std::string> Problems;
  std::map<size_t, std::vector<size_t>> StepsOf;
};

} // namespace

static Pieces piecesOf(const capture::Capture &C,
                       const std::string &HeaderFolder,
                       std::vector<std::string> &Notes) {
  Pieces P;
  for (const capture::CaptureRow &R : capture::captureRows(C)) {
    P.StepsOf[R.Kernel] = stepsOf(C, C.Kernels[R.Kernel]);
    for (size_t Step : P.StepsOf[R.Kernel]) {
      if (P.Texts.count(Step) || P.Problems.count(Step))
        continue;
      Expected<Source> Text = sourceOf(C, Step, HeaderFolder, Notes);
      if (Text)
        P.Texts.insert({Step, std::move(*Text)});
      else
        P.Problems[Step] = toString(Text.takeError());
    }
  }
  return P;
}

static capture::CaptureColumn columnFor(const capture::Capture &C,
                                        const measure::Target &T,
                                        const Pieces &P, measure::Meter &M) {
  std::vector<measure::MeasureRequest> Requests;
  std::vector<size_t> Steps;
  for (const auto &[Step, Text] : P.Texts) {
    Requests.push_back({Text, T, {}});
    Steps.push_back(Step);
  }
  std::vector<measure::Measurement> Measured = M.measure(Requests);
  capture::CaptureColumn Column{
      T.Name,
      std::vector<std::string>(C.Kernels.size()),
      std::vector<json::Value>(C.Kernels.size(), nullptr),
      {}};
  // An error of a program is one of all its kernels.
  std::map<std::string, std::vector<std::string>> Failed;
  for (const auto &[Kernel, Wanted] : P.StepsOf) {
    std::vector<const measure::Measurement *> Found;
    std::string Problem = Wanted.empty() ? "its build was not seen" : "";
    for (size_t Step : Wanted) {
      auto It = find(Steps, Step);
      if (It != Steps.end())
        Found.push_back(&Measured[It - Steps.begin()]);
      else
        Problem = P.Problems.at(Step);
    }
    const std::string &Name = C.Kernels[Kernel].Name;
    if (std::string Why = enter(Column, Kernel, Name, Found, Problem);
        !Why.empty())
      Failed[Why].push_back(Name);
  }
  for (const auto &[Why, Names] : Failed)
    Column.Problems.push_back(join(Names, ", ") + " on " + T.Name + ": " + Why);
  return Column;
}

Expected<std::vector<capture::CaptureColumn>>
captureFigures(const config::Options &O, const capture::Capture &C,
               const std::vector<std::string> &Names, const char *Argv0) {
  std::vector<measure::Target> Targets;
  for (const std::string &Name : Names) {
    Expected<measure::Target> T = measure::parseTarget(Name);
    if (!T)
      return T.takeError();
    Targets.push_back(std::move(*T));
  }
  cache::DiskCache Cache(cache::DiskCache::defaultDirectory(),
                         cache::HttpStore::given());
  Expected<run::Meters> Open =
      run::openMeters(Targets, process::ChildLimits(), O, Argv0, &Cache);
  if (!Open)
    return Open.takeError();
  SmallString<128> Headers;
  if (std::error_code Bad =
          sys::fs::createUniqueDirectory("clrewrite-headers", Headers))
    return createStringError(Bad, "no folder for headers: %s",
                             Bad.message().c_str());
  std::vector<std::string> Notes;
  Pieces P = piecesOf(C, std::string(Headers), Notes);
  for (const std::string &Note : Notes)
    run::note(printable(Note));
  measure::MeterByKind Meter(Open->Offline.get(), Open->ofDevices());
  std::vector<capture::CaptureColumn> Columns;
  for (const measure::Target &T : Targets)
    Columns.push_back(columnFor(C, T, P, Meter));
  sys::fs::remove_directories(Headers);
  return Columns;
}

} // namespace clrewrite::cli
