// The occupancy curves of a file's kernels.
#include "pipeline/Curves.h"
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

} // namespace clrewrite::pipeline
