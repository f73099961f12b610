// A filter that never loses its input.
//
// An editor replaces its buffer by whatever a filter prints. So the work is
// done in a child process, and what it gives is kept back until the child has
// ended well; else the input is printed. Nothing that goes wrong in the child
// can touch that: a crash, an exit() from the depth of a library, a signal.
// Signals that would end this process end the child instead.
#include "Filter.h"
#include "process/Forked.h"
#include "source/File.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::cli {
namespace {

/// The child's exit status where all of the document is in the pipe. Not 0,
/// with which a library may end a process too.
constexpr int Delivered = 17;

// A handler can reach nothing but what is global.
volatile std::sig_atomic_t Ended = 0;
extern "C" void noteEnd(int Signal) { Ended = Signal; }

bool readAll(int FD, std::string &Into) {
  char Buffer[65536];
  while (true) {
    ssize_t N = ::read(FD, Buffer, sizeof Buffer);
    if (N > 0)
      Into.append(Buffer, size_t(N));
    else if (N == 0 || errno != EINTR)
      return N == 0;
  }
}

/// Signals that end a program, kept waiting while this lives but where the
/// caller asks for them.
class HeldSignals {
public:
  HeldSignals() {
    sigset_t Held;
    ::sigemptyset(&Held);
    struct sigaction Note = {}, Was;
    Note.sa_handler = noteEnd;
    for (int Signal : {SIGINT, SIGTERM, SIGHUP}) {
      ::sigaddset(&Held, Signal);
      // A signal that is ignored since before the start stays ignored.
      if (::sigaction(Signal, nullptr, &Was) == 0 && Was.sa_handler != SIG_IGN)
        ::sigaction(Signal, &Note, nullptr);
    }
    ::sigprocmask(SIG_BLOCK, &Held, &Before);
  }
  /// For the child: nothing is held, and it ends when its parent ends it.
  void release() const {
    ::signal(SIGHUP, SIG_DFL);
    for (int Signal : {SIGINT, SIGTERM})
      ::signal(Signal, SIG_IGN);
    ::sigprocmask(SIG_SETMASK, &Before, nullptr);
  }
  /// Waits until \p FD has something to read, or a signal came: then false.
  bool waitFor(int FD) const {
    pollfd What{FD, POLLIN, 0};
    while (!Ended)
      if (::ppoll(&What, 1, nullptr, &Before) >= 0)
        return true;
      else if (errno != EINTR)
        return false;
    return false;
  }

private:
  sigset_t Before;
};

/// Returns the child's exit status.
int workInChild(function_ref<std::optional<std::string>()> Work, int Into) {
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  std::optional<std::string> Document = Work();
  outs().flush();
  bool Ok = Document && writeAll(Into, *Document);
  return Ok ? Delivered : 1;
}

/// Reads what the child sends until it ends; none where it does not end well.
std::optional<std::string> documentFrom(int FD, pid_t Child,
                                        const HeldSignals &Signals) {
  std::string Document;
  char Buffer[65536];
  bool Whole = false;
  while (!Whole && Signals.waitFor(FD)) {
    ssize_t N = ::read(FD, Buffer, sizeof Buffer);
    if (N < 0 && errno != EINTR)
      break;
    Whole = N == 0;
    Document.append(Buffer, size_t(std::max<ssize_t>(N, 0)));
  }
  if (!Whole)
    ::kill(Child, SIGKILL);
  int Status = process::waitForEnd(Child);
  if (Whole && WIFEXITED(Status) && WEXITSTATUS(Status) == Delivered)
    return Document;
  if (Ended)
    WithColor::error(errs(), "clrewrite")
        << "interrupted: the text stays as it is\n";
  else if (!Whole || !WIFEXITED(Status))
    WithColor::error(errs(), "clrewrite")
        << "crashed: the text stays as it is; please report it\n";
  return std::nullopt;
}

std::optional<std::string>
document(function_ref<std::optional<std::string>()> Work,
         const HeldSignals &Signals) {
  process::Ends Line = process::Ends::pipe();
  pid_t Child = -1;
  if (Line)
    Child = process::forkChild([&] {
      Signals.release();
      return workInChild(Work, Line.Theirs.get());
    });
  if (Child < 0) {
    const char *Why = ::strerror(errno);
    WithColor::error(errs(), "clrewrite")
        << "cannot start a process: " << Why << "\n";
    return std::nullopt;
  }
  Line.Theirs = FileHandle();
  return documentFrom(Line.Ours.get(), Child, Signals);
}

} // namespace

Expected<std::string> readInput() {
  std::string Text;
  if (!readAll(STDIN_FILENO, Text))
    return createStringError("cannot read standard input: %s",
                             ::strerror(errno));
  return Text;
}

int filter(StringRef Given, function_ref<std::optional<std::string>()> Work,
           int OnChange) {
  HeldSignals Signals;
  std::optional<std::string> Document = document(Work, Signals);
  if (!writeAll(STDOUT_FILENO, Document ? StringRef(*Document) : Given)) {
    const char *Why = ::strerror(errno); // before anything else is written
    WithColor::error(errs(), "clrewrite")
        << "cannot write the document: " << Why << "\n";
    return 2;
  }
  if (!Document)
    return Ended ? 128 + Ended : 2;
  return *Document == Given ? 0 : OnChange;
}

} // namespace clrewrite::cli
