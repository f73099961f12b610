// Buffers are compared byte for byte, and the first element that differs is
// kept as a witness.
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

namespace {

/// Makes \p Most at least \p Each; none once either is none.
template <typename T>
void raise(std::optional<T> &Most, std::optional<T> Each) {
  if (!Each)
    Most.reset();
  else if (Most)
    Most = std::max(*Most, *Each);
}

/// Gathers the differences of two buffers.
class Comparison {
  const uint8_t *Expected, *Actual;
  const ScalarType &Type;
  bool IsFloat, AnyNan;
  Difference D;

  bool sameComponent(size_t At, size_t Length) const {
    if (std::memcmp(Expected + At, Actual + At, Length) == 0)
      return true;
    return AnyNan && Length == Type.Size && isNan(Type, Expected + At) &&
           isNan(Type, Actual + At);
  }
  void noteComponent(size_t At, size_t Length) {
    for (size_t I = At; I < At + Length; ++I) {
      if (Expected[I] == Actual[I])
        continue;
      if (D.Bytes++ == 0)
        D.Offset = I;
    }
    bool Whole = IsFloat && Length == Type.Size;
    raise(D.MaxUlps,
          Whole ? ulpsApart(Type, Expected + At, Actual + At) : std::nullopt);
    raise(D.MaxRelative, Whole
                             ? relativelyApart(Type, Expected + At, Actual + At)
                             : std::nullopt);
  }

public:
  Comparison(const uint8_t *Expected, const uint8_t *Actual,
             const ScalarType &Type, bool AnyNan)
      : Expected(Expected), Actual(Actual), Type(Type),
        IsFloat(Type.Class == ScalarType::Float), AnyNan(AnyNan && IsFloat) {
    if (IsFloat) {
      D.MaxUlps = 0;
      D.MaxRelative = 0;
    }
  }

  /// One element of \p Length bytes, the \p Index-th.
  void element(size_t Index, size_t Start, size_t Length) {
    bool Differs = false;
    for (size_t At = Start; At < Start + Length; At += Type.Size) {
      size_t Part = std::min<size_t>(Type.Size, Start + Length - At);
      if (sameComponent(At, Part))
        continue;
      Differs = true;
      noteComponent(At, Part);
    }
    if (!Differs || D.Elements++)
      return;
    D.Element = Index;
    D.Expected = hex(Expected + Start, Length);
    D.Actual = hex(Actual + Start, Length);
  }
  std::optional<Difference> result() {
    if (!D.Elements)
      return std::nullopt;
    return std::move(D);
  }
};

} // namespace

std::optional<Difference> compareBytes(const uint8_t *Expected,
                                       const uint8_t *Actual, size_t Size,
                                       const ScalarType &Type, bool AnyNan,
                                       size_t Unit) {
  if (std::memcmp(Expected, Actual, Size) == 0)
    return std::nullopt;
  Comparison C(Expected, Actual, Type, AnyNan);
  if (!Unit)
    Unit = Type.Size;
  for (size_t Start = 0; Start < Size; Start += Unit)
    C.element(Start / Unit, Start, std::min(Unit, Size - Start));
  return C.result();
}

} // namespace clrewrite::device
