// Issue cycles and stalls of AMDGPU machine code.
//
// Instructions are told apart by LLVM's own names for them (V_..., S_...,
// DS_..., BUFFER_..., GLOBAL_..., FLAT_..., IMAGE_...). Vector ALU rates come
// from the scheduling model's latencies, which for these targets are the issue
// time (SISchedule.td): GCN and CDNA give it in passes of four cycles, RDNA
// adds a fixed pipeline of 5 cycles, so 5 is full rate there.
//
// A wave that diverges runs both sides of a branch, so every block counts as
// often as the loops around it run, but for those that no lane enters. Stalls
// come from a walk in layout order that keeps the times at which outstanding
// loads arrive and waits for them where the code does (s_waitcnt and its
// successors).
#include "measure/AmdgcnMachine.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSchedule.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/Function.h"
#include <deque>
#include <set>

using namespace llvm;

namespace clrewrite {
namespace {

enum class Unit { Valu, Salu, Vmem, Smem, Lds, Wait, Other };

Unit unitOf(StringRef Name) {
  if (Name.starts_with("V_"))
    return Unit::Valu;
  if (Name.starts_with("S_WAITCNT") || Name.starts_with("S_WAIT_"))
    return Unit::Wait;
  if (Name.starts_with("S_LOAD") || Name.starts_with("S_BUFFER_LOAD"))
    return Unit::Smem;
  if (Name.starts_with("S_"))
    return Unit::Salu;
  if (Name.starts_with("DS_") || Name.starts_with("LDS_"))
    return Unit::Lds;
  for (StringRef Prefix :
       {"BUFFER_", "GLOBAL_", "FLAT_", "IMAGE_", "SCRATCH_", "TBUFFER_"})
    if (Name.starts_with(Prefix))
      return Unit::Vmem;
  return Unit::Other;
}

/// How many vector memory loads may be outstanding after a wait; nullopt where
/// it waits for none. The immediate's fields are those of the ISA documents:
/// vmcnt in bits 3:0 (and 15:14 from gfx9 on), bits 15:10 on gfx11; gfx12 has
/// an instruction a counter.
std::optional<unsigned> allowedLoads(StringRef Name, uint64_t Imm,
                                     StringRef Cpu) {
  if (Name.starts_with("S_WAIT_LOADCNT"))
    return unsigned(Imm & 63);
  if (!Name.starts_with("S_WAITCNT") || Name.contains("DEPCTR") ||
      Name.contains("VSCNT") || Name.contains("LGKMCNT") ||
      Name.contains("EXPCNT"))
    return std::nullopt;
  if (Cpu.starts_with("gfx11")) {
    unsigned N = (Imm >> 10) & 63;
    return N == 63 ? std::nullopt : std::optional(N);
  }
  bool Wide = Cpu.starts_with("gfx9") || Cpu.starts_with("gfx10");
  unsigned N = unsigned(Imm & 15) | (Wide ? unsigned(Imm >> 14 & 3) << 4 : 0);
  return N == (Wide ? 63u : 15u) ? std::nullopt : std::optional(N);
}

class Counting : public MachineFunctionPass {
public:
  static char ID;
  Counting(const WaveMemory &Memory, const GpuModel &Model,
           std::map<std::string, MachineCounts> &Into)
      : MachineFunctionPass(ID), Memory(Memory), Model(Model), Into(Into) {}

  StringRef getPassName() const override { return "count machine code"; }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<MachineLoopInfoWrapperPass>();
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    const auto &Loops = getAnalysis<MachineLoopInfoWrapperPass>().getLI();
    TargetSchedModel Sched;
    Sched.init(&MF.getSubtarget());
    const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
    StringRef Cpu = MF.getSubtarget().getCPU();
    MachineCounts C;
    Outstanding.clear();
    LaneAddresses.clear();
    Addresses.emplace(MF.getFunction());
    Clock = 0;
    for (const MachineBasicBlock &B : MF) {
      double Frequency = 1;
      for (const MachineLoop *L = Loops.getLoopFor(&B); L;
           L = L->getParentLoop())
        Frequency *= tripsOf(*L);
      if (Memory.Skipped.contains(B.getBasicBlock()))
        Frequency = 0;
      double Start = Clock;
      for (const MachineInstr &I : B.instrs())
        if (!I.isMetaInstruction() && !I.isBundle())
          count(I, TII, Sched, Cpu, Frequency, C);
      C.Work.Serial += (Clock - Start) * Frequency;
    }
    Into[MF.getName().str()] = C;
    Addresses.reset();
    return false;
  }

private:
  const WaveMemory &Memory;
  const GpuModel &Model;
  std::map<std::string, MachineCounts> &Into;
  double Clock = 0;
  std::deque<double> Outstanding; ///< when each load's value arrives
  std::optional<WaveAddresses> Addresses;
  DenseMap<const Value *, std::vector<int64_t>> LaneAddresses;

  double tripsOf(const MachineLoop &L) const {
    auto known = [&](const MachineBasicBlock *B) -> std::optional<double> {
      auto It = Memory.Trips.find(B->getBasicBlock());
      return It == Memory.Trips.end() ? std::nullopt
                                      : std::optional(It->second);
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

  double vectorCycles(const MachineInstr &I, const TargetSchedModel &Sched) {
    unsigned Latency = std::max(1u, Sched.computeInstrLatency(&I));
    double Passes = Model.WaveLanes / Model.AluLanes; // 4 on GCN, 1 on RDNA
    if (Passes > 1)
      return Passes * Latency;
    return Latency <= 5 ? 1 : Latency < 20 ? 4 : 16;
  }

  double memoryCycles(const MachineInstr &I) {
    uint64_t Bytes = 4;
    double Lines = 0;
    if (!I.memoperands_empty()) {
      Bytes = 0;
      for (const MachineMemOperand *M : I.memoperands())
        if (M->getSize().hasValue()) {
          Bytes = std::max<uint64_t>(Bytes, M->getSize().getValue());
          Lines = std::max(Lines, linesOf(*M));
        }
    }
    return std::max(
        {Model.AddressCycles, Lines * Model.LineCycles,
         double(Bytes) * Model.WaveLanes / Model.CacheBytesPerCycle});
  }

  /// How often a wave's access looks a line of the L1 up: once for each line
  /// that the lanes of a group touch.
  double linesOf(const MachineMemOperand &M) {
    unsigned Space = M.getAddrSpace();
    if (!M.getValue() || (Space != 0 && Space != 1 && Space != 4))
      return 0; // LDS and scratch, and what has no address in the source.
    auto [It, New] = LaneAddresses.try_emplace(M.getValue());
    if (New)
      It->second = Addresses->of(M.getValue(), Model.WaveLanes);
    double Count = 0;
    for (unsigned First = 0; First < Model.WaveLanes;
         First += Model.GroupLanes) {
      std::set<int64_t> Lines;
      for (int64_t A : ArrayRef(It->second).slice(First, Model.GroupLanes)) {
        A += M.getOffset();
        for (int64_t L = A / Model.LineBytes;
             L <= (A + int64_t(M.getSize().getValue()) - 1) / Model.LineBytes;
             ++L)
          Lines.insert(L);
      }
      Count += double(Lines.size());
    }
    return Count;
  }

  void wait(const MachineInstr &I, StringRef Name, StringRef Cpu) {
    if (I.getNumOperands() == 0)
      return;
    const MachineOperand &Last = I.getOperand(I.getNumOperands() - 1);
    const MachineOperand &Op = I.getOperand(0).isImm() ? I.getOperand(0) : Last;
    if (!Op.isImm())
      return;
    auto Allowed = allowedLoads(Name, uint64_t(Op.getImm()), Cpu);
    while (Allowed && Outstanding.size() > *Allowed) {
      Clock = std::max(Clock, Outstanding.front());
      Outstanding.pop_front();
    }
  }

  void count(const MachineInstr &I, const TargetInstrInfo &TII,
             const TargetSchedModel &Sched, StringRef Cpu, double Frequency,
             MachineCounts &C) {
    StringRef Name = TII.getName(I.getOpcode());
    ++C.Instructions;
    C.CodeBytes += TII.getInstSizeInBytes(I);
    if (Frequency == 0)
      return; // Its loads are not waited for either.
    double Passes = Model.WaveLanes / Model.AluLanes, Cycles = Passes;
    switch (unitOf(Name)) {
    case Unit::Valu:
      Cycles = vectorCycles(I, Sched);
      C.Work.Valu += Cycles * Frequency;
      break;
    case Unit::Salu:
    case Unit::Smem:
      C.Work.Salu += Cycles * Frequency;
      break;
    case Unit::Vmem:
      C.Work.Vmem += memoryCycles(I) * Frequency;
      if (I.mayLoad() && !I.mayStore())
        Outstanding.push_back(Clock + Model.LoadLatency);
      break;
    case Unit::Lds:
      Cycles = std::max(Passes,
                        4.0 * Model.WaveLanes / (2 * Model.CacheBytesPerCycle));
      C.Work.Lds += Cycles * Frequency;
      break;
    case Unit::Wait:
      wait(I, Name, Cpu);
      Cycles = 0;
      break;
    case Unit::Other:
      Cycles = 0;
      break;
    }
    Clock += Cycles;
  }
};

char Counting::ID = 0;

} // namespace

FunctionPass *createCountingPass(const WaveMemory &Memory,
                                 const GpuModel &Model,
                                 std::map<std::string, MachineCounts> &Into) {
  return new Counting(Memory, Model, Into);
}

} // namespace clrewrite
