// The edits on the HTML page: a file's diff, and beside each hunk the edits
// that made it and what each gained.
#include "report/HtmlParts.h"
#include "report/Hunks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace llvm;

namespace clrewrite::report {
namespace {

/// Writes edits; each in full once.
class EditsWriter {
public:
  EditsWriter(Markup &M, const Report &R) : M(M), R(R) {}

  void edit(const FileReport &F, const select::Outcome &O) {
    Element Box(M, "article", {{"class", "edit"}});
    {
      Element H(M, "h4");
      M.leaf("code", O.Rewrite);
      M.text(" [" + O.Alternative + "]");
    }
    if (!Told.insert(&O).second) {
      M.leaf("p", "The same edit, further on.");
      return;
    }
    M.leaf("p",
           rewrite::name(O.Class).str() + ", line " + utostr(O.Line) + ", " +
               (F.Written      ? "applied"
                : R.Unmeasured ? "legal, not applied"
                               : "pays, not applied"),
           {{"class", "state"}});
    if (auto It = R.Summaries.find(O.Rewrite); It != R.Summaries.end())
      M.leaf("p", "Rule: " + It->second + ".");
    M.leaf("p", "Why: " + O.Reason + ".");
    if (!O.Note.empty())
      M.leaf("p", "Note: " + O.Note);
    gains(O);
  }

private:
  Markup &M;
  const Report &R;
  std::set<const select::Outcome *> Told;

  void cell(StringRef Label, const measure::Usage &A, const measure::Usage &B,
            std::optional<unsigned> measure::Usage::*Of) {
    Cell Data(M, Label);
    writeChange(M, A.*Of, B.*Of);
  }

  /// The gain that the kernel would lose without this edit, where there are
  /// others.
  void gains(const select::Outcome &O) {
    if (none_of(O.Deltas, [](const select::Delta &D) {
          return D.Before.measured() && D.After.measured();
        }))
      return;
    bool Timed =
        any_of(O.Deltas, [](const select::Delta &D) { return bool(D.Time); });
    Element Table(M, "table", {{"role", "table"}});
    {
      Element Head(M, "thead", {{"role", "rowgroup"}});
      Element Row(M, "tr", {{"role", "row"}});
      SmallVector<StringRef> Names{"this edit's gain", "VGPRs", "waves",
                                   "est. cycles"};
      if (Timed)
        Names.push_back("time");
      for (StringRef Name : Names)
        M.leaf("th", Name, {{"scope", "col"}, {"role", "columnheader"}});
    }
    Element Body(M, "tbody", {{"role", "rowgroup"}});
    for (const select::Delta &D : O.Deltas) {
      if (!D.Before.measured() || !D.After.measured())
        continue;
      const measure::Usage &A = D.Before.Figures, &B = D.After.Figures;
      Element Row(M, "tr", {{"role", "row"}});
      M.leaf("th", D.Kernel + " on " + D.Target,
             {{"scope", "row"}, {"role", "rowheader"}});
      cell("VGPRs", A, B, &measure::Usage::Vgprs);
      cell("waves", A, B, &measure::Usage::Occupancy);
      {
        auto cycles = [](const measure::Usage &U) {
          return U.EstCycles ? formatv("{0:f0}", *U.EstCycles).str() : "";
        };
        Cell Data(M, "est. cycles");
        writeChange(M, cycles(A), cycles(B));
      }
      if (!Timed)
        continue;
      Cell Data(M, "time");
      M.text(D.Time ? measure::describe(*D.Time) : "–");
    }
  }
};

/// The lines of a hunk; their first characters say what happens to them, and
/// so do the elements.
void code(Markup &M, const Hunk &H) {
  Element Box(M, "pre", {{"class", "diff"}, {"tabindex", "0"}});
  M.leaf("span", H.Head, {{"class", "at"}});
  for (StringRef Line : H.Lines) {
    M.text("\n");
    StringRef Text = Line.rtrim('\r');
    if (Text.starts_with("-"))
      M.leaf("del", Text);
    else if (Text.starts_with("+"))
      M.leaf("ins", Text);
    else
      M.text(Text);
  }
}

} // namespace

void writeEdits(Markup &M, const Report &R, const FileReport &F,
                ArrayRef<const FileReport *> Texts) {
  if (all_of(Texts, [](const FileReport *T) { return keptEdits(*T).empty(); }))
    return;
  Element Section(M, "section", {{"class", "edits"}});
  M.leaf("h3", "Edits");
  EditsWriter Edits(M, R);
  std::vector<Hunk> Hunks = hunksOf(F.Diff);
  for (const Hunk &H : Hunks) {
    Element Pair(M, "div", {{"class", "hunk"}});
    code(M, H);
    Element Beside(M, "div", {{"class", "beside"}});
    for (const FileReport *T : Texts)
      for (const select::Outcome *O : keptEdits(*T))
        if (touches(*O, T->Given, H.First, H.Last))
          Edits.edit(*T, *O);
  }
  if (Hunks.empty())
    for (const select::Outcome *O : keptEdits(F))
      Edits.edit(F, *O);
}

} // namespace clrewrite::report
