// What an editor sends: messages, of which those that change a document do so.
#include "Fuzz.h"
#include "lsp/Positions.h"
#include "lsp/ReadMessage.h"

using namespace clrewrite;
using namespace llvm;

/// As the server does with textDocument/didChange.
static void change(const json::Object &Message) {
  const json::Object *Params = Message.getObject("params");
  const json::Value *Sent = Params ? Params->get("contentChanges") : nullptr;
  std::vector<lsp::ContentChange> Changes;
  json::Path::Root Root;
  if (!Sent || !fromJSON(*Sent, Changes, Root))
    return;
  std::string Text = "kernel void f(global int *p) {\r\n  p[0] = 1;\n}";
  for (const lsp::ContentChange &C : Changes)
    Text = lsp::changed(std::move(Text), C);
  lsp::editsBetween("kernel void f() {}\n", Text);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::FILE *In =
      Size ? ::fmemopen(const_cast<uint8_t *>(Data), Size, "r") : nullptr;
  if (!In)
    return 0;
  lsp::MessageReader Reader(In);
  while (std::optional<std::string> Text = Reader.next())
    if (std::optional<json::Object> Message = lsp::jsonRpc(*Text))
      change(*Message);
  std::fclose(In);
  return 0;
}
