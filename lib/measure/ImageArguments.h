// Images and samplers of a timed launch, from what the user wrote.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>

namespace clrewrite::measure {

/// An image parameter as the driver and the front end tell of it.
struct ImageParameter {
  llvm::StringRef Type;     ///< "image2d_array_t"
  llvm::StringRef Access;   ///< "read_only", "write_only" or "read_write"
  llvm::StringRef Channels; ///< "f", "i", "ui"; empty where not known
};

/// An argument of the job `run` from "1024x768", "RGBA:UNORM_INT8", both with
/// a colon between, or nothing. Sizes are the image's own, layers last.
llvm::Expected<llvm::json::Value> imageArgument(const ImageParameter &P,
                                                llvm::ArrayRef<uint64_t> Global,
                                                llvm::StringRef Given);

/// The same from words joined by +: an address mode, a filter, "normalized" or
/// "unnormalized".
llvm::Expected<llvm::json::Value> samplerArgument(llvm::StringRef Given);

/// What either of them reads as \p Entry of a job's arguments; nullopt where it
/// is no image and no sampler.
std::optional<std::string> wordsOfArgument(const llvm::json::Value &Entry);

} // namespace clrewrite::measure
