// Hulls of runs, and how far one reaches beyond the other.
#include "Spread.h"
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace clrewrite::device {

/// Bytes that are skipped at once where all runs agree; a multiple of all
/// components.
static constexpr size_t Block = 4096;

/// Where bytes are left after the last whole component, all are elements of
/// their own.
Spread::Spread(const ScalarType &Given, size_t Bytes)
    : Type(Bytes % Given.Size ? ScalarType() : Given), Bytes(Bytes) {}

/// Notes where \p Run differs from the first. False where there is no memory.
bool Spread::note(const uint8_t *Run) {
  if (!First.data()) {
    First = HostMemory(Bytes);
    if (!First.data())
      return false;
    std::memcpy(First.data(), Run, Bytes);
    return true;
  }
  if (std::memcmp(First.data(), Run, Bytes) == 0)
    return true;
  if (Touched.empty()) {
    for (HostMemory *M : {&Old.Low, &Old.High, &New.Low, &New.High}) {
      *M = HostMemory(Bytes);
      if (!M->data())
        return false;
      std::memcpy(M->data(), First.data(), Bytes);
    }
    Touched.resize((Bytes + Block - 1) / Block);
  }
  for (size_t At = 0; At < Bytes; At += Block)
    if (!Touched[At / Block])
      Touched[At / Block] = std::memcmp(First.data() + At, Run + At,
                                        std::min(Block, Bytes - At)) != 0;
  return true;
}

/// Calls \p Visit with the offset of each element of blocks that vary.
template <typename Visitor> void Spread::visitTouched(Visitor Visit) const {
  for (size_t I = 0; I < Touched.size(); ++I)
    if (Touched[I])
      for (size_t At = I * Block; At < std::min((I + 1) * Block, Bytes);
           At += Type.Size)
        Visit(At);
}

/// The sum of a hash of each value does not depend on their order.
bool Spread::permutes(const uint8_t *Run) const {
  auto mixed = [&](const uint8_t *At) {
    uint64_t Z = orderOf(Type, At) + 0x9e3779b97f4a7c15;
    Z = (Z ^ Z >> 30) * 0xbf58476d1ce4e5b9;
    Z = (Z ^ Z >> 27) * 0x94d049bb133111eb;
    return Z ^ Z >> 31;
  };
  uint64_t Sum = 0;
  visitTouched(
      [&](size_t At) { Sum += mixed(Run + At) - mixed(First.data() + At); });
  return Sum == 0;
}

bool Spread::add(const uint8_t *Run, bool IsNew) {
  if (!note(Run))
    return false;
  Hulls &Of = IsNew ? New : Old;
  if (!isSteady()) {
    // Until some run leaves other bytes than the first, all are as that.
    if (!Of.Any)
      for (HostMemory *M : {&Of.Low, &Of.High})
        std::memcpy(M->data(), Run, Bytes);
    visitTouched([&](size_t At) {
      uint64_t Key = orderOf(Type, Run + At);
      if (Key < orderOf(Type, Of.Low.data() + At))
        std::memcpy(Of.Low.data() + At, Run + At, Type.Size);
      if (Key > orderOf(Type, Of.High.data() + At))
        std::memcpy(Of.High.data() + At, Run + At, Type.Size);
    });
    if (!IsNew)
      Permutes &= permutes(Run);
  }
  Of.Any = true;
  return true;
}

Spread::Usual Spread::usual() const {
  Usual U;
  if (Type.Class != ScalarType::Float)
    return U;
  std::vector<double> Relative;
  visitTouched([&](size_t At) {
    long double From = componentValue(Type, Old.Low.data() + At),
                To = componentValue(Type, Old.High.data() + At),
                Width = To - From;
    if (!(Width > 0) || !std::isfinite(Width))
      return;
    U.Widest = std::max(U.Widest, Width);
    Relative.push_back(
        double(Width / std::max(std::fabs(From), std::fabs(To))));
  });
  U.TwoUlps = std::ldexp(2.0L, Type.Size == 2   ? -10
                               : Type.Size == 4 ? -23
                                                : -52);
  if (Relative.empty())
    return U;
  auto Middle = Relative.begin() + ptrdiff_t(Relative.size() / 2);
  std::nth_element(Relative.begin(), Middle, Relative.end());
  U.Relative = *Middle;
  return U;
}

double Spread::excess(const uint8_t *Value, size_t At, const Usual &U) const {
  const uint8_t *L = Old.Low.data() + At, *H = Old.High.data() + At;
  uint64_t Key = orderOf(Type, Value);
  bool Below = Key < orderOf(Type, L);
  if (!Below && Key <= orderOf(Type, H))
    return 0;
  long double X = componentValue(Type, Value), From = componentValue(Type, L),
              To = componentValue(Type, H);
  long double Away = Below ? From - X : X - To,
              Magnitude = std::max(std::fabs(From), std::fabs(To));
  long double Unit =
      std::max({To - From, std::min(U.Widest, U.Relative * Magnitude),
                U.TwoUlps * Magnitude});
  if (!std::isfinite(Away) || !std::isfinite(Unit) || !(Unit > 0))
    return INFINITY;
  return double(Away / Unit);
}

Spread::Summary Spread::summary() const {
  Summary S;
  S.Elements = Bytes / Type.Size;
  S.Absolute = S.Relative = 0;
  S.Permuted = Permutes;
  const Usual U = usual();
  auto values = [&](const Hulls &Of, size_t At) {
    return Json::array({componentText(Type, Of.Low.data() + At),
                        componentText(Type, Of.High.data() + At)});
  };
  visitTouched([&](size_t At) {
    const uint8_t *L = Old.Low.data() + At, *H = Old.High.data() + At;
    const uint8_t *NewL = New.Low.data() + At, *NewH = New.High.data() + At;
    if (orderOf(Type, L) != orderOf(Type, H)) {
      ++S.Varying;
      long double From = componentValue(Type, L), To = componentValue(Type, H),
                  Larger = std::max(std::fabs(From), std::fabs(To));
      if (!std::isfinite(To - From))
        S.Absolute = S.Relative = std::nullopt;
      if (S.Absolute && Larger > 0) {
        S.Absolute = std::max(*S.Absolute, double(To - From));
        S.Relative = std::max(*S.Relative, double((To - From) / Larger));
      }
    }
    S.NewVarying += orderOf(Type, NewL) != orderOf(Type, NewH);
    double Lower = excess(NewL, At, U), Upper = excess(NewH, At, U);
    double Most = std::max(Lower, Upper), Least = std::min(Lower, Upper);
    if (!(Most > 0))
      return;
    bool Above = orderOf(Type, NewL) > orderOf(Type, H),
         Below = orderOf(Type, NewH) < orderOf(Type, L);
    bool Apart = Above || Below;
    bool More = Apart ? !S.Apart || Least > S.ApartExcess
                      : !S.Apart && (!S.Outside || Most > S.Excess);
    ++S.Outside;
    S.Apart += Apart;
    S.Excess = std::max(S.Excess, Most);
    if (Apart)
      S.ApartExcess = std::max(S.ApartExcess, Least);
    if (!More)
      return;
    S.Element = At / Type.Size;
    S.OldValues = values(Old, At);
    S.NewValues = values(New, At);
  });
  S.Permuted &= S.Varying > 0;
  return S;
}

} // namespace clrewrite::device
