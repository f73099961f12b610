// What all GPUs share in counting machine code.
#include "measure/llvm/MachineCount.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include <set>

using namespace llvm;

namespace clrewrite::measure {

static constexpr int64_t SectorBytes = 32;

void CountingPass::getAnalysisUsage(AnalysisUsage &AU) const {
  AU.addRequired<MachineLoopInfoWrapperPass>();
  AU.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(AU);
}

bool CountingPass::runOnMachineFunction(MachineFunction &MF) {
  const auto &Loops = getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  MachineCounts C;
  C.WaveSize = waveSize(MF);
  LaneAddresses.clear();
  static const WaveMemory Untraced;
  auto Own = Kernels.find(MF.getName().str());
  Memory = Own == Kernels.end() ? &Untraced : &Own->second;
  Addresses.emplace(MF.getFunction(), Memory->Launch);
  Clock = 0;
  begin(MF);
  for (const MachineBasicBlock &B : MF) {
    double Frequency = 1;
    for (const MachineLoop *L = Loops.getLoopFor(&B); L; L = L->getParentLoop())
      Frequency *= tripsOf(*L);
    if (Memory->Skipped.contains(B.getBasicBlock()))
      Frequency = 0;
    double Start = Clock;
    for (const MachineInstr &I : B.instrs()) {
      if (I.isMetaInstruction() || I.isBundle())
        continue;
      ++C.Instructions;
      C.CodeBytes += TII.getInstSizeInBytes(I);
      // Where no wave comes, loads are not waited for either.
      if (Frequency > 0)
        count(I, Frequency, C.Work);
    }
    C.Work.Serial += (Clock - Start) * Frequency;
  }
  Into[MF.getName().str()] = C;
  Addresses.reset();
  return false;
}

double CountingPass::tripsOf(const MachineLoop &L) const {
  auto known = [&](const MachineBasicBlock *B) -> std::optional<double> {
    auto It = Memory->Trips.find(B->getBasicBlock());
    return It == Memory->Trips.end() ? std::nullopt : std::optional(It->second);
  };
  if (auto T = known(L.getHeader()))
    return *T;
  // Structurising may have put another block in front of the IR's header.
  for (const MachineBasicBlock *B : L.getBlocks()) {
    bool InSubLoop = any_of(L.getSubLoops(), [&](const MachineLoop *Sub) {
      return Sub->contains(B);
    });
    if (auto T = known(B); T && !InSubLoop)
      return *T;
  }
  return UnknownTrips;
}

double CountingPass::memoryCycles(const MachineInstr &I) {
  uint64_t Bytes = 4;
  double Lines = 0, Sectors = 0;
  if (!I.memoperands_empty()) {
    Bytes = 0;
    for (const MachineMemOperand *M : I.memoperands())
      if (M->getSize().hasValue()) {
        Bytes = std::max<uint64_t>(Bytes, M->getSize().getValue());
        Lines = std::max(Lines, linesOf(*M, Model.LineBytes));
        if (Model.StoreSectorCycles && M->isStore())
          Sectors = std::max(Sectors, linesOf(*M, SectorBytes));
      }
  }
  if (double(Bytes) * Model.WaveLanes >= Sectors * SectorBytes)
    Sectors = 0; // It fills them.
  return std::max({Model.AddressCycles, Lines * Model.LineCycles,
                   Sectors * Model.StoreSectorCycles,
                   double(Bytes) * Model.WaveLanes / Model.CacheBytesPerCycle});
}

/// How many lines of \p LineBytes a wave's access looks up: those that the
/// lanes of a group touch, for each group.
double CountingPass::linesOf(const MachineMemOperand &M, int64_t LineBytes) {
  unsigned Space = M.getAddrSpace();
  if (!M.getValue() || (Space != 0 && Space != 1 && Space != 4))
    return 0; // LDS and scratch, and what has no address in the source.
  auto [It, New] = LaneAddresses.try_emplace(M.getValue());
  if (New)
    It->second = Addresses->of(M.getValue(), Model.WaveLanes);
  double Count = 0;
  for (unsigned First = 0; First < Model.WaveLanes; First += Model.GroupLanes) {
    std::set<int64_t> Lines;
    for (int64_t A : ArrayRef(It->second).slice(First, Model.GroupLanes)) {
      A += M.getOffset();
      for (int64_t L = A / LineBytes;
           L <= (A + int64_t(M.getSize().getValue()) - 1) / LineBytes; ++L)
        Lines.insert(L);
    }
    Count += double(Lines.size());
  }
  return Count;
}

} // namespace clrewrite::measure
