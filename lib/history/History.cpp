// Reports go into tables, and what got worse is found by going through the
// figures of each kernel in order.
#include "history/History.h"
#include "source/BoundedJson.h"
#include "source/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <sqlite3.h>

using namespace llvm;

namespace clrewrite::history {
namespace {

constexpr const char *Tables = R"(
PRAGMA application_id = 1668047447;
CREATE TABLE IF NOT EXISTS nights (
  number INTEGER PRIMARY KEY, date TEXT NOT NULL, commit_name TEXT NOT NULL,
  compiler TEXT NOT NULL, driver TEXT NOT NULL, kernels INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS figures (
  path TEXT NOT NULL, kernel TEXT NOT NULL, copy INTEGER NOT NULL,
  target TEXT NOT NULL, night INTEGER NOT NULL REFERENCES nights (number),
  usage TEXT, problem TEXT,
  PRIMARY KEY (path, kernel, copy, target, night)) WITHOUT ROWID;
)";

Error failed(sqlite3 *DB) {
  return createStringError(StringRef("the database: ") + sqlite3_errmsg(DB));
}

Error execute(sqlite3 *DB, const char *Text) {
  return sqlite3_exec(DB, Text, nullptr, nullptr, nullptr) == SQLITE_OK
             ? Error::success()
             : failed(DB);
}

/// A statement, with its values by position.
class Statement {
public:
  Statement(sqlite3 *DB, const char *Text) : DB(DB) {
    Good = sqlite3_prepare_v2(DB, Text, -1, &Made, nullptr) == SQLITE_OK;
  }
  ~Statement() { sqlite3_finalize(Made); }
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;

  Statement &bind(int64_t N) {
    Good &= sqlite3_bind_int64(Made, ++Bound, N) == SQLITE_OK;
    return *this;
  }
  Statement &bind(const std::optional<std::string> &Text) {
    Good &= (Text ? sqlite3_bind_text(Made, ++Bound, Text->data(),
                                      int(Text->size()), SQLITE_TRANSIENT)
                  : sqlite3_bind_null(Made, ++Bound)) == SQLITE_OK;
    return *this;
  }

  /// Whether there is a row; false also after an error.
  bool step() {
    int Code = Good ? sqlite3_step(Made) : SQLITE_ERROR;
    Good = Code == SQLITE_ROW || Code == SQLITE_DONE;
    return Code == SQLITE_ROW;
  }
  void again() {
    sqlite3_reset(Made);
    Bound = 0;
  }
  Error error() const { return Good ? Error::success() : failed(DB); }

  int64_t number(int Column) const {
    return sqlite3_column_int64(Made, Column);
  }
  std::optional<std::string> maybe(int Column) const {
    const unsigned char *Text = sqlite3_column_text(Made, Column);
    if (!Text)
      return std::nullopt;
    return std::string(reinterpret_cast<const char *>(Text),
                       size_t(sqlite3_column_bytes(Made, Column)));
  }
  std::string text(int Column) const { return maybe(Column).value_or(""); }

private:
  sqlite3 *DB;
  sqlite3_stmt *Made = nullptr;
  int Bound = 0;
  bool Good;
};

/// All that a database has but rows: its tables, views, indices and triggers.
Expected<std::vector<std::string>> schemaOf(sqlite3 *DB) {
  Statement All(DB, "SELECT type || name || coalesce(sql, '') FROM "
                    "sqlite_master WHERE name NOT LIKE 'sqlite@_%' ESCAPE '@' "
                    "ORDER BY 1");
  std::vector<std::string> Out;
  while (All.step())
    Out.push_back(All.text(0));
  if (Error E = All.error())
    return std::move(E);
  return std::move(Out);
}

/// Makes the tables in an empty database. Fails where it has other ones, or a
/// view of that name, which may be a program that never ends.
Error makeTables(sqlite3 *DB, bool Create) {
  Expected<std::vector<std::string>> Found = schemaOf(DB);
  if (!Found)
    return Found.takeError();
  if (Found->empty() && Create)
    return execute(DB, Tables);
  sqlite3 *Empty = nullptr;
  sqlite3_open(":memory:", &Empty);
  Error Made = execute(Empty, Tables);
  Expected<std::vector<std::string>> Own = schemaOf(Empty);
  sqlite3_close(Empty);
  if (Made || !Own)
    return joinErrors(std::move(Made), Own.takeError());
  if (*Found == *Own)
    return Error::success();
  return createStringError("holds other tables than clrewrite history makes; "
                           "name a file of its own for it");
}

/// A kernel on a target.
struct Key {
  std::string Path, Kernel;
  unsigned Copy = 1;
  std::string Target;

  bool operator<(const Key &O) const {
    return std::tie(Path, Kernel, Copy, Target) <
           std::tie(O.Path, O.Kernel, O.Copy, O.Target);
  }
};

/// Its figures as JSON, or why there are none; neither where it is gone.
struct State {
  std::optional<std::string> Usage, Problem;

  bool operator==(const State &O) const {
    return Usage == O.Usage && Problem == O.Problem;
  }
};

/// What a document says.
struct Figures {
  std::map<Key, State> States;
  std::map<std::string, std::string> Failed; ///< why, by path
  std::set<std::string> Targets;
};

bool addKernel(const json::Object &File, const json::Object &Kernel,
               std::map<std::pair<std::string, std::string>, unsigned> &Copies,
               Figures &Out) {
  std::optional<StringRef> Path = File.getString("path"),
                           Name = Kernel.getString("name");
  const json::Array *Targets = Kernel.getArray("targets");
  if (!Path || !Name || !Targets)
    return false;
  if (Kernel.getInteger("line") == 0)
    return true; // it stands in another file, which tells of it
  Key K{Path->str(), Name->str(), 1, ""};
  K.Copy = ++Copies[{K.Path, K.Kernel}];
  bool Written = File.getBoolean("written").value_or(false);
  for (const json::Value &Each : *Targets) {
    const json::Object *T = Each.getAsObject();
    const json::Value *Usage =
        T ? T->get(Written ? "after" : "before") : nullptr;
    if (!Usage || !T->getString("target"))
      return false;
    K.Target = T->getString("target")->str();
    Out.Targets.insert(K.Target);
    State &S = Out.States[K];
    if (auto Problem = T->getString("problem"))
      S.Problem = Problem->str();
    else
      S.Usage = formatv("{0}", *Usage).str();
  }
  return true;
}

std::optional<Figures> figuresOf(const json::Value &Document) {
  Figures Out;
  std::map<std::pair<std::string, std::string>, unsigned> Copies;
  const json::Object *Top = Document.getAsObject();
  const json::Array *Files = Top ? Top->getArray("files") : nullptr;
  if (!Files || Top->get("shard"))
    return std::nullopt;
  for (const json::Value &Each : *Files) {
    const json::Object *F = Each.getAsObject();
    const json::Array *Kernels = F ? F->getArray("kernels") : nullptr;
    if (!Kernels)
      return std::nullopt;
    if (auto Why = F->getString("problem"))
      Out.Failed[F->getString("path").value_or("").str()] = Why->str();
    for (const json::Value &K : *Kernels)
      if (!K.getAsObject() || !addKernel(*F, *K.getAsObject(), Copies, Out))
        return std::nullopt;
  }
  return Out;
}

/// The state of each kernel in the last night.
Expected<std::map<Key, State>> lastStates(sqlite3 *DB) {
  // SQLite takes the other columns from the row of the greatest night.
  Statement All(DB, "SELECT path, kernel, copy, target, usage, problem, "
                    "MAX(night) FROM figures GROUP BY 1, 2, 3, 4");
  std::map<Key, State> Out;
  while (All.step())
    Out[{All.text(0), All.text(1), unsigned(All.number(2)), All.text(3)}] = {
        All.maybe(4), All.maybe(5)};
  if (Error E = All.error())
    return std::move(E);
  return Out;
}

/// \p Found, and what became of the kernels that the night before had. What was
/// measured for other targets alone stays as it was.
std::map<Key, State> statesNow(const Figures &Found,
                               const std::map<Key, State> &Before) {
  std::map<Key, State> Out = Found.States;
  for (const auto &[K, Old] : Before) {
    if (Out.count(K))
      continue;
    auto Why = Found.Failed.find(K.Path);
    if (Why != Found.Failed.end())
      Out[K].Problem =
          Old.Usage || Old.Problem ? std::optional(Why->second) : std::nullopt;
    else if (Found.Targets.count(K.Target))
      Out[K] = {};
  }
  return Out;
}

Error addNight(sqlite3 *DB, const Night &N, const Figures &Found) {
  Expected<std::map<Key, State>> Before = lastStates(DB);
  if (!Before)
    return Before.takeError();
  Statement New(DB, "INSERT INTO nights (date, commit_name, compiler, driver, "
                    "kernels) VALUES (?, ?, ?, ?, ?)");
  New.bind(N.Date).bind(N.Commit).bind(N.Compiler).bind(N.Driver);
  New.bind(int64_t(Found.States.size())).step();
  if (Error E = New.error())
    return E;
  const int64_t Number = sqlite3_last_insert_rowid(DB);
  Statement Row(DB, "INSERT INTO figures VALUES (?, ?, ?, ?, ?, ?, ?)");
  for (const auto &[K, Now] : statesNow(Found, *Before)) {
    if (auto Old = Before->find(K); Old != Before->end() && Old->second == Now)
      continue;
    Row.again();
    Row.bind(K.Path).bind(K.Kernel).bind(int64_t(K.Copy)).bind(K.Target);
    Row.bind(Number).bind(Now.Usage).bind(Now.Problem).step();
    if (Error E = Row.error())
      return E;
  }
  return Error::success();
}

std::optional<measure::Usage> usageOf(const std::optional<std::string> &Text) {
  measure::Usage Out;
  json::Path::Root Root("figures");
  if (!Text)
    return std::nullopt;
  Expected<json::Value> V = parseJson(*Text);
  if (V && measure::fromJSON(*V, Out, Root))
    return Out;
  consumeError(V ? Root.getError() : V.takeError());
  return std::nullopt;
}

/// Goes through the states of one kernel in order.
class Following {
public:
  std::optional<Decline> Worse;
  Course All;

  void next(size_t Night, const std::optional<measure::Usage> &Now,
            const std::string &Problem) {
    All.Figures.push_back({Night, Now});
    bool Fell =
        Best && (Now ? report::fateOf(*Best, *Now) == report::Fate::Worse
                     : !Problem.empty());
    if (!Fell) {
      Best = Now;
      Worse.reset();
      return;
    }
    if (!Worse) {
      Worse.emplace();
      Worse->Since = Night;
      Worse->Before = *Best;
    }
    Worse->Now = Now;
    Worse->Problem = Problem;
  }

private:
  std::optional<measure::Usage> Best;
};

} // namespace

void Database::Close::operator()(sqlite3 *Open) const { sqlite3_close(Open); }

Expected<Database> Database::open(const std::string &Path, bool Create) {
  sqlite3 *Open = nullptr;
  int Code = sqlite3_open_v2(Path.c_str(), &Open,
                             Create ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
                                    : SQLITE_OPEN_READONLY,
                             nullptr);
  Database Out;
  Out.DB.reset(Open);
  if (Code != SQLITE_OK)
    return createStringError(Path + ": " + sqlite3_errstr(Code));
  constexpr int MostMilliseconds = 60000; // another writer may be at work
  sqlite3_busy_timeout(Open, MostMilliseconds);
  if (Error E = makeTables(Open, Create))
    return createStringError(Path + ": " + toString(std::move(E)));
  return std::move(Out);
}

Error Database::add(const Night &N, StringRef Path,
                    const json::Value &Document) {
  std::optional<Figures> Found = figuresOf(Document);
  if (!Found)
    return createStringError(Path + ": is no report of a whole run as JSON; "
                                    "clrewrite merge makes one of shards");
  if (Error E = execute(DB.get(), "BEGIN IMMEDIATE"))
    return E;
  Error Done = addNight(DB.get(), N, *Found);
  if (!Done)
    Done = execute(DB.get(), "COMMIT");
  if (Done)
    consumeError(execute(DB.get(), "ROLLBACK"));
  return Done;
}

Expected<Summary> Database::summary() const {
  Summary Out;
  Statement Nights(DB.get(), "SELECT number, date, commit_name, compiler, "
                             "driver, kernels FROM nights ORDER BY number");
  std::map<int64_t, size_t> Index;
  while (Nights.step()) {
    Index[Nights.number(0)] = Out.Nights.size();
    Out.Nights.push_back({Nights.number(0), Nights.text(1), Nights.text(2),
                          Nights.text(3), Nights.text(4)});
    Out.Kernels = size_t(Nights.number(5));
  }
  if (Error E = Nights.error())
    return std::move(E);
  Statement Rows(DB.get(), "SELECT path, kernel, copy, target, night, usage, "
                           "problem FROM figures ORDER BY 1, 2, 3, 4, 5");
  std::map<Key, Following> All;
  while (Rows.step()) {
    auto Night = Index.find(Rows.number(4));
    if (Night == Index.end())
      return createStringError("the database: it has figures of a night that "
                               "it does not have");
    All[{Rows.text(0), Rows.text(1), unsigned(Rows.number(2)), Rows.text(3)}]
        .next(Night->second, usageOf(Rows.maybe(5)), Rows.text(6));
  }
  if (Error E = Rows.error())
    return std::move(E);
  // The same of a decline and of a course.
  auto Name = [](auto &Of, const Key &K) {
    Of.Path = K.Path;
    Of.Kernel = K.Kernel;
    Of.Copy = K.Copy;
    Of.Target = K.Target;
  };
  for (auto &[K, Each] : All) {
    Each.All.IsWorse = Each.Worse.has_value();
    if (Each.All.Figures.size() > 1) {
      Name(Each.All, K);
      Out.Courses.push_back(std::move(Each.All));
    }
    if (Each.Worse) {
      Name(*Each.Worse, K);
      Out.Worse.push_back(std::move(*Each.Worse));
    }
  }
  llvm::stable_sort(Out.Courses, [](const Course &A, const Course &B) {
    return A.IsWorse > B.IsWorse;
  });
  llvm::stable_sort(Out.Worse, [](const Decline &A, const Decline &B) {
    return A.Since > B.Since;
  });
  return std::move(Out);
}

namespace {

/// A kernel that got worse, in a report.
struct Seen {
  Bisected Is = Bisected::Unknown;
  std::string Changes = {}; ///< from what it was

  /// Of \p D, on \p Target in place of its own.
  Seen(const Decline &D, const Figures &Found, const std::string &Target) {
    auto At = Found.States.find({D.Path, D.Kernel, D.Copy, Target});
    bool Known = At != Found.States.end();
    if (auto Now = Known ? usageOf(At->second.Usage) : std::nullopt) {
      Is = report::fateOf(D.Before, *Now) == report::Fate::Worse
               ? Bisected::Worse
               : Bisected::AsGood;
      Changes = report::changes(D.Before, *Now);
    } else if (!D.Now && (Known || Found.Failed.count(D.Path))) {
      // It is as bad only where that is how it got worse.
      Is = Bisected::Worse;
    }
  }

  StringRef word() const {
    return Is == Bisected::Worse    ? "worse"
           : Is == Bisected::AsGood ? "as good"
                                    : "not known";
  }
};

/// The versions of LLVM with which \p Found has \p Gpu, as "gfx906@19" names
/// them.
std::vector<unsigned> versionsOf(StringRef Gpu, const Figures &Found) {
  std::vector<unsigned> Out;
  for (StringRef Target : Found.Targets) {
    unsigned Version;
    if (Target.consume_front(Gpu) && Target.consume_front("@") &&
        !Target.getAsInteger(10, Version))
      Out.push_back(Version);
  }
  llvm::sort(Out);
  return Out;
}

void tell(const Decline &D, const std::string &Target, const Twine &What,
          raw_ostream &OS) {
  OS << printable(D.Path + ": " + D.Kernel + " on " + Target) << ": " << What
     << "\n";
}

/// Tells how \p D is on \p Target.
Bisected tellSeen(const Decline &D, const std::string &Target, const Seen &S,
                  raw_ostream &OS) {
  tell(D, Target, S.word() + (S.Changes.empty() ? "" : ": ") + S.Changes, OS);
  return S.Is;
}

/// Tells how \p D is with each of \p Versions, and between which of them that
/// changed. Returns how it is with the newest.
Bisected tellVersions(const Decline &D, const Figures &Found,
                      ArrayRef<unsigned> Versions, raw_ostream &OS) {
  std::string Course, Through;
  std::optional<Bisected> Last;
  for (unsigned Version : Versions) {
    Seen S(D, Found, D.Target + "@" + utostr(Version));
    tellSeen(D, D.Target + "@" + utostr(Version), S, OS);
    if (Last != S.Is)
      Course += Through + (Last ? ", " : "") + S.word().str() + " with LLVM " +
                utostr(Version);
    Through = Last == S.Is ? " to " + utostr(Version) : "";
    Last = S.Is;
  }
  tell(D, D.Target, Course + Through, OS);
  return *Last;
}

} // namespace

Expected<Bisected> bisected(const Summary &S, StringRef Kernel,
                            const json::Value &Document, raw_ostream &OS) {
  std::vector<const Decline *> Asked;
  for (const Decline &D : S.Worse)
    if (D.Kernel == Kernel)
      Asked.push_back(&D);
  if (Asked.empty())
    return createStringError("no kernel " + Kernel + " is worse than it was");
  std::optional<Figures> Found = figuresOf(Document);
  if (!Found)
    Found.emplace();
  bool Known = true, Worse = false;
  for (const Decline *D : Asked) {
    std::vector<unsigned> Versions = versionsOf(D->Target, *Found);
    Bisected Is = Versions.empty()
                      ? tellSeen(*D, D->Target, Seen(*D, *Found, D->Target), OS)
                      : tellVersions(*D, *Found, Versions, OS);
    Known &= Is != Bisected::Unknown;
    Worse |= Is == Bisected::Worse;
  }
  return Worse ? Bisected::Worse : Known ? Bisected::AsGood : Bisected::Unknown;
}

} // namespace clrewrite::history
