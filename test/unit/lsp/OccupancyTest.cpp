// Kernels and their curves as data.
#include "lsp/Occupancy.h"
#include "measure/nvptx/Nvptx.h"
#include "report/CurveData.h"
#include <gtest/gtest.h>

using namespace clrewrite;
using namespace clrewrite::lsp;
using clrewrite::report::occupancyOf;
using llvm::json::Array;
using llvm::json::Object;
using llvm::json::Value;

static measure::OccupancyCurves curves(bool Nvidia) {
  measure::OccupancySeries S;
  S.Axis = measure::OccupancyAxis::Vgprs;
  S.First = 1;
  S.Last = 256;
  S.Steps = {{1, 10}, {25, 9}};
  S.Cap = 10;
  S.Before = S.After = {30, 9};
  measure::OccupancyCurves C;
  C.Max = 10;
  if (Nvidia)
    C.Terms = measure::nvptxFamily().terms();
  C.Series = {S};
  return C;
}

TEST(LspOccupancy, ACurve) {
  EXPECT_EQ(
      occupancyOf(curves(false)),
      Value(Object{
          {"max", 10},
          {"unit", "waves a SIMD"},
          {"curves",
           Array{Object{{"axis", "vgprs"},
                        {"first", 1},
                        {"last", 256},
                        {"steps", Array{Array{1, 10}, Array{25, 9}}},
                        {"cap", 10},
                        {"at", 30},
                        {"waves", 9},
                        {"verdict", "limits; 24 or fewer: 10 waves"}}}}}));
  Value OnNvidia = occupancyOf(curves(true));
  EXPECT_EQ(OnNvidia.getAsObject()->getString("unit"), "warps an SM");
}

TEST(LspOccupancy, NothingKnownIsNull) {
  EXPECT_EQ(occupancyOf(measure::OccupancyCurves()), Value(nullptr));
}

TEST(LspOccupancy, CurvesGoToTheirKernelAndTarget) {
  ViewFigures A, B;
  A.Target = "gfx600";
  B.Target = "gfx906";
  B.Problem = "no compiler";
  View Known, Found;
  Known.Kernels = {{"k", 3, {A, B}}, {"other", 9, {A}}};
  A.Curves = Object{{"max", 10}};
  // Another line is another kernel, if one of the same name.
  Found.Kernels = {{"k", 3, {A}}, {"other", 8, {A}}};
  Array Out = kernelsOf(Known, Found);
  ASSERT_EQ(Out.size(), 2u);
  const Object &First = *Out[0].getAsObject();
  EXPECT_EQ(First.getInteger("line"), 2);
  const Array &Targets = *First.getArray("targets");
  EXPECT_EQ(*Targets[0].getAsObject()->get("occupancy"), A.Curves);
  EXPECT_EQ(*Targets[1].getAsObject()->get("occupancy"), Value(nullptr));
  EXPECT_EQ(Targets[1].getAsObject()->getString("problem"), "no compiler");
  const Array &Others = *Out[1].getAsObject()->getArray("targets");
  EXPECT_EQ(*Others[0].getAsObject()->get("occupancy"), Value(nullptr));
}
