// The final check: what the search found kernel by kernel must hold in the
// whole file.
//
// For speed, the search has machine code made of those kernels alone that an
// edit reaches, each inlined as in the whole file (llvm/OtherKernels.h). But an
// edit may change how functions are inlined into kernels that it does not
// reach, and so may the edits of other searches. Here all kernels are compiled
// together, as a driver does it. And where time decides, each edit was faster
// than what was there before it, the luckiest of many: here the result is timed
// against the original.
#pragma once

#include "select/Evaluator.h"

namespace clrewrite::select {

/// By target, then kernel.
using TimesByTarget = std::vector<std::map<std::string, measure::Timing>>;

/// The times of \p Given, which has the figures \p Before, against \p Result
/// with \p After.
TimesByTarget finalTimes(const Evaluator &Eval, const FiguresByTarget &Before,
                         const FiguresByTarget &After,
                         llvm::ArrayRef<std::string> Kernels,
                         const Source &Given, const Version &Result);

/// What a result has as a whole; its times are against the given text.
struct WholeResult {
  FiguresByTarget Figures;
  TimesByTarget Times;
};

/// The figures and times of \p Kernels, all of the file's, in \p V. While one
/// of them is worse there than in \p Before, which are the given text's, or was
/// edited for its time and is not faster, the last step that reaches it is
/// taken back; all are where nothing pays.
WholeResult keepWhatHolds(Variant &V, const FiguresByTarget &Before,
                          llvm::ArrayRef<std::string> Kernels,
                          const Evaluator &Eval,
                          std::vector<Outcome> &Rejected);

} // namespace clrewrite::select
