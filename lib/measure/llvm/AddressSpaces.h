// Address spaces by LLVM's numbers, as AMDGPU and NVPTX have them alike.
#pragma once

#include <cstdint>

namespace clrewrite::measure {

enum : unsigned {
  GenericSpace = 0,
  GlobalSpace = 1,
  SharedSpace = 3, ///< LDS
  ConstantSpace = 4,
  PrivateSpace = 5
};

/// Whether addresses of \p Space lead into buffers, as far as it can be told.
inline bool mayHoldBuffers(unsigned Space) {
  return Space == GenericSpace || Space == GlobalSpace ||
         Space == ConstantSpace;
}

/// Where private memory has the word that the lane \p Lane of \p Lanes has at
/// its address \p At: the lanes' words at one address lie side by side.
inline int64_t placeOfPrivate(int64_t At, int64_t Lane, int64_t Lanes) {
  constexpr int64_t WordBytes = 4;
  return (At / WordBytes * Lanes + Lane) * WordBytes;
}

} // namespace clrewrite::measure
