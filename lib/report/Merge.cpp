// Each item of a shard's document has its place among those of all shards: the
// items are sorted by it, and it is taken out again.
#include "report/Merge.h"
#include "source/BoundedJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <set>

using namespace llvm;

namespace clrewrite::report {
namespace {

/// The run that a SARIF document has; null where it has none.
const json::Object *sarifRun(const json::Value &Document) {
  const json::Object *Top = Document.getAsObject();
  const json::Array *Runs = Top ? Top->getArray("runs") : nullptr;
  return Runs && Runs->size() == 1 ? Runs->front().getAsObject() : nullptr;
}

/// An item of a list, and the place and the document that it comes from.
struct Item {
  int64_t Place;
  size_t Document;
  json::Object What;
};

/// Takes the places out of the items, which are added to \p Into by them.
class Items {
public:
  /// The list \p Name of \p From, a part of document number \p Document. SARIF
  /// has the places among an item's \p InProperties.
  bool add(json::Object *From, StringRef Name, size_t Document,
           bool InProperties = false) {
    json::Array *List = From ? From->getArray(Name) : nullptr;
    if (!List)
      return false;
    for (json::Value &Each : *List) {
      json::Object *Found = Each.getAsObject();
      json::Object *Holder =
          Found && InProperties ? Found->getObject("properties") : Found;
      std::optional<int64_t> Place;
      if (Holder)
        Place = Holder->getInteger("place");
      if (!Place)
        return false;
      Holder->erase("place");
      if (InProperties && Holder->empty())
        Found->erase("properties");
      All.push_back({*Place, Document, std::move(*Found)});
    }
    return true;
  }

  std::vector<Item> inOrder() && {
    llvm::stable_sort(
        All, [](const Item &A, const Item &B) { return A.Place < B.Place; });
    return std::move(All);
  }

private:
  std::vector<Item> All;
};

json::Array valuesOf(std::vector<Item> List) {
  json::Array Out;
  for (Item &Each : List)
    Out.push_back(std::move(Each.What));
  return Out;
}

std::string textOf(const json::Object &O) { return jsonText(json::Object(O)); }

Error damaged(const std::string &Path) {
  return createStringError(Path + ": is no whole document of a shard");
}

Expected<json::Value> mergedReport(std::vector<ShardDocument> Shards) {
  Items Files;
  for (auto [I, Each] : enumerate(Shards))
    if (!Files.add(Each.Value.getAsObject(), "files", I))
      return damaged(Each.Path);
  json::Object Out = std::move(*Shards.front().Value.getAsObject());
  Out.erase("shard");
  Out["files"] = valuesOf(std::move(Files).inOrder());
  return std::move(Out);
}

/// Rows stand by target, in the order in which files have these.
Expected<json::Value> mergedRoofline(std::vector<ShardDocument> Shards) {
  Items Rows, Problems;
  for (auto [I, Each] : enumerate(Shards))
    if (!Rows.add(Each.Value.getAsObject(), "kernels", I) ||
        !Problems.add(Each.Value.getAsObject(), "problems", I))
      return damaged(Each.Path);
  std::vector<std::string> Order;
  std::map<std::string, json::Array> ByTarget;
  for (Item &Each : std::move(Rows).inOrder()) {
    std::string Target = Each.What.getString("target").value_or("").str();
    json::Array &List = ByTarget[Target];
    if (List.empty())
      Order.push_back(Target);
    List.push_back(std::move(Each.What));
  }
  json::Array Kernels;
  for (const std::string &Target : Order)
    for (json::Value &Row : ByTarget[Target])
      Kernels.push_back(std::move(Row));
  json::Object Out = std::move(*Shards.front().Value.getAsObject());
  Out.erase("shard");
  Out["kernels"] = std::move(Kernels);
  Out["problems"] = valuesOf(std::move(Problems).inOrder());
  return std::move(Out);
}

/// Errors in a header, which several shards have, are told once.
std::vector<Item> withoutRepeatedErrors(std::vector<Item> Results) {
  std::map<std::string, size_t> Told; // by text: the document that tells it
  llvm::erase_if(Results, [&](Item &Each) {
    Each.What.erase("ruleIndex"); // which each document has of its own
    return Each.What.getString("ruleId") == "does-not-parse" &&
           Told.insert({textOf(Each.What), Each.Document}).first->second !=
               Each.Document;
  });
  return Results;
}

/// The order of a document: what failed, what was not looked at, sandboxes.
unsigned partOf(const json::Object &Notification) {
  if (Notification.getString("level") == "error")
    return 0;
  return Notification.get("locations") ? 1 : 2;
}

json::Array mergedNotifications(std::vector<Item> All) {
  llvm::stable_sort(All, [](const Item &A, const Item &B) {
    return partOf(A.What) < partOf(B.What);
  });
  std::set<std::string> Sandboxes;
  llvm::erase_if(All, [&](const Item &Each) {
    return partOf(Each.What) == 2 &&
           !Sandboxes.insert(textOf(Each.What)).second;
  });
  return valuesOf(std::move(All));
}

/// The object \p Name of \p O; null where either is none.
json::Object *objectIn(json::Object *O, StringRef Name) {
  return O ? O->getObject(Name) : nullptr;
}

Expected<json::Value> mergedSarif(std::vector<ShardDocument> Shards) {
  Items Results, Notifications;
  std::map<std::string, json::Value> RuleOf;
  auto Invocation = [](json::Object *Run) -> json::Object * {
    json::Array *List = Run ? Run->getArray("invocations") : nullptr;
    return List && !List->empty() ? List->front().getAsObject() : nullptr;
  };
  auto Driver = [](json::Object *Run) {
    return objectIn(objectIn(Run, "tool"), "driver");
  };
  auto RunOf = [](ShardDocument &D) {
    return const_cast<json::Object *>(sarifRun(D.Value));
  };
  for (auto [I, Each] : enumerate(Shards)) {
    json::Object *Run = RunOf(Each), *Tool = Driver(Run);
    json::Array *Rules = Tool ? Tool->getArray("rules") : nullptr;
    if (!Rules || !Results.add(Run, "results", I, true) ||
        !Notifications.add(Invocation(Run), "toolExecutionNotifications", I,
                           true))
      return damaged(Each.Path);
    for (const json::Value &Rule : *Rules)
      if (const json::Object *R = Rule.getAsObject())
        RuleOf.insert({R->getString("id").value_or("").str(), Rule});
  }
  json::Array Rules, All;
  std::map<std::string, size_t> Numbers;
  for (Item &Each : withoutRepeatedErrors(std::move(Results).inOrder())) {
    std::string Id = Each.What.getString("ruleId").value_or("").str();
    auto [Number, New] = Numbers.insert({Id, Rules.size()});
    auto Rule = RuleOf.find(Id);
    if (Rule == RuleOf.end())
      return damaged(Shards[Each.Document].Path);
    if (New)
      Rules.push_back(Rule->second);
    Each.What["ruleIndex"] = Number->second;
    All.push_back(std::move(Each.What));
  }
  json::Object *Run = RunOf(Shards.front());
  json::Array Notes = mergedNotifications(std::move(Notifications).inOrder());
  json::Object &How = *Invocation(Run);
  How["executionSuccessful"] = none_of(Notes, [](const json::Value &Each) {
    return partOf(*Each.getAsObject()) == 0;
  });
  How["toolExecutionNotifications"] = std::move(Notes);
  (*Driver(Run))["rules"] = std::move(Rules);
  (*Run)["results"] = std::move(All);
  Run->erase("properties");
  return std::move(Shards.front().Value);
}

/// "3, 5 to 8": the numbers up to \p Of that \p Seen lacks. A document may say
/// that there are billions, so none is counted.
std::string missing(const std::map<unsigned, std::string> &Seen, unsigned Of) {
  std::vector<std::string> Out;
  uint64_t First = 1; // of those that may be missing
  auto addUpTo = [&](uint64_t End) {
    if (End > First + 2)
      Out.push_back(utostr(First) + " to " + utostr(End - 1));
    else
      for (; First < End; ++First)
        Out.push_back(utostr(First));
    First = End + 1;
  };
  for (const auto &[Number, Path] : Seen)
    addUpTo(Number);
  addUpTo(uint64_t(Of) + 1);
  return join(Out, ", ");
}

} // namespace

DocumentSort sortOf(const json::Value &Document) {
  const json::Object *Top = Document.getAsObject();
  if (!Top)
    return DocumentSort::None;
  if (Top->get("clrewrite-baseline"))
    return DocumentSort::Baseline;
  if (Top->get("programs") && Top->get("tool"))
    return DocumentSort::Plan;
  if (sarifRun(Document))
    return DocumentSort::Sarif;
  if (Top->getInteger("schema") != 1)
    return DocumentSort::None;
  if (Top->getString("kind") == "roofline")
    return DocumentSort::Roofline;
  return Top->get("files") ? DocumentSort::Report : DocumentSort::None;
}

std::optional<ShardMark> markOf(const json::Value &Document) {
  const json::Object *Holder = Document.getAsObject();
  if (const json::Object *Run = sarifRun(Document))
    Holder = Run->getObject("properties");
  const json::Value *Mark = Holder ? Holder->get("shard") : nullptr;
  ShardMark Out;
  json::Path::Root Root("shard");
  if (!Mark || !fromJSON(*Mark, Out, Root))
    return std::nullopt;
  return Out;
}

Error checkShards(
    ArrayRef<std::pair<std::string, std::optional<ShardMark>>> Marks) {
  std::map<unsigned, std::string> Seen; // by number
  for (const auto &[Path, Mark] : Marks) {
    if (!Mark)
      return createStringError(
          Path + ": does not say which shard it is of (--shard writes that)");
    const auto &[First, FirstMark] = Marks.front();
    if (Mark->Run != FirstMark->Run || Mark->Of != FirstMark->Of)
      return createStringError(
          Path + " and " + First +
          " are of different runs: their files, what these held, the options, "
          "--costs or clrewrite itself were not the same");
    auto [Other, New] = Seen.insert({Mark->Number, Path});
    if (!New)
      return createStringError(formatv("shard {0} of {1} is given twice: {2} "
                                       "and {3}",
                                       Mark->Number, Mark->Of, Other->second,
                                       Path)
                                   .str());
  }
  const unsigned Of = Marks.front().second->Of;
  if (Seen.size() == Of)
    return Error::success();
  return createStringError(
      (Of - Seen.size() == 1 ? "missing is shard " : "missing are shards ") +
      missing(Seen, Of) + " of " + utostr(Of));
}

Expected<json::Value> mergedDocument(DocumentSort S,
                                     std::vector<ShardDocument> Shards) {
  if (S == DocumentSort::Sarif)
    return mergedSarif(std::move(Shards));
  return S == DocumentSort::Roofline ? mergedRoofline(std::move(Shards))
                                     : mergedReport(std::move(Shards));
}

} // namespace clrewrite::report
