// The result of a run, as values, and one writer a format.
#pragma once

#include "advice/Advice.h"
#include "measure/Work.h"
#include "measure/occupancy/OccupancyAccount.h"
#include "measure/occupancy/OccupancyCurves.h"
#include "report/Baseline.h"
#include "report/Shard.h"
#include "select/BuildChoice.h"
#include "source/SourceError.h"
#include "verify/Verify.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

namespace clrewrite::report {

/// How it was established that the kept edits leave a kernel's results.
struct KernelEvidence {
  std::string Kernel;
  verify::Verification::Kind Verdict = verify::Verification::Unknown;
  /// On what the verdict rests, or why there is none.
  std::string Evidence;
  /// Unknown only because there is no device to run on.
  bool NoDevice = false;
  /// The same for every input, by a proof.
  bool Proved = false;
  /// Which branches of the original the rounds took; none where that was not
  /// looked at: what is proved needs no rounds.
  std::optional<verify::Coverage> Reached = std::nullopt;
};

/// One file of a run.
struct FileReport {
  /// As the user gave it.
  std::string Path;
  /// By name, in the order of Result.Before: all targets, for each build.
  std::vector<std::string> Targets = {};
  /// All of its text, before anything was written.
  std::string Given = {};
  /// Why nothing could be done with it; empty where something could.
  std::string Problem;
  /// The compiler's first errors, where it does not parse; LineOfText is of no
  /// use here.
  std::vector<SourceError> Errors = {};
  /// The seconds that its run took.
  double Seconds = 0;
  /// In a shard: where it stands among the files of all shards.
  std::optional<size_t> Place = std::nullopt;
  /// The user ended the run before this file's turn; Problem says so.
  bool NotBegun = false;
  std::vector<rewrite::KernelInfo> Kernels;
  std::vector<rewrite::Warning> Warnings;
  /// Lines with code that no build compiles, 1-based.
  std::vector<LineRange> Skipped = {};
  select::Selection Result;
  /// The labels of all alternatives that its sites have.
  std::set<std::string> Alternatives = {};
  /// Where the text starts in the file, 1-based.
  unsigned FirstLine = 1;
  /// Live registers of the given text, by target; none unless asked for.
  std::vector<measure::PressureReport> Live = {};
  /// By target, then kernel: how occupancy would change; none unless asked for.
  std::vector<std::map<std::string, measure::OccupancyCurves>> Curves = {};
  /// By target, what limits the kernels' occupancy; none unless asked for.
  std::vector<measure::TargetAccounts> Accounts = {};
  /// One entry a kernel that a kept edit touches; none without verification.
  std::vector<KernelEvidence> Verified;
  /// What held the kernels that ran, "landlock, seccomp"; empty where none did.
  /// Of several devices, with a semicolon between them.
  std::string Sandbox = {};
  /// What ran on the device although nobody has looked at it: assembly, lines
  /// that only the device's build takes.
  std::vector<std::string> Unseen = {};
  /// What work-items do, by target; none unless asked for. And the work-items
  /// of the launches that are known, by kernel.
  std::vector<measure::WorkReport> Work = {};
  std::map<std::string, uint64_t> LaunchedItems = {};
  /// What is no edit (--advise); none unless asked for.
  std::vector<advice::Advice> Advised = {};
  /// The build options that were tried on Result, those that pay first.
  std::vector<select::BuildChoice> BuildChoices = {};
  /// For how many sites suppressions were added.
  unsigned Suppressed = 0;
  /// The file is a copy of what a host program made; it is never written.
  bool HostMade = false;
  /// The file now holds Result, or whoever gave its text may take Result.
  bool Written = false;
  /// Unified diff of the file, to all results in it; empty where it stays as
  /// it is, or none was asked for.
  std::string Diff;
};

struct Report {
  std::vector<FileReport> Files;
  /// The documents tell the files' seconds.
  bool Timed = false;
  std::optional<ShardMark> Shard = std::nullopt;
  /// Nothing was measured (--no-measure).
  bool Unmeasured = false;
  /// What each rewrite does, or a sort of advice is about, in a sentence, by
  /// name.
  std::map<std::string, std::string> Summaries = {};
  /// How it compares with a baseline, where one was given.
  std::optional<BaselineReport> Against = std::nullopt;
};

/// \p R with control characters escaped: line ends too in names, which are
/// somebody else's. For formats that have no escapes of their own.
Report withoutControls(Report R);

/// \p Sandbox held kernels of \p F that ran; empty: none did, or nobody knows.
void addSandbox(FileReport &F, const std::string &Sandbox);

/// What held the kernels that ran, each once.
std::vector<std::string> sandboxes(const Report &R);

/// The evidence for \p Kernel; null where there is none.
const KernelEvidence *evidenceFor(const FileReport &F, llvm::StringRef Kernel);

/// For people. \p Colour uses the stream's colours; \p AllDeclined lists every
/// declined site and rejected alternative, else the first few a file.
void writeText(const Report &R, llvm::raw_ostream &OS, bool Colour,
               bool AllDeclined);

/// The comparison with a baseline, for people.
void writeBaseline(const BaselineReport &B, llvm::raw_ostream &OS, bool Colour);

/// A kernel's live registers: a column a target, a row a line of the source.
void writePressure(const FileReport &F, const rewrite::KernelInfo &K,
                   llvm::ArrayRef<std::string> Targets, llvm::raw_ostream &OS);

/// All that the search tried, and what became of it.
void writeSearch(const Report &R, llvm::raw_ostream &OS);

/// What limits each kernel's occupancy on each target, and by how much, before
/// and after. Wants FileReport::Accounts.
void writeOccupancy(const Report &R, llvm::raw_ostream &OS);

/// The document of docs/report.schema.json.
void writeJson(const Report &R, llvm::raw_ostream &OS);

// What these hold is in docs/formats.md.

/// SARIF 2.1.0, with the edits as fixes.
void writeSarif(const Report &R, llvm::raw_ostream &OS);
/// Workflow commands of GitHub Actions: an annotation a line.
void writeGitHub(const Report &R, llvm::raw_ostream &OS);
/// A test case a kernel, which fails where an edit that pays is left.
void writeJUnit(const Report &R, llvm::raw_ostream &OS);
/// A record a kernel and target, and one an edit, kernel and target.
void writeCsv(const Report &R, llvm::raw_ostream &OS);
/// Tables for a pull request.
void writeMarkdown(const Report &R, llvm::raw_ostream &OS);
/// One page for a browser, which needs nothing else: figures, occupancy curves,
/// diffs, evidence. Wants FileReport::Curves and Diff.
void writeHtml(const Report &R, llvm::raw_ostream &OS);
/// The occupancy curves alone, a row a kernel and target.
void writeSvg(const Report &R, llvm::raw_ostream &OS);

/// What a kernel needs, before and after, on one line.
std::string describe(const measure::Usage &Before, const measure::Usage &After);

} // namespace clrewrite::report
