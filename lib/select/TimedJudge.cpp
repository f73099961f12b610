// Changes that are judged by time have their kernels launched and timed first.
#include "select/TimedJudge.h"
#include "measure/TargetFamily.h"
#include "source/Shelter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::select {

bool TimedJudge::canTime(ArrayRef<std::string> Kernels) const {
  return any_of(Kernels, [&](const std::string &K) {
    return launch::launchOf(Options.Launches, K) != nullptr;
  });
}

Criterion TimedJudge::criterionFor(ArrayRef<std::string> Kernels) const {
  Criterion By = Options.JudgedBy;
  if (By.Goal != Objective::Auto)
    return By;
  bool Device = any_of(Options.Targets,
                       [](const measure::Target &T) { return T.isDevice(); });
  By.Goal = Device && canTime(Kernels) ? Objective::Time : Objective::Occupancy;
  return By;
}

Criterion TimedJudge::estimatedToo(ArrayRef<std::string> Kernels) const {
  Criterion By = criterionFor(Kernels);
  if (Options.JudgedBy.Goal == Objective::Auto &&
      By.Goal == Objective::Occupancy)
    By.Faster = ClearFall;
  return By;
}

static launch::LaunchChange changeIn(const Version &V, StringRef Kernel) {
  auto It = V.Launches.find(Kernel.str());
  return It == V.Launches.end() ? launch::LaunchChange() : It->second;
}

void TimedJudge::addTimes(std::vector<Delta> &List, const Version &Before,
                          const Version &After) const {
  std::vector<measure::TimeRequest> Requests;
  std::vector<Delta *> Whose;
  for (Delta &D : List) {
    const launch::Launch *Shape = launch::launchOf(Options.Launches, D.Kernel);
    auto On = find_if(Options.Targets, [&](const measure::Target &T) {
      return T.Name == D.Target;
    });
    if (!Shape || !On->isDevice() || !D.Before.measured() ||
        !D.After.measured())
      continue;
    Requests.push_back({Before.Text, After.Text, *On, *Shape,
                        changeIn(Before, D.Kernel), changeIn(After, D.Kernel),
                        After.MayDiffer,
                        Options.AllowVarying && !After.Inexact});
    Whose.push_back(&D);
  }
  std::vector<measure::Timing> Results = M.time(Requests);
  for (auto [D, Result] : zip(Whose, Results)) {
    D->Time = Result.Time;
    D->TimeProblem = std::move(Result.Problem);
    D->Ran = Result.Ran;
  }
}

std::optional<Verdict> TimedJudge::folded(ArrayRef<std::string> Kernels,
                                          const Version &Before,
                                          const Version &After) const {
  if (!all_of(Kernels, [&](const std::string &K) {
        return changeIn(Before, K) == changeIn(After, K);
      }))
    return std::nullopt;
  bool Any = false;
  for (const measure::Target &T : Options.Targets) {
    if (!T.isDevice())
      continue;
    // Both were built before. A device's hash is of all kernels of the text, so
    // that what the search noted of a kernel may be another text's.
    std::vector<measure::Measurement> Figures = M.measure(
        {{Before.Text, T, Kernels.vec()}, {After.Text, T, Kernels.vec()}});
    std::vector<Delta> List = deltasOf(T.Name, Figures[0], Figures[1], Kernels);
    if (List.empty() || !sameCode(List))
      return std::nullopt;
    Any = true;
  }
  if (!Any)
    return std::nullopt;
  return Verdict{/*Pays=*/false,
                 /*Refused=*/false,
                 "the device's driver makes the same code of it",
                 {}};
}

Verdict TimedJudge::judged(std::vector<Delta> &List,
                           ArrayRef<std::string> Kernels, const Version &Before,
                           const Version &After, const Criterion &By) const {
  bool Timed = By.Goal == Objective::Time;
  if (Timed)
    if (std::optional<Verdict> Same = folded(Kernels, Before, After))
      return *Same;
  auto time = [&] {
    if (Options.Progress)
      Options.Progress("timing");
    addTimes(List, Before, After);
  };
  if (Timed)
    time();
  Verdict V = judge(List, By);
  if (Timed && V.Pays) {
    time();
    V = judge(List, By);
  }
  askOthers(Pending{V, Before, After, Kernels.vec()});
  return V;
}

void TimedJudge::askOthers(ArrayRef<Pending> List) const {
  askBystanders(List);
  for (const Pending &P : List)
    if (P.Judged.Pays && Options.WhyDoubted)
      if (std::string Why = Options.WhyDoubted(P.After, P.Kernels);
          !Why.empty())
        P.Judged = {/*Pays=*/false, /*Refused=*/true, "pays, but " + Why, {}};
}

/// The compilers for \p On may read \p P.After otherwise than \p P.Before.
static bool sees(const measure::Target &On, const Pending &P) {
  return !On.Family || readBy(P.Before.Text.Text, On.Family->macro()) !=
                           readBy(P.After.Text.Text, On.Family->macro());
}

void TimedJudge::askBystanders(ArrayRef<Pending> List) const {
  for (const measure::Target &T : Options.Bystanders) {
    std::vector<measure::MeasureRequest> Requests;
    std::vector<const Pending *> Whose;
    for (const Pending &P : List)
      if (P.Judged.Pays && sees(T, P) &&
          criterionFor(P.Kernels).Goal != Objective::Time) {
        for (const Source *Text : {&P.Before.Text, &P.After.Text})
          Requests.push_back({*Text,
                              T,
                              P.Kernels,
                              {},
                              /*EstimateOnly=*/true});
        Whose.push_back(&P);
      }
    std::vector<measure::Measurement> Figures = M.measure(Requests);
    for (auto [I, P] : enumerate(Whose))
      if (std::string Why = costsTime(
              deltasOf(T.Name, Figures[2 * I], Figures[2 * I + 1], P->Kernels),
              Options.JudgedBy.MaxSlowdown);
          !Why.empty())
        P->Judged = {/*Pays=*/false,
                     /*Refused=*/true,
                     "pays, but costs time on a bystander: " + Why,
                     {}};
  }
}

} // namespace clrewrite::select
