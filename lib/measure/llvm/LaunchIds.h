// Which ids a kernel asks for, by the intrinsics of each GPU's back end.
#pragma once

#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/IntrinsicsR600.h"
#include <optional>

namespace clrewrite::measure {

/// The id of a work-group, or of a work-item in its work-group, along a
/// dimension from 0 to 2.
struct LaunchId {
  bool OfGroup;
  unsigned Dimension;
};

/// What intrinsic \p Id gives; nullopt where that is no id.
inline std::optional<LaunchId> launchIdOf(llvm::Intrinsic::ID Id) {
  using namespace llvm;
  switch (Id) {
  case Intrinsic::amdgcn_workitem_id_x:
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
  case Intrinsic::r600_read_tidig_x:
    return LaunchId{false, 0};
  case Intrinsic::amdgcn_workitem_id_y:
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::r600_read_tidig_y:
    return LaunchId{false, 1};
  case Intrinsic::amdgcn_workitem_id_z:
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
  case Intrinsic::r600_read_tidig_z:
    return LaunchId{false, 2};
  case Intrinsic::amdgcn_workgroup_id_x:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_x:
  case Intrinsic::r600_read_tgid_x:
    return LaunchId{true, 0};
  case Intrinsic::amdgcn_workgroup_id_y:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_y:
  case Intrinsic::r600_read_tgid_y:
    return LaunchId{true, 1};
  case Intrinsic::amdgcn_workgroup_id_z:
  case Intrinsic::nvvm_read_ptx_sreg_ctaid_z:
  case Intrinsic::r600_read_tgid_z:
    return LaunchId{true, 2};
  default:
    return std::nullopt;
  }
}

} // namespace clrewrite::measure
