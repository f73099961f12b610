// Steps over the nights, and the same in words for who can't see them.
#include "history/NightChart.h"
#include "report/CurveChart.h"
#include "report/Drawing.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::history {
namespace {

constexpr double Left = 30, Right = 312, Top = 24, Bottom = 90;
constexpr unsigned Height = 112;

class Chart : report::Drawing {
public:
  Chart(report::Markup &M, const Summary &S, const Course &C, bool Waves)
      : Drawing(M), S(S), C(C), Waves(Waves) {
    for (size_t I = 0; I < C.Figures.size(); ++I)
      Most = std::max(Most, at(I).value_or(0));
  }

  std::string title() const {
    return C.Kernel + " on " + C.Target + ": " + what() + " by night";
  }

  std::string words() const {
    std::string Out;
    for (size_t I = 0; I < C.Figures.size(); ++I)
      Out += (I ? "; " : "") + hintOf(I);
    return Out + ".";
  }

  void draw() {
    label(0, 12, "name", what());
    for (unsigned Value : {0u, Most}) {
      line("grid", Left, y(Value), Right, y(Value));
      label(Left - 8, y(Value) + 4, "mark end", utostr(Value));
    }
    label(Left, Bottom + 16, "mark start", S.Nights.front().Date);
    label(Right, Bottom + 16, "mark end", S.Nights.back().Date);
    steps();
    for (size_t I = 0; I < C.Figures.size(); ++I)
      if (at(I))
        hint(hintOf(I), x(C.Figures[I].first), x(endOf(I)), y(*at(I)), Bottom);
    if (std::optional<unsigned> Now = at(C.Figures.size() - 1))
      diamond(Right, y(*Now));
  }

private:
  const Summary &S;
  const Course &C;
  bool Waves;
  unsigned Most = 1;

  std::string what() const {
    for (const auto &[Night, U] : C.Figures)
      if (U)
        return Waves ? "waves" : registersWord(*U).str();
    return Waves ? "waves" : "registers";
  }

  std::optional<unsigned> at(size_t I) const {
    const std::optional<measure::Usage> &U = C.Figures[I].second;
    return U ? Waves ? U->Occupancy : U->Vgprs : std::nullopt;
  }
  /// The night before which the figures number \p I end: each has a width.
  size_t endOf(size_t I) const {
    return I + 1 < C.Figures.size() ? C.Figures[I + 1].first : S.Nights.size();
  }
  double x(size_t Night) const {
    return Left + (Right - Left) * double(Night) / double(S.Nights.size());
  }
  double y(double Value) const {
    return Bottom - (Bottom - Top) * Value / Most;
  }
  std::string hintOf(size_t I) const {
    std::optional<unsigned> Value = at(I);
    return "from " + S.Nights[C.Figures[I].first].Date + ": " +
           (Value ? utostr(*Value) : "not known");
  }

  /// A gap where nothing is known.
  void steps() {
    std::string Path;
    for (size_t I = 0; I < C.Figures.size(); ++I) {
      std::optional<unsigned> Value = at(I);
      if (!Value)
        continue;
      bool Goes = I && at(I - 1);
      Path +=
          Goes ? "V" + number(y(*Value))
               : "M" + number(x(C.Figures[I].first)) + " " + number(y(*Value));
      Path += "H" + number(x(endOf(I)));
    }
    if (!Path.empty())
      M.empty("path", {{"class", "curve"}, {"d", Path}});
  }
};

} // namespace

void drawCourse(report::Markup &M, const Summary &S, const Course &C,
                bool Waves, StringRef Id) {
  Chart Drawing(M, S, C, Waves);
  report::openChart(M, Id, Drawing.title(), Drawing.words(), Height);
  Drawing.draw();
  M.close();
}

} // namespace clrewrite::history
