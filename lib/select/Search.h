// A search of one text, before what it found is put in words.
#pragma once

#include "select/Evaluator.h"

namespace clrewrite::select {

/// What a search of a text ended with.
struct Searched {
  Variant Best;
  std::vector<std::string> Kernels; ///< of the text
  /// By target: the text's figures, and those of the best variant.
  FiguresByTarget Before = {}, After = {};
  std::vector<Outcome> Rejected = {};
  std::vector<rewrite::Declined> Declines = {};
  std::vector<SearchNote> Log = {};
  unsigned NotTried = 0;
};

/// Searches from \p S, whose findings are \p First, by the options of \p Eval.
Searched search(const Source &S, const rewrite::Findings &First,
                const Finder &Find, Evaluator &Eval);

/// \p S with the comments of its edits, as a selection that lacks the times.
Selection selectionOf(Searched S, const Evaluator &Eval);

/// The applied and the rejected ones, in the order of a report: an alternative
/// that was applied is no longer a rejected one.
std::vector<Outcome> allOutcomes(std::vector<Outcome> Applied,
                                 std::vector<Outcome> Rejected);

/// The times of \p Given, which has the figures \p Before, against \p Result
/// with \p After, by target, then kernel.
std::vector<std::map<std::string, measure::Timing>>
finalTimes(const Evaluator &Eval, const FiguresByTarget &Before,
           const FiguresByTarget &After, llvm::ArrayRef<std::string> Kernels,
           const Source &Given, const Version &Result);

} // namespace clrewrite::select
