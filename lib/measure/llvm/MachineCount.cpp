// What all GPUs share in counting machine code.
#include "measure/llvm/MachineCount.h"
#include "launch/LocalMemory.h"
#include "measure/llvm/AddressSpaces.h"
#include "measure/llvm/BlockFlow.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/CFG.h"
#include <map>
#include <set>

using namespace llvm;

namespace clrewrite::measure {

using launch::LdsBanks, launch::WordBytes;

static constexpr int64_t SectorBytes = 32;

void CountingPass::getAnalysisUsage(AnalysisUsage &AU) const {
  AU.addRequired<MachineLoopInfoWrapperPass>();
  AU.setPreservesAll();
  MachineFunctionPass::getAnalysisUsage(AU);
}

void setEstimate(Usage &U, const MachineCounts &C, unsigned Occupancy,
                 const GpuModel &Model) {
  Estimate E = estimate(C.Work, Occupancy, Model, C.Waves, C.GroupWaves);
  U.EstAssumed = E.Cycles;
  if (C.Counted) {
    E = estimate(*C.Counted, Occupancy, Model, C.Waves, C.GroupWaves);
    U.EstFrom = C.MadeUp.empty() ? "counted" : "made up";
    if (!C.MadeUp.empty())
      U.EstLaunch = C.MadeUp;
    U.EstWaves = C.CountedWaves;
  } else if (!C.Why.empty()) {
    U.EstFrom = "assumed";
    U.EstWhy = C.Why;
  }
  U.EstCycles = E.Cycles;
  U.EstBound = E.Bound;
  U.EstParts = E.Parts;
}

bool CountingPass::runOnMachineFunction(MachineFunction &MF) {
  const TargetInstrInfo &TII = *MF.getSubtarget().getInstrInfo();
  std::string Name = MF.getName().str();
  MachineCounts &C = Into[Name];
  C.WaveSize = waveSize(MF);
  for (const MachineBasicBlock &B : MF)
    for (const MachineInstr &I : B.instrs())
      if (!I.isMetaInstruction() && !I.isBundle()) {
        ++C.Instructions;
        C.CodeBytes += TII.getInstSizeInBytes(I);
      }
  LaneAddresses.clear();
  KnownAddresses.clear();
  static const WaveMemory Untraced;
  auto Own = What.Assumed.find(Name);
  Memory = Own == What.Assumed.end() ? &Untraced : &Own->second;
  Addresses.emplace(MF.getFunction(), Memory->Launch);
  if (!Memory->Launch.Global.empty())
    C.Waves = Memory->Launch.waves(Model.WaveLanes);
  C.GroupWaves = unsigned(
      divideCeil(Memory->Launch.groupItems().value_or(0), Model.WaveLanes));
  C.Work = workOf(MF, &C.Calls);
  C.Work.Bytes = C.Work.MemoryBytes = Memory->Bytes;
  if (auto It = What.Executed.find(Name); It != What.Executed.end()) {
    C.Why = It->second.Problem;
    C.MadeUp = It->second.MadeUp;
    if (C.Why.empty()) {
      Executed = &It->second;
      C.Counted = workOf(MF, &C.CountedCalls);
      C.Counted->Bytes = Executed->Bytes;
      C.Counted->MemoryBytes = Executed->SharedBytes;
      C.Counted->Again = Executed->Again;
      C.Counted->PrivateBytes = Executed->PrivateBytes;
      C.Counted->Alone = Executed->Alone;
      C.CountedWaves = Executed->Waves;
    }
  }
  countForCallers(MF);
  Executed = nullptr;
  Addresses.reset();
  return false;
}

/// Counts \p MF for each kernel whose waves came to it in a call.
void CountingPass::countForCallers(MachineFunction &MF) {
  const Function &F = MF.getFunction();
  for (const auto &[Kernel, Counts] : What.Executed)
    if (Kernel != F.getName() && Counts.Problem.empty() &&
        Counts.Runs.contains(&F.getEntryBlock())) {
      Executed = &Counts;
      Into[Kernel].CountedIn[F.getName().str()] = workOf(MF);
    }
}

/// The function that \p I calls; null where that can't be told.
static const Function *calleeOf(const MachineInstr &I) {
  if (I.isCall())
    for (const MachineOperand &Op : I.operands())
      if (Op.isGlobal())
        return dyn_cast<Function>(Op.getGlobal());
  return nullptr;
}

namespace {

/// OpenCL C has no recursion; where a function calls itself all the same, that
/// is not followed.
class Callers {
  CountsByFunction &All;
  std::set<std::string> Begun;

public:
  explicit Callers(CountsByFunction &All) : All(All) {}

  void complete(const std::string &Name) {
    if (!Begun.insert(Name).second)
      return;
    MachineCounts &C = All[Name];
    for (const auto &[Callee, Times] : C.Calls)
      if (Callee != Name && All.count(Callee)) {
        complete(Callee);
        C.Work.add(All[Callee].Work, Times);
      }
    if (!C.Counted)
      return;
    for (const auto &Each : C.CountedIn)
      C.Counted->add(Each.second, 1);
    for (const auto &[Callee, Times] : C.CountedCalls)
      if (!C.CountedIn.count(Callee) && Callee != Name && All.count(Callee))
        C.Counted->add(All[Callee].Work, Times);
  }
};

} // namespace

void addCallees(CountsByFunction &All) {
  Callers C(All);
  for (const auto &Each : All)
    C.complete(Each.first);
}

WaveWork CountingPass::workOf(MachineFunction &MF,
                              std::map<std::string, double> *Calls) {
  WaveWork Work;
  Clock = 0;
  begin(MF);
  Flow Known;
  if (Executed)
    Known = executedFlow(MF);
  for (const MachineBasicBlock &B : MF) {
    double Runs = Executed ? Known.Runs.lookup(&B) : assumedRuns(B);
    double Frequency = Runs, Start = Clock;
    for (const MachineInstr &I : B.instrs()) {
      // Where no wave comes, loads are not waited for either.
      if (Frequency > 0 && !I.isMetaInstruction() && !I.isBundle()) {
        count(I, Frequency, Work);
        if (const Function *Callee = Calls ? calleeOf(I) : nullptr)
          (*Calls)[Callee->getName().str()] += Frequency;
      }
      // A branch behind another is reached where the first is not taken.
      if (Executed && I.isConditionalBranch())
        for (const MachineOperand &Op : I.operands())
          if (Op.isMBB())
            Frequency -= Known.Edges.lookup({&B, Op.getMBB()});
    }
    Work.Serial += (Clock - Start) * Runs;
  }
  return Work;
}

using CopiesOfBlocks = DenseMap<const BasicBlock *, unsigned>;

/// Whether all blocks from which \p B is reached in the IR lead there in the
/// machine code, but for those that have no machine block any more. Else \p B
/// is a copy for some of them, and the others have theirs in other blocks.
static bool isReachedAsInIr(const MachineBasicBlock &B,
                            const CopiesOfBlocks &Copies) {
  return all_of(predecessors(B.getBasicBlock()), [&](const BasicBlock *From) {
    return !Copies.contains(From) ||
           any_of(B.predecessors(), [&](const MachineBasicBlock *P) {
             return P->getBasicBlock() == From;
           });
  });
}

CountingPass::Flow CountingPass::executedFlow(const MachineFunction &MF) const {
  Flow Out;
  if (!takesOneWay()) {
    for (const MachineBasicBlock &B : MF)
      Out.Runs[&B] = runsOf(B);
    return Out;
  }
  DenseMap<const MachineBasicBlock *, unsigned> Numbers;
  CopiesOfBlocks Copies;
  for (const MachineBasicBlock &B : MF) {
    Numbers[&B] = unsigned(Numbers.size());
    ++Copies[B.getBasicBlock()];
  }
  BlockFlow Solved;
  for (const MachineBasicBlock &B : MF) {
    BlockFlow::Block &Each = Solved.Blocks.emplace_back();
    for (const MachineBasicBlock *To : B.successors())
      Each.Next.push_back(Numbers.lookup(To));
    Each.Otherwise = runsOf(B);
    auto It = Executed->Runs.find(B.getBasicBlock());
    if (It != Executed->Runs.end() && Copies.lookup(It->first) == 1 &&
        isReachedAsInIr(B, Copies))
      Each.Told = It->second;
  }
  Solved.solve();
  for (auto [B, Each] : zip(MF, Solved.Blocks)) {
    Out.Runs[&B] = Each.Runs;
    for (auto [To, Times] : zip(B.successors(), Each.Left))
      Out.Edges[{&B, To}] += Times;
  }
  return Out;
}

/// How often a wave runs \p B by execution. A block that the code generator
/// has made since runs as often as the one that leads there most often.
double CountingPass::runsOf(const MachineBasicBlock &B) const {
  auto known = [&](const MachineBasicBlock &Of) -> std::optional<double> {
    auto It = Executed->Runs.find(Of.getBasicBlock());
    return It == Executed->Runs.end() ? std::nullopt
                                      : std::optional(It->second);
  };
  if (std::optional<double> Runs = known(B))
    return *Runs;
  double Most = 0;
  for (const MachineBasicBlock *From : B.predecessors())
    Most = std::max(Most, known(*From).value_or(0));
  return Most;
}

double CountingPass::assumedRuns(const MachineBasicBlock &B) const {
  if (Memory->Skipped.contains(B.getBasicBlock()))
    return 0;
  double Runs = 1;
  const auto &Loops = getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  for (const MachineLoop *L = Loops.getLoopFor(&B); L; L = L->getParentLoop())
    Runs *= tripsOf(*L);
  return Runs;
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

/// The bytes that a store writes, behind a pointer.
struct StoredBytes {
  const Value *Base;
  int64_t Offset, Size;
};

/// Those of \p I; none where it is no store, or nobody knows.
static std::optional<StoredBytes> storedBy(const MachineInstr &I) {
  if (!I.mayStore() || I.memoperands_empty())
    return std::nullopt;
  const MachineMemOperand &M = **I.memoperands_begin();
  if (!M.isStore() || !M.getValue() || !M.getSize().hasValue())
    return std::nullopt;
  int64_t Offset = 0;
  const Value *Base = GetPointerBaseWithConstantOffset(
      M.getValue(), Offset, I.getMF()->getDataLayout());
  return StoredBytes{Base, Offset + M.getOffset(),
                     int64_t(M.getSize().getValue())};
}

/// The bytes of a lane that \p I writes together with stores of its block which
/// continue it: an H200 joins up to four of them (docs/estimate.md, Stores).
static uint64_t joinedBytes(const MachineInstr &I, uint64_t Own) {
  constexpr size_t MostJoined = 4;
  std::optional<StoredBytes> Here = storedBy(I);
  if (!Here)
    return Own;
  std::map<int64_t, int64_t> Sizes; ///< by offset
  for (const MachineInstr &Each : *I.getParent())
    if (std::optional<StoredBytes> Stored = storedBy(Each);
        Stored && Stored->Base == Here->Base)
      Sizes.insert({Stored->Offset, Stored->Size});
  auto First = Sizes.find(Here->Offset);
  while (First != Sizes.begin() &&
         std::prev(First)->first + std::prev(First)->second == First->first)
    --First;
  size_t Count = 0;
  int64_t Bytes = 0;
  for (auto It = First; It != Sizes.end() && It->first == First->first + Bytes;
       ++It) {
    Bytes += It->second;
    ++Count;
  }
  return Count <= MostJoined ? uint64_t(Bytes) : Own;
}

double CountingPass::memoryCycles(const MachineInstr &I) {
  uint64_t Bytes = 4;
  double Lines = 0, Sectors = 0, Passes = 0;
  bool GoesThrough = false;
  if (!I.memoperands_empty()) {
    Bytes = 0;
    for (const MachineMemOperand *M : I.memoperands())
      if (M->getSize().hasValue()) {
        Bytes = std::max<uint64_t>(Bytes, M->getSize().getValue());
        Lines = std::max(Lines, linesOf(*M, Model.LineBytes));
        if (Model.L1HasBanks && !I.mayStore())
          Passes = std::max(Passes, passesOf(*M));
        if (Model.StoreSectorCycles && M->isStore())
          Sectors = std::max(Sectors, linesOf(*M, SectorBytes));
        // The L1 keeps what is written to private memory.
        GoesThrough |= Model.StoreBytesPerCycle > 0 && M->isStore() &&
                       !M->isLoad() && M->getValue() &&
                       mayHoldBuffers(M->getAddrSpace());
      }
  }
  if (Sectors &&
      double(joinedBytes(I, Bytes)) * Model.WaveLanes >= Sectors * SectorBytes)
    Sectors = 0; // It fills them.
  const double PerCycle =
      GoesThrough ? Model.StoreBytesPerCycle : Model.CacheBytesPerCycle;
  return std::max(
      {Model.AddressCycles,
       Lines * (I.mayStore() ? Model.StoreLineCycles : Model.LineCycles),
       Passes * Model.LdsPassCycles, Sectors * Model.StoreSectorCycles,
       double(Bytes) * Model.WaveLanes / PerCycle});
}

double CountingPass::loadLatency(const MachineInstr &I) const {
  double Hits = 1;
  for (const MachineMemOperand *M : I.memoperands())
    Hits = std::min(Hits, Executed && M->getValue()
                              ? Executed->Hits.lookup(M->getValue())
                              : 0);
  if (I.memoperands_empty() || Model.HitLatency == 0)
    Hits = 0;
  return Hits * Model.HitLatency + (1 - Hits) * Model.LoadLatency;
}

/// Where nothing was executed: four channels of a byte.
static constexpr double AssumedTexelBytes = 4;

double CountingPass::texelBytes() const {
  return Executed && Executed->TexelBytes > 0 ? Executed->TexelBytes
                                              : AssumedTexelBytes;
}

double CountingPass::writtenTexelBytes() const {
  return Executed && Executed->WrittenTexelBytes > 0
             ? Executed->WrittenTexelBytes
             : AssumedTexelBytes;
}

double CountingPass::texelLines() const {
  return Executed && Executed->TexelLines > 0
             ? Executed->TexelLines
             : texelBytes() * Model.WaveLanes / double(Model.LineBytes);
}

double CountingPass::texelLatency() const {
  const double Hits = Executed ? Executed->TexelHits : 0;
  return Model.TexelLatency +
         (1 - Hits) * (Model.LoadLatency - Model.HitLatency);
}

/// How often banks of LDS give or take a word, one after the other, when the
/// lanes access \p Bytes at their addresses, \p Offset bytes on; so many lanes
/// \p Together at a time.
static double bankPasses(ArrayRef<int64_t> Lanes, size_t Together,
                         int64_t Offset, int64_t Bytes, bool Apart) {
  double Passes = 0;
  for (; !Lanes.empty(); Lanes = Lanes.drop_front(Together)) {
    Together = std::min(Together, Lanes.size());
    SmallVector<int64_t, 64> Active;
    for (int64_t A : Lanes.take_front(Together))
      if (A != WaveCounts::Idle)
        Active.push_back(A + Offset);
    Passes += launch::busiestBank(Active, Bytes, Apart);
  }
  return Passes;
}

/// How often the busiest bank of the L1 gives a word for a load from a buffer.
double CountingPass::passesOf(const MachineMemOperand &M) {
  if (!M.getValue() || !mayHoldBuffers(M.getAddrSpace()))
    return 0;
  auto Bytes = std::max(WordBytes, int64_t(M.getSize().getValue()));
  auto passes = [&](ArrayRef<int64_t> Lanes) {
    return bankPasses(Lanes, Model.WaveLanes, M.getOffset(), Bytes,
                      /*Apart=*/false);
  };
  if (std::optional<double> Mean = executedMean(M, passes))
    return *Mean;
  return passes(addressesOf(M));
}

/// Where private memory has the words of all lanes, \p Offset bytes behind
/// their addresses.
static std::vector<int64_t> interleaved(ArrayRef<int64_t> Lanes,
                                        int64_t Offset) {
  std::vector<int64_t> Out(Lanes);
  for (auto [Lane, A] : enumerate(Out))
    if (A != WaveCounts::Idle)
      A = placeOfPrivate(A + Offset, int64_t(Lane), int64_t(Lanes.size()));
  return Out;
}

/// The active lanes have one address.
static bool haveOne(ArrayRef<int64_t> Lanes) {
  SmallDenseSet<int64_t, 4> Seen(Lanes.begin(), Lanes.end());
  Seen.erase(WaveCounts::Idle);
  return Seen.size() == 1;
}

double CountingPass::ldsCycles(const MachineInstr &I, bool AddedUp) {
  constexpr int64_t AllBanks = LdsBanks * WordBytes;
  bool IsAtomic = I.mayLoad() && I.mayStore();
  double Passes = 0;
  for (const MachineMemOperand *M : I.memoperands()) {
    int64_t Bytes = WordBytes;
    if (M->getSize().hasValue())
      Bytes = std::max(Bytes, int64_t(M->getSize().getValue()));
    auto Words = int64_t(PowerOf2Ceil(uint64_t(Bytes / WordBytes)));
    size_t Together = Model.LdsJoinsLanes
                          ? Model.WaveLanes
                          : size_t(std::max<int64_t>(1, LdsBanks / Words));
    auto passes = [&](ArrayRef<int64_t> Lanes) {
      bool Apart = IsAtomic && !(AddedUp && haveOne(Lanes));
      return bankPasses(Lanes, Together, M->getOffset(), Bytes, Apart);
    };
    double SideBySide = double(Bytes * Model.WaveLanes) / AllBanks;
    std::optional<double> Known = executedMean(*M, passes);
    if (!Known)
      Known = knownMean(*M, I.getParent()->getBasicBlock(), SideBySide, passes);
    Passes += Known.value_or(SideBySide);
  }
  // What lanes give each other has no address.
  if (I.memoperands_empty())
    Passes = double(WordBytes * Model.WaveLanes) / AllBanks;
  return Passes * Model.LdsPassCycles;
}

std::optional<double>
CountingPass::executedMean(const MachineMemOperand &M,
                           function_ref<double(ArrayRef<int64_t>)> Of) const {
  if (!Executed || !M.getValue())
    return std::nullopt;
  auto It = Executed->Patterns.find(M.getValue());
  if (It == Executed->Patterns.end())
    return std::nullopt;
  double Sum = 0, Times = 0;
  for (const WaveCounts::Pattern &P : It->second) {
    Sum += P.Times * Of(P.Lanes);
    Times += P.Times;
  }
  return Sum / Times;
}

std::optional<double>
CountingPass::knownMean(const MachineMemOperand &M, const BasicBlock *At,
                        double Default,
                        function_ref<double(ArrayRef<int64_t>)> Of) {
  if (Executed || !M.getValue() || !At)
    return std::nullopt;
  auto [It, New] = KnownAddresses.try_emplace({M.getValue(), At});
  if (New)
    It->second =
        Addresses->known(M.getValue(), *At, Model.WaveLanes, Memory->Trips);
  if (It->second.empty())
    return std::nullopt;
  double Sum = 0;
  for (const std::vector<int64_t> &Lanes : It->second)
    Sum += Lanes.empty() ? Default : Of(Lanes);
  return Sum / double(It->second.size());
}

/// How many lines of \p LineBytes a wave's access looks up.
double CountingPass::linesOf(const MachineMemOperand &M, int64_t LineBytes) {
  unsigned Space = M.getAddrSpace();
  auto Bytes = int64_t(M.getSize().getValue());
  auto ofWords = [&](ArrayRef<int64_t> Lanes) {
    double Lines = 0;
    for (int64_t At = 0; At < Bytes; At += WordBytes)
      Lines += linesOf(interleaved(Lanes, M.getOffset() + At), 0, WordBytes,
                       LineBytes);
    return Lines;
  };
  if (Space == PrivateSpace)
    return executedMean(M, ofWords).value_or(0);
  if (!M.getValue() || !mayHoldBuffers(Space))
    return 0; // LDS, and what has no address in the source.
  if (auto Mean = executedMean(M, [&](ArrayRef<int64_t> Lanes) {
        return linesOf(Lanes, M.getOffset(), Bytes, LineBytes);
      }))
    return *Mean;
  return linesOf(addressesOf(M), M.getOffset(), Bytes, LineBytes);
}

ArrayRef<int64_t> CountingPass::addressesOf(const MachineMemOperand &M) {
  auto [It, New] = LaneAddresses.try_emplace(M.getValue());
  if (New)
    It->second = Addresses->of(M.getValue(), Model.WaveLanes);
  return It->second;
}

/// Those that the lanes of a group touch, for each group.
double CountingPass::linesOf(ArrayRef<int64_t> Lanes, int64_t Offset,
                             int64_t Bytes, int64_t LineBytes) const {
  double Count = 0;
  for (unsigned First = 0; First < Lanes.size(); First += Model.GroupLanes) {
    SmallDenseSet<int64_t, 64> Lines;
    for (int64_t A : Lanes.slice(First, Model.GroupLanes)) {
      if (A == WaveCounts::Idle)
        continue;
      A += Offset;
      for (int64_t L = A / LineBytes; L <= (A + Bytes - 1) / LineBytes; ++L)
        Lines.insert(L);
    }
    Count += double(Lines.size());
  }
  return Count;
}

} // namespace clrewrite::measure
