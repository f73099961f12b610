// Counting a kernel's machine code: a pass that runs just before the assembly
// is written, whatever the GPU. Each back end says what an instruction costs.
//
// Where some waves were executed, a block counts as often as they entered it.
// Else a wave is taken to diverge at every branch and to run both sides, so
// that each block counts as often as the loops around it run, but for those
// that no lane enters.
#pragma once

#include "measure/Usage.h"
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
  WaveWork Work;         ///< by what is assumed of loops and addresses
  /// By what was counted; nullopt where nothing was executed.
  std::optional<WaveWork> Counted;
  unsigned CountedWaves = 0;    ///< that were executed
  std::string Why;              ///< why nothing was, where the launch is known
  std::vector<unsigned> MadeUp; ///< as WaveCounts has it
  /// Of the launch, where it is known.
  std::optional<uint64_t> Waves;
  unsigned GroupWaves = 0; ///< of a work-group, 0 where that is not known
  /// How often it calls each function that is not inlined: by what is assumed,
  /// and by what was counted.
  std::map<std::string, double> Calls, CountedCalls;
  /// What was counted of its waves in each function that they came to. Where
  /// code is generated function by function, callees come before their callers
  /// were executed, and are not there.
  std::map<std::string, WaveWork> CountedIn;
};

using CountsByFunction = std::map<std::string, MachineCounts>;

/// Adds to the work of each function that of those that it calls, once all are
/// counted.
void addCallees(CountsByFunction &All);

/// The estimate of \p C, in the figures of \p U.
void setEstimate(Usage &U, const MachineCounts &C, unsigned Occupancy,
                 const GpuModel &Model);

class CountingPass : public llvm::MachineFunctionPass {
public:
  /// Fills \p Into by function name. \p What holds what is known of the
  /// kernels' waves, by the IR's blocks and values.
  CountingPass(char &ID, const WaveKnowledge &What, const GpuModel &Model,
               CountsByFunction &Into)
      : MachineFunctionPass(ID), Model(Model), What(What), Into(Into) {}

  llvm::StringRef getPassName() const override { return "count machine code"; }
  void getAnalysisUsage(llvm::AnalysisUsage &AU) const override;
  bool runOnMachineFunction(llvm::MachineFunction &MF) override;

protected:
  const GpuModel &Model;
  /// Cycles of a wave that runs alone, from its start to where counting is.
  double Clock = 0;

  virtual void begin(llvm::MachineFunction &MF) = 0;
  /// Whether a wave takes one way through the machine code, with the lanes that
  /// go another switched off, rather than each way that a lane takes.
  virtual bool takesOneWay() const { return false; }
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
  /// Cycles from a load of vector memory to its value.
  double loadLatency(const llvm::MachineInstr &I) const;
  /// Bytes of a texel of images that are read, and written; the lines that a
  /// wave's read of one touches in the L1; and cycles from a read to its value.
  double texelBytes() const;
  double writtenTexelBytes() const;
  double texelLines() const;
  double texelLatency() const;
  /// Cycles of LDS. Lanes that change one word wait for each other, unless the
  /// changes of all lanes to one word are \p AddedUp before.
  double ldsCycles(const llvm::MachineInstr &I, bool AddedUp = false);

private:
  const WaveKnowledge &What;
  const WaveMemory *Memory = nullptr; ///< of the function that is counted
  /// The same by execution; null while what is assumed is counted.
  const WaveCounts *Executed = nullptr;
  CountsByFunction &Into;
  std::optional<WaveAddresses> Addresses;
  llvm::DenseMap<const llvm::Value *, std::vector<int64_t>> LaneAddresses;
  /// What WaveAddresses::known() gives for a pointer in a block.
  std::map<std::pair<const llvm::Value *, const llvm::BasicBlock *>,
           std::vector<std::vector<int64_t>>>
      KnownAddresses;

  /// How often each block of the machine code runs, and is left for another.
  struct Flow {
    llvm::DenseMap<const llvm::MachineBasicBlock *, double> Runs;
    llvm::DenseMap<std::pair<const llvm::MachineBasicBlock *,
                             const llvm::MachineBasicBlock *>,
                   double>
        Edges;
  };

  WaveWork workOf(llvm::MachineFunction &MF,
                  std::map<std::string, double> *Calls = nullptr);
  void countForCallers(llvm::MachineFunction &MF);
  Flow executedFlow(const llvm::MachineFunction &MF) const;
  double runsOf(const llvm::MachineBasicBlock &B) const;
  double assumedRuns(const llvm::MachineBasicBlock &B) const;
  double tripsOf(const llvm::MachineLoop &L) const;
  /// The mean of \p Of over the addresses that the lanes of a wave have for \p
  /// M in \p At; \p Default for iterations in which the source does not tell
  /// them, and nullopt where it never does.
  std::optional<double>
  knownMean(const llvm::MachineMemOperand &M, const llvm::BasicBlock *At,
            double Default,
            llvm::function_ref<double(llvm::ArrayRef<int64_t>)> Of);
  /// The mean of \p Of over the addresses that the lanes of executed waves had;
  /// nullopt where none came there.
  std::optional<double>
  executedMean(const llvm::MachineMemOperand &M,
               llvm::function_ref<double(llvm::ArrayRef<int64_t>)> Of) const;
  double passesOf(const llvm::MachineMemOperand &M);
  llvm::ArrayRef<int64_t> addressesOf(const llvm::MachineMemOperand &M);
  double linesOf(const llvm::MachineMemOperand &M, int64_t LineBytes);
  double linesOf(llvm::ArrayRef<int64_t> Lanes, int64_t Offset, int64_t Bytes,
                 int64_t LineBytes) const;
};

} // namespace clrewrite::measure
