// Measuring for NVIDIA GPUs without one: LLVM's NVPTX back end writes PTX, and
// NVIDIA's own assembler, ptxas, says what the machine code needs.
//
// LLVM's PTX has virtual registers without end; only ptxas allocates. So there
// are no figures without it, and those that there are belong to the version of
// the CUDA toolkit on PATH. NVIDIA's OpenCL driver has a front end and an
// optimiser of its own: where a device is at hand, --target=device is truer.
//
// compile() may crash, hang or abort with LLVM; call it in a child process.
#pragma once

#include "frontend/Invocation.h"
#include "measure/Meter.h"
#include "measure/Work.h"

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace clrewrite::measure {

/// How Clang is set up for an architecture ("sm_90").
frontend::Arch nvptxArch(llvm::StringRef Cpu);

class Nvptx {
public:
  /// Finds the built-in functions: libclc's (nvptx64--nvidiacl.bc) in
  /// \p Directory, in $CLREWRITE_DEVICE_LIBS or in the distribution's place;
  /// and CUDA's libdevice, to which libclc sends the mathematical functions,
  /// in $CUDA_PATH and the usual places. Fails where the first is not found;
  /// without the second, kernels that need it can't be measured. \p Seconds is
  /// the limit for one compilation.
  static llvm::Expected<Nvptx> open(const std::string &Directory,
                                    unsigned Seconds);
  Nvptx(Nvptx &&);
  ~Nvptx();

  /// To be called before the children that compile are made.
  llvm::Error load();
  /// The files that results depend on, ptxas among them.
  std::vector<std::string> files() const;

  /// Compiles and measures. Of the figures,
  ///   Vgprs         is ptxas's registers a thread;
  ///   ScratchBytes  its stack frame, which holds what it spills;
  ///   Occupancy     warps a multiprocessor, see NvidiaLimits.h;
  ///   Instructions  and CodeBytes are those of the kernel's section, with the
  ///                 padding at its end;
  ///   EstCycles     is counted on LLVM's PTX, see NvptxMachine.cpp;
  ///   Sgprs, Agprs and spilled registers stay unknown.
  Measurement compile(const MeasureRequest &Request) const;

  /// Optimises, and counts what a work-item does (CountWork.h); ptxas is not
  /// needed.
  WorkReport work(const MeasureRequest &Request,
                  const ScalarArguments &Arguments) const;

private:
  Nvptx();
  std::unique_ptr<llvm::LLVMContext> Context;
  mutable std::vector<std::unique_ptr<llvm::Module>> Modules;
  std::vector<std::string> Libraries;
  unsigned Seconds = 60; ///< for ptxas

  bool link(llvm::Module &M) const;
  std::unique_ptr<llvm::Module> reduced(const MeasureRequest &Request,
                                        const llvm::TargetMachine *TM,
                                        bool Lines, std::string &Problem) const;
  bool optimised(llvm::Module &M, llvm::TargetMachine &TM,
                 std::string &Problem) const;
};

} // namespace clrewrite::measure
