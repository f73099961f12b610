// Printing.
#include "Printing.h"
#include "AddSuppressions.h"
#include "CommonOptions.h"
#include "ProgressLine.h"
#include "RooflineOptions.h"
#include "RunOptions.h"
#include "report/Wrap.h"
#include "source/File.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include <set>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::cli {

cl::opt<bool> ShowDiff("diff", cl::desc("Print them as a unified diff"),
                       cl::cat(Modes));
cl::opt<bool> Check("check",
                    cl::desc("Only name the files that --fix would change"),
                    cl::cat(Modes));
cl::opt<std::string>
    OutputFile("output",
               cl::desc("Write the report to this file instead of stdout"),
               cl::value_desc("file"), cl::cat(Output));
cl::opt<bool> Verbose("verbose",
                      cl::desc("List every site that was left alone, and why"),
                      cl::cat(Output));
static cl::opt<bool>
    ExplainSearch("explain-search",
                  cl::desc("Report what was tried, what it gave, and why it "
                           "was dropped"),
                  cl::cat(Output));
cl::opt<bool> ExplainOccupancy(
    "explain-occupancy",
    cl::desc("Report what limits each kernel's occupancy on each target, what "
             "each resource by itself would allow, and the next step"),
    cl::cat(Output));
static cl::alias VerboseShort("v", cl::aliasopt(Verbose), cl::desc("--verbose"),
                              cl::cat(Output));

static cl::opt<int> Width(
    "width",
    cl::desc("Break the lines of the text report between words, for so many "
             "columns; 0 for never (default: on a terminal, its width)"),
    cl::value_desc("columns"), cl::init(-1), cl::cat(Output));

bool noColour() { return sys::Process::GetEnv("NO_COLOR").has_value(); }

void PhaseTimes::print() const {
  for (const auto &[Phase, Seconds] : Sums)
    errs() << formatv("{0,-20} {1,8:f3} s\n", Phase, Seconds);
  if (Counts.first || Counts.second)
    errs() << formatv("{0,-20} {1,8}\n{2,-20} {3,8}\n", "compilations",
                      Counts.first, "answered by cache", Counts.second);
}

/// The report for people.
static void printText(const report::Report &R, raw_ostream &OS, bool Colour) {
  int Columns = Width;
  if (Columns < 0 && OS.is_displayed())
    Columns = columnsOf(&OS == &errs() ? STDERR_FILENO : STDOUT_FILENO);
  if (Columns <= 0)
    return report::writeText(R, OS, Colour, Verbose);
  std::string Text;
  raw_string_ostream Whole(Text);
  Whole.enable_colors(true);
  report::writeText(R, Whole, Colour, Verbose);
  OS << report::wrapped(Text, Columns);
}

static void print(const report::Report &R, raw_ostream &OS, bool Colour) {
  if (wantsRoofline())
    return printRoofline(R, OS);
  switch (OutputFormat) {
  case Format::Text:
    return printText(R, OS, Colour);
  case Format::Json:
    return report::writeJson(R, OS);
  case Format::Sarif:
    return report::writeSarif(R, OS);
  case Format::GitHub:
    return report::writeGitHub(R, OS);
  case Format::JUnit:
    return report::writeJUnit(R, OS);
  case Format::Csv:
    return report::writeCsv(R, OS);
  case Format::Markdown:
    return report::writeMarkdown(R, OS);
  case Format::Html:
    return report::writeHtml(R, OS);
  case Format::Svg:
    return report::writeSvg(R, OS);
  }
}

/// The diffs, and beside them the report, which says what they give and what
/// they leave. Only the diffs are what patch or git apply read.
static void printDiffs(const report::Report &R, raw_ostream &OS) {
  std::set<std::string> Done; // texts of one file share its diff
  for (const report::FileReport &F : R.Files)
    if (!F.Diff.empty() && Done.insert(F.Path).second)
      OS << F.Diff;
  OS.flush();
  printText(R, errs(), errs().has_colors() && !noColour());
}

/// Whether the format leaves control characters as they are.
static bool isForLogs() {
  return is_contained({Format::Text, Format::Csv, Format::Markdown},
                      OutputFormat);
}

/// What the mode prints: the report or a part of it.
static void printMode(const report::Report &Whole, raw_ostream &OS,
                      bool Colour) {
  std::optional<report::Report> Copy;
  if (isForLogs())
    Copy = report::withoutControls(Whole);
  const report::Report &R = Copy ? *Copy : Whole;
  if (ShowDiff)
    printDiffs(R, OS);
  else if (Check)
    for (const report::FileReport &F : R.Files)
      OS << (F.Result.changed() ? F.Path + ": would be rewritten\n" : "");
  else if (addsSuppressions())
    writeAdded(R, OS);
  else
    print(R, OS, Colour);
  // stdout holds only the document.
  raw_ostream &Beside = OutputFormat == Format::Text && !ShowDiff ? OS : errs();
  if (ExplainSearch)
    report::writeSearch(R, Beside);
  if (ExplainOccupancy)
    report::writeOccupancy(R, Beside);
}

Error checkOutput(ArrayRef<pipeline::Unit> Units) {
  sys::fs::file_status Out, In;
  if (OutputFile.empty() || sys::fs::status(OutputFile, Out) ||
      Out.type() != sys::fs::file_type::regular_file)
    return Error::success();
  auto IsSame = [&](std::error_code Unknown) {
    return !Unknown && sys::fs::equivalent(Out, In);
  };
  bool Input = IsSame(sys::fs::status(STDIN_FILENO, In)) ||
               any_of(Units, [&](const pipeline::Unit &U) {
                 return IsSame(sys::fs::status(U.Path, In));
               });
  return Input ? createStringError("--output: " + OutputFile +
                                   " is what is worked on; the report would "
                                   "overwrite it")
               : Error::success();
}

Error printReport(const report::Report &R, bool Colour) {
  if (!OutputFile.empty()) {
    std::string Text;
    raw_string_ostream OS(Text);
    printMode(R, OS, /*Colour=*/false);
    if (Error E = putText(OutputFile, Text))
      return createStringError("cannot write the report: " +
                               toString(std::move(E)));
    return Error::success();
  }
  printMode(R, outs(), Colour);
  outs().flush();
  if (!outs().has_error())
    return Error::success();
  std::string Why = outs().error().message();
  outs().clear_error();
  return createStringError("cannot write the report: " + Why);
}

static void warnOfUnusedLaunches(ArrayRef<measure::Launch> Given,
                                 const report::Report &R) {
  for (const measure::Launch &L : Given)
    if (none_of(R.Files, [&](const report::FileReport &F) {
          return !F.Problem.empty() ||
                 any_of(F.Kernels, [&](const rewrite::KernelInfo &K) {
                   return K.Name == L.Kernel;
                 });
        }))
      WithColor::warning(errs(), "clrewrite")
          << "--launch: no file has a kernel " << L.Kernel << "\n";
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

void warnOfUnused(ArrayRef<measure::Launch> Given, StringRef Alternative,
                  const report::Report &R) {
  warnOfUnusedLaunches(Given, R);
  warnOfUnusedAlternative(Alternative, R);
}

} // namespace clrewrite::cli
