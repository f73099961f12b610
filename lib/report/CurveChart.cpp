// An occupancy curve as a drawing: steps, the kernel on them, and the same in
// words for who can't see it.
#include "report/CurveChart.h"
#include "report/Drawing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::report {
namespace {

constexpr double Left = 30, Right = 312, Top = 30, Bottom = 152;
constexpr unsigned KiB = 1024;

/// The name of an axis, the unit of its numbers, and the places of its marks.
struct AxisText {
  std::string Name;
  StringRef Unit;
  unsigned Marks;        ///< distance between two
  unsigned MarkUnit = 1; ///< what they are counted in
};

AxisText textOf(const measure::OccupancyCurves &C,
                const measure::OccupancySeries &S) {
  switch (S.Axis) {
  case measure::OccupancyAxis::Vgprs:
    return {(C.Terms.Registers + " a " + C.Terms.Lane).str(), "", 64};
  case measure::OccupancyAxis::Sgprs:
    return {"SGPRs a wave", "", 20};
  case measure::OccupancyAxis::GroupSize:
    return {"work-items a work-group", "", 256};
  case measure::OccupancyAxis::LdsBytes:
    return {(C.Terms.Lds + " a work-group").str(), " B",
            (S.Last > 200 * KiB  ? 64
             : S.Last > 64 * KiB ? 32
                                 : 16) *
                KiB,
            KiB};
  }
  return {};
}

StringRef waves(const measure::OccupancyCurves &C, unsigned N) {
  return N == 1 ? C.Terms.Wave : C.Terms.Waves;
}

/// Makes the drawing.
class Chart : Drawing {
public:
  Chart(Markup &M, const measure::OccupancyCurves &C,
        const measure::OccupancySeries &S)
      : Drawing(M), C(C), S(S), Text(textOf(C, S)) {}

  void draw() {
    head();
    grid();
    curves();
    hints();
    if (moved())
      circle(x(S.Before.At), y(S.Before.Waves));
    diamond(x(S.After.At), y(S.After.Waves));
    legend();
  }

  std::string steps() const {
    std::string Out;
    for (size_t I = 0; I < S.Steps.size(); ++I)
      Out += (I ? "; " : "") + stepText(I);
    return Out;
  }

  std::string point(StringRef When, const measure::CurvePoint &P) const {
    bool Assumed =
        S.Axis == measure::OccupancyAxis::GroupSize && C.GroupAssumed;
    return (When + utostr(P.At) + Text.Unit + (Assumed ? " assumed, " : ", ") +
            utostr(P.Waves) + " " + waves(C, P.Waves))
        .str();
  }

private:
  const measure::OccupancyCurves &C;
  const measure::OccupancySeries &S;
  AxisText Text;

  bool moved() const {
    return S.Before.At != S.After.At || S.Before.Waves != S.After.Waves;
  }

  double x(double Value) const {
    // Registers are drawn up to 256 where a thread has 255.
    double End = S.Last + (S.Last % 2 && S.Last > 1);
    return Left + (Right - Left) * Value / End;
  }
  double y(double Waves) const {
    return Bottom - (Bottom - Top) * Waves / C.Max;
  }

  unsigned endOf(size_t I) const {
    return I + 1 < S.Steps.size() ? S.Steps[I + 1].From - 1 : S.Last;
  }
  /// A kernel of the step's last value stands at its edge.
  double beginOf(size_t I) const { return I ? x(S.Steps[I].From - 1) : x(0); }
  unsigned capped(size_t I) const { return std::min(S.Steps[I].Waves, S.Cap); }

  std::string stepText(size_t I) const {
    unsigned From = S.Steps[I].From, To = endOf(I), N = capped(I);
    return utostr(From) + (From == To ? "" : " to " + utostr(To)) +
           Text.Unit.str() + ": " + utostr(N) + " " + waves(C, N).str();
  }

  void head() {
    label(0, 12, "name", Text.Name);
    CurveVerdict V = verdictOf(C, S);
    label(ChartWidth, 12, V.Limits ? "verdict limits" : "verdict", V.Text);
  }

  void grid() {
    unsigned Step = C.Max <= 10 ? 2 : C.Max <= 20 ? 4 : 16;
    for (unsigned W = 0; W <= C.Max; W += Step) {
      line("grid", Left, y(W), Right, y(W));
      label(Left - 8, y(W) + 4, "mark end", utostr(W));
    }
    for (unsigned V = 0; V <= S.Last + 1; V += Text.Marks) {
      line("grid", x(V), Bottom, x(V), Bottom + 4);
      bool Last = V + Text.Marks > S.Last + 1;
      label(x(V), Bottom + 16, Last ? "mark end" : "mark",
            utostr(V / Text.MarkUnit) +
                (Last && Text.MarkUnit == KiB ? " KiB" : ""));
    }
  }

  /// The tooltip of a step.
  void hints() {
    for (size_t I = 0; I < S.Steps.size(); ++I)
      hint(stepText(I), beginOf(I), x(endOf(I)), y(capped(I)), Bottom);
  }

  /// The steps as a path; \p Waves gives a step's height.
  template <typename Of> std::string path(Of Waves) const {
    std::string Path = "M" + number(beginOf(0)) + " " + number(y(Waves(0)));
    for (size_t I = 0; I < S.Steps.size(); ++I)
      Path += (I ? "V" + number(y(Waves(I))) : "") + "H" + number(x(endOf(I)));
    return Path;
  }

  void curves() {
    bool Higher = any_of(
        S.Steps, [&](const measure::CurveStep &E) { return E.Waves > S.Cap; });
    std::string Curve = path([&](size_t I) { return capped(I); });
    M.empty("path", {{"class", "area"},
                     {"d", Curve + "V" + number(Bottom) + "H" +
                               number(beginOf(0)) + "z"}});
    if (Higher)
      M.empty("path",
              {{"class", "alone"},
               {"d", path([&](size_t I) { return S.Steps[I].Waves; })}});
    M.empty("path", {{"class", "curve"}, {"d", Curve}});
    if (!Higher)
      return;
    // Where the kernel's own mark is not.
    bool AtLeft = x(S.After.At) > (Left + Right) / 2;
    label(AtLeft ? Left + 5 : Right - 3, y(S.Cap) + 12,
          AtLeft ? "mark start" : "mark end",
          "the rest allows " + utostr(S.Cap));
  }

  void legend() {
    double Line = Bottom + 36;
    if (moved()) {
      circle(6, Line - 4);
      label(16, Line, "legend", point("before: ", S.Before));
      Line += 17;
    }
    diamond(6, Line - 4);
    label(16, Line, "legend", point(moved() ? "after: " : "kernel: ", S.After));
  }
};

} // namespace

CurveVerdict verdictOf(const measure::OccupancyCurves &C,
                       const measure::OccupancySeries &S) {
  unsigned Now = S.After.Waves;
  if (Now >= C.Max || S.alone(S.After.At) > Now)
    return {false, "does not limit"};
  // The next value that this alone would give more at, downwards.
  for (size_t I = S.Steps.size(); I-- > 0;)
    if (S.Steps[I].From <= S.After.At && S.Steps[I].Waves > Now) {
      unsigned Last = S.Steps[I + 1].From - 1, N = S.waves(Last);
      if (N <= Now)
        return {true, "limits, like others"};
      return {true, "limits; " + utostr(Last) + textOf(C, S).Unit.str() +
                        " or fewer: " + utostr(N) + " " + waves(C, N).str()};
    }
  bool Other = any_of(
      S.Steps, [&](const measure::CurveStep &E) { return E.Waves > Now; });
  return {Other, Other ? "limits" : "does not limit"};
}

void drawCurve(Markup &M, const measure::OccupancyCurves &C,
               const measure::OccupancySeries &S, StringRef Id,
               StringRef Kernel, StringRef Target, bool Nested, unsigned X,
               unsigned Y) {
  Chart Steps(M, C, S);
  const std::pair<unsigned, unsigned> Place(X, Y);
  openChart(M, Id,
            (Kernel + " on " + Target + ": " + C.Terms.Waves + " " +
             C.Terms.PerUnit + " by " + textOf(C, S).Name)
                .str(),
            Steps.point("before: ", S.Before) + "; " +
                Steps.point("after: ", S.After) + "; " + verdictOf(C, S).Text +
                ". Steps: " + Steps.steps() + ".",
            ChartHeight, Nested ? &Place : nullptr);
  Steps.draw();
  M.close();
}

} // namespace clrewrite::report
