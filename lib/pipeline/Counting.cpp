// Counting what work-items do, a target at a time.
#include "pipeline/Counting.h"

using namespace llvm;

namespace clrewrite {

void countWork(FileReport &Out, const Source &Text, ArrayRef<Build> Builds,
               unsigned Line, ArrayRef<Target> Targets,
               const WorkCounter &Count) {
  for (const Target &T : Targets) {
    const Build &B = Builds[T.Build];
    WorkReport &R = Out.Work.emplace_back();
    if (T.Kind == TargetKind::Device || !Count) {
      R.Problem = "a driver's code is not counted";
      continue;
    }
    R = Count({whole(Text, B, Line), T, {}},
              scalarsOf(B.Launches.Timed, Out.Kernels));
    R.Table = tablePeaks(T.Cpu);
  }
  for (const Build &B : Builds)
    for (const Launch &L : B.Launches.Timed)
      Out.LaunchedItems[L.Kernel] = L.items();
}

} // namespace clrewrite
