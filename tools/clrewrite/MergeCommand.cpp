// The command `merge`: the documents of a run's shards become that of the run.
#include "BaselineOptions.h"
#include "CommandLine.h"
#include "Commands.h"
#include "plan/Plan.h"
#include "report/Merge.h"
#include "source/Beneath.h"
#include "source/BoundedJson.h"
#include "source/File.h"
#include "llvm/Support/FileSystem.h"
#include <map>

using namespace llvm;

namespace clrewrite::cli {
namespace {

struct Input {
  std::string Path, Text;
};

Expected<std::vector<Input>> read(ArrayRef<std::string> Paths) {
  std::vector<Input> Out;
  for (const std::string &Path : Paths) {
    Expected<std::string> Text =
        readRegular(Path, JsonLimits::ofReports().Bytes);
    if (!Text)
      return Text.takeError();
    Out.push_back({Path, std::move(*Text)});
  }
  return std::move(Out);
}

using Marks =
    std::vector<std::pair<std::string, std::optional<report::ShardMark>>>;

Expected<std::string> mergedBaseline(ArrayRef<Input> Inputs, StringRef Merged) {
  report::Baseline Out = report::emptyBaseline();
  std::vector<report::Baseline> Shards;
  Marks All;
  std::map<std::tuple<std::string, std::string, unsigned, std::string>,
           const Input *>
      Seen;
  for (const Input &I : Inputs) {
    Expected<report::Baseline> B = report::readBaseline(I.Path, I.Text);
    if (!B)
      return B.takeError();
    All.push_back({I.Path, B->Shard});
    Shards.push_back(std::move(*B));
  }
  if (Error E = report::checkShards(All))
    return std::move(E);
  for (auto [I, B] : zip(Inputs, Shards)) {
    Out.Clrewrite = B.Clrewrite;
    Out.Llvm = B.Llvm;
    for (report::BaselineEntry &E :
         movedTo(std::move(B), I.Path, Merged).Entries) {
      auto [Other, New] = Seen.insert({E.key(), &I});
      if (!New)
        return createStringError(I.Path + " and " + Other->second->Path +
                                 ": both have kernel " + E.Kernel + " of " +
                                 E.File + " on " + E.Target);
      Out.Entries.push_back(std::move(E));
    }
  }
  llvm::sort(Out.Entries,
             [](const report::BaselineEntry &A,
                const report::BaselineEntry &B) { return A.key() < B.key(); });
  return report::toText(Out);
}

/// Plans are of captures, not of shards: all of their programs are taken.
Expected<std::string> mergedPlan(ArrayRef<Input> Inputs) {
  plan::Plan Out;
  std::map<std::tuple<std::string, std::string, std::string, std::string>,
           std::pair<std::string, const Input *>>
      Seen; // by what a run looks for: the program as text
  for (const Input &I : Inputs) {
    std::string Why;
    std::optional<plan::Plan> P = plan::readPlan(I.Text, Why);
    if (!P)
      return createStringError(I.Path + ": " + Why);
    for (plan::Program &Each : P->Programs) {
      std::string Text = plan::writePlan({{Each}}, "");
      auto [Other, New] = Seen.insert(
          {{Each.Hash, Each.Options, Each.Device, Each.Driver}, {Text, &I}});
      if (!New && Other->second.first != Text)
        return createStringError(I.Path + " and " + Other->second.second->Path +
                                 ": both have other kernels for one program, " +
                                 Each.Hash);
      if (New)
        Out.Programs.push_back(std::move(Each));
    }
  }
  return plan::writePlan(Out, CLREWRITE_VERSION);
}

Expected<std::string> mergedShards(report::DocumentSort Sort,
                                   std::vector<report::ShardDocument> Shards) {
  Marks All;
  for (const report::ShardDocument &Each : Shards)
    All.push_back({Each.Path, report::markOf(Each.Value)});
  if (Error E = report::checkShards(All))
    return std::move(E);
  Expected<json::Value> Whole = report::mergedDocument(Sort, std::move(Shards));
  if (!Whole)
    return Whole.takeError();
  std::string Out;
  raw_string_ostream OS(Out);
  json::OStream(OS, 2).value(*Whole);
  OS << "\n";
  return Out;
}

Expected<std::string> merged(std::vector<Input> Inputs, StringRef Merged) {
  std::optional<report::DocumentSort> Sort;
  std::vector<report::ShardDocument> Documents;
  for (const Input &I : Inputs) {
    Expected<json::Value> V = parseJson(I.Text, JsonLimits::ofReports());
    if (!V)
      return createStringError(I.Path + ": is no JSON (" +
                               toString(V.takeError()) + ")");
    report::DocumentSort S = report::sortOf(*V);
    if (S == report::DocumentSort::None)
      return createStringError(
          I.Path + ": is no document that can be merged: a report as JSON or "
                   "SARIF, a roofline as JSON, a baseline or a plan");
    if (Sort.value_or(S) != S)
      return createStringError(I.Path + " and " + Inputs.front().Path +
                               " are documents of different sorts");
    Sort = S;
    Documents.push_back({I.Path, std::move(*V)});
  }
  if (*Sort == report::DocumentSort::Baseline)
    return mergedBaseline(Inputs, Merged);
  if (*Sort == report::DocumentSort::Plan)
    return mergedPlan(Inputs);
  Inputs.clear(); // large, and not needed any more
  return mergedShards(*Sort, std::move(Documents));
}

} // namespace

int mergeCommand(int Argc, char **Argv) {
  config::Options O;
  if (!parseCommandLine(Argc, Argv, "merge", O))
    return 2;
  if (O.Files.size() < 2)
    return fail("no documents; clrewrite merge OUT IN...");
  const std::string &Out = O.Files.front();
  auto In = ArrayRef(O.Files).drop_front();
  Expected<std::vector<Input>> Inputs = read(In);
  if (!Inputs)
    return fail(toString(Inputs.takeError()));
  Expected<std::string> Text = merged(std::move(*Inputs), Out);
  if (!Text)
    return fail(toString(Text.takeError()));
  if (Error E = putText(Out, *Text))
    return fail("cannot write the merged document: " + toString(std::move(E)));
  return 0;
}

} // namespace clrewrite::cli
