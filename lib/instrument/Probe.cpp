// The number of variables is doubled until a kernel gets slower, and bisected
// then; drops of occupancy are told from spills.
#include "instrument/Probe.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite::instrument {

ProbeCause causeOf(const ProbeStep &Step, const ProbeFigures &Reference,
                   double Slower) {
  if (!Step.Problem.empty())
    return ProbeCause::NotMeasured;
  const ProbeFigures &F = Step.Figures;
  bool Spills = F.SpillBytes.value_or(0) > 0;
  if (Step.Ratio <= Slower)
    return Spills ? ProbeCause::FreeSpills : ProbeCause::Flat;
  if (Spills)
    return ProbeCause::Spilling;
  if (!F.SpillBytes)
    return ProbeCause::Unclear;
  if (F.Waves && Reference.Waves)
    return *F.Waves < *Reference.Waves ? ProbeCause::LostOccupancy
                                       : ProbeCause::Other;
  // Waves unknown: more registers and no spills leave only them.
  bool More =
      F.Registers && Reference.Registers && *F.Registers > *Reference.Registers;
  return More ? ProbeCause::LostOccupancy : ProbeCause::Other;
}

namespace {

class Search {
  const ProbeOptions &Options;
  ProbeMeasure Measure;
  function_ref<bool()> Spent;
  ProbeResult R;

public:
  Search(const ProbeOptions &Options, ProbeMeasure Measure,
         function_ref<bool()> Spent)
      : Options(Options), Measure(Measure), Spent(Spent) {}

  ProbeResult run();

private:
  /// Null where the time is up; else the step, which may have a Problem.
  const ProbeStep *measure(unsigned Variables);
  const ProbeStep *fastestBelow(unsigned Variables) const;
  void doubling();
  void bisect(std::optional<ProbeEdge> ProbeResult::*Edge,
              function_ref<bool(const ProbeStep &)> Beyond);
  void findEdge(std::optional<ProbeEdge> &Edge,
                function_ref<bool(const ProbeStep &)> Beyond) const;
};

/// The step with the least time a variable among those with fewer variables.
const ProbeStep *Search::fastestBelow(unsigned Variables) const {
  const ProbeStep *Best = nullptr;
  for (const ProbeStep &S : R.Steps)
    if (S.Problem.empty() && S.Variables < Variables &&
        (!Best || S.nsPerVariable() < Best->nsPerVariable()))
      Best = &S;
  return Best;
}

const ProbeStep *Search::measure(unsigned Variables) {
  if (Spent()) {
    R.Stopped = "the budget is spent: " + std::to_string(Variables) +
                " variables were not tried";
    return nullptr;
  }
  const ProbeStep *Reference = fastestBelow(Variables);
  ProbeStep S = Measure(Variables, Reference);
  S.Variables = Variables;
  S.Against = Reference ? Reference->Variables : 0;
  S.Cause = causeOf(S, Reference ? Reference->Figures : ProbeFigures(),
                    Options.Slower);
  if (!S.Problem.empty())
    R.Stopped = std::to_string(Variables) + " variables: " + S.Problem;
  auto At = llvm::upper_bound(
      R.Steps, S, [](auto &A, auto &B) { return A.Variables < B.Variables; });
  return &*R.Steps.insert(At, std::move(S));
}

static bool isSlower(const ProbeStep &S) {
  return S.Cause == ProbeCause::LostOccupancy ||
         S.Cause == ProbeCause::Spilling || S.Cause == ProbeCause::Unclear ||
         S.Cause == ProbeCause::Other;
}

static bool spills(const ProbeStep &S) {
  return S.Figures.SpillBytes.value_or(0) > 0;
}

void Search::doubling() {
  // Without figures a time that has doubled, and stays so, leaves nothing to be
  // found.
  constexpr double Enough = 2;
  bool Spilled = false, Doubled = false;
  for (unsigned N = ProbeUnit; N <= Options.MostVariables; N *= 2) {
    const ProbeStep *S = measure(N);
    if (!S || !S->Problem.empty() || Spilled)
      return;
    bool Again = S->Cause == ProbeCause::Unclear && S->Ratio >= Enough;
    if (Doubled && Again)
      return;
    Doubled = Again;
    // The first that spills often spills little: one more shows what it costs.
    Spilled = spills(*S);
  }
}

/// The largest measured step that is not \p Beyond, and the one after it. What
/// disturbs makes times longer, never shorter: a step that is flat clears the
/// smaller ones.
void Search::findEdge(std::optional<ProbeEdge> &Edge,
                      function_ref<bool(const ProbeStep &)> Beyond) const {
  Edge.reset();
  unsigned Below = 0;
  for (const ProbeStep &S : R.Steps) {
    if (!S.Problem.empty())
      continue;
    if (!Beyond(S)) {
      Below = S.Variables;
      Edge.reset();
    } else if (!Edge) {
      Edge = ProbeEdge{Below, S.Variables};
    }
  }
}

/// Halves what lies between the two sides of an edge, down to a sixteenth of
/// the number of variables.
void Search::bisect(std::optional<ProbeEdge> ProbeResult::*Edge,
                    function_ref<bool(const ProbeStep &)> Beyond) {
  for (;;) {
    findEdge(R.*Edge, Beyond);
    if (!(R.*Edge) || !(R.*Edge)->Below)
      return;
    auto [Below, At] = *(R.*Edge);
    unsigned Middle = (Below + At) / 2 / ProbeUnit * ProbeUnit;
    unsigned Fine = std::max(ProbeUnit, At / 16);
    if (At - Below <= Fine || Middle <= Below)
      return;
    const ProbeStep *S = measure(Middle);
    if (!S || !S->Problem.empty())
      return;
  }
}

ProbeResult Search::run() {
  doubling();
  std::string Before = R.Stopped;
  bisect(&ProbeResult::Slower, isSlower);
  bisect(&ProbeResult::Spills, spills);
  // What ended the doubling says more than what ended a bisection.
  if (!Before.empty())
    R.Stopped = Before;
  return std::move(R);
}

} // namespace

ProbeResult searchRegisters(const ProbeOptions &Options, ProbeMeasure Measure,
                            function_ref<bool()> Spent) {
  return Search(Options, Measure, Spent).run();
}

} // namespace clrewrite::instrument
