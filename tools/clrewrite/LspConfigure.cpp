// The editor's settings: from where they come, and when they are asked for.
//
// A key counts where it was said last: in the editor's configuration, which it
// sends (didChangeConfiguration) or is asked for (workspace/configuration); in
// its initializationOptions; on the command line. Editors differ: some send an
// empty object to say that something may be other than before, some nothing at
// all, some the sections of all their servers. So what is sent counts where it
// names settings of ours; else, where the editor can be asked, it is.
#include "LspServer.h"

using namespace llvm;

namespace clrewrite {

/// What \p V says to us: its member "clrewrite"; else itself, without the
/// sections of other servers. None of our settings is an object.
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
  return Out;
}

static const json::Object *in(const json::Object *O, StringRef Key) {
  return O ? O->getObject(Key) : nullptr;
}

/// From the parameters of "initialize".
void LspServer::beginSettings(const Params &P) {
  const json::Object *All = P.V.getAsObject();
  const json::Object *Can = in(in(All, "capabilities"), "workspace");
  AnswersSettings = Can && Can->getBoolean("configuration").value_or(false);
  if (const json::Object *Told = in(Can, "didChangeConfiguration"))
    RegistersSettings = Told->getBoolean("dynamicRegistration").value_or(false);
  if (const json::Value *Options =
          All ? All->get("initializationOptions") : nullptr)
    if (Error E = apply(ours(*Options), Given))
      tell(lsp::MessageType::Error, toString(std::move(E)));
  Settings = Given;
}

/// Editors whose settings change tell so only where that was asked for.
void LspServer::initialized(const Params &) {
  if (RegistersSettings)
    request(
        "client/registerCapability",
        json::Object{{"registrations",
                      json::Array{json::Object{
                          {"id", "clrewrite-settings"},
                          {"method", "workspace/didChangeConfiguration"}}}}});
  askSettings();
}

void LspServer::configure(const Params &P) {
  const json::Object *O = P.V.getAsObject();
  const json::Value *Sent = O ? O->get("settings") : nullptr;
  json::Value New = Sent ? ours(*Sent) : json::Value(nullptr);
  const json::Object *Members = New.getAsObject();
  if (AnswersSettings && (!Members || Members->empty()))
    return askSettings();
  if (Members)
    takeSettings(New);
}

void LspServer::askSettings() {
  if (!AnswersSettings)
    return;
  auto Ask = Handler.outgoingRequest<json::Value, Params>(
      "workspace/configuration", [this](json::Value, Expected<Params> A) {
        if (!A)
          return consumeError(A.takeError()); // what is known still holds
        const json::Array *List = A->V.getAsArray();
        // Nothing: editors that send theirs in another way say that.
        if (List && !List->empty() && !List->front().getAsNull())
          takeSettings(List->front());
      });
  Ask(json::Object{{"items",
                    json::Array{json::Object{{"section", "clrewrite"}}}}},
      nextRequest());
}

/// They take the place of those that the editor had sent before.
void LspServer::takeSettings(const json::Value &New) {
  LspSettings Fresh = Given;
  if (Error E = apply(New, Fresh))
    return tell(lsp::MessageType::Error, toString(std::move(E)));
  if (Fresh == Settings)
    return;
  Settings = std::move(Fresh);
  for (auto &[Uri, D] : Documents)
    lookAgain(D);
}

} // namespace clrewrite
