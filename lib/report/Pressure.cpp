// A kernel's live registers as a table, for people.
#include "report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace llvm;

namespace clrewrite::report {
namespace {

constexpr size_t LabelWidth = 14, LineWidth = 80;

class Table {
public:
  Table(const FileReport &F, raw_ostream &OS) : OS(OS), First(F.FirstLine) {
    StringRef(F.Result.Result.Text).split(Text, '\n');
  }

  void add(StringRef Target, const measure::Pressure &P) {
    Names.push_back(Target.str());
    Columns.push_back(&P);
  }

  void write() const {
    if (Columns.empty())
      return;
    OS << "  " << left_justify("live VGPRs", LabelWidth);
    for (const std::string &Name : Names)
      OS << right_justify(Name, widthOf(Name));
    OS << "\n";
    row("block edges", [](const measure::Pressure &P) { return P.Boundary; });
    row("source order",
        [](const measure::Pressure &P) { return P.SourceOrder; });
    row("scheduled", [](const measure::Pressure &P) { return P.Scheduled; });
    std::set<unsigned> Lines;
    for (const measure::Pressure *P : Columns)
      for (const auto &[Line, Live] : P->Lines)
        Lines.insert(Line);
    for (unsigned Line : Lines)
      line(Line);
  }

private:
  raw_ostream &OS;
  unsigned First;
  SmallVector<StringRef> Text;
  std::vector<std::string> Names;
  std::vector<const measure::Pressure *> Columns;

  static unsigned widthOf(StringRef Name) {
    return unsigned(std::max<size_t>(Name.size(), 4) + 2);
  }

  void row(StringRef Label,
           function_ref<unsigned(const measure::Pressure &)> Of) const {
    OS << "  " << left_justify(Label, LabelWidth);
    for (auto [Name, P] : zip(Names, Columns))
      OS << right_justify(utostr(Of(*P)), widthOf(Name));
    OS << "\n";
  }

  /// The numbers of a line, the largest of a target with a star, and what
  /// stands there.
  void line(unsigned Line) const {
    std::string Row;
    raw_string_ostream Out(Row);
    Out << "  " << left_justify("line " + utostr(Line), LabelWidth);
    for (auto [Name, P] : zip(Names, Columns)) {
      auto It = P->Lines.find(Line);
      std::string Number = It == P->Lines.end() ? "" : utostr(It->second);
      if (Line == P->worstLine())
        Number = "*" + Number;
      Out << right_justify(Number, widthOf(Name));
    }
    StringRef Source =
        Line - First < Text.size() ? Text[Line - First].trim() : "";
    Out << "  ";
    if (Row.size() < LineWidth)
      Out << Source.take_front(LineWidth - Row.size());
    OS << StringRef(Row).rtrim() << "\n";
  }
};

} // namespace

void writePressure(const FileReport &F, const rewrite::KernelInfo &K,
                   ArrayRef<std::string> Targets, raw_ostream &OS) {
  Table T(F, OS);
  for (auto [Name, R] : zip(Targets, F.Live)) {
    const measure::KernelPressure *P = R.find(K.Name);
    if (P && P->Problem.empty()) {
      T.add(Name, P->Live);
      continue;
    }
    OS << "  live VGPRs on " << Name << ": unknown: "
       << (P                   ? P->Problem
           : R.Problem.empty() ? "not in the compiled module"
                               : R.Problem)
       << "\n";
  }
  T.write();
}

} // namespace clrewrite::report
