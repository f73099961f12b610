// The attribute that `kernel` is has had one name for all languages since
// Clang 21.
#pragma once

#include_next "clang/AST/Attr.h"

namespace clang {
using DeviceKernelAttr = OpenCLKernelAttr;
} // namespace clang
