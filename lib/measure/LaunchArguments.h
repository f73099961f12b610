// From the launch that the user described to the arguments of a device job.
#pragma once

#include "launch/Launch.h"
#include "llvm/Support/JSON.h"

namespace clrewrite::measure {

/// The member "args" of the job `run` (docs/device-protocol.md) for \p Shape,
/// where \p Parameters is "args" of the kernel in the answer to `build`.
///
/// A buffer that \p Shape does not size gets room for one element a work-item,
/// at least 16 bytes for each, and 64 KiB more. Its contents suit its element:
/// floats from -1 to 1, integers from 0 to 100, zeros where the type is not
/// one of OpenCL's. An image that \p Shape does not describe is as large as the
/// NDRange, of RGBA and the widest type that suits the kernel's reads and
/// writes. A sampler is unnormalised, clamp_to_edge and nearest. A scalar that
/// \p Shape gives no value is an error, and so is a name of \p Shape that no
/// parameter has.
llvm::Expected<llvm::json::Array>
launchArguments(const launch::Launch &Shape,
                const llvm::json::Array &Parameters);

/// The entry of "args" for a buffer of \p Bytes with elements of type
/// \p TypeName, as launchArguments fills one.
llvm::json::Object bufferArgument(llvm::StringRef TypeName, uint64_t Bytes,
                                  bool Written);

/// The entry of "args" for \p Text, the value of a parameter by value: a scalar
/// or vector of type \p TypeName, else a structure.
llvm::Expected<llvm::json::Value> launchValue(llvm::StringRef TypeName,
                                              llvm::StringRef Text);

/// The bytes that \p Entry of "args" passes by value; nullopt for one that is
/// no value.
std::optional<std::string> bytesOfArgument(const llvm::json::Value &Entry);

/// \p Bytes of elements of type \p TypeName, as launchArguments fills them.
/// Without \p Bytes, as many as a buffer gets that \p Shape does not size.
launch::LaunchBuffer launchBuffer(const launch::NDRange &Shape,
                                  llvm::StringRef TypeName,
                                  std::optional<uint64_t> Bytes);

} // namespace clrewrite::measure
