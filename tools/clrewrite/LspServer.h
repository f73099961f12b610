// The language server: documents, what is known of them, and the work that
// finds it out.
//
// A change of a document ends the work on it. Once nobody has typed for a
// moment its figures are measured, then, after another moment, rewrites are
// looked for; each in a process of its own (LspJob.h). What an editor asks for
// is answered from what is known of the text as it stands; what must be right
// (formatting, all fixes at once) waits for that.
#pragma once

#include "LspConnection.h"
#include "LspJob.h"
#include "LspSettings.h"
#include "lsp/Answers.h"

namespace clrewrite::cli {

class LspServer {
public:
  using Params = LspConnection::Params;
  using Reply = LspConnection::Reply;

  LspServer(LspLoop &Loop, LspConnection &Editor, LspSettings Given,
            const char *Argv0);

  /// Serves until the editor leaves; the exit code that the protocol wants.
  int run();

private:
  using LspLines = std::pair<unsigned, unsigned>;
  /// Who waits until a text is measured, or searched; gets what went wrong.
  struct Waiting {
    bool ForSearch = false;
    llvm::unique_function<void(llvm::Error)> Then;
  };
  struct Document {
    std::string Uri, Path, Text;
    int64_t Version = 0;
    lsp::View What;
    std::string WhatOf; ///< the text that What is about
    bool Measured = false, Searched = false;
    std::vector<Waiting> Waiters;
    std::unique_ptr<LspJob> Job;
    /// Occupancy curves of the text: known, or CurveJob finds them out.
    std::optional<lsp::View> Curves;
    std::unique_ptr<LspJob> CurveJob;
    std::vector<Reply> CurveWaiters;
    /// The purpose of Job: to look for rewrites, or to measure.
    bool Searching = false;
    /// The only kernel that it measures; empty: all.
    std::string Kernel;
    /// Edits are limited to these lines, from 1; none: anywhere.
    std::optional<LspLines> Lines;
    std::string ProgressToken; ///< of what the editor shows; empty: nothing
    LspLoop::Clock::time_point Began;

    lsp::Known known() const { return {Uri, Text, What}; }
  };

  LspLoop &Loop;
  LspConnection &Editor;
  const LspSettings Given; ///< by the command line
  LspSettings Settings;    ///< with what the editor said
  const char *Argv0;
  std::map<std::string, Document> Documents; ///< by URI
  bool Initialized = false, ShutDown = false;
  unsigned Tokens = 0;
  // The capabilities of the editor.
  bool HasLenses = false, RefreshesLenses = false, RefreshesHints = false,
       ShowsProgress = false, AnswersSettings = false,
       RegistersSettings = false, WatchesFiles = false, ShowsMarkdown = true;

  // Messages.
  void initialize(const Params &P, Reply R);
  void initialized(const Params &P);
  void shutdown(const Params &P, Reply R);
  void configure(const Params &P);
  void didOpen(const Params &P);
  void didChange(const Params &P);
  void didChangeFiles(const Params &P);
  void didSave(const Params &P);
  void didClose(const Params &P);
  void codeLens(const Params &P, Reply R);
  void inlayHint(const Params &P, Reply R);
  void hoverAt(const Params &P, Reply R);
  void codeAction(const Params &P, Reply R);
  void formatting(const Params &P, Reply R);
  void rangeFormatting(const Params &P, Reply R);
  void format(Document &D, Reply R);
  void executeCommand(const Params &P, Reply R);

  // Kernels as data (LspOccupancy.cpp).
  void kernels(Document &D, Reply R);
  void occupancy(Document &D, Reply R);
  void startCurves(Document &D);
  void answerCurves(Document &D, const std::string &Problem);
  void dropCurves(Document &D, const std::string &Why);

  // Settings.
  void beginSettings(const Params &P);
  void tellLeftOut();
  void askSettings();
  void takeSettings(const llvm::json::Value &New);

  // Work.
  void changed(Document &D);
  void lookAgain(Document &D, const std::string &Why);
  void start(Document &D, bool Search, bool Whole = false);
  void finished(const std::string &Uri, bool Search,
                llvm::Expected<lsp::View> What);
  void take(Document &D, bool Search, llvm::Expected<lsp::View> What,
            std::string &Problem);
  void goOn(Document &D, bool Again);
  void stop(Document &D);
  void limitTo(Document &D, std::optional<LspLines> Lines);
  void when(Document &D, bool Searched,
            llvm::unique_function<void(llvm::Error)> Then);
  void answer(Document &D, bool Searched, const std::string &Problem);
  llvm::Expected<config::Options> optionsFor(const Document &D,
                                             bool Search) const;
  static pipeline::StdinText textOf(const Document &D) {
    return {D.Path, D.Text};
  }

  // To the editor.
  void publish(const Document &D);
  void refresh();
  void showProgress(Document &D, const std::string &What);
  void endProgress(Document &D);
  void tell(lsp::MessageType Type, const std::string &Message);

  Document *find(const Params &P);
  lsp::HintChoice hintsWanted() const;
};

} // namespace clrewrite::cli
