// Forked work, which sends JSON values, a line each: {"progress": text}, and
// last {"view": ...}, or {"problem": text} where there is none.
#include "LspJob.h"
#include "CheckOptions.h"
#include "CommandLine.h"
#include "process/Forked.h"
#include "run/Run.h"
#include "source/BoundedJson.h"
#include "source/File.h"
#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::cli {

/// A document's view may be as large as what is found in it.
static constexpr JsonLimits Messages{64, size_t(512) << 20, size_t(16) << 20};

static void send(int To, json::Object Message) {
  // Where the server is gone, so is whoever wanted it.
  writeAll(To, formatv("{0}\n", json::Value(std::move(Message))).str());
}

static int workInChild(const config::Options &O,
                       const pipeline::StdinText &Text, const char *Argv0,
                       int To, int Errors) {
  // The editor's ends are not ours.
  int Null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ::dup2(Null, STDIN_FILENO);
  ::dup2(Errors, STDOUT_FILENO);
  ::dup2(Errors, STDERR_FILENO);
  rememberName(Text.Name);
  run::World W;
  W.Argv0 = Argv0;
  W.Stdin = Text;
  W.WithStore = false;
  W.Progress = [To](const report::ProgressNote &Note) {
    send(To, json::Object{{"progress", json::fixUTF8(Note.What)}});
  };
  W.ClearProgress = [] {};
  auto Refuse = [To](const std::string &Why) {
    fail(Why);
    send(To, json::Object{{"problem", json::fixUTF8(Why)}});
  };
  std::string Problem = badOptions(O);
  if (!Problem.empty()) {
    Refuse(Problem);
  } else if (Expected<run::RunResult> R = run::run(O, W)) {
    lsp::View V = lsp::viewOf(R->Report);
    if (O.Fix)
      V.Fixed = R->document(W);
    send(To, json::Object{{"view", lsp::toJSON(V)}});
  } else {
    Refuse(toString(R.takeError()));
  }
  errs().flush();
  return 0;
}

LspJob::LspJob(LspLoop &Loop, const config::Options &O,
               const pipeline::StdinText &Text, const char *Argv0,
               Listener Listens)
    : Loop(Loop), L(std::move(Listens)) {
  Errors = FileHandle(::memfd_create("clrewrite", MFD_CLOEXEC));
  process::Ends Line = process::Ends::pipe();
  if (Errors && Line)
    Pid = process::forkChild(
        [&] {
          return workInChild(O, Text, Argv0, Line.Theirs.get(), Errors.get());
        },
        /*OwnGroup=*/true);
  From = std::move(Line.Ours);
  if (Pid < 0) { // told from the loop, as everything is
    Loop.after(formatv("job {0}", this), std::chrono::milliseconds(0),
               [this] { L.Done(createStringError("cannot start a process")); });
    return;
  }
  Loop.watch(From.get(), [this] { receive(); });
}

LspJob::~LspJob() {
  Loop.cancel(formatv("job {0}", this));
  end();
}

void LspJob::receive() {
  char Buffer[65536];
  ssize_t N = ::read(From.get(), Buffer, sizeof Buffer);
  if (N > 0) {
    Received.append(Buffer, size_t(N));
    // Progress is told at once; the view, which is last, when all is there.
    for (size_t End; (End = Received.find('\n')) != std::string::npos;) {
      Expected<json::Value> Line =
          parseJson(StringRef(Received).take_front(End), Messages);
      if (!Line) {
        consumeError(Line.takeError());
        return;
      }
      std::optional<StringRef> Progress;
      if (const json::Object *O = Line->getAsObject())
        Progress = O->getString("progress");
      if (!Progress)
        return;
      std::string What = Progress->str();
      Received.erase(0, End + 1);
      L.Progress(What);
    }
    return;
  }
  if (N < 0 && errno == EINTR)
    return;
  finish();
}

/// Passes on what the child said on stderr.
void LspJob::passWordsOn() {
  off_t Size = ::lseek(Errors.get(), 0, SEEK_END);
  std::string Text(size_t(std::max<off_t>(Size, 0)), '\0');
  ssize_t N = ::pread(Errors.get(), Text.data(), Text.size(), 0);
  Text.resize(size_t(std::max<ssize_t>(N, 0)));
  errs() << Text;
}

/// Done may destroy this.
void LspJob::finish() {
  passWordsOn();
  std::string Text = std::move(Received);
  end();
  auto Done = std::move(L.Done);
  Expected<json::Value> Message = parseJson(Text, Messages);
  if (!Message)
    consumeError(Message.takeError());
  lsp::View V;
  json::Path::Root Root;
  StringRef Problem = "the work on this document crashed";
  if (const json::Object *O = Message ? Message->getAsObject() : nullptr) {
    if (const json::Value *Sent = O->get("view");
        Sent && lsp::fromJSON(*Sent, V, Root))
      return Done(std::move(V));
    Problem = O->getString("problem").value_or(Problem);
  }
  Done(createStringError(Problem.split('\n').first));
}

void LspJob::end() {
  if (From)
    Loop.forget(From.get());
  From = FileHandle();
  Errors = FileHandle();
  if (Pid <= 0)
    return;
  ::kill(-Pid, SIGKILL);
  process::waitForEnd(Pid);
  Pid = -1;
}

} // namespace clrewrite::cli
