// The command `clrewrite lsp`: the server, between stdin and stdout.
#include "CheckOptions.h"
#include "CommandLine.h"
#include "Commands.h"
#include "Help.h"
#include "LspServer.h"
#include "process/Forked.h"
#include "llvm/Support/WithColor.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::cli {
namespace {

/// Whether a run with these options could begin; says on stderr what is wrong.
bool optionsWork(const LspSettings &S, const char *Argv0) {
  config::Options O;
  std::vector<std::string> None;
  if (!tell(S.read(Argv0, O, None)))
    return false;
  O.OnlyMeasure = true;
  if (O.ListRewrites || O.ListAdvice || O.ShowConfig || O.ConfigSchema ||
      !O.Explain.empty() || !O.FilesFrom.empty() || !O.Baseline.empty()) {
    fail("lsp prints no lists, and takes neither baselines nor lists of files");
    return false;
  }
  if (Error E = checkRun(O)) {
    fail(toString(std::move(E)));
    return false;
  }
  return true;
}

} // namespace

int lspCommand(int Argc, char **Argv) {
  std::vector<std::string> Words(Argv + 1, Argv + Argc);
  answerQuestions(Words, "lsp");
  LspSettings Given;
  bool Dashes = false;
  for (StringRef W : Words) {
    if (W == "--stdio")
      continue; // what many clients add; there is no other way
    if (!Dashes && W == "--") {
      Dashes = true;
      continue;
    }
    if (!Dashes && !W.starts_with("-")) {
      WithColor::error(errs(), "clrewrite")
          << "lsp takes options only; the editor names the files\n";
      return 2;
    }
    (Dashes ? Given.BuildOptions : Given.Options).push_back(W.str());
  }
  if (!optionsWork(Given, Argv[0]))
    return 2;
  ::signal(SIGPIPE, SIG_IGN); // an editor that is gone ends us by its silence
  // Nothing else may get between the messages.
  int Out = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  int In = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
  int Null = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (Out < 0 || In < 0 || Null < 0) {
    WithColor::error(errs(), "clrewrite") << "lsp needs stdin and stdout\n";
    return 2;
  }
  ::dup2(Null, STDIN_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  LspLoop Loop(In);
  std::FILE *Messages = Loop.open();
  raw_fd_ostream To(Out, /*shouldClose=*/true);
  LspConnection Editor(Messages, To);
  int Code = LspServer(Loop, Editor, std::move(Given), Argv[0]).run();
  std::fclose(Messages);
  To.clear_error(); // an editor that is gone
  return Code;
}

} // namespace clrewrite::cli
