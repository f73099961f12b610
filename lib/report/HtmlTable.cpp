// The tables of the HTML report: all kernels by target, and the differences
// from the baseline.
#include "report/HtmlParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::report {

/// Tables whose rows stand as blocks on a narrow screen are no tables to
/// assistive software unless they say that they are.
static const std::pair<StringRef, std::string> CellRole{"role", "cell"};

Cell::Cell(Markup &M, StringRef Label, StringRef Class)
    : Data(M, "td",
           {CellRole, {"data-label", Label.str()}, {"class", Class.str()}}) {}

void writeChange(Markup &M, const std::string &Before, const std::string &After,
                 StringRef Unit) {
  if (Before == After) {
    M.text(After.empty() ? "–" : After + Unit.str());
    return;
  }
  M.leaf("span", Before.empty() ? "?" : Before, {{"class", "was"}});
  M.text(" → ");
  M.leaf("strong", (After.empty() ? "?" : After) + Unit.str());
}

void writeChange(Markup &M, std::optional<unsigned> Before,
                 std::optional<unsigned> After, StringRef Unit) {
  writeChange(M, Before ? utostr(*Before) : "", After ? utostr(*After) : "",
              Unit);
}

namespace {

std::string cycles(const measure::Usage &U) {
  return U.EstCycles ? formatv("{0:f0}", *U.EstCycles).str() : "";
}

/// Table elements that keep their meaning as blocks.
class Row : public Element {
public:
  explicit Row(Markup &M, StringRef Class = "")
      : Element(M, "tr", {{"role", "row"}, {"class", Class.str()}}) {}
};

/// Columns of words, which are read from the left.
bool isText(StringRef Column) {
  return is_contained({"limited by", "time", "state", "what changed"}, Column);
}

void headings(Markup &M, ArrayRef<StringRef> Names) {
  Element Head(M, "thead", {{"role", "rowgroup"}});
  Row Line(M);
  for (StringRef Name : Names)
    M.leaf("th", Name,
           {{"scope", "col"},
            {"role", "columnheader"},
            {"class", isText(Name) ? "text" : ""}});
}

/// The bar says again what the numbers beside it say.
void bar(Markup &M, const measure::Usage &A, const measure::Usage &B) {
  if (!A.Occupancy || !B.Occupancy || !B.OccupancyMax.value_or(0))
    return;
  auto part = [&](unsigned Waves) {
    return "width:" + utostr(std::min(100u, Waves * 100 / *B.OccupancyMax)) +
           "%";
  };
  unsigned Was = *A.Occupancy, Now = *B.Occupancy;
  Element Bar(M, "span", {{"class", "bar"}, {"aria-hidden", "true"}});
  if (Was != Now)
    M.leaf("span", "",
           {{"class", Was < Now ? "gain" : "loss"},
            {"style", part(std::max(Was, Now))}});
  M.leaf("span", "", {{"class", "kept"}, {"style", part(std::min(Was, Now))}});
}

void occupancy(Markup &M, const measure::Usage &A, const measure::Usage &B) {
  Cell Data(M, "occupancy", "occupancy");
  writeChange(M, A.Occupancy, B.Occupancy);
  if (B.OccupancyMax)
    M.text(" of " + utostr(*B.OccupancyMax));
  bar(M, A, B);
}

void limiter(Markup &M, const measure::Usage &A, const measure::Usage &B) {
  Cell Data(M, "limited by", "text");
  writeChange(M, A.Limiter.value_or(""), B.Limiter.value_or(""));
  if (B.VgprsToNextStep) {
    M.text(" ");
    M.leaf("small", "next step " + utostr(*B.VgprsToNextStep) + " fewer");
  }
}

void registers(Markup &M, const measure::Usage &A, const measure::Usage &B) {
  Cell Data(M, "VGPRs");
  writeChange(M, A.Vgprs, B.Vgprs);
  if (A.Agprs.value_or(0) || B.Agprs.value_or(0)) {
    M.text(", AGPRs ");
    writeChange(M, A.Agprs, B.Agprs);
  }
}

/// The times of a kernel that ran.
void time(Markup &M, const KernelRow &R) {
  Cell Data(M, "time", "text");
  if (const measure::PairedTime *T = R.time())
    M.text(measure::describe(*T));
  else
    M.text(R.Timed ? "not timed: " + R.Timed->Problem : "–");
}

void kernelRow(Markup &M, const KernelRow &R, bool Timed) {
  Row Line(M);
  M.leaf("th", R.Target, {{"scope", "row"}, {"role", "rowheader"}});
  if (!R.Before) {
    M.leaf("td", R.Problem,
           {{"role", "cell"}, {"colspan", Timed ? "10" : "9"}});
    return;
  }
  const measure::Usage &A = *R.Before, &B = *R.After;
  registers(M, A, B);
  {
    Cell Data(M, "allocated");
    writeChange(M, A.VgprsAllocated, B.VgprsAllocated);
  }
  {
    Cell Data(M, "SGPRs");
    writeChange(M, A.Sgprs, B.Sgprs);
  }
  {
    Cell Data(M, "spills");
    writeChange(M, allSpills(A), allSpills(B));
  }
  {
    Cell Data(M, "scratch");
    writeChange(M, A.ScratchBytes, B.ScratchBytes, " B");
  }
  {
    Cell Data(M, "LDS");
    writeChange(M, A.LdsBytes, B.LdsBytes, " B");
  }
  occupancy(M, A, B);
  limiter(M, A, B);
  {
    Cell Data(M, "est. cycles");
    writeChange(M, cycles(A), cycles(B));
    if (B.EstBound) {
      M.text(" ");
      M.leaf("small", *B.EstBound);
    }
  }
  if (Timed)
    time(M, R);
}

} // namespace

void writeSummary(Markup &M, ArrayRef<PageKernel> Kernels) {
  if (all_of(Kernels, [](const PageKernel &K) { return K.Rows.empty(); }))
    return;
  bool Timed = any_of(Kernels, [](const PageKernel &K) {
    return any_of(K.Rows, [](const KernelRow &R) { return R.Timed; });
  });
  Element Section(M, "section");
  M.leaf("h2", "Kernels by target", {{"id", "summary"}});
  Element Table(M, "table",
                {{"role", "table"}, {"aria-labelledby", "summary"}});
  SmallVector<StringRef> Names{
      "target",  "VGPRs", "allocated", "SGPRs",      "spills",
      "scratch", "LDS",   "occupancy", "limited by", "est. cycles"};
  if (Timed)
    Names.push_back("time");
  headings(M, Names);
  for (const PageKernel &K : Kernels) {
    Element Body(M, "tbody", {{"role", "rowgroup"}});
    {
      Row Line(M, "kernel");
      Element Name(M, "th",
                   {{"scope", "rowgroup"},
                    {"role", "rowheader"},
                    {"colspan", utostr(Names.size())}});
      M.leaf("a", K.Kernel->Name, {{"href", "#" + K.Id}});
      M.text(" ");
      M.leaf("small", placeOf(K));
    }
    for (const KernelRow &R : K.Rows)
      kernelRow(M, R, Timed);
  }
}

void writeBaselineTable(Markup &M, const BaselineReport &B) {
  Element Section(M, "section");
  M.leaf("h2", "Against the baseline", {{"id", "baseline"}});
  M.leaf("p", B.Path + ": " + B.headline() +
                  (B.Written ? "; it was written again" : ""));
  if (!B.Note.empty())
    M.leaf("p", B.Note);
  if (B.count(Fate::Same) == B.Rows.size())
    return;
  Element Table(M, "table",
                {{"role", "table"}, {"aria-labelledby", "baseline"}});
  headings(M, {"kernel", "target", "state", "what changed"});
  Element Body(M, "tbody", {{"role", "rowgroup"}});
  for (const BaselineRow &Each : B.Rows) {
    if (Each.What == Fate::Same)
      continue;
    Row Line(M, Each.What == Fate::Worse ? "worse" : "");
    {
      Element Name(M, "th", {{"scope", "row"}, {"role", "rowheader"}});
      M.text(Each.Kernel + " ");
      M.leaf("small",
             Each.Line ? Each.Path + ":" + utostr(Each.Line) : Each.Path);
    }
    for (auto [Label, Text] :
         {std::pair<StringRef, std::string>{"target", Each.Target},
          {"state", name(Each.What).str()},
          {"what changed", Each.text()}}) {
      Cell Data(M, Label, "text");
      M.text(Text);
    }
  }
}

} // namespace clrewrite::report
