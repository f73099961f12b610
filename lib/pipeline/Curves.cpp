// The occupancy of a file's kernels: curves, and what limits it.
#include "pipeline/Curves.h"
#include "measure/TargetFamily.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::pipeline {

std::vector<std::map<std::string, measure::OccupancyCurves>>
curvesOf(const select::Selection &S, ArrayRef<measure::Target> Targets,
         const process::ChildLimits &Limits) {
  std::vector<std::map<std::string, measure::OccupancyCurves>> Out(
      S.Before.size());
  for (auto [On, Before, After, Into] : zip(Targets, S.Before, S.After, Out)) {
    std::vector<std::string> Names;
    std::vector<measure::NeedsPair> Needs;
    for (const measure::KernelUsage &B : Before.Kernels) {
      const measure::KernelUsage *A = After.find(B.Kernel);
      if (!B.measured() || !B.Figures.Vgprs)
        continue;
      const measure::Usage &Now = A && A->measured() ? A->Figures : B.Figures;
      Names.push_back(B.Kernel);
      Needs.push_back({measure::needsOf(B.Figures), measure::needsOf(Now)});
    }
    std::vector<measure::OccupancyCurves> Curves = measure::curvesOf(
        On, Needs, [&, &On = On](ArrayRef<measure::OccupancyNeeds> Each) {
          return measure::wavesFor(On, Each, Limits);
        });
    for (auto [Name, C] : zip(Names, Curves))
      Into[Name] = std::move(C);
  }
  return Out;
}

/// The work-items of \p Kernel's work-group in its launch; nullopt where no
/// launch says.
static std::optional<unsigned> groupOf(ArrayRef<measure::Launch> Launches,
                                       StringRef Kernel) {
  for (const measure::Launch &L : Launches)
    if (L.Kernel == Kernel && !L.Local.empty()) {
      uint64_t Items = 1;
      for (uint64_t Each : L.Local)
        Items *= Each;
      return unsigned(Items);
    }
  return std::nullopt;
}

std::vector<measure::TargetAccounts>
accountsOf(const select::Selection &S, ArrayRef<measure::Target> Targets,
           ArrayRef<measure::Launch> Launches,
           const process::ChildLimits &Limits) {
  std::vector<measure::TargetAccounts> Out(S.Before.size());
  for (auto [On, Before, After, Into] : zip(Targets, S.Before, S.After, Out)) {
    if (!On.Family || On.isDevice())
      continue;
    Into.Known = true;
    Into.Terms = On.Family->terms();
    for (const measure::KernelUsage &B : Before.Kernels) {
      if (!B.measured())
        continue;
      const measure::KernelUsage *A = After.find(B.Kernel);
      const measure::Usage &Now = A && A->measured() ? A->Figures : B.Figures;
      std::optional<unsigned> Group = groupOf(Launches, B.Kernel);
      auto &[Was, Is] = Into.Kernels[B.Kernel];
      Was = measure::accountFor(On, B.Figures, Group, Limits);
      Is = toJSON(Now) == toJSON(B.Figures)
               ? Was
               : measure::accountFor(On, Now, Group, Limits);
    }
  }
  return Out;
}

} // namespace clrewrite::pipeline
