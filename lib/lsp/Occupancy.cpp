// Figures and occupancy curves in JSON.
#include "lsp/Occupancy.h"
#include "report/CurveChart.h"

using namespace llvm;

namespace clrewrite {

static StringRef nameOf(OccupancyAxis Axis) {
  switch (Axis) {
  case OccupancyAxis::Vgprs:
    return "vgprs";
  case OccupancyAxis::GroupSize:
    return "group_size";
  case OccupancyAxis::LdsBytes:
    return "lds_bytes";
  case OccupancyAxis::Sgprs:
    return "sgprs";
  }
  return "";
}

json::Value occupancyOf(const OccupancyCurves &C) {
  if (C.Series.empty())
    return nullptr;
  json::Array Curves;
  for (const OccupancySeries &S : C.Series) {
    json::Array Steps;
    for (const CurveStep &Each : S.Steps)
      Steps.push_back(json::Array{Each.From, Each.Waves});
    Curves.push_back(json::Object{{"axis", nameOf(S.Axis)},
                                  {"first", S.First},
                                  {"last", S.Last},
                                  {"steps", std::move(Steps)},
                                  {"cap", S.Cap},
                                  {"at", S.After.At},
                                  {"waves", S.After.Waves},
                                  {"verdict", verdictOf(C, S)}});
  }
  return json::Object{{"max", C.Max},
                      {"unit", C.Nvidia ? "warps an SM" : "waves a SIMD"},
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
                       {"now", toJSON(F.Now)},
                       {"then", toJSON(F.Then)},
                       {"occupancy", With ? With->Curves : nullptr}});
    }
    Out.push_back(json::Object{{"name", K.Name},
                               {"line", K.Line - 1},
                               {"targets", std::move(Targets)}});
  }
  return Out;
}

} // namespace clrewrite
