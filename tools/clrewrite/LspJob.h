// Work on a document in a process of its own, so that typing never waits, and
// that ends at once when nobody wants its result any more.
#pragma once

#include "LspLoop.h"
#include "config/Options.h"
#include "lsp/View.h"
#include "pipeline/InputUnits.h"
#include "source/Beneath.h"

namespace clrewrite::cli {

class LspJob {
public:
  struct Listener {
    std::function<void(const std::string &)> Progress;
    /// The result; or, where there is none, why, for the user to read.
    std::function<void(llvm::Expected<lsp::View>)> Done;
  };

  /// Starts a run of \p O on \p Text. Done is called from the loop, unless this
  /// is destroyed before: that ends the process, and all that it started.
  LspJob(LspLoop &Loop, const config::Options &O,
         const pipeline::StdinText &Text, const char *Argv0, Listener L);
  ~LspJob();
  LspJob(const LspJob &) = delete;
  LspJob &operator=(const LspJob &) = delete;

private:
  LspLoop &Loop;
  Listener L;
  pid_t Pid = -1;
  FileHandle From, Errors;
  std::string Received;

  void receive();
  void finish();
  void end();
  void passWordsOn();
};

} // namespace clrewrite::cli
