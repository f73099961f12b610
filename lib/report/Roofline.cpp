// The work of each kernel's work-items is set against the peaks of a device, in
// a table per target.
#include "report/Roofline.h"
#include "source/AddOnce.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::report {

measure::Peaks GivenPeaks::over(const measure::Peaks &Table) const {
  measure::Peaks Out = All.value_or(Table);
  if (GFlops) { // They are of another device than the rest.
    Out.GFlops = *GFlops;
    Out.GHalfs.reset();
    Out.GDoubles.reset();
  }
  if (GBytesPerSecond)
    Out.GBytesPerSecond = *GBytesPerSecond;
  if (GFlops && GBytesPerSecond)
    Out.From = "as given";
  else if (GFlops || GBytesPerSecond)
    Out.From += ", and as given";
  return Out;
}

/// Adds to \p Row how fast a device of the run had its kernel.
static void addMeasured(RooflineRow &Row) {
  const FileReport &F = *Row.File;
  auto Items = F.LaunchedItems.find(Row.Kernel->Name);
  if (Items == F.LaunchedItems.end())
    return;
  for (size_t T = 0; T < F.Result.Times.size(); ++T) {
    auto It = F.Result.Times[T].find(Row.Kernel->Name);
    if (It == F.Result.Times[T].end())
      continue;
    Row.Device = F.Targets[T];
    Row.Untimed = It->second.Problem;
    if (!It->second.Time)
      continue;
    Row.Measured = double(Items->second) / (It->second.Time->BeforeNs * 1e-9);
    return;
  }
}

std::vector<RooflineRow> rooflineRows(const Report &R,
                                      const GivenPeaks &Given) {
  std::vector<RooflineRow> Out;
  std::vector<StringRef> Order;
  for (const FileReport &F : R.Files)
    addOnce(Order, F.Targets);
  for (StringRef Target : Order)
    for (const FileReport &F : R.Files)
      for (size_t T = 0; T < F.Work.size(); ++T)
        for (const rewrite::KernelInfo &K : F.Kernels) {
          const measure::KernelWork *W = F.Work[T].find(K.Name);
          if (F.Targets[T] != Target || !W || !F.Problem.empty())
            continue;
          RooflineRow Row{&F, &K, Target, W, Given.over(F.Work[T].Table),
                          {}, {}};
          Row.Requested = measure::rateFor(W->requestedBytes(), *W, Row.Limits);
          Row.Moved = measure::rateFor(W->movedBytes(), *W, Row.Limits);
          addMeasured(Row);
          Out.push_back(std::move(Row));
        }
  return Out;
}

namespace {

/// At most two digits after the point, and none that are zeros.
std::string number(double N) {
  std::string Out = formatv("{0:f2}", N).str();
  StringRef Text = Out;
  return Text.rtrim('0').rtrim('.').str();
}

/// The count, with a mark where a trip count is guessed.
std::string rate(const std::optional<measure::RooflineRate> &R,
                 const measure::KernelWork &W) {
  if (!R)
    return "";
  return (W.Guesses.empty() ? "" : "~") +
         formatv("{0:f0}", R->ItemsPerSecond / 1e6).str();
}

std::string ratio(const measure::KernelWork &W) {
  double Bytes = W.requestedBytes();
  return Bytes > 0 ? number(W.Flops / Bytes) : "";
}

using Line = std::vector<std::string>;

Line cellsOf(const RooflineRow &Row, bool Measured) {
  const measure::KernelWork &W = *Row.Work;
  Line Out{W.Kernel,
           number(W.Global.Loads + W.Images.Loads),
           number(W.Global.Stores + W.Images.Stores),
           number(W.requestedBytes()),
           number(W.movedBytes()),
           number(W.Flops),
           ratio(W),
           !Row.Requested            ? ""
           : Row.Requested->ByMemory ? "memory"
                                     : "compute",
           rate(Row.Requested, W),
           rate(Row.Moved, W)};
  if (!Measured)
    return Out;
  if (!Row.Measured) {
    Out.insert(Out.end(), {"", "", ""});
    return Out;
  }
  Out.push_back(formatv("{0:f0}", *Row.Measured / 1e6));
  Out.push_back(number(*Row.Measured * W.requestedBytes() / 1e9));
  Out.push_back(number(*Row.Measured * W.Flops / 1e9));
  return Out;
}

void printTable(ArrayRef<Line> Lines, raw_ostream &OS) {
  std::vector<size_t> Widths(Lines.front().size());
  for (const Line &L : Lines)
    for (size_t I = 0; I < L.size(); ++I)
      Widths[I] = std::max(Widths[I], L[I].size());
  for (const Line &L : Lines) {
    std::string Text = L[0] + std::string(Widths[0] - L[0].size(), ' ');
    for (size_t I = 1; I < L.size(); ++I)
      Text += "  " + std::string(Widths[I] - L[I].size(), ' ') + L[I];
    OS << "  " << StringRef(Text).rtrim() << "\n";
  }
}

std::string counted(double N, const char *What) {
  return number(N) + " " + What + (N == 1 ? "" : "s");
}

std::string memory(const measure::MemoryWork &M) {
  return counted(M.Loads, "load") + " and " + counted(M.Stores, "store") +
         ", " + number(M.bytes()) + " B";
}

/// The names of \p G's parameters of \p K.
std::string argumentsOf(const measure::LoopGuess &G,
                        const rewrite::KernelInfo &K) {
  std::vector<std::string> Names;
  for (unsigned I : G.Arguments)
    Names.push_back(I < K.Args.size() ? K.Args[I].Name : utostr(I));
  return join(Names, ", ");
}

std::string guessText(const measure::LoopGuess &G, const RooflineRow &Row) {
  std::string Out = "the loop";
  if (G.Line)
    Out += " in line " + utostr(Row.File->FirstLine + G.Line - 1);
  Out += " counts " + number(G.Trips) + " times, ";
  if (G.Bound)
    return Out + "the most that its bounds allow";
  if (G.Arguments.empty())
    return Out + "a guess: nothing tells how often it runs";
  return Out + "a guess: it depends on " + argumentsOf(G, *Row.Kernel) +
         " (--launch=" + Row.Work->Kernel + ":GLOBAL,NAME=VALUE tells it)";
}

/// The assumptions behind the counts of \p Row.
std::vector<std::string> notesOf(const RooflineRow &Row) {
  const measure::KernelWork &W = *Row.Work;
  std::vector<std::string> Out;
  if (W.Uniform.accesses() > 0)
    Out.push_back("once a wave of " + utostr(W.WaveLanes) + ": " +
                  memory(W.Uniform));
  if (W.Images.accesses() > 0)
    Out.push_back("images: " + memory(W.Images));
  if (W.Local.accesses() > 0)
    Out.push_back("local memory: " + memory(W.Local));
  if (W.Private.accesses() > 0)
    Out.push_back("private memory: " + memory(W.Private));
  if (W.Atomics > 0)
    Out.push_back(counted(W.Atomics, "atomic") + ", each a load and a store");
  if (W.Conditional.accesses() > 0 || W.ConditionalFlops > 0)
    Out.push_back(
        "behind conditions, counted as met: " + memory(W.Conditional) + ", " +
        counted(W.ConditionalFlops, "flop"));
  if (W.DoubleFlops > 0 && !Row.Limits.GDoubles)
    Out.push_back(counted(W.DoubleFlops, "flop") +
                  " on doubles, counted at the rate of floats");
  for (const measure::LoopGuess &G : W.Guesses)
    Out.push_back(guessText(G, Row));
  return Out;
}

void printTarget(ArrayRef<RooflineRow> Rows, raw_ostream &OS) {
  const measure::Peaks &P = Rows.front().Limits;
  OS << Rows.front().Target << ": at most " << number(P.GBytesPerSecond)
     << " GB/s, " << number(P.GFlops) << " GFLOP/s (" << P.From << ")\n";
  bool Measured =
      any_of(Rows, [](const RooflineRow &R) { return R.Measured.has_value(); });
  std::vector<Line> Lines{{"kernel", "loads", "stores", "bytes", "moved",
                           "flops", "flops/B", "bound", "est. M/s",
                           "reuse M/s"}};
  if (Measured)
    Lines[0].insert(Lines[0].end(), {"measured M/s", "GB/s", "GFLOP/s"});
  for (const RooflineRow &R : Rows)
    if (R.Work->Problem.empty())
      Lines.push_back(cellsOf(R, Measured));
  if (Lines.size() > 1)
    printTable(Lines, OS);
  for (const RooflineRow &R : Rows) {
    if (!R.Work->Problem.empty()) {
      OS << "  " << R.Work->Kernel << ": " << R.Work->Problem << "\n";
      continue;
    }
    for (const std::string &Note : notesOf(R))
      OS << "  " << R.Work->Kernel << ": " << Note << "\n";
    if (R.Measured)
      OS << "  " << R.Work->Kernel << ": measured on " << R.Device << "\n";
    else if (!R.Untimed.empty())
      OS << "  " << R.Work->Kernel << ": not timed on " << R.Device << ": "
         << R.Untimed << "\n";
  }
}

} // namespace

void writeRoofline(const Report &R, const GivenPeaks &Given, raw_ostream &OS) {
  std::vector<RooflineRow> Rows = rooflineRows(R, Given);
  for (size_t First = 0, Next = 0; First < Rows.size(); First = Next) {
    while (Next < Rows.size() && Rows[Next].Target == Rows[First].Target)
      ++Next;
    printTarget(ArrayRef(Rows).slice(First, Next - First), OS);
  }
  for (const FileReport &F : R.Files)
    for (size_t T = 0; T < F.Work.size(); ++T)
      if (!F.Work[T].Problem.empty() && F.Problem.empty())
        OS << F.Path << ": " << F.Targets[T] << ": " << F.Work[T].Problem
           << "\n";
}

static json::Value rateJson(const std::optional<measure::RooflineRate> &R) {
  if (!R)
    return nullptr;
  return json::Object{{"items_per_s", R->ItemsPerSecond},
                      {"bound", R->ByMemory ? "memory" : "compute"}};
}

static json::Object rowJson(const RooflineRow &Row) {
  const measure::KernelWork &W = *Row.Work;
  json::Object Out{{"path", json::fixUTF8(Row.File->Path)},
                   {"line", Row.Kernel->Line},
                   {"target", Row.Target},
                   {"work", measure::toJSON(W)},
                   {"requested_bytes", W.requestedBytes()},
                   {"moved_bytes", W.movedBytes()},
                   {"peak_gb_s", Row.Limits.GBytesPerSecond},
                   {"peak_gflop_s", Row.Limits.GFlops},
                   {"peaks_from", json::fixUTF8(Row.Limits.From)},
                   {"requested", rateJson(Row.Requested)},
                   {"moved", rateJson(Row.Moved)},
                   {"measured_items_per_s", nullptr},
                   {"device", nullptr},
                   {"time_problem", nullptr}};
  if (Row.Measured)
    Out["measured_items_per_s"] = *Row.Measured;
  if (Row.File->Place)
    Out["place"] = *Row.File->Place;
  if (!Row.Device.empty())
    Out["device"] = json::fixUTF8(Row.Device);
  if (!Row.Untimed.empty())
    Out["time_problem"] = json::fixUTF8(Row.Untimed);
  return Out;
}

void writeRooflineJson(const Report &R, const GivenPeaks &Given,
                       raw_ostream &OS) {
  json::Array Rows, Problems;
  for (const RooflineRow &Row : rooflineRows(R, Given))
    Rows.push_back(rowJson(Row));
  for (const FileReport &F : R.Files)
    if (!F.Problem.empty()) {
      json::Object Problem{{"path", json::fixUTF8(F.Path)},
                           {"problem", json::fixUTF8(F.Problem)}};
      if (F.Place)
        Problem["place"] = *F.Place;
      Problems.push_back(std::move(Problem));
    }
  json::Object Top{{"schema", 1},
                   {"kind", "roofline"},
                   {"kernels", std::move(Rows)},
                   {"problems", std::move(Problems)}};
  if (R.Shard)
    Top["shard"] = toJSON(*R.Shard);
  json::OStream Writer(OS, 2);
  Writer.value(std::move(Top));
  OS << "\n";
}

} // namespace clrewrite::report
