// Judging with times.
#include "select/TimedJudge.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::select {

const launch::Launch *TimedJudge::launchOf(StringRef Kernel) const {
  for (const launch::Launch &L : Options.Launches)
    if (L.Kernel == Kernel)
      return &L;
  return nullptr;
}

bool TimedJudge::canTime(ArrayRef<std::string> Kernels) const {
  return any_of(Kernels,
                [&](const std::string &K) { return launchOf(K) != nullptr; });
}

Gate TimedJudge::ruleFor(ArrayRef<std::string> Kernels) const {
  Gate G = Options.Rule;
  if (G.Goal != Objective::Auto)
    return G;
  bool Device = any_of(Options.Targets,
                       [](const measure::Target &T) { return T.isDevice(); });
  G.Goal = Device && canTime(Kernels) ? Objective::Time : Objective::Occupancy;
  return G;
}

void TimedJudge::addTimes(std::vector<Delta> &List, const Source &Before,
                          const Source &After) const {
  std::vector<measure::TimeRequest> Requests;
  std::vector<Delta *> Whose;
  for (Delta &D : List) {
    const launch::Launch *Shape = launchOf(D.Kernel);
    auto On = find_if(Options.Targets, [&](const measure::Target &T) {
      return T.Name == D.Target;
    });
    if (!Shape || !On->isDevice() || !D.Before.measured() ||
        !D.After.measured())
      continue;
    Requests.push_back({Before, After, *On, *Shape});
    Whose.push_back(&D);
  }
  std::vector<measure::Timing> Results = M.time(Requests);
  for (auto [D, Result] : zip(Whose, Results)) {
    D->Time = Result.Time;
    D->TimeProblem = std::move(Result.Problem);
    D->Ran = Result.Ran;
  }
}

Verdict TimedJudge::judged(std::vector<Delta> &List,
                           ArrayRef<std::string> Kernels, const Source &Before,
                           const Source &After) const {
  Gate G = ruleFor(Kernels);
  if (G.Goal != Objective::Time)
    return judge(List, G);
  if (Options.Progress)
    Options.Progress("timing");
  addTimes(List, Before, After);
  Verdict V = judge(List, G);
  if (!V.Pays)
    return V;
  addTimes(List, Before, After);
  return judge(List, G);
}

} // namespace clrewrite::select
