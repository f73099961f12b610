// Byte-for-byte comparison, with a witness.
#include "Compare.h"
#include <algorithm>
#include <cstring>

namespace clrewrite::device {

static std::string hex(const uint8_t *Data, size_t Size) {
  static constexpr char Digits[] = "0123456789abcdef";
  std::string Text;
  for (size_t I = 0; I < Size; ++I) {
    Text += Digits[Data[I] >> 4];
    Text += Digits[Data[I] & 15];
  }
  return Text;
}

/// Makes \p Most at least \p Each; none once either is none.
template <typename T>
static void raise(std::optional<T> &Most, std::optional<T> Each) {
  if (!Each)
    Most.reset();
  else if (Most)
    Most = std::max(*Most, *Each);
}

std::optional<Difference> compareBytes(const uint8_t *Expected,
                                       const uint8_t *Actual, size_t Size,
                                       const ScalarType &Type, bool AnyNan) {
  if (std::memcmp(Expected, Actual, Size) == 0)
    return std::nullopt;
  Difference D;
  bool IsFloat = Type.Class == ScalarType::Float;
  AnyNan &= IsFloat;
  if (IsFloat) {
    D.MaxUlps = 0;
    D.MaxRelative = 0;
  }
  for (size_t Start = 0; Start < Size; Start += Type.Size) {
    size_t Length = std::min<size_t>(Type.Size, Size - Start);
    if (std::memcmp(Expected + Start, Actual + Start, Length) == 0)
      continue;
    if (AnyNan && Length == Type.Size && isNan(Type, Expected + Start) &&
        isNan(Type, Actual + Start))
      continue;
    for (size_t I = Start; I < Start + Length; ++I) {
      if (Expected[I] == Actual[I])
        continue;
      if (D.Bytes++ == 0)
        D.Offset = I;
    }
    if (D.Elements++ == 0) {
      D.Element = Start / Type.Size;
      D.Expected = hex(Expected + Start, Length);
      D.Actual = hex(Actual + Start, Length);
    }
    bool Whole = IsFloat && Length == Type.Size;
    raise(D.MaxUlps, Whole ? ulpsApart(Type, Expected + Start, Actual + Start)
                           : std::nullopt);
    raise(D.MaxRelative,
          Whole ? relativelyApart(Type, Expected + Start, Actual + Start)
                : std::nullopt);
  }
  if (!D.Elements)
    return std::nullopt;
  return D;
}

std::string hashBytes(const uint8_t *Data, size_t Size) {
  uint64_t Hash = Size;
  for (size_t I = 0; I < Size; I += 8) {
    uint64_t Word = 0;
    std::memcpy(&Word, Data + I, std::min<size_t>(8, Size - I));
    Hash = (Hash ^ Word) * 0x9e3779b97f4a7c15;
    Hash ^= Hash >> 29;
  }
  Hash = (Hash ^ Hash >> 32) * 0xbf58476d1ce4e5b9;
  Hash ^= Hash >> 32;
  uint8_t Big[8];
  for (int I = 0; I < 8; ++I)
    Big[I] = uint8_t(Hash >> (56 - 8 * I));
  return hex(Big, sizeof Big);
}

} // namespace clrewrite::device
