// Kernels that multiply and add, and what they leave.
//
// Each work-item has K independent chains of
//
//   x = x * x + c;
//
// which a compiler may join into one fma, and usually does. The map is chaotic
// for c near -2, and stays within -2 and 2: every step depends on all before
// it, to the last bit, so that no step can be left out, and the result, which
// is known, shows that all were done. (A linear map of floats would converge.)
// Modulo 2^32 squaring forgets a bit in each step and ends in a short cycle, so
// that integers have x = x * m + c instead, with another odd m in each
// iteration: one to one, so that nothing is forgotten, and without a short form
// over iterations.
//
// MadModel does the steps on the host, with one rounding a step and with two:
// which of them the device agrees with tells whether it had fused.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace clrewrite::instrument {

enum class MadType { Float, Half, Double, Int };

/// "float", "half", "double", "int".
llvm::StringRef nameOf(MadType T);

/// Chains that there are kernels for, in rising order.
inline constexpr unsigned MadChains[] = {1, 2, 4, 8};
inline constexpr unsigned MostMadChains = 8;
/// Steps of each chain in an iteration of the loop.
inline constexpr unsigned MadUnroll = 16;
/// Work-items with the same id modulo this compute the same.
inline constexpr unsigned MadSeeds = 4;
/// c: what halves have too.
inline constexpr float MadAddend = -1.90625f;

/// OpenCL C of the kernels `mad1`, `mad2`, `mad4` and `mad8`, each with the
/// arguments (global uint *out, uint loops, float c). \p Width components a
/// chain: 1, 2, 4, 8 or 16.
std::string madKernels(MadType Type, unsigned Width);

/// What work-items store: for each entry of MadChains the words of work-items
/// 0 to MadSeeds - 1. \p Fused: with one rounding a step; makes no difference
/// for integers.
std::vector<std::vector<uint32_t>> madResults(MadType Type, unsigned Width,
                                              unsigned Loops, bool Fused);

} // namespace clrewrite::instrument
