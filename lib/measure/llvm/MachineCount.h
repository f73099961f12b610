// Counting a kernel's machine code: a pass that runs just before the assembly
// is written, whatever the GPU. Each back end says what an instruction costs.
//
// A wave that diverges runs both sides of a branch, so every block counts as
// often as the loops around it run, but for those that no lane enters.
#pragma once

#include "measure/estimate/Estimate.h"
#include "measure/estimate/WaveTrace.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include <map>
#include <optional>
#include <string>

namespace llvm {
class MachineLoop;
class MachineMemOperand;
} // namespace llvm

namespace clrewrite::measure {

struct MachineCounts {
  unsigned Instructions = 0, CodeBytes = 0;
  unsigned WaveSize = 0; ///< lanes
  WaveWork Work;         ///< Bytes is left 0
};

class CountingPass : public llvm::MachineFunctionPass {
public:
  /// Fills \p Into by function name. \p Memory holds the loops' trip counts and
  /// the skipped blocks, by the IR's blocks, and how kernels are launched.
  CountingPass(char &ID, const MemoryByKernel &Memory, const GpuModel &Model,
               std::map<std::string, MachineCounts> &Into)
      : MachineFunctionPass(ID), Model(Model), Kernels(Memory), Into(Into) {}

  llvm::StringRef getPassName() const override { return "count machine code"; }
  void getAnalysisUsage(llvm::AnalysisUsage &AU) const override;
  bool runOnMachineFunction(llvm::MachineFunction &MF) override;

protected:
  const GpuModel &Model;
  /// Cycles of a wave that runs alone, from its start to where counting is.
  double Clock = 0;

  virtual void begin(llvm::MachineFunction &MF) = 0;
  /// The lanes of the waves that run a function.
  virtual unsigned waveSize(const llvm::MachineFunction &) const {
    return Model.WaveLanes;
  }
  /// Adds the units' cycles of \p I, which runs \p Frequency times, to \p Work
  /// and moves Clock as if it ran once.
  virtual void count(const llvm::MachineInstr &I, double Frequency,
                     WaveWork &Work) = 0;
  /// Cycles of the unit for vector memory.
  double memoryCycles(const llvm::MachineInstr &I);

private:
  const MemoryByKernel &Kernels;
  const WaveMemory *Memory = nullptr; ///< of the function that is counted
  std::map<std::string, MachineCounts> &Into;
  std::optional<WaveAddresses> Addresses;
  llvm::DenseMap<const llvm::Value *, std::vector<int64_t>> LaneAddresses;

  double tripsOf(const llvm::MachineLoop &L) const;
  double linesOf(const llvm::MachineMemOperand &M, int64_t LineBytes);
};

} // namespace clrewrite::measure
