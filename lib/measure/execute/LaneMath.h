// Numbers as the bits that a lane's register holds.
#pragma once

#include "llvm/ADT/bit.h"
#include "llvm/IR/Type.h"
#include <cmath>
#include <cstdint>

namespace clrewrite::measure {

/// The value of a half (IEEE 754 binary16).
inline float floatOfHalf(uint16_t Bits) {
  unsigned Exponent = Bits >> 10 & 31, Mantissa = Bits & 1023;
  float Size = Exponent == 31 ? (Mantissa ? NAN : INFINITY)
               : Exponent
                   ? std::ldexp(float(Mantissa | 1024), int(Exponent) - 25)
                   : std::ldexp(float(Mantissa), -24);
  return std::copysign(Size, Bits >> 15 ? -1.0f : 1.0f);
}

/// The half that is nearest to \p V, the even one of two.
inline uint16_t halfOf(float V) {
  auto Sign = uint16_t(std::signbit(V) ? 0x8000 : 0);
  float Size = std::fabs(V);
  if (std::isnan(V))
    return Sign | 0x7e00;
  if (Size >= 65520)
    return Sign | 0x7c00;
  int Exponent = 0;
  std::frexp(Size, &Exponent);
  // Eleven significant bits, or multiples of the smallest half. What rounds up
  // to the next power of two carries into the exponent's bits.
  Exponent = Size == 0 || Exponent < -13 ? -13 : Exponent;
  auto Mantissa = unsigned(std::nearbyint(std::ldexp(Size, 11 - Exponent)));
  return uint16_t(Sign + (unsigned(Exponent + 13) << 10) + Mantissa);
}

/// The same for bfloat16, the upper half of a float.
inline float floatOfBfloat(uint16_t Bits) {
  return llvm::bit_cast<float>(uint32_t(Bits) << 16);
}
inline uint16_t bfloatOf(float V) {
  auto Bits = llvm::bit_cast<uint32_t>(V);
  if (std::isnan(V))
    return uint16_t(Bits >> 16 | 64);
  return uint16_t((Bits + 0x7fff + (Bits >> 16 & 1)) >> 16);
}

/// As many set bits, up to 64.
inline uint64_t lowBits(unsigned N) {
  return N >= 64 ? ~uint64_t(0) : (uint64_t(1) << N) - 1;
}

/// The signed integer in the low \p N bits of \p V.
inline int64_t signedOf(uint64_t V, unsigned N) {
  return N >= 64 || N == 0 ? int64_t(V) : int64_t(V << (64 - N)) >> (64 - N);
}

/// The number of type \p T, exactly.
inline double numberOf(const llvm::Type *T, uint64_t Bits) {
  T = T->getScalarType();
  if (T->isDoubleTy())
    return llvm::bit_cast<double>(Bits);
  if (T->isFloatTy())
    return double(llvm::bit_cast<float>(uint32_t(Bits)));
  return double(T->isHalfTy() ? floatOfHalf(uint16_t(Bits))
                              : floatOfBfloat(uint16_t(Bits)));
}

/// \p V rounded to type \p T.
inline uint64_t bitsOfNumber(const llvm::Type *T, double V) {
  T = T->getScalarType();
  if (T->isDoubleTy())
    return llvm::bit_cast<uint64_t>(V);
  if (T->isFloatTy())
    return llvm::bit_cast<uint32_t>(float(V));
  return T->isHalfTy() ? halfOf(float(V)) : bfloatOf(float(V));
}

/// \p V without its fraction; 0 where no integer of 64 bits holds it.
inline uint64_t integerOf(double V, bool Signed) {
  if (Signed)
    return V > -0x1p63 && V < 0x1p63 ? uint64_t(int64_t(V)) : 0;
  return V > -1 && V < 0x1p64 ? uint64_t(V) : 0;
}

} // namespace clrewrite::measure
