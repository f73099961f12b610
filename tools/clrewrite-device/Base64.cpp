// Base64 (RFC 4648): three bytes in four characters.
#include "Base64.h"

namespace clrewrite::device {

static constexpr char Base64Digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string encodeBase64(const uint8_t *Data, size_t Size) {
  std::string Text;
  Text.reserve((Size + 2) / 3 * 4);
  for (size_t I = 0; I < Size; I += 3) {
    size_t Have = Size - I < 3 ? Size - I : 3;
    uint32_t Group = uint32_t(Data[I]) << 16;
    if (Have > 1)
      Group |= uint32_t(Data[I + 1]) << 8;
    if (Have > 2)
      Group |= Data[I + 2];
    for (size_t Digit = 0; Digit < 4; ++Digit)
      Text +=
          Digit <= Have ? Base64Digits[Group >> (18 - 6 * Digit) & 63] : '=';
  }
  return Text;
}

static int digitValue(char C) {
  if (C >= 'A' && C <= 'Z')
    return C - 'A';
  if (C >= 'a' && C <= 'z')
    return C - 'a' + 26;
  if (C >= '0' && C <= '9')
    return C - '0' + 52;
  return C == '+' ? 62 : C == '/' ? 63 : -1;
}

std::optional<std::vector<uint8_t>> decodeBase64(std::string_view Text) {
  std::vector<uint8_t> Bytes;
  if (Text.size() % 4)
    return std::nullopt;
  size_t Padding = 0;
  while (Padding < 2 && Padding < Text.size() &&
         Text[Text.size() - 1 - Padding] == '=')
    ++Padding;
  Bytes.reserve(Text.size() / 4 * 3);
  for (size_t I = 0; I < Text.size(); I += 4) {
    size_t Have = I + 4 == Text.size() ? 4 - Padding : 4;
    uint32_t Group = 0;
    for (size_t Digit = 0; Digit < 4; ++Digit) {
      int Value = Digit < Have ? digitValue(Text[I + Digit]) : 0;
      if (Value < 0)
        return std::nullopt;
      Group = Group << 6 | uint32_t(Value);
    }
    for (size_t Byte = 0; Byte < 4; ++Byte) {
      uint8_t Value = uint8_t(Group >> (16 - 8 * int(Byte)) & 255);
      if (Byte + 1 < Have)
        Bytes.push_back(Value);
      else if (Byte < 3 && Value) // bits that no byte holds must be zero
        return std::nullopt;
      if (Byte == 2)
        break;
    }
  }
  return Bytes;
}

} // namespace clrewrite::device
