// A report made by hand: a kernel with an edit that pays, and a file that
// failed.
#pragma once

#include "report/Report.h"

namespace clrewrite::report {

inline Report sample() {
  measure::KernelUsage Before, After;
  Before.Kernel = After.Kernel = "k";
  Before.Figures.Vgprs = 37;
  After.Figures.Vgprs = 24;
  Before.Figures.Occupancy = 6;
  After.Figures.Occupancy = 10;
  Before.Figures.OccupancyMax = After.Figures.OccupancyMax = 10;
  After.Figures.Limiter = "none";
  FileReport F;
  F.Path = "k.cl";
  F.Kernels = {{"k", 3, {}}};
  F.Result.Before = {{{Before}, ""}};
  F.Result.After = {{{After}, ""}};
  select::Outcome O;
  O.Rewrite = "r";
  O.Alternative = "way";
  O.Kernels = {"k"};
  O.Line = 4;
  O.Applied = true;
  O.Reason = "gpu: occupancy rises from 6 to 10";
  F.Targets = {"gpu"};
  F.Result.Outcomes = {O};
  F.Result.Declines = {{"r", "k", {"k"}, 9, 90, "it must not"}};
  FileReport Failed;
  Failed.Path = "bad.cl";
  Failed.Problem = "does not parse";
  Report R;
  R.Files = {F, Failed};
  return R;
}

/// What a writer makes of \p R.
inline std::string written(void (*Write)(const Report &, llvm::raw_ostream &),
                           const Report &R) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  Write(R, OS);
  return Text;
}

} // namespace clrewrite::report
