// The head and the body of a message are read, with a limit on both.
#include "lsp/ReadMessage.h"
#include "source/BoundedJson.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::lsp {

/// A document is read up to 64 MiB, and a byte of it may take 6 in JSON.
static constexpr size_t MostMessage = size_t(400) << 20;
static constexpr size_t MostLine = 4096, MostLines = 64;

std::nullopt_t MessageReader::fail(const Twine &Why) {
  Problem = Why.str();
  return std::nullopt;
}

/// Without its end; none at the end of the input, and of lines that no head
/// has.
std::optional<std::string> MessageReader::line() {
  std::string Line;
  for (int C; (C = std::fgetc(From)) != EOF;) {
    if (C == '\n')
      return StringRef(Line).rtrim('\r').str();
    if (Line.size() == MostLine)
      return fail("a line of a message's head has more than " +
                  Twine(MostLine) + " bytes");
    Line += char(C);
  }
  if (!Line.empty())
    return fail("the input ends within a message's head");
  return std::nullopt;
}

/// How many bytes the body has.
std::optional<size_t> MessageReader::head() {
  std::optional<size_t> Length;
  for (size_t I = 0; I < MostLines; ++I) {
    std::optional<std::string> Line = line();
    if (!Line)
      return std::nullopt;
    if (Line->empty())
      return Length ? Length
                    : fail("a message's head has no Content-Length: NUMBER");
    auto [Name, Value] = StringRef(*Line).split(':');
    if (!Name.trim().equals_insensitive("Content-Length"))
      continue;
    size_t Number = 0;
    if (Value.trim().getAsInteger(10, Number) || Number > MostMessage)
      return fail("'" + Value.trim().take_front(40) +
                  "' is no Content-Length from 0 to " + Twine(MostMessage));
    Length = Number;
  }
  return fail("a message's head has more than " + Twine(MostLines) + " lines");
}

std::optional<std::string> MessageReader::next() {
  if (!Problem.empty())
    return std::nullopt;
  std::optional<size_t> Length = head();
  if (!Length)
    return std::nullopt;
  std::string Text;
  char Buffer[65536];
  while (Text.size() < *Length) {
    size_t N = std::fread(Buffer, 1,
                          std::min(sizeof Buffer, *Length - Text.size()), From);
    if (N == 0)
      return fail("the input ends within a message");
    Text.append(Buffer, N);
  }
  return Text;
}

std::optional<json::Object> jsonRpc(StringRef Text) {
  JsonLimits Limits;
  Limits.Bytes = MostMessage;
  Expected<json::Value> V = parseJson(Text, Limits);
  if (!V) {
    consumeError(V.takeError());
    return std::nullopt;
  }
  json::Object *O = V->getAsObject();
  if (!O || O->getString("jsonrpc") != "2.0" ||
      (!O->getString("method") && !O->get("id")))
    return std::nullopt;
  return std::move(*O);
}

} // namespace clrewrite::lsp
