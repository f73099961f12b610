// Measuring versions.
#include "select/Bench.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite {

FiguresByTarget Bench::figures(const Source &S,
                               ArrayRef<std::string> Kernels) const {
  std::vector<MeasureRequest> Requests;
  for (const Target &T : Options.Targets)
    Requests.push_back({S, T, Kernels.vec()});
  return M.measure(Requests);
}

static KernelUsage usageIn(const Measurement &In, const std::string &Kernel) {
  if (const KernelUsage *K = In.find(Kernel))
    return *K;
  KernelUsage Missing;
  Missing.Kernel = Kernel;
  Missing.Problem =
      In.Problem.empty() ? "not in the compiled module" : In.Problem;
  return Missing;
}

std::vector<Delta> Bench::deltas(ArrayRef<Measurement> Before,
                                 ArrayRef<Measurement> After,
                                 ArrayRef<std::string> Kernels) const {
  std::vector<Delta> List;
  for (size_t T = 0; T < std::min(Before.size(), After.size()); ++T)
    for (const std::string &Kernel : Kernels)
      List.push_back({Kernel, Options.Targets[T].Name,
                      usageIn(Before[T], Kernel), usageIn(After[T], Kernel)});
  return List;
}

std::string Bench::whyNothing(ArrayRef<Measurement> Figures,
                              ArrayRef<std::string> Kernels) const {
  Objective Goal = Judge.ruleFor(Kernels).Goal;
  if (Goal == Objective::Time)
    return Judge.canTime(Kernels)
               ? ""
               : "nothing was timed: --launch says how a kernel is launched";
  return whyNothingToGain(deltas(Figures, Figures, Kernels), Goal);
}

bool Bench::named(const Alternative &A) const {
  return Options.OnlyAlternative.empty() || Options.OnlyAlternative == A.Label;
}

bool Bench::allowed(const Candidate &C, const Alternative &A) const {
  if (!named(A) || Options.Unsafe)
    return named(A);
  return !anyCovers(Options.Demoted, C.Rewrite, A) &&
         (A.Class == Safety::Exact || anyCovers(Options.Granted, C.Rewrite, A));
}

std::string Bench::onlyUnsafe(const Candidate &C, const Alternative &A) const {
  if (anyCovers(Options.Demoted, C.Rewrite, A))
    return "demoted: applied with --unsafe-fixes only";
  return ("class " + name(A.Class) +
          ": applied with --unsafe-fixes or a grant only")
      .str();
}

} // namespace clrewrite
