// The command `history`: adds a report to a database, and tells what got worse.
#include "CommandLine.h"
#include "Commands.h"
#include "history/History.h"
#include "source/BoundedJson.h"
#include "source/File.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

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

/// The report on stdin, which a program that failed leaves empty: null then.
static json::Value reportOnStdin() {
  auto Text = MemoryBuffer::getSTDIN();
  if (!Text)
    return nullptr;
  Expected<json::Value> Report =
      parseJson((*Text)->getBuffer(), JsonLimits::ofReports());
  if (Report)
    return std::move(*Report);
  consumeError(Report.takeError());
  return nullptr;
}

/// The exit code that git bisect run understands; from 128 on it ends.
static int bisect(const history::Summary &S, StringRef Kernel) {
  enum { AsGood = 0, Worse = 1, Skip = 125, Ends = 255 };
  Expected<history::Bisected> Told =
      history::bisected(S, Kernel, reportOnStdin(), outs());
  if (!Told) {
    fail(toString(Told.takeError()));
    return Ends;
  }
  return *Told == history::Bisected::AsGood  ? AsGood
         : *Told == history::Bisected::Worse ? Worse
                                             : Skip;
}

int historyCommand(int Argc, char **Argv) {
  config::Options O;
  O.History.Compiler = "LLVM " LLVM_VERSION_STRING;
  if (!parseCommandLine(Argc, Argv, "history", O))
    return Failed;
  Expected<history::Summary> S = told(O.Files.front(), O.History);
  if (!S) {
    int Code = fail(toString(S.takeError()));
    return O.History.Bisect.empty() ? Code : 255;
  }
  if (!O.History.Bisect.empty())
    return bisect(*S, O.History.Bisect);
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
