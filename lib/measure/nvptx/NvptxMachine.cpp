// Issue cycles and stalls of NVPTX's machine code.
//
// It is not what runs: ptxas makes machine code of it, with registers and an
// order of its own. But nearly every instruction of PTX is one of the
// machine's, so counting those, told apart by LLVM's names for them, orders
// versions.
//
//   - A scheduler issues one instruction a cycle; integer instructions hold
//     their pipe for two, those on 64 bits are two. Moves, and what only names
//     parameters and blocks, vanish in ptxas.
//   - Division and remainder of integers, and the precise division and square
//     root of floats, are sequences; their lengths are rough.
//   - Loads move up as far as their addresses allow, so the stalls of a block
//     are those of its longest chain of dependent loads.
#include "measure/nvptx/NvptxMachine.h"
#include "measure/llvm/AddressSpaces.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

/// The address space of parameters, by LLVM's number.
constexpr unsigned ParamSpace = 101;
/// Instructions of a division or remainder of 32-bit integers, and of 64-bit
/// ones; of a float division or square root that rounds correctly.
constexpr double IntDivision = 20, LongDivision = 70, PreciseDivision = 10;
/// Cycles from an arithmetic instruction to one that needs its result (Jia et
/// al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking",
/// 2018, and the same for Turing), and from a shared load to its value.
constexpr double Dependent = 4, SharedLatency = 30;

bool isNothing(const MachineInstr &I, StringRef Name) {
  return I.isCopy() || I.isLabel() || Name.starts_with("MOV") ||
         Name.starts_with("Callseq") || Name.starts_with("DECLARE") ||
         Name.starts_with("ProxyReg") || Name.starts_with("LEA_") ||
         Name.starts_with("cvta") || Name.starts_with("IMPLICIT");
}

bool isSpecial(StringRef Name) {
  for (StringRef Each : {"SIN", "COS", "EX2", "LG2", "RSQRT", "RCP", "SQRT",
                         "TANH", "FDIV", "FRCP"})
    if (Name.contains_insensitive(Each))
      return true;
  return false;
}

class Counting : public CountingPass {
public:
  static char ID;
  Counting(const WaveKnowledge &What, const GpuModel &Model,
           CountsByFunction &Into)
      : CountingPass(ID, What, Model, Into) {}

private:
  const TargetInstrInfo *TII = nullptr;
  const MachineBasicBlock *Block = nullptr;
  /// In the block: when each register has its value, and the latest of them,
  /// as if nothing had to wait for an issue slot.
  DenseMap<Register, double> Ready;
  double Latest = 0;
  /// The stores to global memory of the block so far, and when each is issued.
  std::vector<std::pair<const MachineInstr *, double>> Stores;

  void begin(MachineFunction &MF) override {
    TII = MF.getSubtarget().getInstrInfo();
    Block = nullptr;
  }

  /// Another global load or store than through the read-only cache.
  static bool isOrdered(const MachineInstr &I) {
    if (I.memoperands_empty() || I.isCall() || I.isBarrier())
      return false;
    const MachineMemOperand &M = **I.memoperands_begin();
    if (M.getAddrSpace() > GlobalSpace || M.isInvariant())
      return false;
    // Where the back end has made an index that grows a pointer that grows, all
    // that it starts from counts.
    SmallVector<const Value *, 2> Buffers;
    if (M.getValue())
      getUnderlyingObjects(M.getValue(), Buffers, /*LI=*/nullptr, 0);
    return Buffers.empty() || !all_of(Buffers, [](const Value *V) {
             const auto *A = dyn_cast<Argument>(V);
             return A && A->getParent()->getAttributes().hasParamAttr(
                             A->getArgNo(), UnwrittenMark);
           });
  }

  /// The two access other bytes, as far as NVIDIA's compiler can see in PTX: at
  /// other distances from one register.
  static bool areApart(const MachineInstr &A, const MachineInstr &B) {
    const MachineOperand *OfA[2], *OfB[2];
    // Nothing is known where a size isn't.
    auto size = [](const MachineInstr &I) {
      LocationSize Size = (*I.memoperands_begin())->getSize();
      return Size.hasValue() && !Size.isScalable()
                 ? int64_t(Size.getValue().getFixedValue())
                 : INT32_MAX;
    };
    auto address = [](const MachineInstr &I, const MachineOperand *(&Of)[2]) {
      unsigned N = I.getNumExplicitOperands();
      if (N < 2)
        return false;
      Of[0] = &I.getOperand(N - 2);
      Of[1] = &I.getOperand(N - 1);
      return Of[0]->isReg() && Of[1]->isImm();
    };
    return address(A, OfA) && address(B, OfB) &&
           OfA[0]->getReg() == OfB[0]->getReg() &&
           (OfA[1]->getImm() + size(A) <= OfB[1]->getImm() ||
            OfB[1]->getImm() + size(B) <= OfA[1]->getImm());
  }

  /// The results of \p I come \p Latency after its operands, and what it loads
  /// after the stores before it that may be to the same memory.
  void chain(const MachineInstr &I, double Latency) {
    if (Block != I.getParent()) {
      Block = I.getParent();
      Ready.clear();
      Stores.clear();
      Latest = 0;
    }
    double Start = 0;
    if (I.mayLoad() && isOrdered(I))
      for (const auto &[Store, Issued] : Stores)
        if (!areApart(I, *Store))
          Start = std::max(Start, Issued);
    for (const MachineOperand &Op : I.operands())
      if (Op.isReg() && Op.isUse())
        if (auto It = Ready.find(Op.getReg()); It != Ready.end())
          Start = std::max(Start, It->second);
    if (I.mayStore() && isOrdered(I))
      Stores.emplace_back(&I, Start);
    for (const MachineOperand &Op : I.operands())
      if (Op.isReg() && Op.isDef())
        Ready[Op.getReg()] = Start + Latency;
    if (Start + Latency > Latest) {
      Clock += Start + Latency - Latest;
      Latest = Start + Latency;
    }
  }

  /// ptxas adds up what all lanes of a warp do to one integer in shared memory,
  /// where nobody wants to know what was there before.
  bool isAddedUp(const MachineInstr &I) const {
    if (!I.mayLoad() || !I.mayStore() || !I.getOperand(0).isReg())
      return false;
    StringRef Name = TII->getName(I.getOpcode());
    return Name.contains("_ATOM") &&
           none_of(ArrayRef<StringRef>{"CAS", "SWAP", "_F16", "_F32", "_F64"},
                   [&](StringRef Other) { return Name.contains(Other); }) &&
           I.getMF()->getRegInfo().use_nodbg_empty(I.getOperand(0).getReg());
  }

  /// The time until a load's value is there; cycles of the units in \p Work.
  double memory(const MachineInstr &I, double Frequency, WaveWork &Work) {
    unsigned Space =
        I.memoperands_empty() ? 1 : (*I.memoperands_begin())->getAddrSpace();
    Work.Valu += Frequency;
    if (Space == ParamSpace)
      return Dependent; // The constant bank, an operand of most instructions.
    if (Space == SharedSpace) {
      Work.Lds += ldsCycles(I, isAddedUp(I)) * Frequency;
      return I.mayLoad() ? SharedLatency : 0;
    }
    Work.Vmem += memoryCycles(I) * Frequency;
    return I.mayLoad() ? Model.LoadLatency : 0;
  }

  /// As memory(), for an instruction that computes.
  double arithmetic(StringRef Name, double Frequency, WaveWork &Work) {
    auto slots = [&](double N) { Work.Valu += N * Frequency; };
    auto integers = [&](double N) {
      slots(N);
      Work.Salu += N * Model.IntCycles * Frequency;
      return Dependent * N;
    };
    bool Long = Name.contains("64") && !Name.contains("f64");
    if (Name.starts_with("SDIV") || Name.starts_with("UDIV") ||
        Name.starts_with("SREM") || Name.starts_with("UREM"))
      return integers(Long ? LongDivision : IntDivision);
    if (Name.contains("f64")) {
      slots(1);
      double N =
          Name.starts_with("FDIV") || isSpecial(Name) ? PreciseDivision : 1;
      Work.Special += N * Model.DoubleCycles * Frequency;
      return N * Dependent * 2;
    }
    if (isSpecial(Name)) {
      double N = Name.contains_insensitive("prec") || Name.contains("_rn")
                     ? PreciseDivision
                     : 2;
      slots(N);
      Work.Special += Model.SpecialCycles * Frequency;
      return Dependent * (N + 4);
    }
    if (Name.contains("f32") || Name.contains("f16") || Name.contains("F32"))
      if (!Name.starts_with("CVT") && !Name.starts_with("SETP") &&
          !Name.starts_with("SELP")) {
        Work.Valu += std::max(1.0, Model.FloatCycles) * Frequency;
        return Dependent;
      }
    return integers(Long ? 2 : 1);
  }

  void count(const MachineInstr &I, double Frequency, WaveWork &Work) override {
    StringRef Name = TII->getName(I.getOpcode());
    if (isNothing(I, Name)) {
      chain(I, 0);
      return;
    }
    double Slots = Work.Valu;
    double Latency = I.mayLoadOrStore() && !I.isCall() && !I.isBarrier()
                         ? memory(I, Frequency, Work)
                         : arithmetic(Name, Frequency, Work);
    chain(I, Latency);
    Clock += (Work.Valu - Slots) / Frequency;
  }
};

char Counting::ID = 0;

} // namespace

CountingPass *createNvptxCountingPass(const WaveKnowledge &What,
                                      const GpuModel &Model,
                                      CountsByFunction &Into) {
  return new Counting(What, Model, Into);
}

} // namespace clrewrite::measure
