// Asking clrewrite-store, which knows the server by the same variable.
#include "cache/HttpStore.h"
#include "source/Installed.h"
#include "source/Printable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace clrewrite::cache {

/// The program gives up earlier by itself, but while it is started and looks
/// for the host's address.
static constexpr process::ChildLimits Limits{/*Seconds=*/10, /*Parallel=*/1,
                                             /*Memory=*/1024};

/// Without the user's modules and variables of Python.
static std::vector<std::string> words() {
  std::string Script = installed("clrewrite-store");
  if (Script.empty())
    Script = programFolder() + "/clrewrite-store";
  return {"python3", "-I", "-S", Script};
}

HttpStore::HttpStore() : Program(words(), Limits) {}

std::unique_ptr<HttpStore> HttpStore::given() {
  const char *Url = ::getenv("CLREWRITE_CACHE_URL");
  return std::unique_ptr<HttpStore>(Url && *Url ? new HttpStore : nullptr);
}

void HttpStore::warn(StringRef Why) {
  if (!std::exchange(Told, true))
    WithColor::warning(errs(), "clrewrite")
        << "the cache's store, CLREWRITE_CACHE_URL, " << printable(Why) << "\n";
}

/// What the program answers, where that is of use.
std::optional<std::string> HttpStore::ask(const std::string &Question) {
  if (Gone)
    return std::nullopt;
  process::ChildResult Result = Program.run(Question).front();
  StringRef Answer = Result.Output;
  if (Result.Status != process::ChildResult::Done) {
    Gone = true;
    warn("is not used: the program that asks it " + Result.Problem);
  } else if (Answer.consume_front("gone ")) {
    Gone = true;
    warn(("is not used: " + Answer.trim()).str());
  } else if (Answer.consume_front("wrong ")) {
    warn(Answer.trim());
  } else {
    return std::move(Result.Output);
  }
  return std::nullopt;
}

std::optional<std::string> HttpStore::get(StringRef Name) {
  std::optional<std::string> Answer = ask(("get " + Name).str());
  StringRef Value = Answer ? StringRef(*Answer) : "";
  return Value.consume_front("hit\n") ? std::optional(Value.str())
                                      : std::nullopt;
}

void HttpStore::put(StringRef Name, StringRef Text) {
  // Where an entry is not taken, the next one will not be either.
  if (!TakesNone)
    TakesNone = !ask(("put " + Name + "\n" + Text).str());
}

} // namespace clrewrite::cache
