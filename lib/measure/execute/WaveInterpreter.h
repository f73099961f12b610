// Executes the lanes of a wave in lockstep.
//
// Memory-safe by construction: what a kernel computes are numbers in registers
// that the program numbered, and addresses that DeviceMemory looks up. What is
// not known (a call of an undefined function), an access out of bounds and too
// many steps end it with a reason.
#pragma once

#include "measure/estimate/WaveTrace.h"
#include "measure/execute/DeviceImages.h"
#include "measure/execute/ReuseDistances.h"
#include "measure/execute/WaveProgram.h"
#include <map>
#include <memory>
#include <optional>

namespace clrewrite::measure {

/// Where the waves of a launch are, and what the launch says of itself.
struct WaveGrid {
  uint64_t Local[3] = {1, 1, 1}, Groups[3] = {1, 1, 1}, Global[3] = {1, 1, 1};
  unsigned Dimensions = 1;
  unsigned WaveLanes = 64;
  uint64_t Kernarg = 0, ImplicitArg = 0, Dispatch = 0; ///< addresses
  /// The launch is made up. All integer arguments are one number, so that rows
  /// at different arguments seem to be the same, and what is read of buffers
  /// again tells nothing.
  bool MadeUp = false;
};

/// The addresses of a memory instruction's lanes: of all times that waves ran
/// it, or of some that are chosen by a hash of their number, as a loop's period
/// would otherwise decide which are seen.
class AddressSamples {
public:
  void add(std::vector<int64_t> Lanes);
  std::vector<WaveCounts::Pattern> patterns() const;

private:
  struct Sample {
    uint64_t Hash;
    std::vector<int64_t> Lanes;
  };
  std::vector<Sample> Kept;
  uint64_t Seen = 0, Mask = 0; ///< the bits of a hash that must be clear
};

/// Words of 4 bytes that were touched in each line of 64, by the line's number,
/// doubled, and one more for a store.
using TouchedLines = llvm::DenseMap<uint64_t, uint16_t>;

/// The bytes that \p Lines are of each buffer: those words, or sectors of 32
/// bytes where few words of a line are touched. By the buffer's number,
/// doubled, and one more for stores.
std::map<uint64_t, double> bytesByBuffer(const TouchedLines &Lines);

/// How often a load ran, and how often the L1 had all its lines, as far as one
/// wave's accesses tell.
struct CachedLoads {
  uint64_t Loads = 0, Cached = 0;
  void add(bool HasAll) {
    ++Loads;
    Cached += HasAll;
  }
  double share() const { return Loads ? double(Cached) / double(Loads) : 0; }
};

/// How waves read texels of images, or wrote them.
struct TexelAccesses {
  CachedLoads Accesses; ///< no L1 has what is written
  uint64_t Lines = 0;
  uint64_t Bytes = 0; ///< of one lane of each

  double mean(uint64_t Sum) const {
    return Accesses.Loads ? double(Sum) / double(Accesses.Loads) : 0;
  }
};

/// What waves did.
struct WaveRecord {
  unsigned Waves = 0;
  /// How often a wave entered each block with a lane or more.
  llvm::DenseMap<const llvm::BasicBlock *, uint64_t> Runs;
  /// By the pointer operand.
  llvm::DenseMap<const llvm::Value *, AddressSamples> Addresses;
  /// Bytes moved by all waves, see WaveMemory::Bytes.
  double Bytes = 0;
  FetchedAgain Again;
  /// By the pointer operand of loads.
  llvm::DenseMap<const llvm::Value *, CachedLoads> Hits;
  TexelAccesses TexelReads, TexelWrites;
  /// Bytes of private memory that all waves touched.
  double PrivateBytes = 0;
  /// Of each wave of the last run.
  std::vector<TouchedLines> Touched;
};

class WaveInterpreter {
public:
  WaveInterpreter(const llvm::Function &Kernel, const GpuModel &Model,
                  const WaveGrid &Grid, DeviceMemory &Memory, WaveRecord &Out);
  ~WaveInterpreter();

  /// The registers of the kernel's arguments, set before a group runs.
  void setArgument(const llvm::Argument &A, llvm::ArrayRef<uint64_t> Words);
  /// The bytes of memory from \p First on have no known value.
  void setUnknown(uint64_t First, uint64_t Bytes) {
    Unknown.push_back({First, First + Bytes});
  }
  DeviceImages &images() { return Images; }
  /// Sets aside local memory for a kernel's argument; its address.
  uint64_t addShared(uint64_t Bytes, uint64_t Align);
  /// Ends it for the first reason that is given.
  void fail(const llvm::Twine &Why);
  /// Why it did not work: "it calls a function by a pointer"; empty where it
  /// did.
  std::string problem() const { return Problem; }
  void forgetProblem() { Problem.clear(); }
  /// The share of the work that may be done which was done, from 0 to 1.
  double spent() const { return double(Work) / double(MostWork); }
  /// It needed more work or memory than it may: a smaller launch may do.
  bool isTooLarge() const { return Work > MostWork || Memory.isFull(); }
  /// The limit of work, in scalars that lanes compute. This one takes about as
  /// long as a compilation.
  static constexpr uint64_t MostOfAll = 48'000'000;
  void limitWork(uint64_t Most) { MostWork = Most; }

  /// Runs the work-group \p Group: all of its waves, or only \p Wave. False
  /// with problem() where that did not work.
  bool run(const uint64_t (&Group)[3], std::optional<unsigned> Wave);
  /// The kernel has barriers, or uses local memory.
  bool needsWholeGroups();

private:
  friend class WaveStepper;

  uint64_t MostWork = MostOfAll;

  const llvm::Function &Kernel;
  const GpuModel &Model;
  const WaveGrid &Grid;
  DeviceMemory &Memory;
  DeviceImages Images{Memory};
  llvm::DenseMap<const llvm::Instruction *, std::optional<ImageInstruction>>
      ImageInstructions;
  WaveRecord &Out;
  std::string Problem;
  std::map<const llvm::Function *, std::unique_ptr<WaveProgram>> Programs;
  llvm::DenseMap<const llvm::GlobalVariable *, uint64_t> Globals;
  llvm::DenseMap<const llvm::Argument *, std::vector<uint64_t>> Arguments;
  /// Addresses, the second of each pair behind the last byte.
  std::vector<std::pair<uint64_t, uint64_t>> Unknown;
  uint64_t SharedBytes = 0;
  std::vector<uint8_t> Shared;
  uint64_t Work = 0;

  WaveProgram *programOf(const llvm::Function &F);
  uint64_t addressOf(const llvm::GlobalVariable &G, std::string &Why);
  bool writeConstant(uint64_t At, const llvm::Constant *C);
};

} // namespace clrewrite::measure
