// The lists that the writers for other programs share: the edits that pay or
// were applied, and kernels' figures by target.
#pragma once

#include "report/Report.h"

namespace clrewrite::report {

/// The edits of \p F that pay or were applied; none of a file with a problem.
std::vector<const select::Outcome *> keptEdits(const FileReport &F);

/// \p O and the edits that were measured with it: those of kernels that share
/// edits, directly or through others.
std::vector<const select::Outcome *> measuredWith(const FileReport &F,
                                                  const select::Outcome &O);

/// All edits of \p Group in their order, shared insertions once; none where
/// some have no place in the given text.
Edits allChanges(llvm::ArrayRef<const select::Outcome *> Group);

/// Its class, and which targets it is for, where not for all: "exact, for
/// gfx906 alone".
std::string classOf(const select::Outcome &O);

/// "reroll [loop] (exact): gfx906: occupancy rises from 4 to 5", and what else
/// is to know.
std::string headline(const select::Outcome &O);

/// "gfx906 sum4: VGPRs 37 -> 24, ..., time 638.0 -> 113.2 us (...)"; one a
/// kernel and target that were measured.
std::vector<std::string> deltaLines(llvm::ArrayRef<select::Delta> List);

/// All that was measured of a change, as docs/report.schema.json has it.
llvm::json::Array deltas(llvm::ArrayRef<select::Delta> List);

/// A kernel on a target.
struct KernelRow {
  const rewrite::KernelInfo *Kernel = nullptr;
  llvm::StringRef Target;
  size_t TargetIndex = 0; ///< in FileReport::Targets
  /// Null where it could not be measured.
  const measure::Usage *Before = nullptr, *After = nullptr;
  /// Null where no time was asked for.
  const measure::Timing *Timed = nullptr;
  /// Why it could not be measured.
  std::string Problem = {};

  /// Null where it was not timed.
  const measure::PairedTime *time() const {
    return Timed && Timed->Time ? &*Timed->Time : nullptr;
  }
};

/// The rows of kernel \p K of \p F, one per target.
std::vector<KernelRow> kernelRows(const FileReport &F,
                                  const rewrite::KernelInfo &K);
/// The rows of all kernels, by kernel and then by target; a file with a problem
/// has none.
std::vector<KernelRow> kernelRows(const FileReport &F);

/// \p K of \p F is a kernel of the same program that stands in another file,
/// and did not change with this one.
bool isToldElsewhere(const Report &R, const FileReport &F,
                     const rewrite::KernelInfo &K);

/// What a document says once of the errors of a file that does not parse. Texts
/// of one program, and files that include one header, have the same errors.
class ErrorList {
public:
  /// Those of \p F that no file before it had, in their order.
  std::vector<const SourceError *> newOf(const FileReport &F);

private:
  std::set<std::string> Told;
};

/// What stands before what held the kernels that ran, and before what of a file
/// ran although nobody has looked at it.
inline constexpr llvm::StringLiteral SandboxWords =
    "sandbox of the kernels that ran: ";
inline constexpr llvm::StringLiteral UnseenWords =
    "may have run on the device without being looked at: ";

/// Why nothing could be done with \p F, and where: what it is, and the first
/// error; "does not parse: 3:14: expected expression", with the path where that
/// is another.
std::string problemOf(const FileReport &F);

/// How many files \p R is about: one may hold several texts.
size_t fileCount(const Report &R);

/// The registers that a version spills, of both kinds; none where unknown.
std::optional<unsigned> allSpills(const measure::Usage &U);

} // namespace clrewrite::report
