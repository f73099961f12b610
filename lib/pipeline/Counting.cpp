// Counting what work-items do, a target at a time.
#include "pipeline/Counting.h"

using namespace llvm;

namespace clrewrite::pipeline {

void countWork(report::FileReport &Out, const Source &Text,
               ArrayRef<Build> Builds, unsigned Line,
               ArrayRef<measure::Target> Targets, const WorkCounter &Count) {
  for (const measure::Target &T : Targets) {
    const Build &B = Builds[T.Build];
    measure::WorkReport &R = Out.Work.emplace_back();
    if (T.isDevice() || !Count) {
      R.Problem = "a driver's code is not counted";
      continue;
    }
    R = Count({whole(Text, B, Line), T, {}},
              scalarsOf(B.Launches.Timed, Out.Kernels));
    R.Table = measure::tablePeaks(T.Cpu);
  }
  for (const Build &B : Builds)
    for (const measure::Launch &L : B.Launches.Timed)
      Out.LaunchedItems[L.Kernel] = L.items();
}

} // namespace clrewrite::pipeline
