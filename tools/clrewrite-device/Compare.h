// Comparing two versions' buffers byte for byte.
#pragma once

#include "ScalarType.h"
#include "opencl/ResultHash.h"
#include <string>

namespace clrewrite::device {

/// Where and how two buffers differ.
struct Difference {
  size_t Bytes = 0;    ///< how many bytes differ
  size_t Elements = 0; ///< how many elements differ
  size_t Offset = 0;   ///< the first byte that differs
  size_t Element = 0;  ///< the element that holds it
  /// That element's bytes in memory order, in hex.
  std::string Expected, Actual;
  /// The largest distance of two elements, for floating types; none where an
  /// element is a NaN in one buffer only, the type is not floating, or what
  /// differs are bytes after the last whole element.
  std::optional<uint64_t> MaxUlps;
  /// The largest relative distance (relativelyApart); none as above, and where
  /// an element is infinite in one buffer only.
  std::optional<double> MaxRelative;
};

/// None where all \p Size bytes are equal. An element is a component of
/// \p Type, or with \p Unit all that lie in so many bytes: a pixel. With \p
/// AnyNan two NaNs of a Float type are equal whatever their sign and payload.
std::optional<Difference> compareBytes(const uint8_t *Expected,
                                       const uint8_t *Actual, size_t Size,
                                       const ScalarType &Type,
                                       bool AnyNan = false, size_t Unit = 0);

using clrewrite::opencl::hashBytes;

} // namespace clrewrite::device
