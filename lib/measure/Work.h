// What a work-item of a kernel does: its loads, stores, bytes and operations,
// for the compute-to-memory ratio.
#pragma once

#include "measure/KernelReport.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace clrewrite::measure {

/// Accesses to one kind of memory, for each work-item. An access is one load or
/// store of the optimised code, of a scalar or a whole vector.
struct MemoryWork {
  double Loads = 0, Stores = 0;
  double LoadBytes = 0, StoreBytes = 0;

  double accesses() const { return Loads + Stores; }
  double bytes() const { return LoadBytes + StoreBytes; }
};

/// A loop whose count is not in the text.
struct LoopGuess {
  unsigned Line = 0; ///< 1-based; 0 where that is not known
  double Trips = 0;  ///< that are counted
  /// The most that it can run, where bounds are cut: `k < min(3, w - x)`.
  bool Bound = false;
  /// The parameters, by 0-based index, that its count depends on.
  std::vector<unsigned> Arguments = {};
};

struct KernelWork {
  std::string Kernel;
  /// Why it could not be counted; empty where it could.
  std::string Problem = {};
  unsigned WaveLanes = 0; ///< of a wave

  /// Global memory at an address of each lane's own.
  MemoryWork Global;
  /// Memory at an address that all lanes of a wave share: a wave has it loaded
  /// once. Counted for each work-item as the rest.
  MemoryWork Uniform;
  MemoryWork Local;   ///< LDS, or shared memory
  MemoryWork Private; ///< scratch memory: arrays and spills of the optimiser
  MemoryWork Images;  ///< texels; bytes as the kernel gets them
  double Atomics = 0; ///< which Global or Local has as a load and a store

  /// Floating-point additions, subtractions, products and quotients, two for a
  /// multiply-add, one for each function that is an instruction, each for every
  /// component; comparisons, conversions, minima and signs are none.
  double Flops = 0;
  /// The part of Flops that is on halfs and on doubles.
  double HalfFlops = 0, DoubleFlops = 0;
  /// Arithmetic, logic and shifts on integers, those of indices that are no
  /// part of an addressing mode among them.
  double IntOps = 0;

  /// The part that is conditional. It is counted as if all conditions held, but
  /// a guard around the whole kernel makes nothing conditional.
  MemoryWork Conditional; ///< of Global and Uniform
  double ConditionalFlops = 0;

  /// Bytes that a wave moves to and from memory where what its lanes and
  /// iterations share is moved once (WaveTrace.h).
  double WaveBytes = 0;
  std::vector<LoopGuess> Guesses = {};
  /// Loops whose count the given arguments told.
  unsigned Told = 0;

  /// Bytes of memory that a work-item asks for, images among them; of uniform
  /// accesses its share.
  double requestedBytes() const;
  /// A work-item's share of WaveBytes.
  double movedBytes() const;
};

/// What a device can do at most.
struct Peaks {
  double GBytesPerSecond = 0; ///< read and written, 10^9 bytes
  double GFlops = 0;          ///< on floats, 10^9 a second
  /// The same on halfs and doubles, where that is known.
  std::optional<double> GHalfs = {}, GDoubles = {};
  std::string From = {}; ///< "measured on ...", "product page"
};

llvm::json::Value toJSON(const KernelWork &W);
bool fromJSON(const llvm::json::Value &V, KernelWork &W, llvm::json::Path P);

/// All kernels of a source on a target. Table is no part of its JSON.
struct WorkReport : KernelReport<KernelWork> {
  Peaks Table = {}; ///< of the target, tablePeaks
};

/// The peaks of the card that stands for \p Cpu in the estimate's table
/// (Estimate.cpp): its memory bandwidth, and clock x lanes x 2 for floats.
/// RDNA's dual issue is left out.
Peaks tablePeaks(llvm::StringRef Cpu);

/// Reads what `clrewrite peak --format=json` prints. The error says what is
/// wrong with \p Text, of the file \p Path.
llvm::Expected<Peaks> parsePeaks(llvm::StringRef Path, llvm::StringRef Text);

/// The rate that the peaks allow a kernel.
struct RooflineRate {
  double ItemsPerSecond = 0;
  bool ByMemory = false; ///< bandwidth bounds it, else operations
};

/// For work-items that move \p Bytes and do the operations of \p Work: what
/// the slower of the two allows. Operations on types without a peak of their
/// own count as on floats. None where there is neither.
std::optional<RooflineRate> rateFor(double Bytes, const KernelWork &Work,
                                    const Peaks &P);

} // namespace clrewrite::measure
