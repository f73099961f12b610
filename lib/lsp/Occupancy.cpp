// Figures and occupancy curves are written as JSON.
#include "lsp/Occupancy.h"
#include "report/CurveChart.h"

using namespace llvm;

namespace clrewrite::lsp {

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
                                  {"verdict", report::verdictOf(C, S).Text}});
  }
  return json::Object{{"max", C.Max},
                      {"unit", (C.Terms.Waves + " " + C.Terms.PerUnit).str()},
                      {"curves", std::move(Curves)}};
}

static const ViewFigures *find(const View &V, const ViewKernel &K,
                               StringRef Target) {
  for (const ViewKernel &Each : V.Kernels)
    if (Each.Name == K.Name && Each.Line == K.Line)
      for (const ViewFigures &F : Each.Targets)
        if (F.Target == Target)
          return &F;
  return nullptr;
}

json::Array kernelsOf(const View &V, const View &Curves) {
  json::Array Out;
  for (const ViewKernel &K : V.Kernels) {
    json::Array Targets;
    for (const ViewFigures &F : K.Targets) {
      const ViewFigures *With = find(Curves, K, F.Target);
      Targets.push_back(
          json::Object{{"target", F.Target},
                       {"problem", json::fixUTF8(F.Problem)},
                       {"now", measure::toJSON(F.Now)},
                       {"then", measure::toJSON(F.Then)},
                       {"occupancy", With ? With->Curves : nullptr}});
    }
    Out.push_back(json::Object{{"name", K.Name},
                               {"line", K.Line - 1},
                               {"targets", std::move(Targets)}});
  }
  return Out;
}

} // namespace clrewrite::lsp
