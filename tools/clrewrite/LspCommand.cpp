// clrewrite lsp: the language server.
#include "Commands.h"
#include "Help.h"
#include "LspServer.h"
#include "llvm/Support/WithColor.h"
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite {

int lspCommand(int Argc, char **Argv) {
  std::vector<const char *> Words(Argv, Argv + Argc);
  answerQuestions(Words, "lsp");
  LspSettings Given;
  bool Dashes = false;
  for (const char *Word : drop_begin(Words)) {
    StringRef W = Word;
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
  lsp::JSONTransport Transport(Messages, To);
  int Code = LspServer(Loop, Transport, std::move(Given), Argv[0]).run();
  std::fclose(Messages);
  To.clear_error(); // an editor that is gone
  return Code;
}

} // namespace clrewrite
