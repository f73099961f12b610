// The images and samplers of a launch that is executed.
//
// A kernel is handed the address of a descriptor, whose words AMD's kernels
// read themselves: the first is a number by which the image is found again,
// others hold its sizes where AMD's library looks for them. Texels have
// addresses, so that what is touched can be counted, and no contents.
#pragma once

#include "measure/execute/DeviceMemory.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace clrewrite::measure {

struct DeviceImage {
  /// In texels; the last one counts layers where there are some.
  uint64_t Sizes[3] = {1, 1, 1};
  unsigned TexelBytes = 4;
  /// The numbers of CL/cl.h.
  unsigned ChannelOrder = 0, ChannelType = 0;
  uint64_t Texels = 0; ///< the address of the first one

  /// The address of a texel. Blocks of 64 bytes by 8 rows lie together, and in
  /// them 32 bytes by 4 rows, and 16 bytes by 2, as NVIDIA's GPUs have them
  /// (envytools, "Tiled surfaces"). AMD's tiles share lines in both directions,
  /// too. Rows of an image of one row lie as those of a buffer.
  uint64_t addressOf(uint64_t X, uint64_t Y, uint64_t Z) const;
};

class DeviceImages {
public:
  explicit DeviceImages(DeviceMemory &Memory) : Memory(Memory) {}

  /// Adds an image of the OpenCL type \p Type ("image2d_t") that \p Words
  /// describe as a launch does, and returns the address of its descriptor; an
  /// error for a type or words that no launch can have. Sizes that \p Words
  /// lack are those of \p Global. With \p MadeUp, texels have four bytes.
  llvm::Expected<uint64_t> addImage(llvm::StringRef Type, llvm::StringRef Words,
                                    llvm::ArrayRef<uint64_t> Global,
                                    bool MadeUp);
  /// The same of a sampler.
  llvm::Expected<uint64_t> addSampler(llvm::StringRef Words);

  /// That whose descriptor begins with \p Number; null for none.
  const DeviceImage *find(uint64_t Number) const {
    return Number - 1 < All.size() ? &All[Number - 1] : nullptr;
  }

  /// The bits of a sampler's first word that say whether coordinates are
  /// texels, on AMD's GPUs, and whether they go from 0 to 1, which is
  /// CLK_NORMALIZED_COORDS_TRUE.
  static constexpr uint64_t UnnormalisedBit = 0x8000, NormalisedBit = 1;

private:
  DeviceMemory &Memory;
  std::vector<DeviceImage> All;
};

/// An instruction of AMD's or NVIDIA's that reads or writes texels, or asks a
/// descriptor.
struct ImageInstruction {
  enum { Read, Write, Ask } What;
  /// The operands: the descriptor, or its address; the sampler, or its address;
  /// the first of so many coordinates; the layer.
  unsigned Descriptor = 0, Coordinates = 0, Dimensions = 0;
  std::optional<unsigned> Sampler, Layer;
  bool HasWords = false; ///< of the descriptor and the sampler
  bool Integers = false; ///< it reads them, whatever LLVM's type is
  llvm::StringRef Asked; ///< "width", "channel.order"
};

/// nullopt for another intrinsic, and for one that is not executed.
std::optional<ImageInstruction> imageInstruction(const llvm::IntrinsicInst &I);

} // namespace clrewrite::measure
