// Counting live vector registers.
//
// Before allocation live intervals say where each virtual register is alive. A
// register of several parts has an interval for each part that is written or
// read apart; here each 32-bit part counts for itself. All intervals' starts
// and ends, sorted, give the number alive at every place: its peak, and its
// value where blocks begin and end. The private headers of the AMDGPU back end
// are not installed, so classes are known by their names, and two lanes of a
// mask stand for 32 bits, as they do there.
//
// After allocation each block is walked backwards from what its successors take
// in, before a second scheduler reorders what has its registers already, and
// before the last passes remove branches around code that no lane may run:
// without those a write there would seem to end every lane's value.
#include "measure/counts/PressurePasses.h"
#include "llvm/CodeGen/LiveIntervals.h"
#include "llvm/CodeGen/LiveRegUnits.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

using ByFunction = std::map<std::string, Pressure>;

bool isVector(StringRef Class) {
  for (StringRef Prefix : {"VGPR_", "VReg_", "AGPR_", "AReg_", "AV_"})
    if (Class.starts_with(Prefix))
      return true;
  return false;
}

/// Where the number of live registers changes, and by how much.
class Changes {
public:
  void add(const LiveRange &Range, int Count = 1) {
    for (const LiveRange::Segment &S : Range)
      add(S.start, S.end, Count);
  }
  void add(SlotIndex Start, SlotIndex End, int Count) {
    At[Start] += Count;
    At[End] -= Count;
  }

  unsigned peak() const {
    int Now = 0, Most = 0;
    for (const auto &[Where, Change] : At)
      Most = std::max(Most, Now += Change);
    return unsigned(Most);
  }

  /// How many are alive at each of \p Places, which are in order, at most.
  unsigned mostAt(ArrayRef<SlotIndex> Places) const {
    int Now = 0, Most = 0;
    auto It = At.begin();
    for (SlotIndex Place : Places) {
      for (; It != At.end() && !(Place < It->first); ++It)
        Now += It->second;
      Most = std::max(Most, Now);
    }
    return unsigned(Most);
  }

private:
  std::map<SlotIndex, int> At;
};

/// A register whose parts live apart: a 32-bit part is alive where any of its
/// lanes is.
void addParts(Changes &C, const LiveInterval &Register, unsigned Parts) {
  for (unsigned Part = 0; Part < Parts; ++Part) {
    LaneBitmask Lanes(LaneBitmask::Type(3) << (2 * Part));
    std::vector<std::pair<SlotIndex, SlotIndex>> Alive;
    for (const LiveInterval::SubRange &Sub : Register.subranges())
      if ((Sub.LaneMask & Lanes).any())
        for (const LiveRange::Segment &S : Sub)
          Alive.push_back({S.start, S.end});
    llvm::sort(Alive);
    SlotIndex Covered; // not valid yet
    for (auto [Start, End] : Alive) {
      if (Covered.isValid() && Start < Covered)
        Start = Covered;
      if (End <= Start)
        continue;
      C.add(Start, End, 1);
      Covered = End;
    }
  }
}

Changes changesIn(const MachineFunction &MF, const LiveIntervals &LIS) {
  const MachineRegisterInfo &MRI = MF.getRegInfo();
  const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
  Changes C;
  for (unsigned I = 0; I < MRI.getNumVirtRegs(); ++I) {
    Register R = Register::index2VirtReg(I);
    if (MRI.reg_nodbg_empty(R) || !LIS.hasInterval(R))
      continue;
    const TargetRegisterClass *Class = MRI.getRegClass(R);
    if (!isVector(TRI.getRegClassName(Class)))
      continue;
    unsigned Parts = divideCeil(TRI.getRegSizeInBits(*Class), 32);
    const LiveInterval &LI = LIS.getInterval(R);
    if (LI.hasSubRanges())
      addParts(C, LI, Parts);
    else
      C.add(LI, int(Parts));
  }
  return C;
}

/// The starts and ends of blocks that others lead to or follow.
std::vector<SlotIndex> edges(const MachineFunction &MF,
                             const LiveIntervals &LIS) {
  std::vector<SlotIndex> Out;
  for (const MachineBasicBlock &B : MF) {
    if (!B.pred_empty())
      Out.push_back(LIS.getMBBStartIdx(&B));
    if (!B.succ_empty())
      Out.push_back(LIS.getMBBEndIdx(&B).getPrevSlot());
  }
  llvm::sort(Out);
  return Out;
}

/// Counts virtual registers, before the scheduler or after it.
class Virtual : public MachineFunctionPass {
public:
  static char ID;
  Virtual(ByFunction &Into, bool Scheduled)
      : MachineFunctionPass(ID), Into(Into), Scheduled(Scheduled) {}

  StringRef getPassName() const override { return "count virtual registers"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.addRequired<LiveIntervalsWrapperPass>();
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    const auto &LIS = getAnalysis<LiveIntervalsWrapperPass>().getLIS();
    Changes C = changesIn(MF, LIS);
    Pressure &P = Into[MF.getName().str()];
    if (Scheduled) {
      P.Scheduled = C.peak();
    } else {
      P.SourceOrder = C.peak();
      P.Boundary = C.mostAt(edges(MF, LIS));
    }
    return false;
  }

private:
  ByFunction &Into;
  bool Scheduled;
};

char Virtual::ID = 0;

/// Counts physical registers, by line.
class Physical : public MachineFunctionPass {
public:
  static char ID;
  Physical(ByFunction &Into, StringRef Path)
      : MachineFunctionPass(ID), Into(Into), Path(Path) {}

  StringRef getPassName() const override { return "count live registers"; }
  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    if (!MF.getRegInfo().tracksLiveness())
      return false;
    const TargetRegisterInfo &TRI = *MF.getSubtarget().getRegisterInfo();
    Registers.clear();
    for (const TargetRegisterClass *Class : TRI.regclasses())
      if (StringRef Name = TRI.getRegClassName(Class);
          Name == "VGPR_32" || Name == "AGPR_32")
        append_range(Registers, *Class);
    Pressure &P = Into[MF.getName().str()];
    for (const MachineBasicBlock &B : MF)
      walk(B, TRI, P);
    return false;
  }

private:
  ByFunction &Into;
  std::string Path;
  std::vector<MCPhysReg> Registers; ///< all vector registers of 32 bits

  unsigned count(const LiveRegUnits &Live) const {
    return unsigned(
        count_if(Registers, [&](MCPhysReg R) { return !Live.available(R); }));
  }

  void walk(const MachineBasicBlock &B, const TargetRegisterInfo &TRI,
            Pressure &P) const {
    LiveRegUnits Live(TRI);
    Live.addLiveOuts(B);
    // One by one also in bundles, whose heads name all their operands.
    for (const MachineInstr &I : reverse(B.instrs())) {
      if (I.isDebugInstr() || I.isBundle())
        continue;
      unsigned Most = 0;
      for (const MachineOperand &Op : I.operands())
        if (Op.isReg() && Op.isDef() && Op.getReg().isPhysical())
          Live.addReg(Op.getReg()); // one that nobody reads needs a place too
      Most = count(Live);
      stepBackward(I, Live);
      Most = std::max(Most, count(Live));
      P.Allocated = std::max(P.Allocated, Most);
      if (unsigned Line = lineOf(I.getDebugLoc()))
        P.Lines[Line] = std::max(P.Lines[Line], Most);
    }
  }

  static void stepBackward(const MachineInstr &I, LiveRegUnits &Live) {
    for (const MachineOperand &Op : I.operands())
      if (Op.isRegMask())
        Live.removeRegsNotPreserved(Op.getRegMask());
      else if (Op.isReg() && Op.isDef() && Op.getReg().isPhysical())
        Live.removeReg(Op.getReg());
    for (const MachineOperand &Op : I.operands())
      if (Op.isReg() && Op.isUse() && !Op.isUndef() && Op.getReg().isPhysical())
        Live.addReg(Op.getReg());
  }

  bool isOurs(const DIFile &F) const {
    return F.getFilename() == Path ||
           (F.getDirectory() + "/" + F.getFilename()).str() == Path;
  }

  /// The line of the innermost call or code that stands in our file; 0 where
  /// there is none.
  unsigned lineOf(const DILocation *At) const {
    for (; At; At = At->getInlinedAt())
      if (At->getLine() && isOurs(*At->getFile()))
        return At->getLine();
    return 0;
  }
};

char Physical::ID = 0;

} // namespace

void watchEdges(Observers &Watching, ByFunction &Into) {
  Watching.BeforeScheduling = new Virtual(Into, /*Scheduled=*/false);
}

void watchPressure(Observers &Watching, ByFunction &Into, StringRef Path) {
  watchEdges(Watching, Into);
  Watching.AfterScheduling = new Virtual(Into, /*Scheduled=*/true);
  Watching.AfterAllocation = new Physical(Into, Path);
}

} // namespace clrewrite::measure
