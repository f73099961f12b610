// Each message goes to the function that takes it, and answers go back.
#include "LspConnection.h"
#include "source/BoundedJson.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;

namespace clrewrite::cli {

char LspError::ID;

bool LspConnection::run() {
  while (std::optional<std::string> Text = Reader.next()) {
    std::optional<json::Object> Message = lsp::jsonRpc(*Text);
    if (!Message) {
      WithColor::warning(errs(), "clrewrite")
          << "lsp: a message that is no JSON-RPC 2.0, or that is nested too "
             "deep, is left out\n";
      continue;
    }
    if (Message->getString("method") == "exit" && !Message->get("id"))
      return true;
    take(std::move(*Message));
  }
  if (!Reader.problem().empty())
    WithColor::error(errs(), "clrewrite")
        << "lsp: " << Reader.problem()
        << "; the server ends, since nobody knows where the next message "
           "starts\n";
  return false;
}

void LspConnection::take(json::Object Message) {
  std::optional<StringRef> Method = Message.getString("method");
  if (!Method)
    return takeAnswer(Message);
  const json::Value *Id = Message.get("id"), *Sent = Message.get("params");
  Params P = Sent ? *Sent : nullptr;
  if (!Id) {
    if (auto It = Notifications.find(*Method); It != Notifications.end())
      It->second(P);
    return;
  }
  auto It = Methods.find(*Method);
  if (It == Methods.end())
    return reply(*Id, make_error<LspError>("method not found: " + Method->str(),
                                           lsp::ErrorCode::MethodNotFound));
  It->second(P, [this, Id = *Id](Expected<json::Value> Result) {
    reply(Id, std::move(Result));
  });
}

void LspConnection::takeAnswer(const json::Object &Message) {
  auto It = Asked.find(Message.getString("id").value_or(""));
  if (It == Asked.end())
    return;
  Reply Then = std::move(It->second);
  Asked.erase(It);
  if (const json::Object *E = Message.getObject("error"))
    return Then(createStringError(E->getString("message").value_or("")));
  const json::Value *Result = Message.get("result");
  Then(Result ? *Result : nullptr);
}

void LspConnection::notify(StringRef Method, json::Value Params) {
  send(json::Object{{"method", Method}, {"params", std::move(Params)}});
}

void LspConnection::request(StringRef Method, json::Value Params, Reply Then) {
  std::string Id = formatv("clrewrite-{0}", ++Requests);
  if (Then)
    Asked[Id] = std::move(Then);
  send(json::Object{
      {"id", Id}, {"method", Method}, {"params", std::move(Params)}});
}

void LspConnection::reply(json::Value Id, Expected<json::Value> Result) {
  if (Result)
    return send(
        json::Object{{"id", std::move(Id)}, {"result", std::move(*Result)}});
  lsp::ErrorCode Code = lsp::ErrorCode::Unknown;
  std::string Text;
  handleAllErrors(Result.takeError(), [&](const ErrorInfoBase &E) {
    if (E.isA<LspError>())
      Code = static_cast<const LspError &>(E).Code;
    Text = E.message();
  });
  send(json::Object{
      {"id", std::move(Id)},
      {"error", json::Object{{"code", int(Code)}, {"message", Text}}}});
}

void LspConnection::send(json::Object Message) {
  Message["jsonrpc"] = "2.0";
  std::string Text = jsonText(std::move(Message));
  Out << "Content-Length: " << Text.size() << "\r\n\r\n" << Text;
  Out.flush();
}

} // namespace clrewrite::cli
