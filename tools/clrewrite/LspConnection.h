// Messages between an editor and the server, as JSON-RPC 2.0: which function
// takes each message that arrives, and what is sent.
#pragma once

#include "lsp/Protocol.h"
#include "lsp/ReadMessage.h"
#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace clrewrite::cli {

/// Why a request has no result, with the protocol's code for it.
class LspError : public llvm::ErrorInfo<LspError> {
public:
  static char ID;
  std::string Text;
  lsp::ErrorCode Code;

  LspError(std::string Text, lsp::ErrorCode Code)
      : Text(std::move(Text)), Code(Code) {}
  void log(llvm::raw_ostream &Out) const override { Out << Text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

class LspConnection {
public:
  using Params = llvm::json::Value; ///< null where the message has none
  using Reply = llvm::unique_function<void(llvm::Expected<llvm::json::Value>)>;

  LspConnection(std::FILE *In, llvm::raw_ostream &Out) : Reader(In), Out(Out) {}

  /// \p Take answers requests of this name, once each; now or later.
  void method(llvm::StringRef Name,
              llvm::unique_function<void(const Params &, Reply)> Take) {
    Methods[Name] = std::move(Take);
  }
  void notification(llvm::StringRef Name,
                    llvm::unique_function<void(const Params &)> Take) {
    Notifications[Name] = std::move(Take);
  }

  /// Serves messages until the editor says "exit", which gives true, or is
  /// gone.
  bool run();

  void notify(llvm::StringRef Method, llvm::json::Value Params);
  /// \p Then takes the editor's answer.
  void request(llvm::StringRef Method, llvm::json::Value Params,
               Reply Then = nullptr);

private:
  lsp::MessageReader Reader;
  llvm::raw_ostream &Out;
  llvm::StringMap<llvm::unique_function<void(const Params &, Reply)>> Methods;
  llvm::StringMap<llvm::unique_function<void(const Params &)>> Notifications;
  llvm::StringMap<Reply> Asked; ///< by the id of our request
  unsigned Requests = 0;

  void take(llvm::json::Object Message);
  void takeAnswer(const llvm::json::Object &Message);
  void reply(llvm::json::Value Id, llvm::Expected<llvm::json::Value> Result);
  void send(llvm::json::Object Message);
};

} // namespace clrewrite::cli
