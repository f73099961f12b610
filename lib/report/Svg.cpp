// The occupancy curves of a run as one SVG document: a row a kernel and target,
// in the order of the report, each row a heading and its three or four curves.
#include "report/CurveChart.h"
#include "report/HtmlParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::report {
namespace {

constexpr unsigned Margin = 16, Gap = 28, HeadHeight = 34;
constexpr unsigned RowHeight = HeadHeight + ChartHeight + 14, LineHeight = 20;

/// A row of curves.
struct CurveRow {
  std::string Kernel, Place, Target, Id;
  const measure::OccupancyCurves *Curves;
};

std::vector<CurveRow> rowsOf(const Report &R) {
  std::vector<CurveRow> Out;
  for (const PageKernel &K : pageKernels(R))
    for (auto [T, OfKernels] : enumerate(K.File->Curves))
      if (auto It = OfKernels.find(K.Kernel->Name);
          It != OfKernels.end() && !It->second.Series.empty())
        Out.push_back({K.Kernel->Name, placeOf(K), K.File->Targets[T],
                       K.Id + "-" + utostr(T + 1), &It->second});
  return Out;
}

/// The text instead of curves: the files that were not measured.
std::vector<std::string> problemsOf(const Report &R) {
  std::vector<std::string> Out;
  for (const FileReport &F : R.Files)
    if (!F.Problem.empty())
      Out.push_back(F.Path + ": " + F.Problem);
  return Out;
}

} // namespace

void writeSvg(const Report &R, raw_ostream &OS) {
  std::vector<CurveRow> Rows = rowsOf(R);
  size_t Most = 1;
  for (const CurveRow &Row : Rows)
    Most = std::max(Most, Row.Curves->Series.size());
  size_t Width = 2 * Margin + Most * ChartWidth + (Most - 1) * Gap;
  std::vector<std::string> Problems = problemsOf(R);
  if (Rows.empty())
    Problems.insert(Problems.begin(),
                    "No occupancy is known of these kernels.");
  size_t Height =
      2 * Margin + Rows.size() * RowHeight + Problems.size() * LineHeight;
  OS << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>";
  Markup M(OS);
  {
    Element Document(
        M, "svg",
        {{"xmlns", "http://www.w3.org/2000/svg"},
         {"width", utostr(Width)},
         {"height", utostr(Height)},
         {"viewBox", "0 0 " + utostr(Width) + " " + utostr(Height)},
         {"class", "chart"}});
    M.leaf("title", "Occupancy curves of " + utostr(Rows.size()) +
                        (Rows.size() == 1 ? " kernel and target"
                                          : " kernels and targets"));
    M.open("style");
    M.raw(chartStyle());
    M.close();
    M.empty("rect",
            {{"width", "100%"}, {"height", "100%"}, {"class", "ground"}});
    for (auto [I, Problem] : enumerate(Problems))
      M.leaf("text", Problem,
             {{"x", utostr(Margin)},
              {"y", utostr(Margin + Rows.size() * RowHeight +
                           (I + 1) * LineHeight)}});
    for (auto [I, Row] : enumerate(Rows)) {
      unsigned Y = Margin + unsigned(I) * RowHeight;
      M.leaf("text",
             (Row.Kernel + " on " + Row.Target + " (" + Row.Place +
              "): " + Row.Curves->Terms.Waves + " a " + Row.Curves->Terms.Unit)
                 .str(),
             {{"x", utostr(Margin)}, {"y", utostr(Y + 14)}, {"class", "head"}});
      for (auto [J, S] : enumerate(Row.Curves->Series))
        drawCurve(M, *Row.Curves, S, Row.Id + "-" + utostr(J + 1), Row.Kernel,
                  Row.Target, /*Nested=*/true,
                  Margin + unsigned(J) * (ChartWidth + Gap), Y + HeadHeight);
    }
  }
  OS << '\n';
}

} // namespace clrewrite::report
