// The report as SARIF 2.1.0: a result an edit, with what was measured of it and
// a fix; files that failed are notifications of the tool, and what the compiler
// says of them are results.
//
// A fix must be right without the others. Edits of kernels that share no
// function are: they were searched apart. Those that share a kernel were found
// and measured one on top of the other, so that one alone may be neither legal
// nor a gain: each of them has the fix that makes them all.
#include "report/Listing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"

using namespace llvm;

namespace clrewrite::report {
namespace {

constexpr const char *Schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/"
                               "errata01/os/schemas/sarif-schema-2.1.0.json";
/// The rule of what is wrong with a kernel itself.
constexpr const char *WarningRule = "kernel-warning";
/// The rule of what the compiler says is wrong.
constexpr const char *ErrorRule = "does-not-parse";
/// The rule of kernels that got worse.
constexpr const char *RegressionRule = "regression";

json::Object message(StringRef Text) {
  return json::Object{{"text", json::fixUTF8(Text)}};
}

/// A path as a URI reference.
json::Object artifact(StringRef Path) {
  std::string Uri = Path.starts_with("/") ? "file://" : "";
  for (char C : Path)
    if (isAlnum(C) || StringRef("-._~/").contains(C))
      Uri += C;
    else
      Uri += "%" + utohexstr(static_cast<unsigned char>(C), false, 2);
  return json::Object{{"uri", Uri}};
}

struct Position {
  unsigned Line = 1, Column = 1;
};

/// 1-based; columns in units of UTF-16, as most editors count them.
Position positionOf(StringRef Text, unsigned Offset) {
  StringRef Before = Text.take_front(Offset);
  Position P;
  P.Line = unsigned(Before.count('\n')) + 1;
  for (char C : Before.substr(Before.rfind('\n') + 1)) {
    auto Byte = static_cast<unsigned char>(C);
    bool Continues = (Byte & 0xC0) == 0x80, Pair = Byte >= 0xF0;
    P.Column += Continues ? 0 : Pair ? 2 : 1;
  }
  return P;
}

json::Object region(StringRef Text, unsigned Begin, unsigned End) {
  Position A = positionOf(Text, Begin), B = positionOf(Text, End);
  return json::Object{{"startLine", A.Line},
                      {"startColumn", A.Column},
                      {"endLine", B.Line},
                      {"endColumn", B.Column}};
}

json::Array locations(StringRef Path, std::optional<json::Object> Region,
                      ArrayRef<std::string> Kernels) {
  json::Object Physical{{"artifactLocation", artifact(Path)}};
  if (Region)
    Physical["region"] = std::move(*Region);
  json::Object Out{{"physicalLocation", std::move(Physical)}};
  json::Array Logical;
  for (const std::string &K : Kernels)
    Logical.push_back(json::Object{{"name", K}, {"kind", "function"}});
  if (!Logical.empty())
    Out["logicalLocations"] = std::move(Logical);
  return json::Array{std::move(Out)};
}

/// With the file's own line ends. What is not UTF-8 has its bytes beside the
/// text, which then is for reading alone.
json::Object inserted(const FileReport &F, const Edit &E) {
  std::string Text = withEndingsOf(F.Given, {E}).front().Text;
  json::Object Out{{"text", json::fixUTF8(Text)}};
  if (!json::isUTF8(Text))
    Out["binary"] = encodeBase64(Text);
  return Out;
}

/// What an edit takes out, in bytes too where the file is not UTF-8.
json::Object deleted(const FileReport &F, const Edit &E) {
  json::Object Out = region(F.Given, E.Offset, E.end());
  if (!json::isUTF8(F.Given)) {
    Out["byteOffset"] = E.Offset;
    Out["byteLength"] = E.Length;
  }
  return Out;
}

json::Array fixes(const FileReport &F, const select::Outcome &O) {
  std::vector<const select::Outcome *> Group = measuredWith(F, O);
  json::Array Replacements;
  if (!F.Written && !F.HostMade)
    for (const Edit &E : allChanges(Group))
      Replacements.push_back(json::Object{{"deletedRegion", deleted(F, E)},
                                          {"insertedContent", inserted(F, E)}});
  if (Replacements.empty())
    return {};
  std::vector<std::string> Names;
  for (const select::Outcome *Each : Group)
    Names.push_back(Each->Rewrite + " [" + Each->Alternative + "] in line " +
                    utostr(Each->Line));
  return json::Array{json::Object{
      {"description", message(join(Names, " and "))},
      {"artifactChanges",
       json::Array{json::Object{{"artifactLocation", artifact(F.Path)},
                                {"replacements", std::move(Replacements)}}}}}};
}

json::Array verification(const FileReport &F, const select::Outcome &O) {
  json::Array Out;
  for (const std::string &K : O.Kernels)
    if (const KernelEvidence *E = evidenceFor(F, K))
      Out.push_back(json::Object{{"kernel", K},
                                 {"verdict", verify::name(E->Verdict)},
                                 {"evidence", json::fixUTF8(E->Evidence)},
                                 {"proved", E->Proved}});
  return Out;
}

class SarifWriter {
public:
  explicit SarifWriter(const Report &R) : R(R) {}

  json::Object run() {
    for (const FileReport &F : R.Files) {
      size_t Before = Results.size(), NotesBefore = Notifications.size();
      file(F);
      place(Results, Before, F);
      place(Notifications, NotesBefore, F);
    }
    if (R.Against)
      for (const BaselineRow &Row : R.Against->Rows)
        if (Row.What == Fate::Worse)
          Results.push_back(regression(Row));
    bool Successful = Notifications.empty();
    for (const FileReport &F : R.Files)
      for (const std::string &What : F.Unseen) {
        Notifications.push_back(
            json::Object{{"level", "note"},
                         {"message", message((UnseenWords + What).str())},
                         {"locations", locations(F.Path, std::nullopt, {})}});
        place(Notifications, Notifications.size() - 1, F);
      }
    for (const std::string &Each : sandboxes(R)) {
      Notifications.push_back(
          json::Object{{"level", "note"},
                       {"message", message((SandboxWords + Each).str())}});
      place(Notifications, Notifications.size() - 1,
            *find_if(R.Files,
                     [&](const FileReport &F) { return F.Sandbox == Each; }));
    }
    json::Object Out{
        {"tool",
         json::Object{{"driver", json::Object{{"name", "clrewrite"},
                                              {"version", CLREWRITE_VERSION},
                                              {"rules", std::move(Rules)}}}}},
        {"columnKind", "utf16CodeUnits"},
        {"invocations",
         json::Array{json::Object{
             {"executionSuccessful", Successful},
             {"toolExecutionNotifications", std::move(Notifications)}}}},
        {"results", std::move(Results)}};
    if (R.Shard)
      Out["properties"] = json::Object{{"shard", toJSON(*R.Shard)}};
    return Out;
  }

private:
  const Report &R;
  json::Array Rules, Results, Notifications;
  ErrorList Errors;
  std::vector<std::string> Names; ///< of Rules

  /// In a shard the items of \p List from number \p First on, which are of
  /// \p F, say where they stand among those of all shards.
  static void place(json::Array &List, size_t First, const FileReport &F) {
    for (size_t I = First; F.Place && I < List.size(); ++I) {
      json::Value &Properties = (*List[I].getAsObject())["properties"];
      if (!Properties.getAsObject())
        Properties = json::Object();
      (*Properties.getAsObject())["place"] = *F.Place;
    }
  }

  size_t rule(const std::string &Name) {
    auto It = find(Names, Name);
    size_t Index = size_t(It - Names.begin());
    if (It != Names.end())
      return Index;
    Names.push_back(Name);
    json::Object Rule{{"id", Name}};
    if (auto Known = R.Summaries.find(Name); Known != R.Summaries.end())
      Rule["shortDescription"] = message(Known->second);
    Rules.push_back(std::move(Rule));
    return Index;
  }

  json::Object result(const std::string &Rule, StringRef Level,
                      StringRef Text) {
    return json::Object{{"ruleId", Rule},
                        {"ruleIndex", rule(Rule)},
                        {"level", Level},
                        {"message", message(Text)}};
  }

  void file(const FileReport &F) {
    if (!F.Problem.empty())
      return failed(F);
    for (const rewrite::Warning &W : F.Warnings) {
      json::Object Out = result(WarningRule, "warning", W.Message);
      std::optional<json::Object> Region;
      if (W.Line)
        Region = json::Object{{"startLine", W.Line}};
      std::vector<std::string> Kernels;
      if (!W.Kernel.empty())
        Kernels.push_back(W.Kernel);
      Out["locations"] = locations(F.Path, std::move(Region), Kernels);
      Results.push_back(std::move(Out));
    }
    for (const select::Outcome *O : keptEdits(F))
      Results.push_back(edit(F, *O));
    for (const advice::Advice &A : F.Advised)
      Results.push_back(advice(F, A));
  }

  static json::Object regionAt(const FileReport &F, unsigned Line,
                               unsigned Offset) {
    json::Object Region{{"startLine", Line}};
    if (Offset < F.Given.size())
      Region["startColumn"] = positionOf(F.Given, Offset).Column;
    return Region;
  }

  json::Object advice(const FileReport &F, const advice::Advice &A) {
    json::Object Out = result(A.Name, "note", A.Message);
    Out["locations"] =
        locations(F.Path, regionAt(F, A.Line, A.Offset), A.Kernels);
    return Out;
  }

  /// A notification, since nothing could be done; and what is wrong as results,
  /// which viewers show beside their lines.
  void failed(const FileReport &F) {
    Notifications.push_back(json::Object{
        {"level", "error"},
        {"message", message(F.Errors.empty() ? F.Problem : problemOf(F))},
        {"locations", locations(F.Path, std::nullopt, {})}});
    for (const SourceError *E : Errors.newOf(F)) {
      if (!E->Line)
        continue;
      json::Object Out = result(ErrorRule, "error", E->Message);
      Out["locations"] = locations(E->Path, placeOf(F, *E), {});
      Results.push_back(std::move(Out));
    }
  }

  /// Clang counts a column's bytes, which only the text of the line turns into
  /// units of UTF-16.
  static json::Object placeOf(const FileReport &F, const SourceError &E) {
    json::Object Region{{"startLine", E.Line}};
    if (E.Path != F.Path || !E.Column)
      return Region;
    StringRef Rest = F.Given;
    for (unsigned Line = 1; Line < E.Line; ++Line)
      Rest = Rest.split('\n').second;
    size_t Begin = F.Given.size() - Rest.size();
    Region["startColumn"] =
        positionOf(F.Given, unsigned(Begin) + E.Column - 1).Column;
    return Region;
  }

  json::Object regression(const BaselineRow &Row) {
    json::Object Out =
        result(RegressionRule, "error",
               Row.Kernel + " on " + Row.Target + ": " + Row.text());
    std::optional<json::Object> Region;
    if (Row.Line)
      Region = json::Object{{"startLine", Row.Line}};
    Out["locations"] = locations(Row.Path, std::move(Region), {Row.Kernel});
    Out["properties"] = json::Object{
        {"target", Row.Target}, {"before", Row.Before}, {"after", Row.After}};
    return Out;
  }

  json::Object edit(const FileReport &F, const select::Outcome &O) {
    std::string Text = headline(O);
    for (const std::string &Line : deltaLines(O.Deltas))
      Text += "\n" + Line;
    json::Object Out = result(O.Rewrite, F.Written ? "note" : "warning", Text);
    Out["locations"] =
        locations(F.Path, regionAt(F, O.Line, O.Offset), O.Kernels);
    if (json::Array Fixes = fixes(F, O); !Fixes.empty())
      Out["fixes"] = std::move(Fixes);
    Out["properties"] = json::Object{{"alternative", O.Alternative},
                                     {"safety", rewrite::name(O.Class)},
                                     {"applied", F.Written},
                                     {"deltas", deltas(O.Deltas)},
                                     {"verification", verification(F, O)}};
    return Out;
  }
};

} // namespace

void writeSarif(const Report &R, raw_ostream &OS) {
  json::OStream Writing(OS, 2);
  Writing.value(json::Object{{"$schema", Schema},
                             {"version", "2.1.0"},
                             {"runs", json::Array{SarifWriter(R).run()}}});
  OS << "\n";
}

} // namespace clrewrite::report
