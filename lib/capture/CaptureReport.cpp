// The rows of a capture are sorted by their share of time, and written as a
// table or as JSON.
#include "capture/CaptureReport.h"
#include "launch/Launch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace llvm;

namespace clrewrite::capture {

std::vector<CaptureRow> captureRows(const Capture &C) {
  std::map<std::pair<size_t, size_t>, CaptureRow> Rows;
  double Sum = 0;
  for (size_t I = 0; I < C.Launches.size(); ++I) {
    const CapturedLaunch &L = C.Launches[I];
    CaptureRow &R = Rows[{L.Kernel, L.Device}];
    R.Kernel = L.Kernel;
    R.Device = L.Device;
    R.Launches.push_back(I);
    R.Count += L.Counts.Launches;
    R.Refused += L.Counts.Refused;
    if (std::optional<double> Ns = L.totalNs()) {
      R.Ns = R.Ns.value_or(0) + *Ns;
      Sum += *Ns;
    }
  }
  std::vector<CaptureRow> List;
  for (auto &[Key, R] : Rows) {
    if (R.Ns && Sum > 0)
      R.Share = *R.Ns / Sum;
    auto order = [&](size_t I) {
      return std::pair(-C.Launches[I].totalNs().value_or(0), I);
    };
    sort(R.Launches, [&](size_t A, size_t B) { return order(A) < order(B); });
    List.push_back(std::move(R));
  }
  auto order = [](const CaptureRow &R) {
    return std::tuple(-R.Ns.value_or(-1), R.Kernel, R.Device);
  };
  sort(List, [&](const CaptureRow &A, const CaptureRow &B) {
    return order(A) < order(B);
  });
  return List;
}

/// Rows of cells, set in columns.
namespace {
class Table {
public:
  /// \p Right has a column a letter: "lrr" is left, right, right.
  explicit Table(StringRef Sides) : Sides(Sides.str()) {}
  void add(std::vector<std::string> Cells) { Rows.push_back(std::move(Cells)); }
  void print(raw_ostream &OS) const {
    std::vector<size_t> Widths(Sides.size());
    for (const auto &Row : Rows)
      for (size_t I = 0; I < Row.size(); ++I)
        Widths[I] = std::max(Widths[I], Row[I].size());
    for (const auto &Row : Rows) {
      std::string Line;
      for (size_t I = 0; I < Row.size(); ++I) {
        std::string Fill(Widths[I] - Row[I].size(), ' ');
        Line += I ? "  " : "";
        Line += Sides[I] == 'r' ? Fill + Row[I] : Row[I] + Fill;
      }
      OS << StringRef(Line).rtrim() << "\n";
    }
  }

private:
  std::string Sides;
  std::vector<std::vector<std::string>> Rows;
};
} // namespace

static std::string timeText(std::optional<double> Ns) {
  if (!Ns)
    return "not timed";
  if (*Ns < 1e6)
    return formatv("{0:f1} us", *Ns / 1e3);
  return *Ns < 1e9 ? formatv("{0:f2} ms", *Ns / 1e6).str()
                   : formatv("{0:f2} s", *Ns / 1e9).str();
}

static std::string shapeText(const CapturedLaunch &L) {
  if (L.Other)
    return "several";
  std::string Text = launch::sizesText(L.Global);
  return L.Local.empty() ? Text : Text + ":" + launch::sizesText(L.Local);
}

/// A program as the tables name it: the start of its hash; of a linked one, of
/// those that it was made of.
static std::string shortName(const Capture &C, size_t Index) {
  const CapturedProgram &P = C.Programs[Index];
  if (!P.Hash.empty())
    return P.Hash.substr(0, 8);
  std::string Parts;
  for (const CapturedBuild &B : C.Builds)
    if (B.Step == CapturedBuild::Link && B.Program == Index && Parts.empty())
      for (const CapturedBuild::Input &I : B.Inputs)
        Parts += (Parts.empty() ? "" : "+") +
                 C.Programs[I.Program].Hash.substr(0, 8);
  return Parts.empty() ? formatv("#{0}", Index + 1).str() : Parts;
}

static StringRef kindName(CapturedProgram::Sort Kind) {
  switch (Kind) {
  case CapturedProgram::Source:
    return "source";
  case CapturedProgram::Binary:
    return "binary";
  case CapturedProgram::Il:
    return "il";
  case CapturedProgram::Builtin:
    return "builtin";
  case CapturedProgram::Linked:
    return "linked";
  }
  return "";
}

static void writeKernels(const Capture &C, ArrayRef<CaptureRow> Rows,
                         ArrayRef<CaptureColumn> Columns, raw_ostream &OS) {
  bool ManyDevices = C.Devices.size() > 1;
  Table T("llrrrrrl" + std::string(Columns.size(), 'l'));
  std::vector<std::string> Head = {
      "kernel",   "program",
      "launches", "shapes",
      "time",     "share",
      "a launch", ManyDevices ? "longest shape, device" : "longest shape"};
  for (const CaptureColumn &Each : Columns)
    Head.push_back(Each.Target + " VGPRs");
  T.add(std::move(Head));
  for (const CaptureRow &R : Rows) {
    const CapturedKernel &K = C.Kernels[R.Kernel];
    std::string Shape = shapeText(C.Launches[R.Launches.front()]);
    if (ManyDevices)
      Shape += formatv(", #{0}", R.Device + 1).str();
    std::optional<double> Each;
    if (R.Ns && R.Count)
      Each = *R.Ns / double(R.Count);
    std::vector<std::string> Row = {
        K.Name,
        shortName(C, K.Program),
        std::to_string(R.Count),
        std::to_string(R.Launches.size()),
        timeText(R.Ns),
        R.Share ? formatv("{0:f1} %", *R.Share * 100).str() : "",
        Each ? timeText(Each) : "",
        Shape};
    for (const CaptureColumn &Column : Columns)
      Row.push_back(Column.Cells[R.Kernel]);
    T.add(std::move(Row));
  }
  T.print(OS);
}

/// The options that a program was built with, in order, each once.
static std::vector<std::string> optionsOf(const Capture &C, size_t Program) {
  std::vector<std::string> List;
  for (const CapturedBuild &B : C.Builds)
    if (B.Program == Program && !is_contained(List, B.Options))
      List.push_back(B.Options);
  return List;
}

static bool everBuilt(const Capture &C, size_t Program) {
  return any_of(C.Builds, [&](const CapturedBuild &B) {
    return B.Program == Program && B.Code == 0;
  });
}

/// Of options, as many as fit a line; the JSON has them all.
static std::string shortened(StringRef Text) {
  constexpr size_t Most = 60;
  return Text.size() <= Most ? Text.str()
                             : (Text.take_front(Most) + "...").str();
}

static void writePrograms(const Capture &C, raw_ostream &OS) {
  Table T("llrll");
  T.add({"program", "kind", "strings", "kernels", "options"});
  for (size_t I = 0; I < C.Programs.size(); ++I) {
    const CapturedProgram &P = C.Programs[I];
    std::vector<std::string> Names;
    for (const CapturedKernel &K : C.Kernels)
      if (K.Program == I && !is_contained(Names, K.Name))
        Names.push_back(K.Name);
    std::string Kernels = join(ArrayRef(Names).take_front(3), ", ");
    if (Names.size() > 3)
      Kernels += formatv(", and {0} more", Names.size() - 3).str();
    std::string Kind = kindName(P.Kind).str();
    if (!P.Swapped.empty())
      Kind += ", swapped";
    if (!everBuilt(C, I) && !optionsOf(C, I).empty())
      Kind += ", build failed";
    T.add({shortName(C, I), Kind, std::to_string(P.Strings.size()), Kernels,
           shortened(join(optionsOf(C, I), " | "))});
  }
  T.print(OS);
}

void writeCaptureText(const Capture &C, ArrayRef<CaptureColumn> Columns,
                      raw_ostream &OS) {
  for (size_t I = 0; I < C.Devices.size(); ++I)
    OS << formatv("device #{0}: {1} ({2})\n", I + 1,
                  StringRef(C.Devices[I].Name).trim(),
                  C.Devices[I].PlatformName);
  std::vector<CaptureRow> Rows = captureRows(C);
  if (C.Processes.empty())
    OS << "the layer was not loaded: no process used OpenCL, or its loader "
          "(libOpenCL.so.1) knows no layers\n";
  else if (C.Programs.empty())
    OS << "no OpenCL programs were seen\n";
  if (!Rows.empty()) {
    OS << "\n";
    writeKernels(C, Rows, Columns, OS);
  }
  if (!C.Programs.empty()) {
    OS << "\n";
    writePrograms(C, OS);
  }
  for (const CaptureColumn &Column : Columns)
    for (const std::string &Problem : Column.Problems)
      OS << "note: " << Problem << "\n";
  for (const std::string &Note : C.Notes)
    OS << "note: " << Note << "\n";
  if (C.BadLines)
    OS << formatv("note: {0} line{1} of the log could not be read\n",
                  C.BadLines, C.BadLines == 1 ? "" : "s");
}

static json::Object toJson(const Capture &C, const CaptureRow &R) {
  const CapturedKernel &K = C.Kernels[R.Kernel];
  json::Array Shapes;
  for (size_t I : R.Launches) {
    const CapturedLaunch &L = C.Launches[I];
    Shapes.push_back(json::Object{{"global", L.Global},
                                  {"local", L.Local},
                                  {"other", L.Other},
                                  {"launches", L.Counts.Launches},
                                  {"timed", L.Counts.Timed},
                                  {"ns", L.Counts.Nanoseconds},
                                  {"min_ns", L.Counts.MinNs},
                                  {"max_ns", L.Counts.MaxNs},
                                  {"data", L.hasData()}});
  }
  return json::Object{{"kernel", K.Name},     {"program", K.Program},
                      {"device", R.Device},   {"launches", R.Count},
                      {"refused", R.Refused}, {"ns", R.Ns},
                      {"share", R.Share},     {"shapes", std::move(Shapes)}};
}

// The figures of the columns are only written as text yet.
void writeCaptureJson(const Capture &C, ArrayRef<CaptureColumn>,
                      raw_ostream &OS) {
  json::Array Devices, Programs, Kernels;
  for (const CapturedDevice &D : C.Devices)
    Devices.push_back(
        json::Object{{"name", D.Name}, {"platform", D.PlatformName}});
  for (size_t I = 0; I < C.Programs.size(); ++I) {
    const CapturedProgram &P = C.Programs[I];
    Programs.push_back(json::Object{{"kind", kindName(P.Kind)},
                                    {"hash", P.Hash},
                                    {"swapped", P.Swapped},
                                    {"options", optionsOf(C, I)},
                                    {"built", everBuilt(C, I)}});
  }
  for (const CaptureRow &R : captureRows(C))
    Kernels.push_back(toJson(C, R));
  OS << formatv("{0:2}\n",
                json::Value(json::Object{{"schema", 1},
                                         {"capture", C.Folder},
                                         {"command", C.Command},
                                         {"exit_code", C.ExitCode},
                                         {"signal", C.Signal},
                                         {"devices", std::move(Devices)},
                                         {"programs", std::move(Programs)},
                                         {"kernels", std::move(Kernels)},
                                         {"notes", C.Notes}}));
}

} // namespace clrewrite::capture
