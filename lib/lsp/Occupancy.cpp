// Kernels with their figures and curves are written as JSON.
#include "lsp/Occupancy.h"

using namespace llvm;

namespace clrewrite::lsp {

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
