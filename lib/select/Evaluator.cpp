// What the evaluator asks of the meter and of the options.
#include "select/Evaluator.h"
#include "measure/TargetFamily.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::select {

FiguresByTarget Evaluator::figures(const Source &S,
                                   ArrayRef<std::string> Kernels) const {
  std::vector<measure::MeasureRequest> Requests;
  for (const measure::Target &T : Options.Targets)
    Requests.push_back({S, T, Kernels.vec()});
  return M.measure(Requests);
}

std::vector<Delta> Evaluator::deltas(ArrayRef<measure::Measurement> Before,
                                     ArrayRef<measure::Measurement> After,
                                     ArrayRef<std::string> Kernels) const {
  std::vector<Delta> List;
  for (size_t T = 0; T < std::min(Before.size(), After.size()); ++T) {
    const measure::Target &On = Options.Targets[T];
    for (Delta &D : deltasOf(On.Name, Before[T], After[T], Kernels)) {
      D.Held = On.Family && On.Family->wasTimed();
      List.push_back(std::move(D));
    }
  }
  return List;
}

Evaluator::Clock::time_point Evaluator::endWith(const Kept &For) const {
  if (!endsByClock())
    return Clock::time_point::max();
  auto Rest = std::chrono::duration_cast<Clock::duration>(
      (Options.Latest - Begun) * For.Share);
  if (Trials)
    Rest = std::min(Rest, 2 * For.Trials * (Taken / int64_t(Trials)));
  return Options.Latest - Rest;
}

void Evaluator::took(Clock::duration Time, size_t Count) {
  Taken += Time;
  Trials += Count;
}

WhyNot Evaluator::whyNothing(ArrayRef<measure::Measurement> Figures,
                             ArrayRef<std::string> Kernels,
                             std::optional<Criterion> By) const {
  if (!By)
    By = Judge.criterionFor(Kernels);
  if (By->Goal == Objective::Time)
    return Judge.canTime(Kernels) ? "" : NotTimed;
  return whyNothingToGain(deltas(Figures, Figures, Kernels), *By);
}

bool Evaluator::named(const rewrite::Alternative &A) const {
  return Options.OnlyAlternative.empty() || Options.OnlyAlternative == A.Label;
}

bool Evaluator::allowed(const rewrite::Candidate &C,
                        const rewrite::Alternative &A) const {
  if (!named(A) || Options.Unsafe)
    return named(A);
  return !anyCovers(Options.Demoted, C.Rewrite, A) &&
         (A.Class == rewrite::Safety::Exact ||
          anyCovers(Options.Granted, C.Rewrite, A));
}

WhyNot Evaluator::onlyUnsafe(const rewrite::Candidate &C,
                             const rewrite::Alternative &A) const {
  if (anyCovers(Options.Demoted, C.Rewrite, A))
    return {"demoted: applied with --unsafe-fixes only", WhyNot::Withheld};
  return {("class " + rewrite::name(A.Class) +
           ": applied with --unsafe-fixes or a grant only")
              .str(),
          WhyNot::Withheld};
}

} // namespace clrewrite::select
