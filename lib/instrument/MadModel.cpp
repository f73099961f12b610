// What the multiply-add kernels must leave, computed on the host.
//
// Compiled with -ffp-contract=off: a product and a sum that are written apart
// are rounded apart.
#include "instrument/MadKernels.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace llvm;

namespace clrewrite::instrument {

namespace {

/// \p Value rounded to the nearest half, ties to even; its bits.
uint16_t toHalf(double Value) {
  APFloat F(Value);
  bool Lossy;
  F.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &Lossy);
  return uint16_t(F.bitcastToAPInt().getZExtValue());
}

double fromHalf(uint16_t Bits) {
  APFloat F(APFloat::IEEEhalf(), APInt(16, Bits));
  bool Lossy;
  F.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Lossy);
  return F.convertToDouble();
}

template <typename T> T chain(T X, T C, unsigned Steps, bool Fused) {
  if (Fused)
    for (unsigned I = 0; I < Steps; ++I)
      X = std::fma(X, X, C);
  else
    for (unsigned I = 0; I < Steps; ++I)
      X = X * X + C;
  return X;
}

/// A product of halves, and its sum with c, fit a double: they have 50 bits.
uint16_t halfChain(double X, double C, unsigned Steps, bool Fused) {
  for (unsigned I = 0; I < Steps; ++I)
    X = fromHalf(toHalf((Fused ? X * X : fromHalf(toHalf(X * X))) + C));
  return toHalf(X);
}

/// The bits that a chain ends with, which began with \p Number.
uint64_t lastBits(MadType Type, unsigned Number, unsigned Steps, bool Fused) {
  switch (Type) {
  case MadType::Float:
    return bit_cast<uint32_t>(
        chain(float(Number) / 512, MadAddend, Steps, Fused));
  case MadType::Half:
    return halfChain(Number / 512.0, double(MadAddend), Steps, Fused);
  case MadType::Double:
    return bit_cast<uint64_t>(
        chain(Number / 512.0, double(MadAddend), Steps, Fused));
  case MadType::Int: {
    uint32_t X = Number, C = bit_cast<uint32_t>(MadAddend) | 1;
    for (unsigned I = 0; I < Steps; ++I)
      X = X * (I / MadUnroll * 8 + 5) + C;
    return X;
  }
  }
  return 0;
}

/// One word of the bits of \p Chains chains; \p Bits by chain, then lane.
uint32_t fold(ArrayRef<uint64_t> Bits, unsigned Chains, unsigned Width,
              bool Long) {
  auto cut = [&](uint64_t W) { return Long ? W : W & 0xffffffff; };
  uint64_t One = 0;
  for (unsigned L = 0; L < Width; ++L) {
    uint64_t All = 0;
    for (unsigned K = 0; K < Chains; ++K)
      All = cut(All * 31 + Bits[K * Width + L]);
    One = cut(One * 31 + All);
  }
  return uint32_t(Long ? One ^ One >> 32 : One);
}

} // namespace

std::vector<std::vector<uint32_t>> madResults(MadType Type, unsigned Width,
                                              unsigned Loops, bool Fused) {
  std::vector<std::vector<uint32_t>> Out(std::size(MadChains));
  for (unsigned Seed = 0; Seed < MadSeeds; ++Seed) {
    std::vector<uint64_t> Bits;
    for (unsigned K = 0; K < MostMadChains; ++K)
      for (unsigned L = 0; L < Width; ++L)
        Bits.push_back(lastBits(Type, 1 + Seed + 64 * K + 4 * L,
                                Loops * MadUnroll, Fused));
    for (size_t I = 0; I < Out.size(); ++I)
      Out[I].push_back(
          fold(Bits, MadChains[I], Width, Type == MadType::Double));
  }
  return Out;
}

} // namespace clrewrite::instrument
