// Issue cycles and stalls of NVPTX's machine code.
//
// It is not what runs: ptxas makes machine code of it, with registers and an
// order of its own. But nearly every instruction of PTX is one of the
// machine's, so counting those, told apart by LLVM's names for them, orders
// versions.
//
//   - A scheduler issues one instruction a cycle. Besides, most hold a pipe:
//     logic, shifts, comparisons and choices that of integers, for two cycles;
//     products, special functions and doubles one each. Most conversions use
//     that of special functions, for eight cycles. Operations on 64 bits are
//     several. Moves, and what only names parameters and blocks, vanish in
//     ptxas, which makes one instruction of some pairs.
//   - Division and remainder of integers, and division and square root of
//     floats and doubles, are sequences, as long as an H200 took for them.
//   - Reads of textures and writes of surfaces take as long as an H200 took for
//     texels of so many bytes (bench/images/reads.cl).
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
/// Cycles from a shared load to its value.
constexpr double SharedLatency = 30;
/// Issue slots of a barrier, which keeps a warp from going on so long.
constexpr double BarrierSlots = 8;

/// What an operation takes of a partition, in cycles: issue slots, those of a
/// pipe besides, and those until its result can be used. All are an H200's
/// (bench/units.py, docs/estimate.md), whose pipes of integers and of special
/// functions have the rates of all multiprocessors in Estimate.cpp's table.
struct Takes {
  double Slots = 1;
  double WaveWork::*Pipe = &WaveWork::Salu; ///< of integers
  double Cycles = 2;
  double Latency = 4;
};

/// What runs on either of the two pipes of integers, as an addition does, which
/// is a multiply-add by one as well: it makes neither of them the busier one.
constexpr Takes Anywhere{1, &WaveWork::Salu, 0, 4};
/// What ptxas makes part of another instruction.
constexpr Takes Nothing{0, &WaveWork::Salu, 0, 0};

constexpr Takes special(double Slots, double Latency) {
  return {Slots, &WaveWork::Special, 8, Latency};
}

/// Conversions that the pipe of special functions makes.
constexpr Takes Converted = special(1, 17);

bool has(StringRef Name, ArrayRef<StringRef> Parts) {
  return any_of(Parts, [&](StringRef Each) { return Name.contains(Each); });
}

bool startsWith(StringRef Name, ArrayRef<StringRef> Starts) {
  return any_of(Starts, [&](StringRef Each) { return Name.starts_with(Each); });
}

bool isNothing(const MachineInstr &I, StringRef Name) {
  return I.isCopy() || I.isLabel() ||
         startsWith(Name, {"MOV", "Callseq", "DECLARE", "ProxyReg", "LEA_",
                           "cvta", "IMPLICIT", "FNEG", "FABS", "NOT_"}) ||
         has(Name, {"pred", "V2I32", "toI32"});
}

bool isLogic(StringRef Name) {
  return startsWith(Name, {"AND_b", "OR_b", "XOR_b"});
}

/// A shift to the left by a constant.
bool isScaling(StringRef Name) {
  return startsWith(Name, {"SHL32_ri", "SHL64_ri"});
}

bool isSum(StringRef Name) {
  return startsWith(Name, {"ADD32", "ADD64", "SUB32", "SUB64"});
}

/// Of "CVT_f32_u16", or "CVT_INREG_s32_s8", to the first type from the second.
Takes conversion(StringRef Name) {
  Name.consume_front("CVT_");
  Name.consume_front("INREG_");
  auto [To, From] = Name.split('_');
  auto isFloat = [](StringRef Type) { return Type.contains('f'); };
  if (!isFloat(To) && !isFloat(From)) {
    unsigned Wide = 0, Narrow = 0;
    To.drop_front().getAsInteger(10, Wide);
    From.drop_front().getAsInteger(10, Narrow);
    // What grows without a sign had zeros before it, or a register of them.
    return From.starts_with("s") && Narrow < Wide ? Takes() : Nothing;
  }
  if (To == "f32" && (From == "s32" || From == "u32"))
    return {};
  if ((To == "f16" && From == "f32") || (To == "f32" && From == "f16"))
    return Anywhere;
  return Converted;
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
  /// What was made one instruction with another before it.
  DenseSet<const MachineInstr *> Joined;
  /// The stores to global memory of the block so far, and when each is issued.
  std::vector<std::pair<const MachineInstr *, double>> Stores;

  void begin(MachineFunction &MF) override {
    TII = MF.getSubtarget().getInstrInfo();
    Block = nullptr;
    Joined.clear();
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
      return 4; // The constant bank, an operand of most instructions.
    if (Space == SharedSpace) {
      Work.Lds += ldsCycles(I, isAddedUp(I)) * Frequency;
      return I.mayLoad() ? SharedLatency : 0;
    }
    double Cycles = memoryCycles(I);
    Work.Vmem += Cycles * Frequency;
    return I.mayLoad() ? loadLatency(I) + Cycles : 0;
  }

  /// Cycles of a partition's share of the texture units for a warp's read: as
  /// its lines take, and no fewer than texels of so many bytes.
  double textureCycles() const {
    constexpr double OfLine = 4.07;
    const double Bytes = texelBytes();
    return std::max(OfLine * texelLines(), Bytes <= 4   ? 19.0
                                           : Bytes <= 8 ? 25.0
                                                        : 33.0);
  }

  /// The same as memory(), of an instruction for images; nullopt for others.
  std::optional<double> ofImage(StringRef Name, double Frequency,
                                WaveWork &Work) const {
    // What surfaces take in one cycle of a partition.
    constexpr double SurfaceBytes = 1.8;
    if (Name.starts_with("TEX_"))
      Work.Vmem += textureCycles() * Frequency;
    else if (Name.starts_with("SUST_"))
      Work.Vmem +=
          Model.WaveLanes * writtenTexelBytes() / SurfaceBytes * Frequency;
    else if (!startsWith(Name, {"TXQ_", "SUQ_"}))
      return std::nullopt;
    Work.Valu += Frequency;
    return Name.starts_with("TEX_")    ? texelLatency()
           : Name.starts_with("SUST_") ? 0
                                       : Model.TexelLatency;
  }

  StringRef nameOf(const MachineInstr *I) const {
    return I ? TII->getName(I->getOpcode()) : "";
  }

  const MachineInstr *defOf(const MachineOperand &Op) const {
    return Op.isReg() && Op.getReg().isVirtual()
               ? Op.getParent()->getMF()->getRegInfo().getUniqueVRegDef(
                     Op.getReg())
               : nullptr;
  }

  /// What makes the value of \p Op, where the block of \p I makes it for \p I
  /// alone.
  const MachineInstr *onlyFor(const MachineInstr &I,
                              const MachineOperand &Op) const {
    const MachineInstr *Def = Op.isReg() && Op.isUse() ? defOf(Op) : nullptr;
    return Def && Def->getParent() == I.getParent() &&
                   I.getMF()->getRegInfo().hasOneNonDBGUse(Op.getReg())
               ? Def
               : nullptr;
  }

  /// Shifts by \p Bits.
  static bool shiftsBy(const MachineInstr &I, int64_t Bits) {
    return I.getNumOperands() > 2 && I.getOperand(2).isImm() &&
           I.getOperand(2).getImm() == Bits;
  }

  /// Makes 64 bits of a number that has 32, such as the upper half of 64.
  bool isExtension(const MachineInstr *I) const {
    StringRef Name = nameOf(I);
    return startsWith(Name,
                      {"CVT_u64_u32", "CVT_s64_s32", "CVT_INREG_s64_s32"}) ||
           ((Name == "SRA64_ri" || Name == "SRL64_ri") && shiftsBy(*I, 32));
  }

  /// The upper half of a number of 32 bits alone.
  bool isUpperHalf(const MachineInstr *I) const {
    return nameOf(I) == "SHL64_ri" && shiftsBy(*I, 32);
  }

  /// What a step takes on the way from an index of 32 bits to an address, where
  /// ptxas has one instruction for all: the product of 32-bit operands, and a
  /// sum with 64 bits. None for others.
  std::optional<Takes> indexing(const MachineInstr &I, StringRef Name) const {
    constexpr Takes Wide{1, &WaveWork::Fma, 2, 5};
    auto extended = [&](unsigned Op) {
      return I.getNumOperands() > Op &&
             (I.getOperand(Op).isImm() || isExtension(defOf(I.getOperand(Op))));
    };
    if (isUpperHalf(&I) || (Name == "SRL64_ri" && shiftsBy(I, 32)))
      return Nothing; // half of a pair of registers
    if (Name == "SRA64_ri" && shiftsBy(I, 32))
      return Takes(); // the sign
    if (Name == "SRA64_ri" && isUpperHalf(defOf(I.getOperand(1))))
      return Wide;
    if (isScaling(Name) && Name.contains("64") && extended(1))
      return Wide;
    if (startsWith(Name, {"MULT64", "MAD_LO_S64"}) && extended(1) &&
        extended(2))
      return Wide;
    if (isExtension(&I)) {
      const MachineRegisterInfo &MRI = I.getMF()->getRegInfo();
      Register Made = I.getOperand(0).getReg();
      if (MRI.hasOneNonDBGUse(Made) &&
          startsWith(nameOf(&*MRI.use_instr_nodbg_begin(Made)),
                     {"SHL64_ri", "ADD64", "MULT64", "MAD_LO_S64"}))
        return Nothing;
    }
    if (Name.starts_with("ADD64") &&
        any_of(I.operands(), [&](const MachineOperand &Op) {
          return isExtension(onlyFor(I, Op));
        }))
      return Wide;
    return std::nullopt;
  }

  /// ptxas makes one instruction of it and of one before it: logic of three
  /// operands, a product or an operand that is scaled and a sum.
  bool joinsAnother(const MachineInstr &I, StringRef Name) {
    bool Logic = isLogic(Name), Sum = isSum(Name);
    if (!Logic && !Sum)
      return false;
    return any_of(I.operands(), [&](const MachineOperand &Op) {
      const MachineInstr *Def = onlyFor(I, Op);
      StringRef Other = nameOf(Def);
      if (Logic)
        return isLogic(Other) && !Joined.count(Def) && Joined.insert(&I).second;
      return isScaling(Other) || Other.starts_with("MUL_WIDE") ||
             (Other == "SRA64_ri" && isUpperHalf(defOf(Def->getOperand(1))));
    });
  }

  /// What an operation on doubles takes that is \p N of them.
  Takes doubles(double Slots, double N, double Latency) const {
    return {Slots, &WaveWork::Doubles, N * Model.DoubleCycles, Latency};
  }

  Takes ofDoubles(StringRef Name) const {
    if (startsWith(Name, {"FDIV", "FSQRT", "SQRT"}))
      return doubles(16, 13, Name.starts_with("FDIV") ? 116 : 86);
    if (startsWith(Name, {"FRCP", "RSQRT"}))
      return doubles(10, 8, 69);
    if (has(Name, {"MIN", "MAX"}))
      return {4, &WaveWork::Salu, 8, 21};
    if (Name.starts_with("SELP"))
      return {2, &WaveWork::Salu, 4, 4};
    return doubles(1, 1, 8);
  }

  /// What an instruction takes that computes.
  Takes arithmetic(StringRef Name) const {
    bool Long = Name.contains("64");
    auto longer = [&](Takes T) {
      return Long ? Takes{2 * T.Slots, T.Pipe, 2 * T.Cycles, T.Latency} : T;
    };
    if (Name.starts_with("CVT"))
      return conversion(Name);
    if (startsWith(Name, {"SDIV", "UDIV", "SREM", "UREM"}))
      // Those of 64 bits are taken to have operands that fit 32, which NVIDIA's
      // code asks first.
      return Long                    ? Takes{18, &WaveWork::Salu, 36, 175}
             : Name.starts_with("S") ? Takes{17, &WaveWork::Salu, 34, 136}
                                     : Takes{15, &WaveWork::Salu, 29, 126};
    if (Name.contains_insensitive("f64") ||
        startsWith(Name, {"FDIV64", "FRCP64"}))
      return ofDoubles(Name);
    if (Name.contains("EX2"))
      return special(1, 17);
    if (has(Name, {"SIN", "COS", "TANH"}))
      return special(2, 22);
    if (startsWith(Name, {"FDIV", "FRCP"}) && Name.contains("prec"))
      return special(9, 43);
    if (has(Name, {"LG2", "SQRT", "RCP", "FDIV"}))
      return special(5, 38); // with numbers that are too small scaled
    if (has(Name, {"POPC", "CLZ", "BREV"}))
      return longer(special(1, 18));
    if (has(Name, {"MIN", "MAX"}))
      return Long ? Takes{4, &WaveWork::Salu, 8, 12} : Takes();
    if (startsWith(Name, {"SETP", "SELP"}))
      return longer({});
    if (has(Name, {"f32", "F32"}))
      // The pipe of products takes half of the floats where there are 128.
      return {1, &WaveWork::Fma, Model.FloatCycles > 1 ? Model.FloatCycles : 0,
              4};
    if (has(Name, {"f16x2", "F16x2"}))
      return Anywhere;
    if (has(Name, {"f16", "F16"}))
      return {1, &WaveWork::Fma, 2, 4};
    if (Name.contains("MUL_HI"))
      return Long ? Takes{6, &WaveWork::Fma, 16, 30}
                  : Takes{1, &WaveWork::Fma, 4, 9};
    if (has(Name, {"MUL", "MAD", "DOT"}))
      return Long && !Name.contains("WIDE") ? Takes{4, &WaveWork::Fma, 8, 16}
                                            : Takes{1, &WaveWork::Fma, 2, 4};
    if (isSum(Name) || Name.starts_with("SHL32_ri"))
      return longer(Anywhere);
    if (Name.starts_with("BFE"))
      return longer({2, &WaveWork::Salu, 4, 9});
    return longer({});
  }

  Takes taken(const MachineInstr &I, StringRef Name) {
    if (I.isBarrier() && Name.contains("BAR"))
      return {BarrierSlots, &WaveWork::Salu, 0, 0};
    if (I.isBranch() || I.isReturn())
      return Anywhere;
    if (joinsAnother(I, Name))
      return Nothing;
    if (std::optional<Takes> Step = indexing(I, Name))
      return *Step;
    return arithmetic(Name);
  }

  /// As memory(), for an instruction that accesses none.
  double computed(const MachineInstr &I, StringRef Name, double Frequency,
                  WaveWork &Work) {
    Takes T = taken(I, Name);
    Work.Valu += T.Slots * Frequency;
    Work.*T.Pipe += T.Cycles * Frequency;
    return T.Latency;
  }

  void count(const MachineInstr &I, double Frequency, WaveWork &Work) override {
    StringRef Name = TII->getName(I.getOpcode());
    if (isNothing(I, Name)) {
      chain(I, 0);
      return;
    }
    double Slots = Work.Valu;
    if (std::optional<double> Latency = ofImage(Name, Frequency, Work))
      chain(I, *Latency);
    else
      chain(I, I.mayLoadOrStore() && !I.isCall() && !I.isBarrier()
                   ? memory(I, Frequency, Work)
                   : computed(I, Name, Frequency, Work));
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
