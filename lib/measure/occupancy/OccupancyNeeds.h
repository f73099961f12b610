// What a kernel takes of the hardware that its waves share, and what its users
// call that.
#pragma once

#include "measure/Usage.h"

namespace clrewrite::measure {

/// What a kernel takes of a SIMD; 0 for what it does not take.
struct OccupancyNeeds {
  unsigned Vgprs = 0;    ///< a lane, at most OccupancyTerms::MostRegisters
  unsigned Agprs = 0;    ///< a lane, at most 256 (CDNA alone)
  unsigned Sgprs = 0;    ///< a wave, as Usage counts them (GCN and CDNA alone)
  unsigned LdsBytes = 0; ///< a work-group
  /// Work-items a work-group has, at least and at most. Of a range LLVM takes
  /// the size that leaves most waves; NVIDIA's table takes the largest.
  unsigned GroupMin = 1, GroupMax = 256;
  unsigned WaveSize = 0; ///< lanes, 32 or 64; 0 for the processor's own
};

/// What a kernel of these figures takes. \p GroupSize is the work-group of a
/// launch, where one is known and the kernel requires none.
OccupancyNeeds needsOf(const Usage &U,
                       std::optional<unsigned> GroupSize = std::nullopt);

/// What a vendor calls the parts of its GPUs. These are AMD's words, since GCN.
struct OccupancyTerms {
  llvm::StringRef Wave = "wave", Waves = "waves";
  /// The registers that each work-item has its own of, and what has them.
  llvm::StringRef Registers = "VGPRs", Lane = "lane";
  llvm::StringRef Lds = "LDS";
  /// What runs the waves that are counted, in full and in short, and the
  /// latter with its article.
  llvm::StringRef Unit = "SIMD", ShortUnit = "SIMD", PerUnit = "a SIMD";
  /// The registers that a lane can have.
  unsigned MostRegisters = 256;
};

} // namespace clrewrite::measure
