// What kernels are compiled for and measured on.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace clrewrite::measure {

class TargetFamily;

/// A GPU that kernels are measured for.
struct Target {
  /// As the user wrote it, e.g. "gfx906" or "hawaii"; a device's own name once
  /// it is known which one is meant.
  std::string Name;
  /// LLVM's name of the processor, e.g. "gfx701" for hawaii, "cedar" for palm
  /// or "sm_90". For a device what follows "device:": empty, "all", or a part
  /// of its name.
  std::string Cpu;
  /// What is the same for all such GPUs; null for one that a test makes up.
  const TargetFamily *Family = nullptr;
  /// The major version of the LLVM that compiles for it, as "gfx906@19" says;
  /// 0 for the one that this program is linked with (OtherLlvm.h).
  unsigned Llvm = 0;
  /// Of a device, the machine of a farm that has it (FarmMeter.h); empty for
  /// this one.
  std::string Host = "";
  /// The device program's number of a device; of no meaning until
  /// resolveDevices (DeviceMeter.h) has set it.
  unsigned Device = 0;
  /// Of a device, as it names its vendor itself; empty where that is not known.
  std::string Vendor = "";
  /// Of a device, the target that its processor is for a compiler ("sm_90",
  /// "gfx906"); empty where that is not known.
  std::string Chip = "";
  /// Of a device, its name as its driver has it.
  std::string Model = "";
  /// Of a device, it is the host's own processor.
  bool IsCpu = false;
  /// Of a device, its driver takes options such as -cl-nv-maxrregcount.
  bool TakesNvidiaOptions = false;
  /// Of a device, what holds the kernels that are timed there; empty where none
  /// are, or the device program does not say.
  std::string Sandbox = "";

  /// Which of the builds of a text it is measured for (pipeline/Builds.h).
  unsigned Build = 0;

  /// It is an OpenCL device: a driver compiles for it, and runs kernels there.
  bool isDevice() const;

  /// LLVM's AMDGPU back end makes its code, or may: it is behind the drivers of
  /// AMD's devices.
  bool mayBeAmd() const;

  /// How many vector registers a lane may have where the attribute
  /// amdgpu_num_vgpr says \p Limit: CDNA has as many AGPRs beside them.
  unsigned registersUnder(unsigned Limit) const;
};

/// The target that \p Name names, of any family (Families.cpp): a processor of
/// LLVM's AMDGPU back end from gfx600 on, by its gfx number or its old name;
/// one of its r600 back end that runs OpenCL C ("redwood"); an NVIDIA
/// architecture ("sm_90") whose limits are known; or "device", "device:all",
/// "device:PART OF ITS NAME". A GPU followed by @ and 19 to 22 is compiled for
/// with that version of LLVM. The error lists them.
llvm::Expected<Target> parseTarget(llvm::StringRef Name);

} // namespace clrewrite::measure
