// A variant is a text that the search has reached, with the edits that led to
// it and the sites that it has.
#pragma once

#include "select/Select.h"

namespace clrewrite::select {

/// Figures by target, in the order of the options.
using FiguresByTarget = std::vector<measure::Measurement>;

/// An edit set that was applied.
struct Step {
  Outcome What;
  /// In offsets of the text that it was made for.
  Edits Changes;
  /// The changes in offsets of the given text; none where they edit text that
  /// an earlier step inserted.
  std::optional<Edits> OfGiven = std::nullopt;
  /// The text that it led to, with the others of its round.
  Source After = {};
  /// Counts what was applied together.
  unsigned Round = 0;
  /// The kernels of the search that found it.
  std::vector<std::string> Searched = {};
  bool AmdOnly = false, Separable = false; ///< as of the candidate
};

/// \p Of with the figures of \p New, which has some of its kernels; \p New
/// where that has none for the whole text.
measure::Measurement updated(measure::Measurement Of,
                             const measure::Measurement &New);
FiguresByTarget updated(FiguresByTarget Of, const FiguresByTarget &New);

/// How the kernels of the text that \p Steps lead to are launched.
LaunchChanges launchesOf(llvm::ArrayRef<Step> Steps);

/// \p Text as a version, which \p Steps lead to.
Version versionOf(const Source &Text, llvm::ArrayRef<Step> Steps);

struct Variant {
  const Source *Given;
  Source Text;
  rewrite::Findings Found;
  std::vector<Step> Steps;
  /// Of all kernels, as the search has measured them: those that no edit of a
  /// step reaches have the figures that they had without it. The list ends
  /// early where a target refuses the text.
  FiguresByTarget Figures = {};

  /// Sites are only those of which all edits, but for shared insertions, keep
  /// to \p Within; none: all are.
  Variant(const Source &Given, rewrite::Findings First,
          std::optional<Ranges> Within = std::nullopt)
      : Given(&Given), Text(Given), Found(std::move(First)), Within(Within),
        GivenWithin(std::move(Within)) {
    leaveOutOthers();
  }

  /// The variant with \p New, which must not overlap, applied all at once; an
  /// error where the result does not parse.
  llvm::Expected<Variant> with(std::vector<Step> New, const Finder &Find) const;

  /// The steps but \p I, each made as it was, with the text that it then leads
  /// to; none where a later one edits what \p I inserted, or stands at its
  /// edge.
  std::optional<std::vector<Step>> stepsWithout(size_t I) const;

  /// Goes back to the text of \p Left, which stepsWithout() gave. Found and
  /// Figures stay those of the text before.
  void leave(std::vector<Step> Left);

  /// Those of the changes of \p S, one of the steps, that have a place in the
  /// given text, in its offsets.
  Edits placesInGiven(const Step &S) const;

  Version version() const { return versionOf(Text, Steps); }

  /// The outcome of an alternative before anything is known of its gain.
  Outcome outcomeOf(const rewrite::Candidate &C,
                    const rewrite::Alternative &A) const;
  /// Where a site stands in the given text; its place in this one where an
  /// edit made it.
  unsigned givenOffset(const rewrite::Candidate &C) const {
    return givenOffset(C.Offset);
  }
  unsigned givenOffset(unsigned Offset) const;

  /// The parts of this text that sites keep to; none: all of it.
  const std::optional<Ranges> &within() const { return Within; }

private:
  std::vector<Edits> Rounds; ///< what was applied together, in order
  std::optional<Ranges> Within, GivenWithin; ///< of this text, and the given

  void leaveOutOthers();
  std::optional<Edits> ofGiven(Edits List) const;
};

/// Both are of one alternative of one site.
bool isSame(const Outcome &A, const Outcome &B);

/// Adds \p What, which was applied, to \p Rejected; \p Reason replaces what was
/// noted of it.
void takeBack(Outcome What, const std::string &Reason,
              std::vector<Outcome> &Rejected);

} // namespace clrewrite::select
