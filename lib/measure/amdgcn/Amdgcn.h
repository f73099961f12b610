// Measuring with LLVM's AMDGPU back end: source to machine code, in process.
#pragma once

#include "measure/Backend.h"
#include "measure/llvm/BitcodeMemo.h"
#include "measure/llvm/DeviceLibs.h"
#include <map>

namespace llvm {
class LLVMContext;
class TargetMachine;
} // namespace llvm

namespace clrewrite::measure {

/// AMD's GPUs from GCN on.
const TargetFamily &amdgcnFamily();

class Amdgcn : public Backend {
public:
  explicit Amdgcn(std::unique_ptr<DeviceLibs> Libs);
  ~Amdgcn() override;

  llvm::Error load(llvm::StringRef Cpu) override;
  std::vector<std::string> files(llvm::StringRef Cpu) const override;

  Measurement compile(const MeasureRequest &Request) const override;
  bool seesLiveRegisters() const override { return true; }
  PressureReport pressure(const MeasureRequest &Request) const override;
  bool countsWork() const override { return true; }
  WorkReport work(const MeasureRequest &Request) const override;

  /// Its libraries stay as they are: what is linked is a copy
  /// (LibrarySubset.h).
  unsigned requestsOfAProcess() const override { return 200; }

private:
  std::unique_ptr<DeviceLibs> Libs;
  /// By processor; what they look up on first use serves every compilation.
  mutable std::map<std::string, std::unique_ptr<llvm::TargetMachine>> Machines;

  mutable BitcodeMemo Known;

  llvm::TargetMachine &machineFor(llvm::StringRef Cpu) const;
  std::unique_ptr<llvm::Module> optimised(const MeasureRequest &Request,
                                          llvm::LLVMContext &Context,
                                          llvm::TargetMachine &TM, bool Lines,
                                          std::string &Problem) const;
};

} // namespace clrewrite::measure
