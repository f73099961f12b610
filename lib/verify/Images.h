// Images and samplers of a guessed launch.
//
// An image is as large as the NDRange, or larger; one that the kernel reads
// through samplers alone is smaller too, so that their rules for coordinates
// outside it count. Without a sampler an access outside is undefined, and no
// device tells that it happened: such images never get smaller. Formats are
// those that every device of the full profile has, and suit the functions that
// the kernel applies to the image. A sampler is one of those that the kernel's
// reads are defined for; "none" is not tried, as coordinates outside the image
// would be undefined.
#pragma once

#include "verify/Kernel.h"
#include <cstdint>

namespace clrewrite::verify {

/// How the sizes of a round's images relate to the NDRange.
enum class ImageSizes { Exact, Larger, Half, Tiny };

/// The channels of an image, and what they are in memory.
struct ImageFormat {
  llvm::StringRef Type;      ///< "UNORM_INT8"; the order is RGBA
  llvm::StringRef Component; ///< "uchar"
  bool Normalised = false;   ///< integers that stand for 0 to 1 or -1 to 1
};

/// The \p Choice-th format for \p A; the 0-th is the widest.
ImageFormat imageFormat(const KernelArgument &A, uint64_t Choice);

/// The sizes of \p A as members of an "image" of the job `run`.
llvm::json::Object imageSizes(const KernelArgument &A,
                              llvm::ArrayRef<uint64_t> Global, ImageSizes How);

/// The \p Choice-th sampler for \p A, as the job `run` has it.
llvm::json::Value sampler(const KernelArgument &A, uint64_t Choice);

/// "pixel (3, 2)": the \p Element-th of \p Image, an "image" of the job `run`.
std::string pixelName(const llvm::json::Object &Image, uint64_t Element);

} // namespace clrewrite::verify
