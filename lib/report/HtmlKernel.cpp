// A kernel on the HTML page: what is known of its results, and its curves.
#include "report/CurveChart.h"
#include "report/HtmlParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::report {
namespace {

void evidence(Markup &M, const KernelEvidence &E) {
  using verify::Verification;
  StringRef Says = E.Proved                          ? "✓ Same results, proved"
                   : E.Verdict == Verification::Same ? "✓ Same results"
                   : E.Verdict == Verification::Varying
                       ? "≈ No further apart than the original's own runs"
                   : E.Verdict == Verification::Different
                       ? "✗ Different results"
                       : "? Not shown to be the same";
  Element P(M, "p", {{"class", ("evidence " + verify::name(E.Verdict)).str()}});
  M.leaf("strong", Says);
  M.text((E.Evidence.empty() ? "" : ": ") + E.Evidence);
}

/// The curves of \p Row's kernel on its target; null where there are none.
const measure::OccupancyCurves *curvesOf(const PageKernel &K,
                                         const KernelRow &Row) {
  const FileReport &F = *K.File;
  size_t T = size_t(find(F.Targets, Row.Target) - F.Targets.begin());
  if (T >= F.Curves.size())
    return nullptr;
  auto It = F.Curves[T].find(K.Kernel->Name);
  return It == F.Curves[T].end() || It->second.Series.empty() ? nullptr
                                                              : &It->second;
}

/// "gfx600: 6 → 10 of 10 waves a SIMD, nothing limits".
std::string headline(const KernelRow &Row, const measure::OccupancyCurves &C) {
  const measure::Usage &A = *Row.Before, &B = *Row.After;
  std::string Out = (Row.Target + ": ").str();
  if (A.Occupancy && A.Occupancy != B.Occupancy)
    Out += utostr(*A.Occupancy) + " → ";
  Out += (B.Occupancy ? utostr(*B.Occupancy) : "?") + " of " + utostr(C.Max) +
         (" " + C.Terms.Waves + " a " + C.Terms.Unit).str();
  if (!B.Limiter)
    return Out;
  return Out + (*B.Limiter == "none" ? ", nothing limits"
                                     : ", limited by " + *B.Limiter);
}

void charts(Markup &M, const PageKernel &K, const KernelRow &Row,
            const measure::OccupancyCurves &C, const std::string &Id) {
  Element Grid(M, "div", {{"class", "charts"}});
  for (auto [I, S] : enumerate(C.Series)) {
    Element Each(M, "div");
    drawCurve(M, C, S, Id + "-" + utostr(I + 1), K.Kernel->Name, Row.Target,
              /*Nested=*/false);
  }
}

/// Curves of a kernel that has all waves before and after are folded up.
bool isIdle(const KernelRow &Row, const measure::OccupancyCurves &C) {
  return Row.Before->Occupancy == C.Max && Row.After->Occupancy == C.Max;
}

} // namespace

void writeKernel(Markup &M, const PageKernel &K) {
  Element Section(M, "section", {{"class", "kernel"}, {"id", K.Id}});
  {
    Element H(M, "h3");
    M.text("Kernel ");
    M.leaf("code", K.Kernel->Name);
    if (K.Kernel->Line) {
      M.text(" ");
      M.leaf("small", "line " + utostr(K.Kernel->Line));
    }
  }
  if (const KernelEvidence *E = evidenceFor(*K.File, K.Kernel->Name))
    evidence(M, *E);
  for (auto [I, Row] : enumerate(K.Rows)) {
    const measure::OccupancyCurves *C = curvesOf(K, Row);
    if (!C || !Row.Before)
      continue;
    std::string Id = K.Id + "-" + utostr(I + 1);
    if (isIdle(Row, *C)) {
      Element Fold(M, "details");
      M.leaf("summary", headline(Row, *C));
      charts(M, K, Row, *C, Id);
    } else {
      M.leaf("h4", headline(Row, *C));
      charts(M, K, Row, *C, Id);
    }
  }
}

} // namespace clrewrite::report
