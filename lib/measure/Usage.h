// What a kernel needs on a target: the figures of the report.
#pragma once

#include "measure/estimate/Estimate.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clrewrite::measure {

/// What is unknown is nullopt, never 0.
struct Usage {
  std::optional<unsigned> Vgprs; ///< vector registers per lane
  std::optional<unsigned> Agprs; ///< accumulation registers per lane (CDNA)
  std::optional<unsigned> Sgprs; ///< scalar registers per wave
  /// What the GPU sets aside for them: rounded up to the granule in which it
  /// allocates. VGPRs with the AGPRs that share their file (CDNA2 and later);
  /// NVIDIA: registers per thread.
  std::optional<unsigned> VgprsAllocated, SgprsAllocated;
  std::optional<unsigned> WaveSize; ///< lanes per wave: 32 or 64
  /// Work-items a work-group at least and at most, as the kernel says or the
  /// compiler assumes.
  std::optional<unsigned> GroupMin, GroupMax;
  std::optional<unsigned> VgprSpills, SgprSpills; ///< registers spilled
  std::optional<unsigned> ScratchBytes;           ///< private memory a lane
  std::optional<unsigned> LdsBytes;               ///< LDS a work-group
  std::optional<unsigned> Occupancy;              ///< resident waves per SIMD
  std::optional<unsigned> OccupancyMax; ///< the most that the target can have
  /// What keeps occupancy below its maximum: "VGPRs", "SGPRs", "LDS",
  /// "work-group size", "attribute" (amdgpu_waves_per_eu), or "none" at the
  /// maximum.
  std::optional<std::string> Limiter;
  /// How many VGPRs fewer would raise occupancy; nullopt where VGPRs are not
  /// the limiter.
  std::optional<unsigned> VgprsToNextStep;
  std::optional<unsigned> Instructions; ///< static count
  std::optional<unsigned> CodeBytes;
  /// Entries of the hardware's stack for branches and loops; known for AMD's
  /// GPUs before GCN alone, whose vector registers are GPRs of 4 x 32 bits.
  std::optional<unsigned> StackEntries;
  /// The estimate of Estimate.h, in cycles of one SIMD for one wave, and which
  /// of its terms is the largest: "issue", "latency" or "bandwidth".
  std::optional<double> EstCycles;
  std::optional<std::string> EstBound;
  /// What EstCycles is made of.
  std::optional<EstimateParts> EstParts;
  /// Where the launch is known: "counted" where some of its waves were executed
  /// to count what they do, or "assumed", and then why: "it calls a function by a pointer".
  /// Where it is not: "made up" where waves of a launch that is made up were
  /// executed, or unknown.
  std::optional<std::string> EstFrom, EstWhy;
  /// The launch that is made up, as LaunchFacts::MadeUp has it.
  std::optional<std::vector<unsigned>> EstLaunch;
  std::optional<unsigned> EstWaves; ///< that were executed
  /// The estimate by what is assumed, which EstCycles is too unless it is
  /// counted.
  std::optional<double> EstAssumed;

  bool isCounted() const { return EstFrom && *EstFrom != "assumed"; }
};

/// The cycles of two versions of a kernel by one way: counted where both are,
/// at one launch, else assumed. What was counted can't be compared with what
/// was assumed. At a launch that is made up, by the way that has the second
/// version slower: what is kept costs nothing and gains by both.
struct EstimatePair {
  std::optional<double> Before, After;
  /// By assumed trip counts, though one of the two was executed.
  bool Assumed = false;

  /// What a report says behind the figures.
  llvm::StringRef basis() const {
    return Assumed ? ", by assumed trip counts" : "";
  }
};
EstimatePair comparable(const Usage &Before, const Usage &After);

/// What the target's users call its vector registers: "VGPRs", or "GPRs" where
/// U.StackEntries is known.
llvm::StringRef registersWord(const Usage &U);

/// What they call that of which U.Occupancy counts how many fit: "waves", or
/// NVIDIA's "warps".
llvm::StringRef wavesWord(const Usage &U);

llvm::json::Value toJSON(const Usage &U);
bool fromJSON(const llvm::json::Value &V, Usage &U, llvm::json::Path P);

/// One kernel on one target.
struct KernelUsage {
  std::string Kernel;
  Usage Figures;
  /// Why it could not be measured; empty where it could.
  std::string Problem;
  /// Bytes that one wave stores to each global object ("arg 2", a variable's
  /// name, "image"), in the optimised code. A rewrite that loses some has lost
  /// results.
  std::map<std::string, double> Stored;
  /// VGPRs alive where basic blocks meet (Pressure::Boundary); nullopt where
  /// the machine code is not seen.
  std::optional<unsigned> LiveAtEdges = std::nullopt;
  /// A hash of the kernel's machine code, on a device of the driver's binary of
  /// all kernels: equal means the same code. Empty where there is none.
  std::string CodeHash;

  bool measured() const { return Problem.empty(); }
};

llvm::json::Value toJSON(const KernelUsage &K);
bool fromJSON(const llvm::json::Value &V, KernelUsage &K, llvm::json::Path P);

/// What KernelUsage::Stored calls an object that the code does not tell.
inline constexpr llvm::StringLiteral UnknownObject = "memory";

/// True where \p After stores clearly less than \p Before to some object.
/// Fills \p Which with its name.
bool losesStores(const KernelUsage &Before, const KernelUsage &After,
                 std::string &Which);

} // namespace clrewrite::measure
