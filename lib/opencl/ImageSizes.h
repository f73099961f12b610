// The names of the sizes that an image has in a job for a device.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace clrewrite::opencl {

/// The names of the sizes of an image of \p Type ("2d_array"), in order.
llvm::SmallVector<llvm::StringRef> imageSizeNames(llvm::StringRef Type);

} // namespace clrewrite::opencl
