// From a capture to what is rewritten: the programs of a run, built and
// launched as its host did, and the files that their sources stand in.
#pragma once

#include "capture/Capture.h"
#include "pipeline/Unit.h"
#include "report/Report.h"

namespace clrewrite::pipeline {

/// One program as the host builds it: all builds with the same text, options
/// and headers, in whatever process.
struct BuiltProgram {
  capture::BlobHash Hash; ///< of its text
  std::string Text;
  Build How;
  /// Those that How.Recorded holds, in the same order.
  std::vector<const capture::CapturedLaunch *> Launches = {};
  double Ns = 0; ///< of all launches of its kernels
};

/// The options of \p B, by which \p P was built, for one who compiles
/// elsewhere: include folders count from where the program ran, and what the
/// host gave as headers is laid in the folder \p Headers. A capture may be
/// somebody else's: include folders that lie neither in the work tree of \p
/// Root nor in the capture's are left out, and \p Notes say so
/// (IncludeFolders.h). Fails where the headers can't be laid.
llvm::Expected<std::vector<std::string>>
optionWords(const capture::Capture &C, const capture::CapturedBuild &B,
            const capture::CapturedProgram &P, llvm::StringRef Headers,
            llvm::StringRef Root, std::vector<std::string> &Notes);

/// \p L, with its data where all of its buffers have some. Fails, with the
/// reason, where it can't be repeated: an argument that was not told, SVM
/// pointers within data, parts of one buffer that overlap.
llvm::Expected<RecordedLaunch> recordedLaunch(const capture::Capture &C,
                                              const capture::CapturedLaunch &L);

/// The programs of \p C that were built from source, successfully. Headers that
/// the host gave go to sources/ in its folder; include folders are those of
/// optionWords.
llvm::Expected<std::vector<BuiltProgram>>
builtPrograms(const capture::Capture &C, llvm::StringRef Root,
              std::vector<std::string> &Notes);

struct CapturedUnits {
  /// Those whose kernels took most of the devices' time first.
  std::vector<Unit> Units;
  /// By kernel: the part of all device time that it took, 0 to 1; 0 where
  /// nothing was timed.
  std::map<std::string, double> KernelShares;
  /// By Build::Program - 1: the name of the program's own text (blobHash).
  std::vector<capture::BlobHash> Programs;
  /// Texts that files hold in the place of captured ones, since an earlier run
  /// wrote them.
  std::map<capture::BlobHash, std::string> Rewritten;
  /// What can not be used, for the user.
  std::vector<std::string> Notes;
};

/// The programs of \p C that were built from source. Where a program's text, or
/// a part of it, is that of a file under \p Root, or of a raw string literal of
/// a C++ file there, the unit is that; what is left is put into files under the
/// capture's folder (sources/), and so are headers that the host gave.
llvm::Expected<CapturedUnits> unitsOf(const capture::Capture &C,
                                      llvm::StringRef Root);

/// The new texts of the programs that \p R changes, by the names of their own
/// ones. \p Found are the units as the run left them.
std::map<capture::BlobHash, std::string>
rewrittenTexts(const CapturedUnits &Found, const report::Report &R);

/// Writes the text of every program that \p R changes to rewritten/HASH.cl in
/// the folder of \p C, HASH being the name of its own text, and a patch beside
/// it. What stood there before is removed. \p Found are the units as the run
/// left them. A text whose kernels the host must launch otherwise has a patch
/// alone, since the program would launch them as before. Returns the names of
/// the texts.
llvm::Expected<std::vector<std::string>>
writeRewritten(const capture::Capture &C, const CapturedUnits &Found,
               const report::Report &R);

/// The host must launch some kernel of what \p F became otherwise.
bool changesLaunches(const report::FileReport &F);

} // namespace clrewrite::pipeline
