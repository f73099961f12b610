// The resources of a kernel, as a driver reports them.
#pragma once

#include "Problem.h"
#include <array>
#include <cstdint>
#include <map>

namespace clrewrite::device {

using Count = std::optional<uint64_t>;

/// A figure that the driver can't tell is nullopt (null in the answer), never
/// 0.
struct Figures {
  Count Vgprs;      ///< registers per work-item (NVIDIA: registers per thread)
  Count Agprs;      ///< accumulation registers per work-item (AMD CDNA)
  Count Sgprs;      ///< scalar registers per wave (AMD)
  Count VgprSpills; ///< vector registers spilled (AMD)
  Count SgprSpills; ///< scalar registers spilled (AMD)
  Count GrfCount;   ///< registers a hardware thread may use (Intel)
  Count SpillBytes; ///< NVIDIA: spill stores a thread; Intel: spill memory
  Count SpillLoadBytes;    ///< NVIDIA: spill loads a thread
  Count StackBytes;        ///< stack frame a thread (NVIDIA)
  Count ScratchBytes;      ///< private segment a work-item (AMD)
  Count PrivateBytes;      ///< CL_KERNEL_PRIVATE_MEM_SIZE, a work-item
  Count LdsBytes;          ///< local memory a work-group
  Count SimdWidth;         ///< work-items a wave, warp or hardware thread
  Count WorkGroupMax;      ///< CL_KERNEL_WORK_GROUP_SIZE
  Count PreferredMultiple; ///< CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE
  /// reqd_work_group_size, where the kernel has one.
  std::optional<std::array<uint64_t, 3>> CompileWorkGroup;
  /// Where the register figures were read, or why there are none.
  std::string From;

  Json toJson() const;
};

/// Figures by the name of the kernel.
using FiguresByKernel = std::map<std::string, Figures>;

} // namespace clrewrite::device
