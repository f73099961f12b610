// Measuring for NVIDIA GPUs without one: LLVM's NVPTX back end writes PTX, and
// NVIDIA's own assembler, ptxas, says what the machine code needs.
//
// LLVM's PTX has virtual registers without end; only ptxas allocates. So there
// are no figures without it, and those that there are belong to the version of
// the CUDA toolkit on PATH. NVIDIA's OpenCL driver has a front end and an
// optimiser of its own: where a device is at hand, --target=device is truer.
#pragma once

#include "measure/Backend.h"
#include "measure/llvm/BitcodeMemo.h"
#include "measure/llvm/LibrarySubset.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace clrewrite::measure {

/// libclc's name of NVIDIA's OpenCL.
inline constexpr llvm::StringLiteral NvptxTriple = "nvptx64-nvidia-nvcl";

/// NVIDIA's GPUs.
const TargetFamily &nvptxFamily();

class Nvptx : public Backend {
public:
  /// Finds the built-in functions: libclc's (nvptx64--nvidiacl.bc) in
  /// LibraryDir, in $CLREWRITE_DEVICE_LIBS or in the distribution's place;
  /// and CUDA's libdevice, to which libclc sends the mathematical functions,
  /// in $CUDA_PATH and the usual places. Fails where the first is not found;
  /// without the second, kernels that need it can't be measured.
  static llvm::Expected<std::unique_ptr<Backend>>
  open(const BackendSettings &Settings);
  ~Nvptx() override;

  llvm::Error load(llvm::StringRef Cpu) override;
  /// Ptxas comes last.
  std::vector<std::string> files(llvm::StringRef Cpu) const override;

  /// Compiles and measures. Of the figures,
  ///   Vgprs         is ptxas's registers per thread;
  ///   ScratchBytes  its stack frame, which holds what it spills;
  ///   Occupancy     warps per multiprocessor, see NvidiaLimits.h;
  ///   Instructions  and CodeBytes are those of the kernel's section, with the
  ///                 padding at its end;
  ///   EstCycles     is counted on LLVM's PTX, see NvptxMachine.cpp;
  ///   Sgprs, Agprs and spilled registers stay unknown.
  Measurement compile(const MeasureRequest &Request) const override;

  bool countsWork() const override { return true; }
  /// Ptxas is not needed.
  WorkReport work(const MeasureRequest &Request) const override;

  /// Its libraries stay as they are: what is linked is a copy
  /// (LibrarySubset.h).
  unsigned requestsOfAProcess() const override { return 200; }

private:
  Nvptx();
  std::vector<std::string> Paths; ///< of the libraries
  mutable LibrarySubsets Libraries;
  mutable BitcodeMemo Known;
  process::ChildLimits Limits; ///< for ptxas

  bool link(llvm::Module &M) const;
  std::unique_ptr<llvm::Module> emitted(const MeasureRequest &Request,
                                        llvm::LLVMContext &Context,
                                        const llvm::TargetMachine *TM,
                                        bool Lines, std::string &Problem) const;
  Measurement generated(llvm::Module &M, llvm::TargetMachine &TM,
                        const MeasureRequest &Request,
                        llvm::StringRef Ptxas) const;
  bool optimised(llvm::Module &M, llvm::TargetMachine &TM,
                 llvm::ArrayRef<std::string> Kernels,
                 std::string &Problem) const;
};

} // namespace clrewrite::measure
