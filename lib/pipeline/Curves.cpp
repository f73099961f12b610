// The occupancy curves of a file's kernels.
#include "pipeline/Curves.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite {

std::vector<std::map<std::string, OccupancyCurves>>
curvesOf(const Selection &S, ArrayRef<Target> Targets,
         const ChildLimits &Limits) {
  std::vector<std::map<std::string, OccupancyCurves>> Out(S.Before.size());
  for (auto [On, Before, After, Into] : zip(Targets, S.Before, S.After, Out)) {
    std::vector<std::string> Names;
    std::vector<NeedsPair> Needs;
    for (const KernelUsage &B : Before.Kernels) {
      const KernelUsage *A = After.find(B.Kernel);
      if (!B.measured() || !B.Figures.Vgprs)
        continue;
      const Usage &Now = A && A->measured() ? A->Figures : B.Figures;
      Names.push_back(B.Kernel);
      Needs.push_back({needsOf(B.Figures), needsOf(Now)});
    }
    std::vector<OccupancyCurves> Curves =
        curvesOf(On, Needs, [&, &On = On](ArrayRef<OccupancyNeeds> Each) {
          return wavesFor(On, Each, Limits);
        });
    for (auto [Name, C] : zip(Names, Curves))
      Into[Name] = std::move(C);
  }
  return Out;
}

} // namespace clrewrite
