// Measuring with LLVM's AMDGPU back end: source to machine code, in process.
//
// compile() may crash, hang or abort with LLVM; call it in a child process.
#pragma once

#include "frontend/Invocation.h"
#include "measure/llvm/DeviceLibs.h"
#include "measure/llvm/KnownCode.h"
#include "measure/Meter.h"
#include "measure/Pressure.h"
#include "measure/Work.h"
#include <map>

namespace llvm {
class LLVMContext;
class TargetMachine;
} // namespace llvm

namespace clrewrite::measure {

/// How Clang is set up for a processor.
frontend::Arch amdgcnArch(llvm::StringRef Cpu);

class Amdgcn {
public:
  explicit Amdgcn(std::unique_ptr<DeviceLibs> Libs);
  Amdgcn(Amdgcn &&);
  ~Amdgcn();

  /// To be called before the children that compile are made.
  llvm::Error load() { return Libs->load(); }
  /// The files that results depend on.
  std::vector<std::string> files() const { return Libs->paths(); }

  /// Compiles and measures. What the steps of occupancy tell is
  /// left open (explainOccupancy).
  Measurement compile(const MeasureRequest &Request) const;

  /// Compiles and counts live registers. Line tables are made for it, which
  /// change no code.
  PressureReport pressure(const MeasureRequest &Request) const;

  /// Optimises, and counts what a work-item does (CountWork.h).
  WorkReport work(const MeasureRequest &Request,
                  const ScalarArguments &Arguments) const;

private:
  std::unique_ptr<DeviceLibs> Libs;
  /// By processor; what they look up on first use serves every compilation.
  mutable std::map<std::string, std::unique_ptr<llvm::TargetMachine>> Machines;

  mutable KnownCode Known;

  llvm::TargetMachine &machineFor(llvm::StringRef Cpu) const;
  std::unique_ptr<llvm::Module> optimised(const MeasureRequest &Request,
                                          llvm::LLVMContext &Context,
                                          llvm::TargetMachine &TM, bool Lines,
                                          std::string &Problem) const;
};

} // namespace clrewrite::measure
