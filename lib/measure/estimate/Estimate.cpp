// The estimate's bounds, and the table of machines.
#include "measure/estimate/Estimate.h"
#include "measure/Work.h"
#include "source/JsonMembers.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace clrewrite::measure {

void WaveWork::add(const WaveWork &Other, double Times) {
  for (double WaveWork::*Member : std::initializer_list<double WaveWork::*>{
           &WaveWork::Valu, &WaveWork::Salu, &WaveWork::Vmem, &WaveWork::Lds,
           &WaveWork::Special, &WaveWork::Fma, &WaveWork::Doubles,
           &WaveWork::Serial, &WaveWork::Bytes, &WaveWork::MemoryBytes,
           &WaveWork::PrivateBytes})
    this->*Member += Other.*Member * Times;
  Again.add(Other.Again, Times);
}

void FetchedAgain::add(const FetchedAgain &Other, double Times) {
  for (unsigned I = 0; I < Shares; ++I)
    Bytes[I] += Other.Bytes[I] * Times;
}

double FetchedAgain::at(double Share) const {
  double Place =
      std::clamp(std::log2(Share / SmallestShare), 0.0, Shares - 1.0);
  auto Below = unsigned(Place);
  double Next = Bytes[std::min(Below + 1, Shares - 1)];
  return Bytes[Below] + (Next - Bytes[Below]) * (Place - Below);
}

namespace {

/// AMD: one card stands for each family: its memory bandwidth (GB/s), engine
/// clock (GHz) and number of SIMDs, all from AMD's product pages. SIMDs a
/// compute unit: 4 of 16 lanes on GCN and CDNA, 2 of 32 lanes on RDNA (AMD,
/// "GCN Architecture" white paper, 2012; "RDNA Architecture" white paper,
/// 2019).
///
/// The L2 gives 64 bytes a cycle and channel on GCN and RDNA (the same papers),
/// of which the cards have 12 or 16, and 128 on CDNA, of 32 channels ("CDNA
/// Architecture" white paper, 2020) or of 16 for each of eight dies ("CDNA 3
/// Architecture" white paper, 2023). For RDNA 3 and 4 no paper says it, and
/// they have what RDNA 2 has.
///
/// The L1 of a compute unit has 16 KiB, 32 on CDNA 3 and RDNA 3 and later; the
/// last cache is the L2, or the Infinity Cache where there is one (the same
/// papers, and the cards' product pages).
struct Card {
  StringRef Prefix; ///< of the processor's name; the longest match counts
  double GBytesPerSecond, GHertz;
  unsigned Simds;
  unsigned L2BytesPerCycle; ///< of all channels
  double L1KiBytes, LastCacheMiBytes;
  bool Rdna;
};

constexpr Card Cards[] = {
    {"gfx6", 264, 0.925, 32 * 4, 12 * 64, 16, 0.75, false}, // Radeon HD 7970
    {"gfx7", 320, 1.0, 44 * 4, 16 * 64, 16, 1, false},      // Radeon R9 290X
    {"gfx8", 512, 1.05, 64 * 4, 16 * 64, 16, 2, false},     // Radeon R9 Fury X
    {"gfx9", 484, 1.546, 64 * 4, 16 * 64, 16, 4, false},    // Radeon RX Vega 64
    {"gfx906", 1024, 1.75, 60 * 4, 16 * 64, 16, 4, false},  // Radeon VII
    {"gfx908", 1229, 1.502, 120 * 4, 32 * 128, 16, 8, false}, // Instinct MI100
    {"gfx90a", 1638, 1.7, 110 * 4, 32 * 128, 16, 8, false},   // MI250X, one die
    {"gfx94", 5300, 2.1, 304 * 4, 8 * 16 * 128, 32, 256,
     false}, // Instinct MI300X
    {"gfx95", 8000, 2.4, 256 * 4, 8 * 16 * 128, 32, 256,
     false},                                               // Instinct MI355X
    {"gfx10", 448, 1.905, 40 * 2, 16 * 64, 16, 4, true},   // Radeon RX 5700 XT
    {"gfx103", 512, 2.25, 80 * 2, 16 * 64, 16, 128, true}, // Radeon RX 6900 XT
    {"gfx11", 960, 2.5, 96 * 2, 16 * 64, 32, 96, true},    // Radeon RX 7900 XTX
    {"gfx12", 640, 2.97, 64 * 2, 16 * 64, 32, 64, true},   // Radeon RX 9070 XT
};

/// NVIDIA: bandwidth (GB/s), boost clock (GHz) and multiprocessors of one card
/// a capability, from NVIDIA's product pages and architecture white papers. A
/// multiprocessor has four partitions of one scheduler each.
///
/// Results a cycle and multiprocessor on floats and doubles: CUDA C++
/// Programming Guide, "Throughput of Native Arithmetic Instructions"; on all of
/// these 64 of 32-bit integers and 16 of special functions.
///
/// Bytes a cycle that the L2 gives: of the A100 NVIDIA's "A100 Tensor Core GPU
/// Architecture" white paper, of the H200 as measured (docs/estimate.md); of
/// the others as many for each multiprocessor as a T4 gave Jia and others
/// ("Dissecting the NVIDIA Turing T4 GPU via Microbenchmarking", 2019), 1270
/// GB/s to 40 multiprocessors at 1.59 GHz.
///
/// KiB of L1 and shared memory of a multiprocessor, and MiB of L2: CUDA C++
/// Programming Guide, on compute capabilities, and the white papers.
struct NvidiaCard {
  unsigned Sm; ///< 90 for sm_90
  double GBytesPerSecond, GHertz;
  unsigned Multiprocessors;
  unsigned L2BytesPerCycle;
  double L1KiBytes, L2MiBytes;
  double Floats, Doubles;
};

constexpr NvidiaCard NvidiaCards[] = {
    {75, 616, 1.545, 68, 68 * 20, 96, 5.5, 64, 2},      // GeForce RTX 2080 Ti
    {80, 1555, 1.41, 108, 5120, 192, 40, 64, 32},       // A100
    {86, 936, 1.695, 82, 82 * 20, 128, 6, 128, 2},      // GeForce RTX 3090
    {89, 1008, 2.52, 128, 128 * 20, 128, 72, 128, 2},   // GeForce RTX 4090
    {90, 4800, 1.98, 132, 4800, 256, 50, 128, 64},      // H200
    {120, 1792, 2.407, 170, 170 * 20, 128, 96, 128, 2}, // GeForce RTX 5090
};

const NvidiaCard &nvidiaCard(StringRef Cpu) {
  unsigned Sm = 0;
  Cpu.drop_front(strlen("sm_")).consumeInteger(10, Sm);
  const NvidiaCard *Best = &NvidiaCards[0];
  for (const NvidiaCard &C : NvidiaCards)
    if (C.Sm <= Sm)
      Best = &C;
  return *Best;
}

const Card &amdCard(StringRef Cpu) {
  const Card *Best = &Cards[0];
  size_t Length = 0;
  for (const Card &C : Cards)
    if (Cpu.starts_with(C.Prefix) && C.Prefix.size() > Length) {
      Best = &C;
      Length = C.Prefix.size();
    }
  return *Best;
}

GpuModel nvidiaModel(StringRef Cpu) {
  const NvidiaCard *Best = &nvidiaCard(Cpu);
  constexpr unsigned Partitions = 4;
  GpuModel M;
  M.AluLanes = M.WaveLanes = M.GroupLanes = 32;
  M.Simds = Best->Multiprocessors * Partitions;
  M.BytesPerCycle = Best->GBytesPerSecond / Best->GHertz /
                    (Best->Multiprocessors * Partitions);
  M.L2BytesPerCycle =
      double(Best->L2BytesPerCycle) / (Best->Multiprocessors * Partitions);
  M.L1Bytes = Best->L1KiBytes * 1024;
  M.L1Simds = Partitions;
  M.LastCacheBytes = Best->L2MiBytes * 1024 * 1024;
  M.FillBytes = 32; // a sector
  // What an H200 took for private arrays that the L1 does not hold
  // (docs/estimate.md).
  M.WriteBackTimes = 3;
  M.LoadLatency = 500;
  M.JoinPower = 2;
  // An H200 begins 524,288 work-groups that do nothing in 316 us, however large
  // they are (bench/dispatch/groups.cl). Other cards are taken to be like it.
  M.GroupCycles = 1.2;
  // An H200 takes 33 where nothing else waits (bench/units.py).
  M.HitLatency = 40;
  // 58 more than a load in a chain of either (bench/images/reads.cl).
  M.TexelLatency = M.HitLatency + 58;
  // A multiprocessor has 32 load/store units, and its L1 gives a word of each
  // of its 32 banks per cycle and looks up four lines, as an H200's loads take
  // (docs/estimate.md). What stores take is in StoreSectorCycles, and in which
  // of them MachineCount joins.
  M.AddressCycles = Partitions;
  M.CacheBytesPerCycle = 128 / Partitions;
  M.LineBytes = 128;
  M.LineCycles = Partitions / 4.0;
  M.StoreLineCycles = Partitions;
  M.L1HasBanks = true;
  // Shared memory has 32 banks of four bytes (CUDA C++ Programming Guide, on
  // compute capabilities).
  M.LdsPassCycles = Partitions;
  M.LdsJoinsLanes = true; // As an H200 does (docs/estimate.md).
  // What remains of 638 us for the byte stores of yuv2rgb16 on an H200
  // (docs/estimate.md), 768 sectors a warp.
  M.StoreSectorCycles = 12;
  // An H200 writes 16 bytes a lane into one line again and again at 2,000 bytes
  // a cycle (bench/caches/writes.cl), where its L2 gives 4,850; others are
  // taken to have that share.
  M.StoreBytesPerCycle = M.L2BytesPerCycle * 2000 / 4850;
  auto cycles = [&](double Rate) { return M.WaveLanes / (Rate / Partitions); };
  M.FloatCycles = cycles(Best->Floats);
  M.DoubleCycles = cycles(Best->Doubles);
  return M;
}

} // namespace

GpuModel gpuModel(StringRef Cpu) {
  if (Cpu.starts_with("sm_"))
    return nvidiaModel(Cpu);
  const Card *Best = &amdCard(Cpu);
  GpuModel M;
  M.AluLanes = Best->Rdna ? 32 : 16;
  M.WaveLanes = Best->Rdna ? 32 : 64;
  M.Simds = Best->Simds;
  M.BytesPerCycle = Best->GBytesPerSecond / Best->GHertz / Best->Simds;
  M.L2BytesPerCycle = double(Best->L2BytesPerCycle) / Best->Simds;
  M.L1Bytes = Best->L1KiBytes * 1024;
  M.L1Simds = Best->Rdna ? 2 : 4;
  M.LastCacheBytes = Best->LastCacheMiBytes * 1024 * 1024;
  // "300-600 cycles" (AMD APP SDK OpenCL Optimization Guide, section on
  // latency hiding); one figure for all, since it only has to order versions.
  M.LoadLatency = 500;
  // GCN: a compute unit's address unit takes 16 lanes per cycle and its L1
  // gives 64 bytes per cycle, shared by four SIMDs. RDNA: 128 bytes, two SIMDs.
  M.AddressCycles = Best->Rdna ? 2 : 16;
  M.CacheBytesPerCycle = Best->Rdna ? 64 : 16;
  // One line a cycle, so what lies in several lines takes several.
  M.GroupLanes = Best->Rdna ? 32 : 16;
  M.LineBytes = M.FillBytes = Best->Rdna ? 128 : 64;
  M.LineCycles = M.StoreLineCycles = Best->Rdna ? 2 : 4;
  // Four SIMDs of a compute unit share 32 banks of four bytes (AMD APP SDK
  // OpenCL Optimization Guide, "Local Memory (LDS) Optimization"); on RDNA two
  // do (the ISA documents' chapter on LDS).
  M.LdsPassCycles = Best->Rdna ? 2 : 4;
  return M;
}

Peaks tablePeaks(StringRef Cpu) {
  constexpr double OpsOfMad = 2;
  if (Cpu.starts_with("sm_")) {
    const NvidiaCard &C = nvidiaCard(Cpu);
    return {C.GBytesPerSecond,
            C.GHertz * C.Multiprocessors * C.Floats * OpsOfMad, std::nullopt,
            C.GHertz * C.Multiprocessors * C.Doubles * OpsOfMad,
            "product page"};
  }
  const Card &C = amdCard(Cpu);
  return {C.GBytesPerSecond, C.GHertz * C.Simds * (C.Rdna ? 32 : 16) * OpsOfMad,
          std::nullopt, std::nullopt, "product page"};
}

/// Launches of fewer work-items are there to compare results, and not those
/// whose time matters.
static constexpr uint64_t FewestTimed = 4096;

/// Bytes that each of \p Waves which run at one time fetches again into a cache
/// of \p CacheBytes that they share, if \p Own bytes of what each touches are
/// no other's: those of others are there once.
static double fetchedAgain(const WaveWork &Work, double Waves,
                           double CacheBytes, double Own) {
  double Touched = Work.Bytes + Work.PrivateBytes;
  double Copies = Touched > 0 ? 1 + (Waves - 1) * Own / Touched : Waves;
  return Work.Again.at(CacheBytes / Copies) * Copies / Waves;
}

Estimate estimate(const WaveWork &Work, unsigned Occupancy,
                  const GpuModel &Model, std::optional<uint64_t> Waves,
                  unsigned GroupWaves) {
  double Resident = std::max(1u, Occupancy);
  const bool IsTimed = Waves.value_or(0) * Model.WaveLanes >= FewestTimed;
  if (IsTimed)
    Resident = std::clamp(double(*Waves) / Model.Simds, 1.0, Resident);
  // Work-groups that are neighbours in the NDRange share lines of the last
  // cache, but seldom lines of an L1: they run on different compute units.
  double Own = Work.Bytes * Work.Alone + Work.PrivateBytes;
  double FromL2 = Work.Bytes + fetchedAgain(Work, Resident * Model.L1Simds,
                                            Model.L1Bytes, Own);
  Own = std::min(Own, Work.MemoryBytes + Work.PrivateBytes);
  double FromMemory =
      Work.MemoryBytes +
      fetchedAgain(Work, Resident * Model.Simds, Model.LastCacheBytes, Own);
  EstimateParts Parts{Work};
  Parts.Latency = Work.Serial / Resident;
  Parts.Bandwidth = std::max(FromMemory / Model.BytesPerCycle,
                             FromL2 / Model.L2BytesPerCycle);
  Parts.Bytes = Work.Bytes;
  if (IsTimed && GroupWaves > 0)
    Parts.Dispatch = Model.GroupCycles * Model.Simds / GroupWaves;
  const double Computed =
      std::max({Work.Valu, Work.Salu, Work.Special, Work.Fma, Work.Doubles});
  // No unit waits for another all of the time, but none runs free of the
  // others; and memory's unit is beside the issue slots. docs/estimate.md has
  // how powers do, against times on an H200.
  double Sum = 0;
  for (double Bound : {Computed, Work.Vmem + Work.Lds, Parts.Latency,
                       Parts.Bandwidth, Parts.Dispatch})
    Sum += std::pow(Bound, Model.JoinPower);
  const std::pair<double, StringRef> Bounds[] = {
      {std::max({Computed, Work.Vmem, Work.Lds}), "issue"},
      {Parts.Latency, "latency"},
      {Parts.Bandwidth, "bandwidth"},
      {Parts.Dispatch, "dispatch"}};
  return {std::pow(Sum, 1 / Model.JoinPower),
          llvm::max_element(Bounds, llvm::less_first())->second.str(), Parts};
}

template <typename Io> static bool mapMembers(Io &O, EstimateParts &E) {
  return O.map("valu", E.Valu) && O.map("salu", E.Salu) &&
         O.map("vmem", E.Vmem) && O.map("lds", E.Lds) &&
         O.map("special", E.Special) && O.map("fma", E.Fma) &&
         O.map("doubles", E.Doubles) && O.map("latency", E.Latency) &&
         O.map("bandwidth", E.Bandwidth) && O.map("dispatch", E.Dispatch) &&
         O.mapOptional("bytes", E.Bytes);
}

json::Value toJSON(const EstimateParts &E) { return written(E); }
bool fromJSON(const json::Value &V, EstimateParts &E, json::Path P) {
  return readInto(E, V, P);
}

} // namespace clrewrite::measure
