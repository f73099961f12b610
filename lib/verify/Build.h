// What the device that versions are compared on makes of a program.
#pragma once

#include "verify/Device.h"
#include "verify/Versions.h"

namespace clrewrite::verify {

opencl::DeviceAnswer build(const Source &S, const ChosenDevice &D,
                           Arithmetic How);

/// The first error of the log of a build of \p S, or the problem where there is
/// none. A driver has the text under a name of its own; that of the file stands
/// in its place, as seen from the working folder.
std::string whyNotBuilt(const opencl::DeviceAnswer &A, const Source &S);

/// What \p Built, the answer to a build, says of a kernel; null where the
/// program has no such kernel.
const llvm::json::Object *kernelNamed(const opencl::DeviceAnswer &Built,
                                      llvm::StringRef Name);

} // namespace clrewrite::verify
