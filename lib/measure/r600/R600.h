// Measuring for AMD's GPUs before GCN: Evergreen and Northern Islands (Radeon
// HD 5000 and 6000, and the APUs of that time), with LLVM's r600 back end.
//
// These are VLIW machines. A register (GPR) is 128 bits wide, four words, so
// that a scalar kernel may use a quarter of each; there are no scalar registers
// beside them. LLVM keeps private arrays in registers and has no way to spill
// to memory: a kernel that does not fit is not compiled at all. Branches and
// loops take entries of a hardware stack.
//
// There is no estimate of time: what AMD published does not tell how long
// clauses wait for each other. What is reported is static.
#pragma once

#include "measure/Backend.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace clrewrite::measure {

inline constexpr llvm::StringLiteral R600Triple = "r600--";

/// AMD's GPUs before GCN.
const TargetFamily &r600Family();

/// What the back end tells of a function in the section .AMDGPU.config.
struct R600Config {
  unsigned Gprs = 0;
  unsigned StackEntries = 0;
  unsigned LdsBytes = 0; ///< a work-group
};

/// One entry a function, in the order of their code. The section holds pairs of
/// little-endian 32-bit words, a register's address and its value; a function's
/// pairs begin with SQ_PGM_RESOURCES_LS (0x288D4: registers in bits 7:0, stack
/// entries in bits 15:8), and SQ_LDS_ALLOC (0x288E8) has the LDS in words of
/// four bytes (AMD, "Evergreen 3D Register Reference Guide"). Empty where it is
/// no such section.
std::vector<R600Config> parseR600Config(llvm::StringRef Section);

class R600 : public Backend {
public:
  /// Finds libclc's built-in functions ("cedar-r600--.bc" and others) in
  /// \p Directory, in $CLREWRITE_DEVICE_LIBS or in the distribution's place.
  /// Fails where there are none, naming the package to install.
  static llvm::Expected<std::unique_ptr<Backend>>
  open(const std::string &Directory);
  ~R600() override;

  llvm::Error load(llvm::StringRef Cpu) override;
  std::vector<std::string> files(llvm::StringRef Cpu) const override;

  /// Compiles and measures. Of the figures,
  ///   Vgprs         is the registers of 4 x 32 bits a lane (GPRs);
  ///   StackEntries  of the hardware's stack, for branches and loops;
  ///   ScratchBytes  and spills are 0, as the back end has none;
  ///   Occupancy     wavefronts per SIMD, see R600Limits.h;
  ///   Instructions  counts the slots of each VLIW instruction, and those of
  ///                 control flow;
  ///   EstCycles     and all else stays unknown.
  Measurement compile(const MeasureRequest &Request) const override;

private:
  R600();
  std::unique_ptr<llvm::LLVMContext> Context;
  std::string Directory;
  /// By path. A child process takes its own copy's.
  mutable std::map<std::string, std::unique_ptr<llvm::Module>> Modules;

  std::unique_ptr<llvm::Module> optimised(const MeasureRequest &Request,
                                          llvm::TargetMachine &TM,
                                          std::string &Problem) const;
};

} // namespace clrewrite::measure
