// How kernels are launched: for timing as the user says it, for verification,
// as a capture recorded it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clrewrite::launch {

/// The sizes of a launch.
struct NDRange {
  /// Work-items, 1 to 3 dimensions, and the same for a work-group; no Local
  /// leaves its size to the driver.
  std::vector<uint64_t> Global, Local;
  /// Of the ids; empty for none.
  std::vector<uint64_t> Offset = {};

  uint64_t items() const;
  /// The work-items of a work-group along \p Dimension, and the work-groups
  /// along it; nullopt where the driver chooses.
  std::optional<uint64_t> groupSize(unsigned Dimension) const;
  std::optional<uint64_t> groups(unsigned Dimension) const;
  /// The work-items of a work-group; nullopt where the driver chooses.
  std::optional<uint64_t> groupItems() const;
  /// Waves of \p Lanes, none of which has work-items of two work-groups; where
  /// the driver chooses these, as few as possible.
  uint64_t waves(unsigned Lanes) const;
  /// As the job `run` has them: "global", and "local" and "offset" or null.
  llvm::json::Object sizes() const;
};

bool fromJSON(const llvm::json::Value &V, NDRange &R, llvm::json::Path P);

/// One launch. Written KERNEL:GLOBAL[:LOCAL][,ARGUMENT=VALUE...], e.g.
/// "box_sum:1024x1024:64x4,width=1024,in=4M".
struct Launch : NDRange {
  std::string Kernel;
  /// By parameter name or 0-based index. For a scalar its value; for a pointer
  /// the bytes of its buffer or of its local memory, which K, M or G may
  /// follow (1024, ...).
  /// For an image its size, its format, or both: "640x480:RGBA:UNORM_INT8";
  /// for a sampler its words: "repeat+linear+normalized".
  std::map<std::string, std::string> Arguments;
  /// By 0-based index: which read_image and write_image functions the kernel
  /// applies to an image, "f", "i" or "ui", where that is known.
  std::map<size_t, std::string> Channels;
  /// By 0-based index: the type of a parameter by value, or what a pointer
  /// points to, by OpenCL C's short name, where that is known. Drivers tell the
  /// name that the source has, which may be a typedef's.
  std::map<size_t, std::string> Types = {};
  /// The member "args" of the job `run` where a launch was recorded; Arguments
  /// is of no meaning then.
  std::optional<llvm::json::Array> Recorded = std::nullopt;
  /// Why the contents of a recorded launch's buffers are made up; empty where
  /// they are the recorded ones. Indices that such contents hold may lead
  /// anywhere.
  std::string MadeUp = {};
};

/// A buffer, or local memory, and what timing fills it with: integers from 0
/// to 100, numbers from -1 to 1, or zeros where ElementBytes is 0.
struct LaunchBuffer {
  uint64_t Bytes = 0;
  unsigned ElementBytes = 0; ///< of a vector's component
  bool Floating = false;
};

/// What the estimate and the counts of operations are told of a launch.
struct LaunchFacts : NDRange {
  /// The values of integer parameters, by 0-based index.
  std::map<unsigned, int64_t> Scalars = {};
  /// The bytes of parameters by value, where they are known.
  std::map<unsigned, std::string> Values = {};
  /// What pointers lead to.
  std::map<unsigned, LaunchBuffer> Buffers = {};
  /// What images and samplers are, in the words of Launch::Arguments.
  std::map<unsigned, std::string> Words = {};
  /// Where nothing is known, the launch that was made up for another version of
  /// the kernel (measure/execute/MadeUpLaunch.h): the value of integer arguments
  /// and, behind it, the work-items along each dimension. Empty where a launch is
  /// to be made up; a single 0 where none is.
  std::vector<unsigned> MadeUp = {};
};

using FactsByKernel = std::map<std::string, LaunchFacts>;

/// The first of \p List that launches \p Kernel; null where none does.
const Launch *launchOf(llvm::ArrayRef<Launch> List, llvm::StringRef Kernel);

llvm::Expected<Launch> parseLaunch(llvm::StringRef Text);

/// The launch of \p Kernel that a comment beside it describes: "global=64x64
/// local=8x8 width=64 in=4M", in any order; global is needed.
llvm::Expected<Launch> parseLaunchComment(llvm::StringRef Kernel,
                                          llvm::StringRef Words);

/// A number of bytes such as "65536", "64K", "4M" or "1G".
llvm::Expected<uint64_t> parseBytes(llvm::StringRef Text);

/// The shortest text that parseBytes reads as \p Bytes.
std::string bytesText(uint64_t Bytes);

/// "64x4".
std::string sizesText(llvm::ArrayRef<uint64_t> Sizes);

} // namespace clrewrite::launch
