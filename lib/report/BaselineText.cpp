// The comparison with a baseline, for people: what got worse first, then what
// else changed, then sums in the manner of shader-db's report.
#include "report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace clrewrite::report {
namespace {

std::string place(const BaselineRow &Row) {
  return Row.Line ? Row.Path + ":" + utostr(Row.Line) : Row.Path;
}

std::string from(double A, double B) {
  return formatv("{0:f0} -> {1:f0}", A, B);
}

std::string percent(double A, double B) {
  return A ? formatv("{0}{1:f1} %", B > A ? "+" : "", (B - A) * 100 / A).str()
           : std::string();
}

void sums(const BaselineReport &B, raw_ostream &OS) {
  std::vector<FigureSum> Changed = B.sums();
  llvm::erase_if(Changed, [](const FigureSum &S) { return !S.changed(); });
  if (Changed.empty())
    return;
  // Fits 80 columns up to sums of seven figures.
  constexpr const char *Columns =
      "  {0,-14}{1,-17}{2,-9}{3,-16}{4,-9}{5,6}{6,6}\n";
  OS << formatv(Columns, "", "all", "", "affected", "", "helped", "hurt");
  for (const FigureSum &S : Changed)
    OS << formatv(Columns, S.Name, from(S.Before, S.After),
                  percent(S.Before, S.After),
                  from(S.AffectedBefore, S.AffectedAfter),
                  percent(S.AffectedBefore, S.AffectedAfter), S.Helped, S.Hurt);
  for (const FigureSum &S : Changed) {
    if (S.Worst.empty())
      continue;
    std::vector<std::string> List;
    for (auto [Row, By] : S.Worst)
      List.push_back(formatv("{0}{1:f0} {2} on {3}", By > 0 ? "+" : "", By,
                             B.Rows[Row].Kernel, B.Rows[Row].Target));
    OS << "  worst, " << S.Name << ": " << join(List, "; ") << "\n";
  }
}

} // namespace

void writeBaseline(const BaselineReport &B, raw_ostream &OS, bool Colour) {
  OS << B.Path << ": " << B.headline() << "\n";
  if (!B.Note.empty())
    OS << B.Path << ": note: " << B.Note << "\n";
  for (Fate What :
       {Fate::Worse, Fate::Better, Fate::Changed, Fate::New, Fate::Gone})
    for (const BaselineRow &Row : B.Rows) {
      if (Row.What != What)
        continue;
      OS << place(Row) << ": ";
      WithColor(OS, What == Fate::Worse ? raw_ostream::RED : raw_ostream::GREEN,
                false, false,
                Colour && (What == Fate::Worse || What == Fate::Better)
                    ? ColorMode::Enable
                    : ColorMode::Disable)
          << name(What);
      OS << ": " << Row.Kernel << " on " << Row.Target;
      std::string Text = Row.text();
      OS << (Text.empty() ? "" : ": " + Text) << "\n";
    }
  sums(B, OS);
  if (B.Written)
    OS << B.Path << ": written\n";
  else if (B.count(Fate::Same) != B.Rows.size() && B.Diff.empty())
    OS << B.Path
       << ": --update-baseline takes these figures, --baseline-diff shows what "
          "changes in it\n";
  OS << B.Diff;
}

} // namespace clrewrite::report
