// The elements of charts as SVG.
#include "report/Drawing.h"
#include "report/CurveChart.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::report {

void openChart(Markup &M, StringRef Id, StringRef Title, StringRef Words,
               unsigned Height, const std::pair<unsigned, unsigned> *Place) {
  std::string TitleId = (Id + "-title").str(), WordsId = (Id + "-desc").str();
  std::string Box = "0 0 " + utostr(ChartWidth) + " " + utostr(Height);
  if (Place)
    M.open("svg", {{"class", "chart"},
                   {"x", utostr(Place->first)},
                   {"y", utostr(Place->second)},
                   {"width", utostr(ChartWidth)},
                   {"height", utostr(Height)},
                   {"viewBox", Box},
                   {"role", "img"},
                   {"aria-labelledby", TitleId + " " + WordsId}});
  else
    M.open("svg", {{"class", "chart"},
                   {"viewBox", Box},
                   {"role", "img"},
                   {"aria-labelledby", TitleId + " " + WordsId}});
  M.leaf("title", Title, {{"id", TitleId}});
  M.leaf("desc", Words, {{"id", WordsId}});
}

std::string Drawing::number(double V) { return formatv("{0:f1}", V).str(); }

void Drawing::label(double X, double Y, StringRef Class, StringRef What) {
  M.leaf("text", What,
         {{"x", number(X)}, {"y", number(Y)}, {"class", Class.str()}});
}

void Drawing::line(StringRef Class, double X1, double Y1, double X2,
                   double Y2) {
  M.empty("path", {{"class", Class.str()},
                   {"d", "M" + number(X1) + " " + number(Y1) + "L" +
                             number(X2) + " " + number(Y2)}});
}

void Drawing::hint(StringRef Words, double X1, double X2, double Y,
                   double Foot) {
  Element Area(M, "g");
  M.leaf("title", Words);
  M.empty("rect", {{"class", "hint"},
                   {"x", number(X1)},
                   {"y", number(Y)},
                   {"width", number(X2 - X1)},
                   {"height", number(Foot - Y)}});
}

void Drawing::circle(double X, double Y) {
  M.empty("circle", {{"class", "before"},
                     {"cx", number(X)},
                     {"cy", number(Y)},
                     {"r", "4.5"}});
}

void Drawing::diamond(double X, double Y) {
  M.empty("path",
          {{"class", "after"},
           {"d", "M" + number(X) + " " + number(Y - 6) + "l6 6-6 6-6-6z"}});
}

} // namespace clrewrite::report
