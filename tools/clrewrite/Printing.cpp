// Printing what a run found, in the form that was asked for.
#include "Printing.h"
#include "ProgressLine.h"
#include "report/Wrap.h"
#include "source/File.h"
#include "source/Printable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include <set>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::cli {

bool noColour() { return sys::Process::GetEnv("NO_COLOR").has_value(); }

/// For --add-suppressions: how many were added to each file.
static void writeAdded(const report::Report &R, raw_ostream &OS) {
  MapVector<StringRef, unsigned> Files; // one may hold several texts
  unsigned All = 0;
  for (const report::FileReport &F : R.Files)
    if (F.Written) {
      Files[F.Path] += F.Suppressed;
      All += F.Suppressed;
    }
  auto Count = [](unsigned N) {
    return Twine(N).str() + (N == 1 ? " suppression" : " suppressions");
  };
  for (const auto &[Path, N] : Files)
    OS << Path << ": " << Count(N) << " added\n";
  OS << Count(All) << " added in " << Files.size()
     << (Files.size() == 1 ? " file\n" : " files\n");
}

namespace {

/// Prints the report of a run, or what its mode has in place of it.
class Printer {
public:
  Printer(const report::Report &Whole, const config::Options &O,
          const report::GivenPeaks &Peaks)
      : R(isForLogs(O.Form) ? report::withoutControls(Whole) : Whole), O(O),
        Peaks(Peaks) {}

  void print(raw_ostream &OS, bool Colour) const {
    if (O.Diff)
      diffs(OS);
    else if (O.Check)
      for (const report::FileReport &F : R.Files)
        OS << (F.Result.changed() ? F.Path + ": would be rewritten\n" : "");
    else if (O.AddSuppressions)
      writeAdded(R, OS);
    else
      document(OS, Colour);
    // stdout holds only the document.
    bool OnlyText = O.Form == config::Format::Text && !O.Diff;
    raw_ostream &Beside = OnlyText ? OS : errs();
    if (O.ExplainSearch)
      report::writeSearch(R, Beside);
    if (O.ExplainOccupancy)
      report::writeOccupancy(R, Beside);
  }

private:
  const report::Report R;
  const config::Options &O;
  const report::GivenPeaks &Peaks;

  /// Whether the format leaves control characters as they are.
  static bool isForLogs(config::Format F) {
    return is_contained(
        {config::Format::Text, config::Format::Csv, config::Format::Markdown},
        F);
  }

  /// The report for people.
  void text(raw_ostream &OS, bool Colour) const {
    int Columns = O.Width;
    if (Columns < 0 && OS.is_displayed())
      Columns = columnsOf(&OS == &errs() ? STDERR_FILENO : STDOUT_FILENO);
    if (Columns <= 0)
      return report::writeText(R, OS, Colour, O.Verbose);
    std::string Text;
    raw_string_ostream Unbroken(Text);
    Unbroken.enable_colors(true);
    report::writeText(R, Unbroken, Colour, O.Verbose);
    OS << report::wrapped(Text, Columns);
  }

  void document(raw_ostream &OS, bool Colour) const {
    if (O.Roofline)
      return O.Form == config::Format::Json
                 ? report::writeRooflineJson(R, Peaks, OS)
                 : report::writeRoofline(R, Peaks, OS);
    switch (O.Form) {
    case config::Format::Text:
      return text(OS, Colour);
    case config::Format::Json:
      return report::writeJson(R, OS);
    case config::Format::Sarif:
      return report::writeSarif(R, OS);
    case config::Format::GitHub:
      return report::writeGitHub(R, OS);
    case config::Format::JUnit:
      return report::writeJUnit(R, OS);
    case config::Format::Csv:
      return report::writeCsv(R, OS);
    case config::Format::Markdown:
      return report::writeMarkdown(R, OS);
    case config::Format::Html:
      return report::writeHtml(R, OS);
    case config::Format::Svg:
      return report::writeSvg(R, OS);
    }
  }

  /// The diffs, and beside them the report, which says what they give and what
  /// they leave. Only the diffs are what patch or git apply read.
  void diffs(raw_ostream &OS) const {
    std::set<std::string> Done; // texts of one file share its diff
    for (const report::FileReport &F : R.Files)
      if (!F.Diff.empty() && Done.insert(F.Path).second)
        OS << F.Diff;
    OS.flush();
    text(errs(), errs().has_colors() && !noColour());
  }
};

} // namespace

Expected<report::GivenPeaks> givenPeaks(const config::Options &O) {
  report::GivenPeaks Given;
  Given.GBytesPerSecond = O.PeakBandwidth;
  Given.GFlops = O.PeakRate;
  if (O.PeaksFile.empty())
    return Given;
  Expected<std::string> Text = readText(O.PeaksFile);
  if (!Text)
    return createStringError("--peaks: " + toString(Text.takeError()));
  Expected<measure::Peaks> Read = measure::parsePeaks(O.PeaksFile, *Text);
  if (!Read)
    return createStringError("--peaks: " + toString(Read.takeError()));
  Given.All = std::move(*Read);
  return Given;
}

Error printReport(const report::Report &R, const config::Options &O,
                  const report::GivenPeaks &Peaks, bool Colour) {
  Printer P(R, O, Peaks);
  if (!O.Output.empty()) {
    std::string Text;
    raw_string_ostream OS(Text);
    P.print(OS, /*Colour=*/false);
    if (Error E = putText(O.Output, Text))
      return createStringError("cannot write the report: " +
                               toString(std::move(E)));
    return Error::success();
  }
  P.print(outs(), Colour);
  outs().flush();
  if (!outs().has_error())
    return Error::success();
  std::string Why = outs().error().message();
  outs().clear_error();
  return createStringError("cannot write the report: " + Why);
}

static void warnOfUnusedAlternative(StringRef Label, const report::Report &R) {
  std::set<std::string> Known;
  bool Failed = false;
  for (const report::FileReport &F : R.Files) {
    Failed |= !F.Problem.empty();
    Known.insert(F.Alternatives.begin(), F.Alternatives.end());
  }
  if (Label.empty() || Failed || Known.count(Label.str()))
    return;
  WithColor::warning(errs(), "clrewrite")
      << "--alternative: no site has an alternative '" << Label << "'"
      << (Known.empty() ? "" : " (there are: " + join(Known, " ") + ")")
      << "\n";
}

void tellNotBegun(const report::Report &R) {
  std::set<StringRef> Paths;
  for (const report::FileReport &F : R.Files)
    if (F.NotBegun)
      Paths.insert(F.Path);
  if (!Paths.empty())
    WithColor::error(errs(), "clrewrite")
        << "interrupted: " << Paths.size()
        << (Paths.size() == 1 ? " file was" : " files were")
        << " not looked at\n";
}

void warnOfUnused(const config::Options &O, const run::RunResult &Ran) {
  for (const std::string &Each : Ran.UnusedLaunches)
    WithColor::warning(errs(), "clrewrite") << printable(Each) << "\n";
  if (!Ran.Report.Shard) // another shard may use it
    warnOfUnusedAlternative(O.OnlyAlternative, Ran.Report);
}

} // namespace clrewrite::cli
