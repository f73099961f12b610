// How many vector registers a kernel keeps alive, and where.
#pragma once

#include "measure/KernelReport.h"
#include <map>

namespace clrewrite::measure {

/// Vector registers of 32 bits a lane that are alive at once, in one kernel's
/// machine code for one GPU. AGPRs count as VGPRs.
struct Pressure {
  /// Where basic blocks meet, at most. No order of the instructions within
  /// blocks needs fewer; spilling, computing values again, or another control
  /// flow may.
  unsigned Boundary = 0;
  /// At most, with the instructions in the source's order: as they are when
  /// the machine scheduler gets them.
  unsigned SourceOrder = 0;
  /// At most, in the scheduler's order.
  unsigned Scheduled = 0;
  /// At most, of the physical registers, in the order that they were allocated
  /// for.
  unsigned Allocated = 0;
  /// The same by line of the source's own file, for each line that has
  /// instructions then. Code of headers and of built-in functions
  /// counts for the line that includes or calls it.
  std::map<unsigned, unsigned> Lines;

  /// The first line that has the most; 0 where no line is known.
  unsigned worstLine() const;
};

llvm::json::Value toJSON(const Pressure &P);
bool fromJSON(const llvm::json::Value &V, Pressure &P, llvm::json::Path Path);

/// Why nothing is known where nobody sees the machine code.
inline constexpr llvm::StringLiteral NoPressure =
    "live registers are known for AMD's GPUs from GCN on only";

/// One kernel of a source on a target.
struct KernelPressure {
  std::string Kernel;
  /// Why nothing is known; empty where something is.
  std::string Problem;
  Pressure Live;
  /// As of KernelUsage: the figures are of this code.
  std::string CodeHash;
};

llvm::json::Value toJSON(const KernelPressure &K);
bool fromJSON(const llvm::json::Value &V, KernelPressure &K,
              llvm::json::Path P);

using PressureReport = KernelReport<KernelPressure>;

} // namespace clrewrite::measure
