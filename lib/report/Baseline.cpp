// The baseline is read from its file, with messages that name the line, and
// written in the order of its entries.
#include "report/Baseline.h"
#include "report/Merge.h"
#include "source/BoundedJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clrewrite::report {

static constexpr int64_t FormatNumber = 1;

Baseline emptyBaseline() {
  return {CLREWRITE_VERSION, LLVM_VERSION_STRING, {}};
}

namespace {

json::Value utf8(StringRef Text) { return json::fixUTF8(Text); }

/// The members of an entry, in this order; named as in docs/report.schema.json.
constexpr const char *Counts[] = {"vgprs",       "agprs",       "sgprs",
                                  "vgpr_spills", "sgpr_spills", "scratch_bytes",
                                  "lds_bytes",   "occupancy",   "instructions"};

void line(raw_ostream &OS, const BaselineEntry &E) {
  OS << "{\"file\": " << utf8(E.File) << ", \"kernel\": " << utf8(E.Kernel);
  if (E.Copy > 1)
    OS << ", \"copy\": " << E.Copy;
  OS << ", \"target\": " << utf8(E.Target);
  json::Value Figures = measure::toJSON(E.Figures);
  for (const char *Name : Counts)
    if (auto Count = Figures.getAsObject()->getInteger(Name))
      OS << ", \"" << Name << "\": " << *Count;
  if (E.Figures.EstCycles)
    OS << formatv(", \"est_cycles\": {0:f1}", *E.Figures.EstCycles);
  if (E.Figures.EstLaunch)
    OS << ", \"est_launch\": "
       << json::Value(json::Array(*E.Figures.EstLaunch));
  OS << "},\n";
}

/// The first member that is no count; empty where all are.
std::string badNumber(const json::Object &Entry) {
  for (const auto &[Name, Value] : Entry) {
    bool IsCount = is_contained(Counts, StringRef(Name)) || Name == "copy";
    std::optional<int64_t> N = Value.getAsInteger();
    if (IsCount && Value.getAsNumber() &&
        (!N || *N < (Name == "copy") || *N > UINT32_MAX))
      return formatv("'{0}' is {1}", StringRef(Name), Value).str();
    if (Name == "est_cycles")
      // From 2^63 on it could be written, and not read again.
      if (auto Cycles = Value.getAsNumber();
          Cycles && !(*Cycles >= 0 && *Cycles < 0x1p63))
        return formatv("'{0}' is {1}", StringRef(Name), Value).str();
  }
  return "";
}

class Reader {
public:
  Reader(StringRef Path, StringRef Text) : Path(Path), Text(Text) {}

  Expected<Baseline> run() {
    if (Error E = checkConflict())
      return std::move(E);
    Expected<json::Value> Document = parseJson(Text);
    if (!Document)
      return badSyntax(toString(Document.takeError()));
    const json::Object *Top = Document->getAsObject();
    if (!Top || !Top->get("clrewrite-baseline"))
      return bad(1, "is no baseline of clrewrite");
    if (Top->getInteger("clrewrite-baseline") != FormatNumber)
      return createStringError(
          Path + ":1: is of another format than " + Twine(FormatNumber) +
          ", which this clrewrite " CLREWRITE_VERSION
          " reads; take the clrewrite that wrote it, or remove it and run with "
          "--update-baseline");
    const json::Array *List = Top->getArray("kernels");
    if (!List)
      return bad(1, "has no list \"kernels\"");
    Baseline B{Top->getString("clrewrite").value_or("").str(),
               Top->getString("llvm").value_or("").str(),
               {}};
    B.Shard = markOf(*Document);
    for (size_t I = 0; I < List->size(); ++I)
      if (Error E = entry((*List)[I], I, B.Entries))
        return std::move(E);
    llvm::sort(B.Entries, [](const BaselineEntry &A, const BaselineEntry &B) {
      return A.key() < B.key();
    });
    return B;
  }

private:
  StringRef Path, Text;
  std::map<std::tuple<std::string, std::string, unsigned, std::string>, size_t>
      Number;

  Error bad(size_t Line, const Twine &Why) {
    return createStringError(Path + ":" + Twine(Line) + ": " + Why +
                             "; take it from git again, or remove it and run "
                             "with --update-baseline");
  }

  /// A merge that nobody finished.
  Error checkConflict() {
    SmallVector<StringRef> Lines;
    Text.split(Lines, '\n');
    for (auto [I, L] : enumerate(Lines))
      if (L.starts_with("<<<<<<< ") || L.starts_with(">>>>>>> "))
        return createStringError(
            Path + ":" + Twine(I + 1) +
            ": holds a conflict of a merge; keep either side's lines and run "
            "with --update-baseline");
    return Error::success();
  }

  /// LLVM says "[LINE:COLUMN, byte=N]: what".
  Error badSyntax(StringRef Why) {
    size_t Line = 1;
    StringRef Rest = Why;
    if (Rest.consume_front("[") && !Rest.consumeInteger(10, Line))
      Why = Why.split("]: ").second;
    return bad(Line, "is no JSON (" + Why + ")");
  }

  /// Where the entry number \p Index starts: objects in the list in the
  /// document.
  size_t lineOf(size_t Index) const {
    size_t Line = 1, Depth = 0, Seen = 0;
    bool InString = false;
    for (size_t I = 0; I < Text.size(); ++I) {
      char C = Text[I];
      Line += C == '\n';
      if (InString && C == '\\')
        ++I;
      else if (C == '"')
        InString = !InString;
      else if (!InString && (C == '{' || C == '[')) {
        if (++Depth == 3 && C == '{' && Seen++ == Index)
          return Line;
      } else if (!InString && (C == '}' || C == ']'))
        --Depth;
    }
    return 1;
  }

  Error entry(const json::Value &V, size_t Index,
              std::vector<BaselineEntry> &Into) {
    const json::Object *O = V.getAsObject();
    if (O && O->empty())
      return Error::success(); // the list's end
    // First, since what the mapping says of such a number differs from LLVM to
    // LLVM.
    if (std::string Why = O ? badNumber(*O) : ""; !Why.empty())
      return bad(lineOf(Index), "has a number out of range: " + Why);
    BaselineEntry E;
    json::Path::Root Root("kernel");
    json::ObjectMapper Map(V, Root);
    std::optional<unsigned> Copy;
    if (!Map || !Map.map("file", E.File) || !Map.map("kernel", E.Kernel) ||
        !Map.map("target", E.Target) || !Map.map("copy", Copy) ||
        !measure::fromJSON(V, E.Figures, Root))
      return bad(lineOf(Index), "is wrong: " + toString(Root.getError()));
    for (const auto &Each : *O)
      if (StringRef Key = Each.first;
          !is_contained(Counts, Key) && Key != "file" && Key != "kernel" &&
          Key != "target" && Key != "copy" && Key != "est_cycles" &&
          Key != "est_launch")
        return bad(lineOf(Index), "has an unknown key '" + Key + "'");
    E.Copy = Copy.value_or(1);
    auto [Known, IsNew] = Number.insert({E.key(), Index});
    if (!IsNew)
      return createStringError(
          Path + ":" + Twine(lineOf(Index)) + ": kernel " + E.Kernel + " of " +
          E.File + " on " + E.Target + " is there twice, in line " +
          Twine(lineOf(Known->second)) +
          " too, as after a merge; remove one of the lines and run with "
          "--update-baseline");
    Into.push_back(std::move(E));
    return Error::success();
  }
};

} // namespace

std::string toText(const Baseline &B) {
  std::string Out;
  raw_string_ostream OS(Out);
  OS << "{\n\"clrewrite-baseline\": " << FormatNumber
     << ",\n\"clrewrite\": " << utf8(B.Clrewrite)
     << ",\n\"llvm\": " << utf8(B.Llvm);
  if (B.Shard)
    OS << ",\n\"shard\": " << toJSON(*B.Shard);
  OS << ",\n\"kernels\": [\n";
  for (const BaselineEntry &E : B.Entries)
    line(OS, E);
  OS << "{}\n]\n}\n";
  return Out;
}

Expected<Baseline> readBaseline(StringRef Path, StringRef Text) {
  return Reader(Path, Text).run();
}

} // namespace clrewrite::report
