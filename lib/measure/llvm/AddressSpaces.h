// Address spaces by LLVM's numbers, as AMDGPU and NVPTX have them alike.
#pragma once

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

} // namespace clrewrite::measure
