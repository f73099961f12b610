// What charts are drawn of: lines, marks and words, in the style of chart.css.
#pragma once

#include "report/Markup.h"

namespace clrewrite::report {

/// Opens an svg element of \p Height units, which close() ends, with \p Title
/// and \p Words for those who can't see it. \p Id begins the names of its parts
/// and must not occur twice in a document. Within another svg it stands at \p
/// Place; else that is null.
void openChart(Markup &M, llvm::StringRef Id, llvm::StringRef Title,
               llvm::StringRef Words, unsigned Height,
               const std::pair<unsigned, unsigned> *Place = nullptr);

/// The parts of a chart.
class Drawing {
protected:
  explicit Drawing(Markup &M) : M(M) {}

  Markup &M;

  /// A coordinate.
  static std::string number(double V);
  void label(double X, double Y, llvm::StringRef Class, llvm::StringRef What);
  void line(llvm::StringRef Class, double X1, double Y1, double X2, double Y2);
  /// The tooltip of an area that goes down to \p Foot.
  void hint(llvm::StringRef Words, double X1, double X2, double Y, double Foot);
  void circle(double X, double Y);
  void diamond(double X, double Y);
};

} // namespace clrewrite::report
