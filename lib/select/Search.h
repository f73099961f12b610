// A search of one text, before what it found is put in words.
#pragma once

#include "select/FinalCheck.h"

namespace clrewrite::select {

/// What a search of a text ended with.
struct Searched {
  Variant Best;
  std::vector<std::string> Kernels; ///< of the text
  /// By target: the text's figures, and those of the best variant.
  FiguresByTarget Before = {}, After = {};
  TimesByTarget Times = {}; ///< of the best variant against the text
  std::vector<Outcome> Rejected = {};
  std::vector<rewrite::Declined> Declines = {};
  std::vector<SearchNote> Log = {};
  unsigned NotTried = 0;
};

/// Searches from \p S, whose findings are \p First, by the options of \p Eval.
Searched search(const Source &S, const rewrite::Findings &First,
                const Finder &Find, Evaluator &Eval);

/// \p S with the comments of its edits, as a selection.
Selection selectionOf(Searched S, const Evaluator &Eval);

/// The applied and the rejected ones, in the order of a report: an alternative
/// that was applied is no longer a rejected one.
std::vector<Outcome> allOutcomes(std::vector<Outcome> Applied,
                                 std::vector<Outcome> Rejected);

} // namespace clrewrite::select
