// Usage to JSON and back, and the guard against disappearing stores.
#include "measure/Usage.h"
#include "source/JsonMembers.h"

using namespace llvm;

namespace clrewrite::measure {

StringRef registersWord(const Usage &U) {
  return U.StackEntries ? "GPRs" : "VGPRs";
}

StringRef wavesWord(const Usage &U) {
  // Only AMD has scalar registers, or shows its stack.
  return U.Sgprs || U.StackEntries ? "waves" : "warps";
}

template <typename Io> static bool mapMembers(Io &O, Usage &U) {
  return O.map("vgprs", U.Vgprs) && O.map("agprs", U.Agprs) &&
         O.map("sgprs", U.Sgprs) &&
         O.map("vgprs_allocated", U.VgprsAllocated) &&
         O.map("sgprs_allocated", U.SgprsAllocated) &&
         O.map("wave_size", U.WaveSize) &&
         O.map("work_group_min", U.GroupMin) &&
         O.map("work_group_max", U.GroupMax) &&
         O.map("vgpr_spills", U.VgprSpills) &&
         O.map("sgpr_spills", U.SgprSpills) &&
         O.map("scratch_bytes", U.ScratchBytes) &&
         O.map("lds_bytes", U.LdsBytes) && O.map("occupancy", U.Occupancy) &&
         O.map("occupancy_max", U.OccupancyMax) &&
         O.map("limiter", U.Limiter) &&
         O.map("vgprs_to_next_step", U.VgprsToNextStep) &&
         O.map("instructions", U.Instructions) &&
         O.map("code_bytes", U.CodeBytes) &&
         O.map("stack_entries", U.StackEntries) &&
         O.map("est_cycles", U.EstCycles) && O.map("est_bound", U.EstBound) &&
         O.map("est_parts", U.EstParts) && O.map("est_from", U.EstFrom) &&
         O.map("est_why", U.EstWhy) && O.map("est_launch", U.EstLaunch) &&
         O.map("est_waves", U.EstWaves) && O.map("est_assumed", U.EstAssumed);
}

json::Value toJSON(const Usage &U) { return written(U); }
bool fromJSON(const json::Value &V, Usage &U, json::Path P) {
  return readInto(U, V, P);
}

EstimatePair comparable(const Usage &Before, const Usage &After) {
  const EstimatePair Own{Before.EstCycles, After.EstCycles, false};
  if (!Before.isCounted() && !After.isCounted())
    return Own;
  auto assumed = [](const Usage &U) {
    return U.isCounted() ? U.EstAssumed : U.EstCycles;
  };
  const EstimatePair Assumed{assumed(Before), assumed(After), true};
  if (Before.EstFrom != After.EstFrom || Before.EstLaunch != After.EstLaunch)
    return Assumed;
  const bool IsMadeUp = Before.EstLaunch && Assumed.Before && Assumed.After;
  if (IsMadeUp && *Assumed.After * *Own.Before > *Own.After * *Assumed.Before)
    return Assumed;
  return Own;
}

template <typename Io> static bool mapMembers(Io &O, KernelUsage &K) {
  return O.map("kernel", K.Kernel) && O.map("figures", K.Figures) &&
         O.map("problem", K.Problem) && O.map("stored", K.Stored) &&
         O.map("live_at_edges", K.LiveAtEdges) && O.map("code", K.CodeHash);
}

json::Value toJSON(const KernelUsage &K) { return written(K); }
bool fromJSON(const json::Value &V, KernelUsage &K, json::Path P) {
  return readInto(K, V, P);
}

bool losesStores(const KernelUsage &Before, const KernelUsage &After,
                 std::string &Which) {
  auto after = [&](StringRef Object) {
    auto It = After.Stored.find(Object.str());
    return It == After.Stored.end() ? 0 : It->second;
  };
  // Bytes whose object the code no longer tells, or tells now, are not lost.
  double Named = 0, Unnamed = 0;
  for (const auto &[Object, Bytes] : After.Stored) {
    auto It = Before.Stored.find(Object);
    double More = Bytes - (It == Before.Stored.end() ? 0 : It->second);
    (Object == UnknownObject ? Unnamed : Named) += std::max(0.0, More);
  }
  for (const auto &[Object, Bytes] : Before.Stored) {
    double &Spare = Object == UnknownObject ? Named : Unnamed;
    double Missing = std::max(0.0, Bytes - after(Object));
    double Found = std::min(Missing, Spare);
    Spare -= Found;
    // The byte counts come from a sample of lanes and iterations, so only a
    // clear fall counts.
    if (Missing - Found > 0.25 * Bytes) {
      Which = Object;
      return true;
    }
  }
  return false;
}

} // namespace clrewrite::measure
