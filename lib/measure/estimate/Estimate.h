// An estimate of a kernel's time, to order versions of it where no device is.
//
// Registers and occupancy alone mislead: a version with fewer registers and
// more executed instructions can take 2.5 times as long. So each version gets
// four bounds, in cycles of one SIMD for one wave, and counts as the cube root
// of the sum of their cubes, a little more than the largest:
//   issue      the busiest unit's cycles: vector ALU or scalar ALU (on NVIDIA
//              GPUs: issue slots, the integer pipe, special functions and
//              doubles), each block weighted by its trip count;
//   memory     the cycles of vector memory and LDS, weighted likewise (which
//              reports call issue, too);
//   latency    what one wave takes from start to end, stalls on memory
//              included, shared among the waves that are resident: as many as
//              registers and LDS allow, and as the launch has, if it is known;
//   bandwidth  the bytes that a wave moves, against the SIMD's share of the
//              bandwidth of memory or of the L2; those that the waves evict
//              from a cache before they touch them again count each time.
// Example: the box sum over an integral image on gfx600 moves 80 bytes per
// lane, 2,296 cycles' worth of bandwidth, against 532 cycles of vector issue: a
// rolled loop that adds a tenth to the vector instructions costs 0.1 % there.
// It does not predict time; it orders versions of one kernel on one target.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace clrewrite::measure {

/// How often a loop counts as run whose trip count nothing tells.
inline constexpr double UnknownTrips = 16;

/// Bytes that a wave fetches again into a cache, or writes back from it, since
/// they were evicted between two of its accesses: the first element is for a
/// cache of which the wave has SmallestShare bytes, each other one for twice as
/// many as the one before.
struct FetchedAgain {
  static constexpr double SmallestShare = 64;
  static constexpr unsigned Shares = 24;
  std::array<double, Shares> Bytes{};

  void add(const FetchedAgain &Other, double Times);
  /// For a cache of which the wave has \p Share bytes, more than 0: between two
  /// elements by the logarithm.
  double at(double Share) const;
};

/// Cycles of each unit for one wave. On NVIDIA GPUs Valu is the scheduler's
/// slots and Salu the integer pipe; Fma, the pipe of products, Special, that of
/// special functions and conversions, and Doubles are theirs alone.
struct UnitCycles {
  double Valu = 0, Salu = 0, Vmem = 0, Lds = 0, Special = 0, Fma = 0,
         Doubles = 0;
};

/// What one wave does, weighted by trip counts.
struct WaveWork : UnitCycles {
  double Serial = 0; ///< cycles in order, with the stalls on memory
  double Bytes = 0;  ///< bytes that it touches, each once; the L2 moves them
  /// Its share of the bytes that memory moves: less than Bytes where the L2 has
  /// what work-groups that run at one time share.
  double MemoryBytes = 0;
  /// What moves beside Bytes and MemoryBytes, since caches have lost it.
  FetchedAgain Again;
  double PrivateBytes = 0; ///< bytes of private memory that it touches
  /// The share of Bytes that no wave far away touches, from 0 to 1.
  double Alone = 1;

  /// What a wave does that does \p Other so many times as well.
  void add(const WaveWork &Other, double Times);
};

/// The machine's parameters that the estimate needs.
struct GpuModel {
  /// Lanes that a SIMD's vector ALU takes per cycle, lanes per wave.
  unsigned AluLanes, WaveLanes;
  /// SIMDs of the card (NVIDIA: partitions of multiprocessors).
  unsigned Simds;
  /// Bytes of memory bandwidth a cycle and SIMD, and of the L2's.
  double BytesPerCycle, L2BytesPerCycle;
  /// Bytes of an L1, the SIMDs that share it, and bytes of the last cache
  /// before memory.
  double L1Bytes;
  unsigned L1Simds;
  double LastCacheBytes;
  /// Bytes that are fetched together where some of them are missing.
  int64_t FillBytes;
  /// As how many bytes that are fetched one counts that is written back.
  double WriteBackTimes = 1;
  /// Cycles from a load to its value, under load, and from one whose lines the
  /// L1 still has; 0 where that is not known.
  double LoadLatency, HitLatency = 0;
  /// Cycles that a SIMD's share of the address unit needs for one vector
  /// memory instruction, and bytes per cycle of the SIMD's share of the L1.
  double AddressCycles, CacheBytesPerCycle;
  /// The lanes whose addresses are taken together, the bytes of a line of the
  /// L1, and cycles that the SIMD's share of it needs to look one up, for a
  /// load and for a store.
  unsigned GroupLanes;
  int64_t LineBytes;
  double LineCycles, StoreLineCycles;
  /// The L1 and LDS are one memory, so that the words of a load come from the
  /// same banks.
  bool L1HasBanks = false;
  /// Cycles that the SIMD's share of LDS needs to give one word of 32 bits from
  /// each of its 32 banks.
  double LdsPassCycles;
  /// A wave's lanes access LDS together, however many words each has. Else as
  /// many do as there are banks for all their words.
  bool LdsJoinsLanes = false;
  /// NVIDIA alone: cycles that a store which fills only parts of its sectors
  /// of 32 bytes costs for each of them, as it goes through to the L2.
  double StoreSectorCycles = 0;
  /// NVIDIA alone: bytes a cycle that a partition's stores send to the L2,
  /// which has each of them, however often they write to one address. 0 for
  /// what the L1 takes.
  double StoreBytesPerCycle = 0;
  /// The estimate is the root of this power of the sum of its bounds' powers:
  /// the more, the less counts besides the largest.
  double JoinPower = 3;
  /// NVIDIA alone: cycles from a read of a texel to its value where the L1 has
  /// it.
  double TexelLatency = 0;
  /// Cycles from the start of one work-group to that of the next, of all that
  /// the card begins; 0 where that is not known.
  double GroupCycles = 0;
  /// NVIDIA alone: cycles that a partition's pipes need for a warp's operation
  /// on floats and on doubles.
  double FloatCycles = 0, DoubleCycles = 0;
};

/// The model of a processor ("gfx906", "sm_90"), from the tables in
/// Estimate.cpp; for one that they lack the nearest older one's.
GpuModel gpuModel(llvm::StringRef Cpu);

/// What the estimate is made of, in cycles of one SIMD for one wave: each
/// unit's, the latency shared among the waves, the memory bandwidth, and a
/// wave's share of the time in which its work-group is begun.
struct EstimateParts : UnitCycles {
  double Latency = 0, Bandwidth = 0, Dispatch = 0;
  double Bytes = 0; ///< no cycles, but WaveWork::Bytes
};
llvm::json::Value toJSON(const EstimateParts &E);
bool fromJSON(const llvm::json::Value &V, EstimateParts &E, llvm::json::Path P);

struct Estimate {
  double Cycles = 0;
  std::string Bound; ///< "issue", "latency", "bandwidth" or "dispatch"
  EstimateParts Parts;
};

/// \p Occupancy in waves per SIMD (NVIDIA: warps per partition), at least 1.
/// Where the launch is known, of \p Waves, no more of them are resident than it
/// has for a SIMD, but one at least, unless three SIMDs in four have none. \p
/// GroupWaves are those of a work-group, 0 where that is not known.
Estimate estimate(const WaveWork &Work, unsigned Occupancy,
                  const GpuModel &Model,
                  std::optional<uint64_t> Waves = std::nullopt,
                  unsigned GroupWaves = 0);

} // namespace clrewrite::measure
