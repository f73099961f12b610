// Scalar and vector types by name, and their values as little-endian bytes.
#include "ScalarType.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace clrewrite::device {

std::optional<ScalarType> parseType(std::string_view Name) {
  struct Entry {
    const char *Name;
    ScalarType::Kind Class;
    unsigned Size;
  };
  static constexpr Entry Table[] = {
      {"char", ScalarType::Signed, 1},  {"uchar", ScalarType::Unsigned, 1},
      {"short", ScalarType::Signed, 2}, {"ushort", ScalarType::Unsigned, 2},
      {"int", ScalarType::Signed, 4},   {"uint", ScalarType::Unsigned, 4},
      {"long", ScalarType::Signed, 8},  {"ulong", ScalarType::Unsigned, 8},
      {"half", ScalarType::Float, 2},   {"float", ScalarType::Float, 4},
      {"double", ScalarType::Float, 8},
  };
  std::string Short(Name);
  if (Short.rfind("unsigned ", 0) == 0)
    Short = "u" + Short.substr(strlen("unsigned "));
  size_t Digit = Short.find_first_of("0123456789");
  std::string Width = Digit == std::string::npos ? "" : Short.substr(Digit);
  Short = Short.substr(0, Digit);
  for (const Entry &E : Table) {
    if (Short != E.Name)
      continue;
    if (Width.empty())
      return ScalarType{E.Class, E.Size, 1};
    for (unsigned N : {2u, 3u, 4u, 8u, 16u})
      if (Width == std::to_string(N))
        return ScalarType{E.Class, E.Size, N};
  }
  return std::nullopt;
}

uint16_t halfBits(double Value) {
  uint16_t Sign = std::signbit(Value) ? 0x8000 : 0;
  double Size = std::fabs(Value);
  if (std::isnan(Value))
    return 0x7e00 | Sign;
  if (Size == 0)
    return Sign;
  if (Size >= 65520.0) // halfway between the largest half and 65536
    return 0x7c00 | Sign;
  int Exponent = 0;
  std::frexp(Size, &Exponent); // Size = m * 2^Exponent, 0.5 <= m < 1
  // The spacing of halves there; below 2^-14 that of the denormals.
  int Spacing = std::max(Exponent - 11, -24);
  double Steps = std::nearbyint(std::ldexp(Size, -Spacing));
  // Denormals have exponent field 0; a normal's leading bit adds one to it,
  // and a carry out of the rounding does the right thing by itself.
  uint16_t Field = uint16_t((Spacing + 24) << 10);
  return uint16_t(Field + uint16_t(Steps)) | Sign;
}

/// Appends the bytes of one component. Integers wrap to the type's width.
static void appendComponent(const ScalarType &Type, uint64_t Value,
                            std::vector<uint8_t> &Bytes) {
  for (unsigned I = 0; I < Type.Size; ++I)
    Bytes.push_back(uint8_t(Value >> (8 * I)));
}

/// Appends one component from \p Value; false where it is no number.
static bool appendFrom(const ScalarType &Type, const Json &Value,
                       std::vector<uint8_t> &Bytes) {
  if (Type.Class == ScalarType::Float) {
    if (Value.is_number()) {
      appendComponent(Type, componentBits(Type, Value.get<double>()), Bytes);
      return true;
    }
    if (!Value.is_string())
      return false;
    std::string Word = Value.get<std::string>();
    double Special = std::numeric_limits<double>::infinity();
    if (Word == "nan")
      Special = std::numeric_limits<double>::quiet_NaN();
    else if (Word == "-inf")
      Special = -Special;
    else if (Word != "inf")
      return false;
    appendComponent(Type, componentBits(Type, Special), Bytes);
    return true;
  }
  if (Value.is_number_unsigned())
    appendComponent(Type, Value.get<uint64_t>(), Bytes);
  else if (Value.is_number_integer())
    appendComponent(Type, uint64_t(Value.get<int64_t>()), Bytes);
  else
    return false;
  return true;
}

Result<std::vector<uint8_t>> scalarBytes(const ScalarType &Type,
                                         const Json &Value) {
  std::vector<uint8_t> Bytes;
  if (Type.Components == 1 && !Value.is_array()) {
    if (!appendFrom(Type, Value, Bytes))
      return badRequest("scalar value " + Value.dump() +
                        " does not suit its type");
    return Bytes;
  }
  if (!Value.is_array() || Value.size() != Type.Components)
    return badRequest("a vector's value must be a list of " +
                      std::to_string(Type.Components) + " numbers");
  for (const Json &Component : Value)
    if (!appendFrom(Type, Component, Bytes))
      return badRequest("component " + Component.dump() +
                        " does not suit its type");
  Bytes.resize(Type.bytes());
  return Bytes;
}

static uint64_t signBit(const ScalarType &Type) {
  return uint64_t(1) << (8 * Type.Size - 1);
}

bool isNan(const ScalarType &Type, const uint8_t *Bytes) {
  uint64_t X = 0;
  std::memcpy(&X, Bytes, Type.Size);
  uint64_t Infinity = Type.Size == 2   ? 0x7c00
                      : Type.Size == 4 ? 0x7f800000
                                       : 0x7ff0000000000000;
  return (X & ~signBit(Type)) > Infinity;
}

std::optional<uint64_t> ulpsApart(const ScalarType &Type, const uint8_t *A,
                                  const uint8_t *B) {
  uint64_t X = 0, Y = 0;
  std::memcpy(&X, A, Type.Size);
  std::memcpy(&Y, B, Type.Size);
  uint64_t Sign = signBit(Type);
  bool NanX = isNan(Type, A), NanY = isNan(Type, B);
  if (NanX || NanY)
    return NanX && NanY ? std::optional<uint64_t>(0) : std::nullopt;
  uint64_t SizeX = X & ~Sign, SizeY = Y & ~Sign;
  if ((X & Sign) != (Y & Sign))
    return SizeX + SizeY;
  return SizeX > SizeY ? SizeX - SizeY : SizeY - SizeX;
}

/// The value of the component of a Float type at \p Bytes.
static double valueOf(const ScalarType &Type, const uint8_t *Bytes) {
  if (Type.Size == 8) {
    double Value;
    std::memcpy(&Value, Bytes, sizeof Value);
    return Value;
  }
  if (Type.Size == 4) {
    float Value;
    std::memcpy(&Value, Bytes, sizeof Value);
    return Value;
  }
  uint16_t Bits;
  std::memcpy(&Bits, Bytes, sizeof Bits);
  int Exponent = Bits >> 10 & 31, Fraction = Bits & 1023;
  double Size = Exponent == 31 ? (Fraction ? NAN : INFINITY)
                : Exponent     ? std::ldexp(Fraction + 1024, Exponent - 25)
                               : std::ldexp(Fraction, -24);
  return Bits >> 15 ? -Size : Size;
}

/// The bits of the component, an integer's with its sign extended.
static uint64_t bitsOf(const ScalarType &Type, const uint8_t *Bytes) {
  uint64_t X = 0;
  std::memcpy(&X, Bytes, Type.Size);
  if (Type.Class == ScalarType::Signed && X & signBit(Type))
    X |= ~(2 * signBit(Type) - 1);
  return X;
}

long double componentValue(const ScalarType &Type, const uint8_t *Bytes) {
  if (Type.Class == ScalarType::Float)
    return valueOf(Type, Bytes);
  uint64_t X = bitsOf(Type, Bytes);
  return Type.Class == ScalarType::Signed ? (long double)(int64_t(X))
                                          : (long double)(X);
}

std::string componentText(const ScalarType &Type, const uint8_t *Bytes) {
  if (Type.Class != ScalarType::Float) {
    uint64_t X = bitsOf(Type, Bytes);
    return Type.Class == ScalarType::Signed ? std::to_string(int64_t(X))
                                            : std::to_string(X);
  }
  double X = valueOf(Type, Bytes);
  if (std::isnan(X))
    return "nan";
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.*g",
                Type.Size == 2   ? 5
                : Type.Size == 4 ? 9
                                 : 17,
                X);
  return Text;
}

uint64_t orderOf(const ScalarType &Type, const uint8_t *Bytes) {
  uint64_t X = 0, Sign = signBit(Type), All = 2 * Sign - 1;
  std::memcpy(&X, Bytes, Type.Size);
  if (Type.Class == ScalarType::Unsigned)
    return X;
  if (Type.Class == ScalarType::Signed)
    return X ^ Sign;
  if (isNan(Type, Bytes))
    return All;
  return X & Sign ? ~X & All : X | Sign;
}

std::optional<double> relativelyApart(const ScalarType &Type, const uint8_t *A,
                                      const uint8_t *B) {
  double X = valueOf(Type, A), Y = valueOf(Type, B);
  if (X == Y || (std::isnan(X) && std::isnan(Y)))
    return 0;
  if (!std::isfinite(X) || !std::isfinite(Y))
    return std::nullopt;
  double Larger = std::max(std::fabs(X), std::fabs(Y));
  return std::fabs(X / Larger - Y / Larger);
}

} // namespace clrewrite::device
