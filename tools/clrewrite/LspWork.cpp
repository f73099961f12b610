// When documents are measured and searched, and who is told.
#include "LspServer.h"
#include "lsp/Incremental.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::cli {

void LspServer::stop(Document &D) {
  Loop.cancel("measure " + D.Uri);
  Loop.cancel("search " + D.Uri);
  D.Job.reset();
  endProgress(D);
}

/// The next search makes edits in \p Lines only, or anywhere. Who waits for one
/// of the other kind asks again.
void LspServer::limitTo(Document &D, std::optional<LspLines> Lines) {
  if (D.Lines == Lines)
    return;
  stop(D);
  answer(D, /*Searched=*/true, "another request took its place");
  D.Lines = Lines;
  D.Searched = false;
}

/// Its text is another, or is to be looked at in another way.
void LspServer::changed(Document &D) {
  stop(D);
  D.Measured = D.Searched = false;
  D.Lines.reset();
  // A client that wanted edits of the text before has no use for others.
  answer(D, /*Searched=*/true, "the document changed meanwhile");
  dropCurves(D, "the document changed meanwhile");
  Loop.after("measure " + D.Uri,
             std::chrono::milliseconds(Settings.MeasureDelay),
             [this, Uri = D.Uri] { start(Documents[Uri], /*Search=*/false); });
}

/// Its text is the same; settings or other files are not. Who waits goes on
/// waiting, but for curves, which may be of targets that are gone.
void LspServer::lookAgain(Document &D, const std::string &Why) {
  stop(D);
  dropCurves(D, Why);
  D.Measured = D.Searched = false;
  if (any_of(D.Waiters, [](const Waiting &W) { return W.ForSearch; }))
    return start(D, /*Search=*/true);
  Loop.after("measure " + D.Uri,
             std::chrono::milliseconds(Settings.MeasureDelay),
             [this, Uri = D.Uri] {
               start(Documents[Uri], /*Search=*/false, /*Whole=*/true);
             });
}

/// The options of the job on a document, or the error in the settings.
Expected<config::Options> LspServer::optionsFor(const Document &D,
                                                bool Search) const {
  config::Options O;
  std::vector<std::string> Told;
  config::Misuse Wrong = Settings.read(Argv0, O, Told);
  if (Wrong.any())
    return createStringError(Wrong.Words.empty()
                                 ? StringRef(Wrong.Value)
                                 : StringRef(Wrong.Words).split('\n').first);
  O.Fix = Search;
  O.OnlyMeasure = !Search;
  O.Kernel = D.Kernel;
  if (!Search && Settings.Pressure)
    O.Pressure = true;
  if (Search && D.Lines)
    O.Lines.push_back(formatv("{0}:{1}", D.Lines->first, D.Lines->second));
  return O;
}

/// Measures the only kernel that has changed, or all of them where that can't
/// be told, or \p Whole is wanted; or looks for rewrites.
void LspServer::start(Document &D, bool Search, bool Whole) {
  stop(D);
  D.Searching = Search;
  D.Kernel.clear();
  if (!Search && !Whole &&
      pipeline::sortOf(D.Path) == pipeline::FileSort::OpenCL)
    D.Kernel = lsp::onlyChanged(D.What, D.WhatOf, D.Text).value_or("");
  D.Began = LspLoop::Clock::now();
  LspJob::Listener L;
  L.Progress = [this, Uri = D.Uri, Search](const std::string &What) {
    if (Search)
      showProgress(Documents[Uri], What);
  };
  L.Done = [this, Uri = D.Uri, Search](Expected<lsp::View> What) {
    finished(Uri, Search, std::move(What));
  };
  if (Expected<config::Options> O = optionsFor(D, Search))
    D.Job = std::make_unique<LspJob>(Loop, *O, textOf(D), Argv0, std::move(L));
  else // told from the loop, as everything is
    Loop.after("measure " + D.Uri, std::chrono::milliseconds(0),
               [Done = std::move(L.Done), Why = toString(O.takeError())] {
                 Done(createStringError(Why));
               });
}

static void takeLive(lsp::View &Into, lsp::View &From) {
  for (lsp::ViewKernel &K : Into.Kernels)
    for (lsp::ViewKernel &Old : From.Kernels)
      for (lsp::ViewFigures &F : K.Targets)
        for (lsp::ViewFigures &Had : Old.Targets)
          if (K.Name == Old.Name && F.Target == Had.Target)
            F.Live = std::move(Had.Live);
}

/// Puts \p What, of the text as it stands, instead of what was known.
void LspServer::take(Document &D, bool Search, Expected<lsp::View> What,
                     std::string &Problem) {
  lsp::View Old = std::move(D.What);
  D.What = {};
  if (!What) {
    Problem = toString(What.takeError());
    D.What.Notes.push_back({lsp::ViewNote::Error, 0, 0, "", Problem, 0, ""});
  } else if (!D.Kernel.empty()) {
    D.What = lsp::merged(std::move(Old), std::move(*What), D.Kernel, D.WhatOf,
                         D.Text);
  } else {
    D.What = std::move(*What);
    // A search does not count live registers; the text is the same.
    if (Search && D.WhatOf == D.Text)
      takeLive(D.What, Old);
  }
  D.WhatOf = D.Text;
}

void LspServer::finished(const std::string &Uri, bool Search,
                         Expected<lsp::View> What) {
  Document &D = Documents[Uri];
  D.Job.reset();
  endProgress(D);
  std::string Problem;
  bool Had = D.Measured;
  take(D, Search, std::move(What), Problem);
  bool Failed = any_of(D.What.Notes, [](const lsp::ViewNote &N) {
    return N.Severity == lsp::ViewNote::Error;
  });
  D.Measured = true;
  D.Searched = Search || Failed;
  publish(D);
  answer(D, D.Searched, Problem);
  if (!Had || !Search)
    refresh();
  // The sites within some lines are not all sites.
  bool Limited = D.Lines && !Failed;
  if (Limited) {
    D.Lines.reset();
    D.Searched = false;
  }
  if (!D.Searched)
    goOn(D, Limited);
}

/// After a measurement: looks for rewrites, which measures all; or measures all
/// where that was but one kernel, or \p Again. At once where somebody waits.
void LspServer::goOn(Document &D, bool Again) {
  if (any_of(D.Waiters, [](const Waiting &W) { return W.ForSearch; }))
    return start(D, /*Search=*/true);
  if (Settings.Search || Again || !D.Kernel.empty())
    Loop.after("search " + D.Uri,
               std::chrono::milliseconds(Settings.SearchDelay),
               [this, Uri = D.Uri] {
                 start(Documents[Uri], Settings.Search, /*Whole=*/true);
               });
}

/// Calls \p Then as soon as the text is measured, or \p Searched.
void LspServer::when(Document &D, bool Searched,
                     unique_function<void(Error)> Then) {
  if (Searched ? D.Searched : D.Measured)
    return Then(Error::success());
  D.Waiters.push_back({Searched, std::move(Then)});
  if (Searched && !(D.Job && D.Searching))
    start(D, /*Search=*/true);
}

/// Answers those who wait for the text to be measured and, if it is
/// \p Searched, the others; with \p Problem where there is one.
void LspServer::answer(Document &D, bool Searched, const std::string &Problem) {
  std::vector<Waiting> Now, Later;
  for (Waiting &W : D.Waiters) {
    bool Ready = W.ForSearch ? Searched : D.Measured;
    (Ready ? Now : Later).push_back(std::move(W));
  }
  D.Waiters = std::move(Later);
  for (Waiting &W : Now)
    W.Then(Problem.empty() ? Error::success()
                           : make_error<LspError>(
                                 Problem, lsp::ErrorCode::ContentModified));
}

void LspServer::publish(const Document &D) {
  Editor.notify("textDocument/publishDiagnostics",
                json::Object{{"uri", D.Uri},
                             {"version", D.Version},
                             {"diagnostics", lsp::diagnostics(D.known())}});
}

void LspServer::refresh() {
  if (RefreshesLenses)
    Editor.request("workspace/codeLens/refresh", nullptr);
  if (RefreshesHints)
    Editor.request("workspace/inlayHint/refresh", nullptr);
}

/// After a moment: what is done soon needs no bar.
void LspServer::showProgress(Document &D, const std::string &What) {
  using namespace std::chrono_literals;
  if (!ShowsProgress || LspLoop::Clock::now() - D.Began < 500ms)
    return;
  bool First = D.ProgressToken.empty();
  if (First) {
    D.ProgressToken = formatv("clrewrite/{0}", ++Tokens);
    Editor.request("window/workDoneProgress/create",
                   json::Object{{"token", D.ProgressToken}});
  }
  json::Object Value{{"kind", First ? "begin" : "report"},
                     {"message", json::fixUTF8(What)}};
  if (First)
    Value["title"] = "clrewrite";
  Editor.notify("$/progress", json::Object{{"token", D.ProgressToken},
                                           {"value", std::move(Value)}});
}

void LspServer::endProgress(Document &D) {
  if (D.ProgressToken.empty())
    return;
  Editor.notify("$/progress",
                json::Object{{"token", D.ProgressToken},
                             {"value", json::Object{{"kind", "end"}}}});
  D.ProgressToken.clear();
}

void LspServer::tell(lsp::MessageType Type, const std::string &Message) {
  Editor.notify(
      "window/showMessage",
      json::Object{{"type", int(Type)}, {"message", json::fixUTF8(Message)}});
}

} // namespace clrewrite::cli
