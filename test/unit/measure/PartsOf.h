// What the estimate of a text is made of.
#pragma once

#include "measure/OfflineMeter.h"
#include <gtest/gtest.h>

namespace clrewrite::measure {

/// The estimate's parts of \p Text's kernel k(in, out, n), launched with 4,096
/// work-items in work-groups of 64 and n = 20, or with nothing known.
inline EstimateParts partsOf(const std::string &Text, const char *Cpu,
                             bool Launched = true) {
  Target On = llvm::cantFail(parseTarget(Cpu));
  auto Backends = openBackends({On}, {});
  EXPECT_TRUE(bool(Backends)) << llvm::toString(Backends.takeError());
  OfflineMeter Meter(std::move(*Backends), {60, 2});
  MeasureRequest Request{{"/test.cl", Text, {"-cl-std=CL1.2"}}, On, {}};
  Request.EstimateOnly = true;
  if (Launched) {
    launch::LaunchFacts &Launch = Request.Launches["k"];
    Launch.Global = {4096};
    Launch.Local = {64};
    Launch.Buffers[0] = Launch.Buffers[1] = {16384, 4, false};
    Launch.Scalars[2] = 20;
  } else {
    Request.Launches["k"].MadeUp = {0};
  }
  Measurement M = Meter.measure({Request}).front();
  EXPECT_EQ(M.Problem, "");
  if (M.Kernels.empty())
    return {};
  const Usage &Figures = M.Kernels.front().Figures;
  if (Launched)
    EXPECT_EQ(Figures.EstFrom, "counted") << Figures.EstWhy.value_or("");
  return Figures.EstParts.value_or(EstimateParts());
}

} // namespace clrewrite::measure
