// Occupancy curves are written as JSON.
#include "report/CurveData.h"
#include "report/CurveChart.h"

using namespace llvm;

namespace clrewrite::report {

static StringRef nameOf(measure::OccupancyAxis Axis) {
  switch (Axis) {
  case measure::OccupancyAxis::Vgprs:
    return "vgprs";
  case measure::OccupancyAxis::GroupSize:
    return "group_size";
  case measure::OccupancyAxis::LdsBytes:
    return "lds_bytes";
  case measure::OccupancyAxis::Sgprs:
    return "sgprs";
  }
  return "";
}

json::Value occupancyOf(const measure::OccupancyCurves &C) {
  if (C.Series.empty())
    return nullptr;
  json::Array Curves;
  for (const measure::OccupancySeries &S : C.Series) {
    json::Array Steps;
    for (const measure::CurveStep &Each : S.Steps)
      Steps.push_back(json::Array{Each.From, Each.Waves});
    Curves.push_back(json::Object{{"axis", nameOf(S.Axis)},
                                  {"first", S.First},
                                  {"last", S.Last},
                                  {"steps", std::move(Steps)},
                                  {"cap", S.Cap},
                                  {"at", S.After.At},
                                  {"waves", S.After.Waves},
                                  {"verdict", verdictOf(C, S).Text}});
  }
  return json::Object{{"max", C.Max},
                      {"unit", (C.Terms.Waves + " " + C.Terms.PerUnit).str()},
                      {"curves", std::move(Curves)}};
}

} // namespace clrewrite::report
