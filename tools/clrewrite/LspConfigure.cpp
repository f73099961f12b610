// The editor's settings: from where they come, and when they are asked for.
//
// Those count that were said last, instead of all that the editor had said
// before: initializationOptions, then what it sends (didChangeConfiguration) or
// answers (workspace/configuration). Editors differ in how they say nothing:
// some send null or an empty object to tell that something may be other than
// before, some the sections of all their servers, some answer with an empty
// object for a section that they don't have. That changes nothing, and where
// the editor can be asked, it is. Only a section "clrewrite" that is sent and
// empty says that all is at its default.
#include "LspParams.h"
#include "LspServer.h"
#include "frontend/BuildOptions.h"
#include "frontend/IncludeFolders.h"
#include "source/RealPaths.h"

using namespace llvm;

namespace clrewrite::cli {

/// What \p V says to us: its member "clrewrite"; else itself, without the
/// sections of other servers. None of our settings is an object. Null: nothing.
static json::Value ours(const json::Value &V) {
  const json::Object *O = V.getAsObject();
  if (!O)
    return V;
  if (const json::Value *Own = O->get("clrewrite"))
    return *Own;
  json::Object Out;
  for (const auto &[Key, Value] : *O)
    if (!Value.getAsObject())
      Out[Key] = Value;
  if (Out.empty())
    return nullptr;
  return Out;
}

static std::string workTreeAt(StringRef Uri) {
  std::optional<std::string> Folder = lsp::pathOf(Uri);
  return Folder ? treeOf(*Folder) : "";
}

/// The work trees of the folders that the editor shows; where it shows none,
/// that of the working folder.
static std::vector<std::string> workspaceOf(const json::Value &Parameters) {
  std::vector<std::string> Out;
  const json::Value *List = at(Parameters, "workspaceFolders");
  if (const json::Array *Folders = List ? List->getAsArray() : nullptr)
    for (const json::Value &Each : *Folders)
      Out.push_back(workTreeAt(stringAt(Each, "uri")));
  else if (StringRef Root = stringAt(Parameters, "rootUri"); !Root.empty())
    Out.push_back(workTreeAt(Root));
  else
    Out.push_back(treeOf("."));
  return Out;
}

/// The include folders that the server's command line names.
static std::vector<std::string> foldersOf(const LspSettings &Given,
                                          StringRef Program) {
  config::Options O;
  std::vector<std::string> LeftOut;
  (void)Given.read(Program, O, LeftOut); // it was read without an error before
  std::vector<std::string> Words = O.AfterDashes;
  if (O.Set.Options)
    for (StringRef Text : *O.Set.Options)
      append_range(Words, frontend::splitBuildOptions(Text));
  std::vector<std::string> Out;
  for (const std::string &Folder : frontend::includeFolders(Words))
    Out.push_back(realPath(Folder));
  return Out;
}

/// Says which include folders of the settings do not count.
void LspServer::tellLeftOut() {
  config::Options O;
  std::vector<std::string> LeftOut;
  (void)Settings.read(Argv0, O, LeftOut); // each job tells of errors
  for (const std::string &Folder : LeftOut)
    tell(lsp::MessageType::Warning,
         "settings: -I " + Folder +
             " lies outside of the folders that the editor shows and is left "
             "out; name it on the server's command line or in "
             "CLREWRITE_READABLE "
             "where the program is meant to have it");
}

/// From the parameters of "initialize".
void LspServer::beginSettings(const Params &P) {
  Settings.IncludeRoots = workspaceOf(P);
  append_range(Settings.IncludeRoots, foldersOf(Given, Argv0));
  AnswersSettings = trueAt(P, "capabilities.workspace.configuration");
  RegistersSettings = trueAt(
      P, "capabilities.workspace.didChangeConfiguration.dynamicRegistration");
  WatchesFiles = trueAt(
      P, "capabilities.workspace.didChangeWatchedFiles.dynamicRegistration");
  if (const json::Value *Options = at(P, "initializationOptions"))
    if (Error E = apply(ours(*Options), Settings))
      tell(lsp::MessageType::Error, toString(std::move(E)));
  tellLeftOut();
}

/// Editors tell of settings and files that change only where that was asked
/// for.
void LspServer::initialized(const Params &) {
  json::Array Wanted;
  if (RegistersSettings)
    Wanted.push_back(
        json::Object{{"id", "clrewrite-settings"},
                     {"method", "workspace/didChangeConfiguration"}});
  if (WatchesFiles)
    Wanted.push_back(json::Object{
        {"id", "clrewrite-files"},
        {"method", "workspace/didChangeWatchedFiles"},
        {"registerOptions",
         json::Object{
             {"watchers",
              json::Array{
                  json::Object{{"globPattern", "**/.clrewrite.yaml"}},
                  json::Object{{"globPattern", "**/*.{cl,clh,h,hpp}"}}}}}}});
  if (!Wanted.empty())
    Editor.request("client/registerCapability",
                   json::Object{{"registrations", std::move(Wanted)}});
  askSettings();
}

void LspServer::configure(const Params &P) {
  const json::Value *Sent = at(P, "settings");
  json::Value New = Sent ? ours(*Sent) : json::Value(nullptr);
  if (New.getAsNull())
    return askSettings();
  takeSettings(New);
}

void LspServer::askSettings() {
  if (!AnswersSettings)
    return;
  Editor.request(
      "workspace/configuration",
      json::Object{
          {"items", json::Array{json::Object{{"section", "clrewrite"}}}}},
      [this](Expected<json::Value> A) {
        if (!A)
          return consumeError(A.takeError()); // what is known still holds
        const json::Array *List = A->getAsArray();
        const json::Object *New =
            List && !List->empty() ? List->front().getAsObject() : nullptr;
        if (New && !New->empty())
          takeSettings(List->front());
      });
}

void LspServer::takeSettings(const json::Value &New) {
  LspSettings Fresh = Given;
  Fresh.IncludeRoots = Settings.IncludeRoots;
  if (Error E = apply(New, Fresh))
    return tell(lsp::MessageType::Error, toString(std::move(E)));
  if (Fresh == Settings)
    return;
  Settings = std::move(Fresh);
  tellLeftOut();
  for (auto &[Uri, D] : Documents)
    lookAgain(D, "the settings changed meanwhile");
}

} // namespace clrewrite::cli
