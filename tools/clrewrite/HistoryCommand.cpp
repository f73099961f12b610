// The command `history`: adds a report to a database, and tells what got worse.
#include "CommandLine.h"
#include "Commands.h"
#include "history/History.h"
#include "source/BoundedJson.h"
#include "source/File.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::cli {

static std::string today() {
  return formatv("{0:%Y-%m-%d}", sys::toUtcTime(std::time(nullptr))).str();
}

static Error addReport(history::Database &DB, const config::HistoryOptions &O) {
  Expected<json::Value> Document = readReport(O.Add);
  if (!Document)
    return Document.takeError();
  return DB.add(
      {0, O.Date.empty() ? today() : O.Date, O.Commit, O.Compiler, O.Driver},
      O.Add, *Document);
}

static Expected<history::Summary> told(const std::string &Path,
                                       const config::HistoryOptions &O) {
  Expected<history::Database> DB =
      history::Database::open(Path, /*Create=*/!O.Add.empty());
  if (!DB)
    return DB.takeError();
  if (!O.Add.empty())
    if (Error E = addReport(*DB, O))
      return std::move(E);
  return DB->summary();
}

int historyCommand(int Argc, char **Argv) {
  config::Options O;
  O.History.Compiler = "LLVM " LLVM_VERSION_STRING;
  if (!parseCommandLine(Argc, Argv, "history", O))
    return Failed;
  Expected<history::Summary> S = told(O.Files.front(), O.History);
  if (!S)
    return fail(toString(S.takeError()));
  history::writeText(*S, outs());
  outs().flush();
  if (!O.History.Page.empty()) {
    std::string Page;
    raw_string_ostream To(Page);
    history::writePage(*S, To);
    if (Error E = putText(O.History.Page, Page))
      return fail("cannot write the page: " + toString(std::move(E)));
  }
  return O.FailOnRegression && S->worseSinceLast() ? GotWorse : Clean;
}

} // namespace clrewrite::cli
