// Which memory one wave touches, and how often its loops run.
//
// The estimate needs bytes moved, and the guard against lost stores needs
// bytes stored. Rather than classify access patterns, a wave is run: every
// address of the optimised IR is evaluated for a sample of lanes and loop
// iterations, with made-up but fixed values for what neither the source nor a
// launch says. Coalescing, overlap between neighbours (a stencil's taps share
// their bytes), strides and gathers then come out by themselves, and the rolled
// and the unrolled form of a loop give the same bytes.
//
// Cost: accesses x lanes x iterations evaluations, bounded by the constants in
// the source file.
#pragma once

#include "launch/Launch.h"
#include "measure/estimate/Estimate.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Function.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace clrewrite::measure {

struct WaveMemory {
  /// Bytes that one wave moves: distinct bytes a memory object, or 32-byte
  /// sectors where the accesses are scattered.
  double Bytes = 0;
  /// Distinct bytes stored to each global object.
  std::map<std::string, double> Stored;
  /// For each loop, by the block that heads it: how often its body runs for
  /// each entry.
  llvm::DenseMap<const llvm::BasicBlock *, double> Trips;
  /// Blocks that no lane enters, because a test of an address's alignment, or
  /// one of what the launch passes, comes out the same for all. Other
  /// conditions are not decided: a wave may diverge there.
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> Skipped;
  /// The launch that it was traced for.
  launch::LaunchFacts Launch;
};

using MemoryByKernel = std::map<std::string, WaveMemory>;

/// What an execution of some waves counted (execute/Execution.h), a wave's
/// share of each number.
struct WaveCounts {
  /// Why it could not be executed, of the kernel: "it calls a function by a
  /// pointer".
  std::string Problem;
  /// As LaunchFacts has it where the launch is made up.
  std::vector<unsigned> MadeUp;
  double Bytes = 0; ///< as WaveMemory has them
  /// A wave's share of what the work-groups that run at one time move, where
  /// bytes that several of them touch count once.
  double SharedBytes = 0;
  FetchedAgain Again;
  double PrivateBytes = 0, Alone = 1; ///< as WaveWork has them
  unsigned Waves = 0;                 ///< that were executed
  /// How often a wave enters each block with a lane or more.
  llvm::DenseMap<const llvm::BasicBlock *, double> Runs;
  /// In place of the address of a lane that is not active.
  static constexpr int64_t Idle = -1;
  /// The addresses of a wave's lanes, moved by so many whole lines that those
  /// of accesses that touch their lines alike are the same; and how many of
  /// the accesses that were looked at have them.
  struct Pattern {
    std::vector<int64_t> Lanes;
    unsigned Times;
  };
  /// By the pointer of a load, a store or an atomic.
  llvm::DenseMap<const llvm::Value *, std::vector<Pattern>> Patterns;
  /// By the pointer of a load, how often of all times the L1 still has all its
  /// lines, from 0 to 1.
  llvm::DenseMap<const llvm::Value *, double> Hits;
  /// Of reads of images, the bytes of a texel, how many lines a wave touches,
  /// and how often the L1 still has all of them; of writes the bytes of a
  /// texel. 0 where there are none.
  double TexelBytes = 0, TexelLines = 0, TexelHits = 0, WrittenTexelBytes = 0;
};

using CountsByKernel = std::map<std::string, WaveCounts>;

/// What is known of the waves of a module's kernels, by name.
struct WaveKnowledge {
  MemoryByKernel Assumed;
  /// Those that could be executed, and those whose launch is known but could
  /// not; filled while code is generated.
  CountsByKernel Executed = {};
};

/// How \p Kernel is launched; what is not known is empty. Without a launch the
/// work-group may be known, where the kernel requires one.
launch::LaunchFacts factsOf(const llvm::Function &Kernel,
                            const launch::FactsByKernel &Launches);

/// The addresses that the lanes of a wave have for one pointer; what the source
/// does not say is made up but fixed.
class WaveAddresses {
public:
  WaveAddresses(llvm::Function &Kernel, launch::LaunchFacts Launch);
  ~WaveAddresses();

  /// In the first iteration of all loops.
  std::vector<int64_t> of(const llvm::Value *Pointer, unsigned Lanes);

  /// In some iterations of the loops around \p At, whose trip counts \p Trips
  /// has by their headers, where \p At uses \p Pointer: WaveCounts::Idle for
  /// lanes that a condition before it leaves out. One of them is empty where an
  /// address depends on what is made up; none are there where all would be.
  std::vector<std::vector<int64_t>>
  known(const llvm::Value *Pointer, const llvm::BasicBlock &At, unsigned Lanes,
        const llvm::DenseMap<const llvm::BasicBlock *, double> &Trips);

private:
  struct Analyses;
  std::unique_ptr<Analyses> Known;
};

/// Traces \p Kernel for waves of \p WaveLanes lanes of \p Launch. Without \p
/// Remainders the code that an unroller leaves for the rest of the iterations
/// never runs, nor what else is marked as seldom taken.
WaveMemory traceWave(llvm::Function &Kernel, llvm::LoopInfo &Loops,
                     llvm::ScalarEvolution &SE, unsigned WaveLanes,
                     const launch::LaunchFacts &Launch, bool Remainders = true);

} // namespace clrewrite::measure
