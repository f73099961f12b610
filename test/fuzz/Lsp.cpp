// What an editor sends: messages, of which those that change a document do so.
#include "Fuzz.h"
#include "lsp/Positions.h"
#include "lsp/ReadMessage.h"
#include "source/BoundedJson.h"

using namespace clrewrite;
using namespace llvm;

/// As the server does with textDocument/didChange.
static void change(const json::Object &Message) {
  llvm::lsp::DidChangeTextDocumentParams P;
  json::Path::Root Root;
  const json::Value *Params = Message.get("params");
  if (!Params || !fromJSON(*Params, P, Root))
    return;
  std::string Text = "kernel void f(global int *p) {\r\n  p[0] = 1;\n}";
  for (const llvm::lsp::TextDocumentContentChangeEvent &C : P.contentChanges)
    Text = clrewrite::lsp::changed(std::move(Text), C);
  clrewrite::lsp::editsBetween("kernel void f() {}\n", Text);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::FILE *In =
      Size ? ::fmemopen(const_cast<uint8_t *>(Data), Size, "r") : nullptr;
  if (!In)
    return 0;
  clrewrite::lsp::MessageReader Reader(In);
  while (std::optional<std::string> Text = Reader.next())
    if (clrewrite::lsp::isJsonRpc(*Text)) {
      if (Expected<json::Value> V = parseJson(*Text))
        change(*V->getAsObject());
      else
        consumeError(V.takeError());
    }
  std::fclose(In);
  return 0;
}
