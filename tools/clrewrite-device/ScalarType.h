// OpenCL C's scalar and vector types by name, and their values as bytes.
#pragma once

#include "Problem.h"
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clrewrite::device {

struct ScalarType {
  enum Kind { Signed, Unsigned, Float } Class = Unsigned;
  /// Bytes of one component: 1, 2, 4 or 8.
  unsigned Size = 1;
  /// 1 for a scalar, else 2, 3, 4, 8 or 16.
  unsigned Components = 1;

  /// Bytes that a value takes: a vector of three is as large as one of four.
  unsigned bytes() const { return Size * (Components == 3 ? 4 : Components); }
};

/// The type called \p Name ("uchar", "float4", "unsigned int"); none for a
/// name that OpenCL C doesn't have, or that no kernel argument can have.
std::optional<ScalarType> parseType(std::string_view Name);

/// The bit pattern of \p Value rounded to the nearest half, ties to even.
uint16_t halfBits(double Value);

/// The bits of one component of a Float type: \p Value, rounded to it.
inline uint64_t componentBits(const ScalarType &Type, double Value) {
  if (Type.Size == 2)
    return halfBits(Value);
  uint64_t Bits = 0;
  if (Type.Size == 4) {
    float Single = float(Value);
    std::memcpy(&Bits, &Single, sizeof Single);
  } else {
    std::memcpy(&Bits, &Value, sizeof Value);
  }
  return Bits;
}

/// The bytes of \p Value, a number, one of the strings "nan", "inf", "-inf",
/// or for a vector a list of as many of them as it has components.
Result<std::vector<uint8_t>> scalarBytes(const ScalarType &Type,
                                         const Json &Value);

/// The value of the component at \p Bytes. A long double holds those of all
/// integers and of doubles where it has 64 bits of mantissa or more.
long double componentValue(const ScalarType &Type, const uint8_t *Bytes);

/// The same as text: "7", "2.5", "nan", "-inf".
std::string componentText(const ScalarType &Type, const uint8_t *Bytes);

/// A number that is larger for the larger component: -0 is just below +0, and
/// all NaNs are one value, above all others.
uint64_t orderOf(const ScalarType &Type, const uint8_t *Bytes);

/// True where the component of a Float type at \p Bytes is a NaN.
bool isNan(const ScalarType &Type, const uint8_t *Bytes);

/// How many representable values apart two components of a Float type are;
/// 0 for +0 and -0 and for two NaNs, none where only one is a NaN.
std::optional<uint64_t> ulpsApart(const ScalarType &Type, const uint8_t *A,
                                  const uint8_t *B);

/// |A - B| over the larger magnitude: 0 for equal values and for two NaNs, none
/// where only one is a NaN, or where they differ and one is infinite.
std::optional<double> relativelyApart(const ScalarType &Type, const uint8_t *A,
                                      const uint8_t *B);

} // namespace clrewrite::device
