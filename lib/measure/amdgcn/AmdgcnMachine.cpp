// Issue cycles and stalls of AMDGPU machine code.
//
// Instructions are told apart by LLVM's own names for them (V_..., S_...,
// DS_..., BUFFER_..., GLOBAL_..., FLAT_..., IMAGE_...). Vector ALU rates come
// from the scheduling model's latencies, which for these targets are the issue
// time (SISchedule.td): GCN and CDNA give it in passes of four cycles, RDNA
// adds a fixed pipeline of 5 cycles, so 5 is full rate there.
//
// Stalls come from a walk in layout order that keeps the times at which
// outstanding loads arrive and waits for them where the code does (s_waitcnt
// and its successors).
#include "measure/amdgcn/AmdgcnMachine.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSchedule.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include <deque>

using namespace llvm;

namespace clrewrite::measure {
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

class Counting : public CountingPass {
public:
  static char ID;
  Counting(const WaveKnowledge &What, const GpuModel &Model,
           CountsByFunction &Into)
      : CountingPass(ID, What, Model, Into) {}

private:
  TargetSchedModel Sched;
  const TargetInstrInfo *TII = nullptr;
  StringRef Cpu;
  std::deque<double> Outstanding; ///< when each load's value arrives

  void begin(MachineFunction &MF) override {
    Sched.init(&MF.getSubtarget());
    TII = MF.getSubtarget().getInstrInfo();
    Cpu = MF.getSubtarget().getCPU();
    Outstanding.clear();
  }

  bool takesOneWay() const override { return true; }

  unsigned waveSize(const MachineFunction &MF) const override {
    return MF.getSubtarget().checkFeatures("+wavefrontsize32") ? 32 : 64;
  }

  double vectorCycles(const MachineInstr &I) {
    unsigned Latency = std::max(1u, Sched.computeInstrLatency(&I));
    // 4 on GCN, 1 on RDNA, where a wave of 64 lanes takes 2.
    double Passes = Model.WaveLanes / Model.AluLanes;
    bool Gcn = Model.AluLanes == 16;
    if (Gcn)
      return Passes * Latency;
    return Passes * (Latency <= 5 ? 1 : Latency < 20 ? 4 : 16);
  }

  void wait(const MachineInstr &I, StringRef Name) {
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

  void count(const MachineInstr &I, double Frequency, WaveWork &Work) override {
    StringRef Name = TII->getName(I.getOpcode());
    double Passes = Model.WaveLanes / Model.AluLanes, Cycles = Passes;
    switch (unitOf(Name)) {
    case Unit::Valu:
      Cycles = vectorCycles(I);
      Work.Valu += Cycles * Frequency;
      break;
    case Unit::Salu:
    case Unit::Smem:
      Work.Salu += Cycles * Frequency;
      break;
    case Unit::Vmem:
      Work.Vmem += memoryCycles(I) * Frequency;
      if (I.mayLoad() && !I.mayStore())
        Outstanding.push_back(Clock + loadLatency(I));
      break;
    case Unit::Lds:
      Cycles = std::max(Passes, ldsCycles(I));
      Work.Lds += Cycles * Frequency;
      break;
    case Unit::Wait:
      wait(I, Name);
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

CountingPass *createAmdgcnCountingPass(const WaveKnowledge &What,
                                       const GpuModel &Model,
                                       CountsByFunction &Into) {
  return new Counting(What, Model, Into);
}

} // namespace clrewrite::measure
