// Brackets are counted before LLVM's parser sees the text, and bytes that are
// not UTF-8 are carried as characters that stand for them.
#include "source/BoundedJson.h"
#include "source/Beneath.h"
#include "llvm/Support/ConvertUTF.h"

using namespace llvm;

namespace clrewrite {
namespace {

/// What is beyond the limits, and where.
class Looker {
public:
  Looker(StringRef Text, const JsonLimits &Limits)
      : Text(Text), Limits(Limits) {}

  Error run() {
    if (Text.size() > Limits.Bytes)
      return tooMuch(Twine(Text.size()) + " bytes, more than the " +
                     Twine(Limits.Bytes) + " that are read");
    for (; At < Text.size(); ++At)
      if (Error E = character(Text[At]))
        return E;
    return Error::success();
  }

private:
  StringRef Text;
  const JsonLimits &Limits;
  size_t At = 0, Depth = 0, Values = 1;

  Error character(char C) {
    switch (C) {
    case '"':
      skipString();
      return Error::success();
    case '[':
    case '{':
      if (++Depth > Limits.Depth)
        return tooMuch("more than " + Twine(Limits.Depth) +
                       " lists and objects in one another");
      return count();
    case ',':
    case ':':
      return count();
    case ']':
    case '}':
      Depth -= Depth != 0;
      return Error::success();
    default:
      return Error::success();
    }
  }

  Error count() {
    if (++Values > Limits.Values)
      return tooMuch("more than " + Twine(Limits.Values) + " values");
    return Error::success();
  }

  /// To the quote at the end.
  void skipString() {
    for (++At; At < Text.size() && Text[At] != '"'; ++At)
      At += Text[At] == '\\';
  }

  Error tooMuch(const Twine &Why) const {
    StringRef Before = Text.take_front(At);
    size_t Line = Before.count('\n') + 1;
    size_t Column = At - (Before.rfind('\n') + 1);
    return createStringError("[" + Twine(Line) + ":" + Twine(Column) +
                             ", byte=" + Twine(At) + "]: " + Why);
  }
};

/// A number in \p V is 2^63 or more, and not written as an integer. LLVM's
/// getAsInteger converts 2^63 itself to int64_t, which is undefined.
bool holdsHugeNumber(const json::Value &V) {
  if (const json::Array *A = V.getAsArray())
    return any_of(*A, holdsHugeNumber);
  if (const json::Object *O = V.getAsObject())
    return any_of(
        *O, [](const auto &Each) { return holdsHugeNumber(Each.second); });
  return V.kind() == json::Value::Number && !V.getAsUINT64() &&
         *V.getAsNumber() >= 0x1p63;
}

/// Where a byte stands that is not part of UTF-8: the byte after this.
constexpr unsigned FirstByte = 0x10FE00;

/// The length of the character of UTF-8 at the start of \p Text; 0 where there
/// is none.
size_t characterAt(StringRef Text) {
  auto *Begin = Text.bytes_begin();
  unsigned Length = getNumBytesForUTF8(*Begin);
  return Length <= Text.size() && isLegalUTF8Sequence(Begin, Begin + Length)
             ? Length
             : 0;
}

/// The byte that the character at the start of \p Text stands for.
std::optional<unsigned char> byteAt(StringRef Text) {
  // U+10FE00 to U+10FEFF, in UTF-8: F4 8F B8 80 to F4 8F BB BF.
  if (Text.size() < 4 || !Text.starts_with("\xF4\x8F"))
    return std::nullopt;
  unsigned High = (unsigned char)Text[2], Low = (unsigned char)Text[3];
  if (High < 0xB8 || High > 0xBB || Low < 0x80 || Low > 0xBF)
    return std::nullopt;
  return (unsigned char)((High & 3) << 6 | (Low & 0x3F));
}

/// Moves the ASCII characters at the start of \p Text, which stand for
/// themselves, to the end of \p Out.
void moveAscii(StringRef &Text, std::string &Out) {
  StringRef Ascii =
      Text.take_while([](char C) { return (unsigned char)C < 0x80; });
  Out += Ascii;
  Text = Text.drop_front(Ascii.size());
}

void addByte(std::string &Out, unsigned char Byte) {
  char Character[4], *End = Character;
  ConvertCodePointToUTF8(FirstByte + Byte, End);
  Out.append(Character, End);
}

} // namespace

json::Value jsonOrNull(StringRef Text, const JsonLimits &Limits) {
  Expected<json::Value> V = parseJson(Text, Limits);
  if (V)
    return std::move(*V);
  consumeError(V.takeError());
  return nullptr;
}

Expected<json::Value> parseJson(StringRef Text, const JsonLimits &Limits) {
  if (Error E = Looker(Text, Limits).run())
    return std::move(E);
  Expected<json::Value> V = json::parse(Text);
  if (V && holdsHugeNumber(*V))
    return createStringError("a number is 2^63 or more");
  return V;
}

Expected<json::Value> readReport(StringRef Path) {
  constexpr JsonLimits Limits = JsonLimits::ofReports();
  Expected<std::string> Text = readRegular(Path.str(), Limits.Bytes);
  if (!Text)
    return Text.takeError();
  Expected<json::Value> V = parseJson(*Text, Limits);
  if (!V)
    return createStringError(Path + ": is no JSON (" + toString(V.takeError()) +
                             ")");
  return V;
}

std::string jsonText(const json::Value &V) {
  std::string Out;
  raw_string_ostream OS(Out);
  // Strings are written a character at a time, and each would be appended.
  OS.SetBufferSize(size_t(16) << 10);
  OS << V;
  OS.flush();
  return Out;
}

std::string textOfBytes(StringRef Bytes) {
  std::string Out;
  Out.reserve(Bytes.size());
  for (moveAscii(Bytes, Out); !Bytes.empty(); moveAscii(Bytes, Out)) {
    size_t Length = characterAt(Bytes);
    // What stands for a byte already is written as the bytes that it has.
    bool Plain = Length && !byteAt(Bytes);
    if (Plain)
      Out += Bytes.take_front(Length);
    else
      addByte(Out, (unsigned char)Bytes.front());
    Bytes = Bytes.drop_front(Plain ? Length : 1);
  }
  return Out;
}

std::string bytesOfText(StringRef Text) {
  std::string Out;
  Out.reserve(Text.size());
  for (moveAscii(Text, Out); !Text.empty(); moveAscii(Text, Out)) {
    std::optional<unsigned char> Byte = byteAt(Text);
    Out += Byte ? char(*Byte) : Text.front();
    Text = Text.drop_front(Byte ? 4 : 1);
  }
  return Out;
}

bool mapBytes(json::ObjectMapper &O, StringLiteral Name, std::string &Bytes) {
  std::string Text;
  if (!O.map(Name, Text))
    return false;
  Bytes = bytesOfText(Text);
  return true;
}

json::Array textsOfBytes(const std::vector<std::string> &List) {
  json::Array Out;
  for (const std::string &Each : List)
    Out.push_back(textOfBytes(Each));
  return Out;
}

bool mapBytes(json::ObjectMapper &O, StringLiteral Name,
              std::vector<std::string> &List) {
  std::vector<std::string> Texts;
  if (!O.map(Name, Texts))
    return false;
  List.clear();
  for (const std::string &Each : Texts)
    List.push_back(bytesOfText(Each));
  return true;
}

} // namespace clrewrite
