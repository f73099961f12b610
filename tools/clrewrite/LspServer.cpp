// Messages from the editor, and their answers.
#include "LspServer.h"
#include "LspParams.h"
#include "lsp/Figures.h"
#include "rewrite/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::cli {

LspServer::LspServer(LspLoop &Loop, LspConnection &Editor, LspSettings Given,
                     const char *Argv0)
    : Loop(Loop), Editor(Editor), Given(Given), Settings(std::move(Given)),
      Argv0(Argv0) {
  using S = LspServer;
  auto Method = [&](StringRef Name, void (S::*Take)(const Params &, Reply)) {
    Editor.method(Name, [this, Take](const Params &P, Reply R) {
      (this->*Take)(P, std::move(R));
    });
  };
  auto Notification = [&](StringRef Name, void (S::*Take)(const Params &)) {
    Editor.notification(Name,
                        [this, Take](const Params &P) { (this->*Take)(P); });
  };
  Method("initialize", &S::initialize);
  Notification("initialized", &S::initialized);
  Method("shutdown", &S::shutdown);
  Notification("workspace/didChangeConfiguration", &S::configure);
  Notification("workspace/didChangeWatchedFiles", &S::didChangeFiles);
  Notification("textDocument/didOpen", &S::didOpen);
  Notification("textDocument/didChange", &S::didChange);
  Notification("textDocument/didSave", &S::didSave);
  Notification("textDocument/didClose", &S::didClose);
  Method("textDocument/codeLens", &S::codeLens);
  Method("textDocument/inlayHint", &S::inlayHint);
  Method("textDocument/hover", &S::hoverAt);
  Method("textDocument/codeAction", &S::codeAction);
  Method("textDocument/formatting", &S::formatting);
  Method("textDocument/rangeFormatting", &S::rangeFormatting);
  Method("workspace/executeCommand", &S::executeCommand);
}

// An editor that is gone should have said so.
int LspServer::run() { return Editor.run() && ShutDown ? 0 : 1; }

static Error invalid(StringRef What) {
  return make_error<LspError>(What.str(), lsp::ErrorCode::InvalidParams);
}

void LspServer::initialize(const Params &P, Reply R) {
  Initialized = true;
  HasLenses = at(P, "capabilities.textDocument.codeLens") != nullptr;
  RefreshesLenses = trueAt(P, "capabilities.workspace.codeLens.refreshSupport");
  RefreshesHints = trueAt(P, "capabilities.workspace.inlayHint.refreshSupport");
  auto Formats = read<std::vector<std::string>>(
      P, "capabilities.textDocument.hover.contentFormat");
  ShowsMarkdown = !Formats || is_contained(*Formats, "markdown");
  ShowsProgress = trueAt(P, "capabilities.window.workDoneProgress");
  beginSettings(P);
  json::Object Can{
      {"textDocumentSync",
       json::Object{{"openClose", true}, {"change", 2}, {"save", true}}},
      {"codeLensProvider", json::Object{{"resolveProvider", false}}},
      {"inlayHintProvider", true},
      {"hoverProvider", true},
      {"codeActionProvider",
       json::Object{
           {"codeActionKinds", json::Array{"quickfix", lsp::FixAllKind}}}},
      {"documentFormattingProvider", true},
      {"documentRangeFormattingProvider", true},
      {"executeCommandProvider",
       json::Object{
           {"commands",
            json::Array{"clrewrite.explain", "clrewrite.figures",
                        "clrewrite.kernels", "clrewrite.occupancy"}}}}};
  R(json::Object{{"capabilities", std::move(Can)},
                 {"serverInfo", json::Object{{"name", "clrewrite"},
                                             {"version", CLREWRITE_VERSION}}}});
}

void LspServer::shutdown(const Params &, Reply R) {
  ShutDown = true;
  for (auto &[Uri, D] : Documents) {
    stop(D);
    dropCurves(D, "the server is shut down");
  }
  R(nullptr);
}

LspServer::Document *LspServer::find(const Params &P) {
  auto It = Documents.find(stringAt(P, "textDocument.uri").str());
  return It == Documents.end() ? nullptr : &It->second;
}

void LspServer::didOpen(const Params &P) {
  StringRef Uri = stringAt(P, "textDocument.uri");
  if (!Initialized || ShutDown || Uri.empty())
    return;
  Document &D = Documents[Uri.str()];
  stop(D);
  D.Uri = Uri.str();
  // What is in no file yet has a name alone.
  D.Path = lsp::pathOf(Uri).value_or(sys::path::filename(Uri).str());
  D.Text = stringAt(P, "textDocument.text").str();
  D.Version = read<int64_t>(P, "textDocument.version").value_or(0);
  changed(D);
}

void LspServer::didChange(const Params &P) {
  Document *D = find(P);
  auto Changes = read<std::vector<lsp::ContentChange>>(P, "contentChanges");
  if (!D || !Changes)
    return;
  for (const lsp::ContentChange &C : *Changes)
    D->Text = lsp::changed(std::move(D->Text), C);
  D->Version =
      read<int64_t>(P, "textDocument.version").value_or(D->Version + 1);
  changed(*D);
}

/// Headers of others may have changed with it.
void LspServer::didSave(const Params &P) {
  Document *Saved = find(P);
  for (auto &[Uri, D] : Documents)
    if (&D != Saved)
      lookAgain(D, "another document was saved meanwhile");
}

/// Configurations and headers that the editor watches for us. What is open was
/// told already.
void LspServer::didChangeFiles(const Params &P) {
  const json::Value *List = at(P, "changes");
  const json::Array *Changes = List ? List->getAsArray() : nullptr;
  if (!Changes || all_of(*Changes, [&](const json::Value &V) {
        return Documents.count(stringAt(V, "uri").str()) != 0;
      }))
    return;
  for (auto &[Uri, D] : Documents)
    lookAgain(D, "a file changed meanwhile");
}

void LspServer::didClose(const Params &P) {
  Document *D = find(P);
  if (!D)
    return;
  stop(*D);
  D->Measured = true; // nobody has to wait for it any more
  answer(*D, /*Searched=*/true, "the document was closed");
  dropCurves(*D, "the document was closed");
  D->What = {};
  publish(*D);
  Documents.erase(D->Uri);
}

void LspServer::codeLens(const Params &P, Reply R) {
  Document *D = find(P);
  if (!D)
    return R(json::Array());
  // Until then the editor shows the old ones.
  when(*D, /*Searched=*/false, [D, R = std::move(R)](Error E) mutable {
    consumeError(std::move(E));
    R(lsp::lenses(D->known()));
  });
}

lsp::HintChoice LspServer::hintsWanted() const {
  return {Settings.Hints == "on" || (Settings.Hints == "auto" && !HasLenses),
          Settings.Pressure};
}

void LspServer::inlayHint(const Params &P, Reply R) {
  Document *D = find(P);
  auto Within = read<lsp::Range>(P, "range");
  if (!D || !Within)
    return R(json::Array());
  when(*D, /*Searched=*/false,
       [this, D, Within = *Within, R = std::move(R)](Error E) mutable {
         consumeError(std::move(E));
         R(lsp::hints(D->known(), hintsWanted(), Within));
       });
}

void LspServer::hoverAt(const Params &P, Reply R) {
  Document *D = find(P);
  auto Where = read<lsp::Position>(P, "position");
  if (!D || !Where || !D->Measured)
    return R(nullptr);
  R(lsp::hover(D->known(), *Where, ShowsMarkdown ? "markdown" : "plaintext"));
}

void LspServer::codeAction(const Params &P, Reply R) {
  Document *D = find(P);
  auto Within = read<lsp::Range>(P, "range");
  if (!D || !Within)
    return R(json::Array());
  auto Only = read<std::vector<std::string>>(P, "context.only")
                  .value_or(std::vector<std::string>());
  // A client that asks for all fixes is about to save, and waits.
  bool Waits = !Only.empty() && lsp::wants(Only, lsp::FixAllKind);
  if (!Waits)
    return R(D->Searched ? lsp::actions(D->known(), *Within, Only)
                         : json::Array());
  limitTo(*D, std::nullopt);
  when(*D, /*Searched=*/true,
       [D, Within = *Within, Only, R = std::move(R)](Error E) mutable {
         if (E)
           return R(std::move(E));
         R(lsp::actions(D->known(), Within, Only));
       });
}

void LspServer::formatting(const Params &P, Reply R) {
  Document *D = find(P);
  if (!D)
    return R(invalid("no such document"));
  limitTo(*D, std::nullopt);
  format(*D, std::move(R));
}

void LspServer::format(Document &D, Reply R) {
  when(D, /*Searched=*/true, [D = &D, R = std::move(R)](Error E) mutable {
    if (E)
      return R(std::move(E));
    R(lsp::allFixes(D->known()));
  });
}

/// Only edits within those lines may be made, and what pays then may be
/// another set: so this is a search of its own.
void LspServer::rangeFormatting(const Params &P, Reply R) {
  Document *D = find(P);
  auto Within = read<lsp::Range>(P, "range");
  if (!D || !Within)
    return R(invalid("no such document, or no range"));
  int Last = Within->end.character == 0 && Within->start < Within->end
                 ? Within->end.line
                 : Within->end.line + 1;
  unsigned First = unsigned(std::max(0, Within->start.line)) + 1;
  limitTo(*D, LspLines{First, std::max(First, unsigned(std::max(1, Last)))});
  format(*D, std::move(R));
}

void LspServer::executeCommand(const Params &P, Reply R) {
  StringRef Name = stringAt(P, "command");
  auto Words = read<std::vector<std::string>>(P, "arguments")
                   .value_or(std::vector<std::string>());
  if (Name == "clrewrite.explain" && Words.size() == 1)
    for (auto [Each, Page] :
         zip(rewrite::allRewrites(), rewrite::rewritePages()))
      if (Each->Name == Words[0]) {
        tell(lsp::MessageType::Info,
             Words[0] + ": " + StringRef(Each->Summary).str());
        return R(json::Value(StringRef(Page).str()));
      }
  if (Name == "clrewrite.figures" && Words.size() == 2)
    if (auto It = Documents.find(Words[0]); It != Documents.end())
      for (const lsp::ViewKernel &K : It->second.What.Kernels)
        if (K.Name == Words[1])
          return R(json::Value(lsp::figuresTable(K)));
  if (Words.size() == 1)
    if (auto It = Documents.find(Words[0]); It != Documents.end()) {
      if (Name == "clrewrite.kernels")
        return kernels(It->second, std::move(R));
      if (Name == "clrewrite.occupancy")
        return occupancy(It->second, std::move(R));
    }
  R(invalid("no such command, or its arguments name nothing"));
}

} // namespace clrewrite::cli
