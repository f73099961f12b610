// Reports that clrewrite merge and clrewrite history are given: JSON documents,
// each behind a record separator, as RFC 7464 has them. They are merged as the
// shards of a run, and each is added to a database, twice, of which is told.
#include "Fuzz.h"
#include "history/History.h"
#include "report/Merge.h"
#include "source/BoundedJson.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ErrorHandling.h"

using namespace clrewrite;
using namespace llvm;

static void merge(std::vector<report::ShardDocument> Shards) {
  report::DocumentSort Sort = report::sortOf(Shards.front().Value);
  std::vector<std::pair<std::string, std::optional<report::ShardMark>>> Marks;
  for (const report::ShardDocument &Each : Shards) {
    if (report::sortOf(Each.Value) != Sort)
      return;
    Marks.push_back({Each.Path, report::markOf(Each.Value)});
  }
  if (Error E = report::checkShards(Marks))
    return consumeError(std::move(E));
  switch (Sort) {
  case report::DocumentSort::Report:
  case report::DocumentSort::Roofline:
  case report::DocumentSort::Sarif:
    drop(report::mergedDocument(Sort, std::move(Shards)));
    return;
  default: // which other fuzzers read
    return;
  }
}

static void keep(ArrayRef<report::ShardDocument> Documents) {
  raw_null_ostream Nowhere;
  history::Database Kept =
      cantFail(history::Database::open(":memory:", /*Create=*/true));
  for (const report::ShardDocument &Each : Documents)
    for (int Times = 0; Times < 2; ++Times)
      consumeError(Kept.add({0, "d", "c", "L", ""}, Each.Path, Each.Value));
  // Whatever was added can be told.
  history::Summary Told = cantFail(Kept.summary());
  history::writeText(Told, Nowhere);
  history::writePage(Told, Nowhere);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  SmallVector<StringRef> Texts;
  textOf(Data, Size).split(Texts, '\x1e', -1, /*KeepEmpty=*/false);
  std::vector<report::ShardDocument> Documents;
  for (StringRef Text : Texts)
    if (Expected<json::Value> V = parseJson(Text, JsonLimits::ofReports()))
      Documents.push_back({std::to_string(Documents.size()), std::move(*V)});
    else
      consumeError(V.takeError());
  if (Documents.empty())
    return 0;
  keep(Documents);
  merge(std::move(Documents));
  return 0;
}
