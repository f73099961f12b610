// The estimate's bounds, and the table of machines.
#include "measure/Estimate.h"
#include <algorithm>

using namespace llvm;

namespace clrewrite {
namespace {

/// One card stands for each family: its memory bandwidth (GB/s), engine clock
/// (GHz) and number of SIMDs, all from AMD's product pages. SIMDs a compute
/// unit: 4 of 16 lanes on GCN and CDNA, 2 of 32 lanes on RDNA (AMD, "GCN
/// Architecture" white paper, 2012; "RDNA Architecture" white paper, 2019).
struct Card {
  StringRef Prefix; ///< of the processor's name; the longest match counts
  double GBytesPerSecond, GHertz;
  unsigned Simds;
  bool Rdna;
};

constexpr Card Cards[] = {
    {"gfx6", 264, 0.925, 32 * 4, false},     // Radeon HD 7970
    {"gfx7", 320, 1.0, 44 * 4, false},       // Radeon R9 290X
    {"gfx8", 512, 1.05, 64 * 4, false},      // Radeon R9 Fury X
    {"gfx9", 484, 1.546, 64 * 4, false},     // Radeon RX Vega 64
    {"gfx906", 1024, 1.75, 60 * 4, false},   // Radeon VII
    {"gfx908", 1229, 1.502, 120 * 4, false}, // Instinct MI100
    {"gfx90a", 1638, 1.7, 110 * 4, false},   // Instinct MI250X, one die
    {"gfx94", 5300, 2.1, 304 * 4, false},    // Instinct MI300X
    {"gfx95", 8000, 2.4, 256 * 4, false},    // Instinct MI355X
    {"gfx10", 448, 1.905, 40 * 2, true},     // Radeon RX 5700 XT
    {"gfx103", 512, 2.25, 80 * 2, true},     // Radeon RX 6900 XT
    {"gfx11", 960, 2.5, 96 * 2, true},       // Radeon RX 7900 XTX
    {"gfx12", 640, 2.97, 64 * 2, true},      // Radeon RX 9070 XT
};

} // namespace

GpuModel gpuModel(StringRef Cpu) {
  const Card *Best = &Cards[0];
  size_t Length = 0;
  for (const Card &C : Cards)
    if (Cpu.starts_with(C.Prefix) && C.Prefix.size() > Length) {
      Best = &C;
      Length = C.Prefix.size();
    }
  GpuModel M;
  M.AluLanes = Best->Rdna ? 32 : 16;
  M.WaveLanes = Best->Rdna ? 32 : 64;
  M.BytesPerCycle = Best->GBytesPerSecond / Best->GHertz / Best->Simds;
  // "300-600 cycles" (AMD APP SDK OpenCL Optimization Guide, section on
  // latency hiding); one figure for all, since it only has to order versions.
  M.LoadLatency = 500;
  // GCN: a compute unit's address unit takes 16 lanes a cycle and its L1 gives
  // 64 bytes a cycle, shared by four SIMDs. RDNA: 128 bytes, two SIMDs.
  M.AddressCycles = Best->Rdna ? 2 : 16;
  M.CacheBytesPerCycle = Best->Rdna ? 64 : 16;
  // One line a cycle, so what lies in several lines takes several.
  M.GroupLanes = Best->Rdna ? 32 : 16;
  M.LineBytes = Best->Rdna ? 128 : 64;
  M.LineCycles = Best->Rdna ? 2 : 4;
  return M;
}

Estimate estimate(const WaveWork &Work, unsigned Occupancy,
                  const GpuModel &Model) {
  double Issue = std::max({Work.Valu, Work.Salu, Work.Vmem, Work.Lds});
  double Latency = Work.Serial / std::max(1u, Occupancy);
  double Bandwidth = Work.Bytes / Model.BytesPerCycle;
  if (Issue >= Latency && Issue >= Bandwidth)
    return {Issue, "issue"};
  if (Latency >= Bandwidth)
    return {Latency, "latency"};
  return {Bandwidth, "bandwidth"};
}

} // namespace clrewrite
