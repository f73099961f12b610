// A chart of an occupancy curve, as SVG.
#pragma once

#include "measure/occupancy/OccupancyCurves.h"
#include "report/Markup.h"

namespace clrewrite::report {

/// Size of a drawing, in its own units; text is 11 of them high.
inline constexpr unsigned ChartWidth = 320, ChartHeight = 210;

/// Draws \p S of \p C as an svg element, for HTML or within another svg. \p Id
/// begins the names of its parts and must not occur twice in a document. \p
/// Kernel and \p Target are for those who can't see it. \p Place has further
/// attributes, such as where it stands.
void drawCurve(Markup &M, const measure::OccupancyCurves &C,
               const measure::OccupancySeries &S, llvm::StringRef Id,
               llvm::StringRef Kernel, llvm::StringRef Target, bool Nested,
               unsigned X = 0, unsigned Y = 0);

/// The verdict of \p S on the kernel after its edits, in a few words: "limits;
/// 8 waves at 64 or fewer", "does not limit".
struct CurveVerdict {
  bool Limits;
  std::string Text;
};
CurveVerdict verdictOf(const measure::OccupancyCurves &C,
                       const measure::OccupancySeries &S);

/// The style sheet of the drawings.
llvm::StringRef chartStyle();

} // namespace clrewrite::report
