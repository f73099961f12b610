// The report as comma-separated values (RFC 4180, with plain line ends): one
// table, whose first column says what a record is. What is unknown is empty.
#include "report/Listing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::report {
namespace {

std::string quoted(StringRef Given) {
  std::string Text = json::fixUTF8(Given);
  if (Text.find_first_of(",\"\r\n") == std::string::npos)
    return Text;
  std::string Out = "\"";
  for (char C : Text)
    Out += C == '"' ? "\"\"" : std::string(1, C);
  return Out + "\"";
}

/// Spreadsheets take a cell that begins so for a formula, and run it; after an
/// apostrophe it is a text.
std::string asText(StringRef Given) {
  bool Formula = !Given.empty() && StringRef("=+-@\t\r").contains(Given[0]);
  return (Formula ? "'" : "") + Given.str();
}

std::string cell(std::optional<unsigned> V) { return V ? utostr(*V) : ""; }

std::string cell(std::optional<double> V, const char *Format) {
  return V ? formatv(Format, *V).str() : "";
}

/// The subject of a record.
struct About {
  StringRef Kind, Path;
  unsigned Line = 0;
  StringRef Kernel = {}, Target = {};
  const select::Outcome *Edit = nullptr;
  StringRef State = {}, Text = {};
  unsigned Column = 0;
};

constexpr const char *Columns =
    "record,path,line,kernel,target,rewrite,alternative,safety,state,text,"
    "vgprs_before,vgprs_after,sgprs_before,sgprs_after,spills_before,"
    "spills_after,scratch_before,scratch_after,lds_before,lds_after,"
    "occupancy_before,occupancy_after,occupancy_max,est_cycles_before,"
    "est_cycles_after,time_ns_before,time_ns_after,speedup,"
    "vgprs_allocated_before,vgprs_allocated_after,sgprs_allocated_before,"
    "sgprs_allocated_after,wave_size,column\n";

/// A null version is unknown.
void record(raw_ostream &OS, const About &A,
            const measure::Usage *Before = nullptr,
            const measure::Usage *After = nullptr,
            const measure::PairedTime *Time = nullptr) {
  const measure::Usage B = Before ? *Before : measure::Usage(),
                       N = After ? *After : measure::Usage();
  std::vector<std::string> Cells = {A.Kind.str(),
                                    A.Path.str(),
                                    A.Line ? utostr(A.Line) : "",
                                    A.Kernel.str(),
                                    A.Target.str(),
                                    A.Edit ? A.Edit->Rewrite : "",
                                    A.Edit ? A.Edit->Alternative : "",
                                    A.Edit ? rewrite::name(A.Edit->Class).str()
                                           : "",
                                    A.State.str(),
                                    A.Text.str()};
  for (std::string &Cell : Cells)
    Cell = asText(Cell);
  auto Pair = [&](std::optional<unsigned> X, std::optional<unsigned> Y) {
    Cells.push_back(cell(X));
    Cells.push_back(cell(Y));
  };
  Pair(B.Vgprs, N.Vgprs);
  Pair(B.Sgprs, N.Sgprs);
  Pair(allSpills(B), allSpills(N));
  Pair(B.ScratchBytes, N.ScratchBytes);
  Pair(B.LdsBytes, N.LdsBytes);
  Pair(B.Occupancy, N.Occupancy);
  Cells.push_back(cell(N.OccupancyMax));
  Cells.push_back(cell(B.EstCycles, "{0:f1}"));
  Cells.push_back(cell(N.EstCycles, "{0:f1}"));
  std::optional<measure::PairedTime> T;
  if (Time)
    T = *Time;
  Cells.push_back(T ? cell(T->BeforeNs, "{0:f0}") : "");
  Cells.push_back(T ? cell(T->AfterNs, "{0:f0}") : "");
  Cells.push_back(T ? cell(T->Ratio, "{0:f3}") : "");
  Pair(B.VgprsAllocated, N.VgprsAllocated);
  Pair(B.SgprsAllocated, N.SgprsAllocated);
  Cells.push_back(cell(N.WaveSize));
  Cells.push_back(A.Column ? utostr(A.Column) : "");
  for (size_t I = 0; I < Cells.size(); ++I)
    OS << (I ? "," : "") << quoted(Cells[I]);
  OS << "\n";
}

void edit(raw_ostream &OS, const FileReport &F, const select::Outcome &O) {
  About A{"edit", F.Path, O.Line};
  A.Edit = &O;
  A.State = F.Written ? "applied" : "left";
  A.Text = O.Reason;
  std::string Kernels = join(O.Kernels, " ");
  if (O.Deltas.empty()) {
    A.Kernel = Kernels;
    record(OS, A);
  }
  for (const select::Delta &D : O.Deltas) {
    A.Kernel = D.Kernel;
    A.Target = D.Target;
    record(OS, A, D.Before.measured() ? &D.Before.Figures : nullptr,
           D.After.measured() ? &D.After.Figures : nullptr,
           D.Time ? &*D.Time : nullptr);
  }
}

void errors(raw_ostream &OS, ArrayRef<const SourceError *> List) {
  for (const SourceError *E : List) {
    About A{"error", E->Path, E->Line};
    A.Text = E->Message;
    A.Column = E->Column;
    record(OS, A);
  }
}

/// The figures of the baseline, and those of now.
void baselineRecords(raw_ostream &OS, const BaselineReport &B) {
  for (const BaselineRow &Row : B.Rows) {
    About A{"baseline", Row.Path, Row.Line, Row.Kernel, Row.Target};
    std::string Text = Row.text();
    A.State = name(Row.What);
    A.Text = Text;
    record(OS, A, Row.Before ? &*Row.Before : nullptr,
           Row.After ? &*Row.After : nullptr);
  }
}

} // namespace

void writeCsv(const Report &R, raw_ostream &OS) {
  OS << Columns;
  ErrorList Errors;
  for (const FileReport &F : R.Files) {
    if (!F.Problem.empty()) {
      About A{"problem", F.Path};
      A.Text = F.Problem;
      record(OS, A);
      errors(OS, Errors.newOf(F));
    }
    for (const KernelRow &Row : kernelRows(F)) {
      About A{"kernel", F.Path, Row.Kernel->Line, Row.Kernel->Name, Row.Target};
      A.Text = Row.Problem;
      record(OS, A, Row.Before, Row.After, Row.time());
    }
    for (const select::Outcome *O : keptEdits(F))
      edit(OS, F, *O);
  }
  if (R.Against)
    baselineRecords(OS, *R.Against);
}

} // namespace clrewrite::report
