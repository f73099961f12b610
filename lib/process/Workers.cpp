// Workers: a socket to talk over, and a pipe for what LLVM prints.
//
// A request is its length in eight bytes, and its bytes; so is an answer.
#include "process/Workers.h"
#include "process/Forked.h"
#include "source/File.h"
#include "source/OpenFiles.h"
#include "llvm/ADT/STLExtras.h"
#include <cerrno>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::process {
namespace {

std::string framed(StringRef Text) {
  uint64_t Length = Text.size();
  std::string Out(reinterpret_cast<const char *>(&Length), sizeof Length);
  Out += Text;
  return Out;
}

/// The text of \p Bytes once all of it is there.
std::optional<StringRef> unframed(StringRef Bytes) {
  uint64_t Length;
  if (Bytes.size() < sizeof Length)
    return std::nullopt;
  std::memcpy(&Length, Bytes.data(), sizeof Length);
  if (Bytes.size() - sizeof Length < Length)
    return std::nullopt;
  return Bytes.substr(sizeof Length, Length);
}

/// Sends all of \p Text; false where nobody listens any more.
bool sendAll(const FileHandle &Line, StringRef Text) {
  return writeAll(Text, [&Line](StringRef Rest) {
    return ::send(Line.get(), Rest.data(), Rest.size(), MSG_NOSIGNAL);
  });
}

} // namespace

struct Workers::Worker {
  pid_t Pid = -1;
  FileHandle Line, Err;
  std::string Heard, Errors;
  std::optional<size_t> Index; ///< of the request that it works on
  Clock::time_point Deadline;
  unsigned Asked = 0;
  bool Late = false;

  bool runs() const { return Pid > 0; }
  void closeAll() {
    Line = FileHandle();
    Err = FileHandle();
  }
  /// Waits for the end of the worker, which must be on its way.
  ChildResult end(const ChildLimits &Had) {
    while (Err && !Late)
      drain(Err, Errors, MostPrinted); // waits: it is closed, or soon will be
    closeAll();
    return ended(std::exchange(Pid, -1), Errors, Late, Had);
  }
  /// Drops what was printed for an earlier request.
  void forgetErrors() {
    pollfd There{Err.get(), POLLIN, 0};
    while (Err && ::poll(&There, 1, /*timeout=*/0) > 0)
      drain(Err, Errors, MostPrinted);
    Errors.clear();
  }
  void kill() {
    if (!runs())
      return;
    ::kill(Pid, SIGKILL);
    Late = true;
    end({});
  }
};

Workers::Workers(std::function<std::string(StringRef)> Answer,
                 const ChildLimits &Limits, unsigned MostRequests)
    : Answer(std::move(Answer)), Limits(Limits), MostRequests(MostRequests),
      Owner(::getpid()) {}

Workers::Workers(std::vector<std::string> Program, const ChildLimits &Limits)
    : Program(std::move(Program)), Limits(Limits), MostRequests(UINT_MAX),
      Owner(::getpid()) {}

Workers::~Workers() {
  for (std::unique_ptr<Worker> &W : Known)
    if (Owner == ::getpid())
      W->kill();
    else
      W->closeAll();
}

/// A worker's side of \p Line, until the other side closes it.
static int answerAll(FileHandle Line,
                     function_ref<std::string(StringRef)> Answer) {
  std::string Heard;
  while (Line) {
    drain(Line, Heard);
    std::optional<StringRef> Request = unframed(Heard);
    if (!Request)
      continue;
    std::string Reply = framed(Answer(*Request));
    Heard.clear(); // the next request comes after the reply
    if (!sendAll(Line, Reply))
      break;
  }
  return 0;
}

int Workers::serve(FileHandle Line, const FileHandle &Err) {
  // What it shares with its parent, such as the contents of recorded launches,
  // is no memory of its own.
  settleAsChild(Err.get(), Limits, addressesNow());
  return answerAll(std::move(Line), [this](StringRef Request) {
    NoFiles WhileItWorks;
    return Answer(Request);
  });
}

int Workers::become(const FileHandle &Line, const FileHandle &Err) {
  settleAsChild(Err.get(), Limits);
  ::dup2(Line.get(), STDIN_FILENO);
  std::vector<char *> Words;
  for (std::string &Word : Program)
    Words.push_back(Word.data());
  Words.push_back(nullptr);
  return becomeProgram(Words.data(), environ);
}

int serveRequests(function_ref<std::string(StringRef)> Answer) {
  // What this program starts must not get hold of the line.
  FileHandle Line(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3));
  ::dup2(STDOUT_FILENO, STDIN_FILENO); // both are /dev/null
  return answerAll(std::move(Line), Answer);
}

bool Workers::start(Worker &W) {
  W = Worker();
  Ends Line = Ends::sockets(), Err = Ends::pipe();
  if (!Line || !Err)
    return false;
  W.Pid = forkChild([&] {
    for (std::unique_ptr<Worker> &Other : Known)
      Other->closeAll();
    Line.Ours = FileHandle();
    Err.Ours = FileHandle();
    return Program.empty() ? serve(std::move(Line.Theirs), Err.Theirs)
                           : become(Line.Theirs, Err.Theirs);
  });
  if (!W.runs())
    return false;
  W.Line = std::move(Line.Ours);
  W.Err = std::move(Err.Ours);
  return true;
}

/// False where \p W can't be started.
bool Workers::give(Worker &W, StringRef Request, size_t Index) {
  W.forgetErrors();
  std::string Text = framed(Request);
  bool Sent = W.runs() && sendAll(W.Line, Text);
  if (!Sent) {
    W.kill(); // it ended while nobody asked it
    if (!start(W))
      return false;
    sendAll(W.Line, Text); // where that fails, its line has ended
  }
  ++W.Asked;
  W.Index = Index;
  W.Heard.clear();
  W.Deadline = Clock::now() + std::chrono::seconds(Limits.Seconds);
  return true;
}

/// Waits until something is heard of those that work, or one of them is late.
void Workers::listen() {
  std::vector<Worker *> Busy;
  std::vector<pollfd> Fds;
  auto Soonest = Clock::time_point::max();
  for (std::unique_ptr<Worker> &W : Known)
    if (W->Index) {
      Busy.push_back(W.get());
      Fds.push_back({W->Line.get(), POLLIN, 0});
      Fds.push_back({W->Err.get(), POLLIN, 0});
      Soonest = std::min(Soonest, W->Deadline);
    }
  if (!pollUntil(Fds, Soonest))
    return; // the caller comes again
  for (auto [I, W] : enumerate(Busy)) {
    if (Fds[2 * I + 1].revents) // first, so that its last words are known
      drain(W->Err, W->Errors, MostPrinted);
    if (Fds[2 * I].revents)
      drain(W->Line, W->Heard);
    ChildResult &Result = Results[*W->Index];
    if (std::optional<StringRef> Reply = unframed(W->Heard)) {
      Result.Output = Reply->str();
      if (W->Asked >= MostRequests)
        W->kill();
    } else if (!W->Line) {
      Result = W->end(Limits);
      if (Result.Status == ChildResult::Done)
        Result = {ChildResult::Crashed, "", "ended without an answer"};
    } else if (Clock::now() >= W->Deadline) {
      ::kill(W->Pid, SIGKILL);
      W->Late = true;
      Result = W->end(Limits);
    } else {
      continue;
    }
    W->Index.reset();
  }
}

/// Gives each worker that has nothing to do a request.
void Workers::giveAll() {
  for (std::unique_ptr<Worker> &W :
       MutableArrayRef(Known).take_front(Parallel)) {
    if (Next == Asked.size())
      return;
    if (W->Index)
      continue;
    if (!give(*W, Asked[Next], Next))
      Results[Next] = notStarted();
    ++Next;
  }
}

void Workers::begin(std::vector<std::string> Requests, unsigned AtOnce) {
  if (Owner != ::getpid()) {
    for (std::unique_ptr<Worker> &W : Known)
      W->closeAll();
    Known.clear();
    Owner = ::getpid();
  }
  Asked = std::move(Requests);
  Results.assign(Asked.size(), {});
  Next = 0;
  Parallel = std::clamp<size_t>(AtOnce, 1, std::max<size_t>(1, Asked.size()));
  while (Known.size() < Parallel)
    Known.push_back(std::make_unique<Worker>());
  giveAll();
}

std::vector<ChildResult> Workers::finish() {
  auto isBusy = [](const auto &W) { return W->Index.has_value(); };
  while (true) {
    giveAll();
    if (any_of(Known, isBusy))
      listen();
    else if (Next == Asked.size())
      return std::move(Results);
  }
}

std::vector<ChildResult> Workers::run(ArrayRef<std::string> Requests) {
  begin(Requests.vec(), Limits.atOnce());
  return finish();
}

} // namespace clrewrite::process
