// A kernel's registers from the metadata note of an AMD code object.
#pragma once

#include "Figures.h"
#include <string_view>

namespace clrewrite::device {

/// Reads the NT_AMDGPU_METADATA note (type 32, owner "AMDGPU", msgpack; code
/// object version 3 and later, "User Guide for AMDGPU Backend", LLVM) of the
/// first AMDGPU code object in \p Blob. Empty where there is none.
FiguresByKernel readAmdNote(std::string_view Blob);

} // namespace clrewrite::device
