// Work-groups are run: waves one after the other, from barrier to barrier.
#include "measure/execute/WaveInterpreter.h"
#include "measure/execute/WaveStepper.h"
#include "measure/llvm/Optimise.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace clrewrite::measure {

void AddressSamples::add(std::vector<int64_t> Lanes) {
  constexpr size_t Most = 256;
  uint64_t Hash = scattered(Seen++);
  if (Hash & Mask)
    return;
  Kept.push_back({Hash, std::move(Lanes)});
  if (Kept.size() < Most)
    return;
  Mask = 2 * Mask + 1;
  erase_if(Kept, [&](const Sample &S) { return S.Hash & Mask; });
}

std::vector<WaveCounts::Pattern> AddressSamples::patterns() const {
  // What is added to an address later may be negative.
  constexpr int64_t LongestLine = 128, First = int64_t(1) << 40;
  std::map<std::vector<int64_t>, unsigned> Times;
  for (const Sample &S : Kept) {
    std::vector<int64_t> Lanes = S.Lanes;
    int64_t Least = std::numeric_limits<int64_t>::max();
    for (int64_t A : Lanes)
      if (A != WaveCounts::Idle)
        Least = std::min(Least, A);
    for (int64_t &A : Lanes)
      if (A != WaveCounts::Idle)
        A += First - Least / LongestLine * LongestLine;
    ++Times[std::move(Lanes)];
  }
  std::vector<WaveCounts::Pattern> Out;
  for (auto &[Lanes, N] : Times)
    Out.push_back({Lanes, N});
  return Out;
}

WaveInterpreter::WaveInterpreter(const Function &Kernel, const GpuModel &Model,
                                 const WaveGrid &Grid, DeviceMemory &Memory,
                                 WaveRecord &Out)
    : Kernel(Kernel), Model(Model), Grid(Grid), Memory(Memory), Out(Out) {}
WaveInterpreter::~WaveInterpreter() = default;

void WaveInterpreter::fail(const Twine &Why) {
  if (Problem.empty())
    Problem = Why.str();
}

void WaveInterpreter::setArgument(const Argument &A, ArrayRef<uint64_t> Words) {
  Arguments[&A] = Words.vec();
}

uint64_t WaveInterpreter::addShared(uint64_t Bytes, uint64_t Align) {
  constexpr uint64_t MostShared = uint64_t(1) << 20;
  SharedBytes = alignTo(SharedBytes, std::max<uint64_t>(Align, 16));
  uint64_t At = SharedBytes;
  if (Bytes > MostShared - std::min(SharedBytes, MostShared)) {
    fail("its local memory is too large");
    return 0;
  }
  SharedBytes += Bytes;
  return At;
}

WaveProgram *WaveInterpreter::programOf(const Function &F) {
  std::unique_ptr<WaveProgram> &P = Programs[&F];
  if (!P)
    P = std::make_unique<WaveProgram>(
        F, [&](const GlobalVariable &G, std::string &Why) {
          return addressOf(G, Why);
        });
  if (!P->Problem.empty())
    fail(P->Problem);
  return P.get();
}

uint64_t WaveInterpreter::addressOf(const GlobalVariable &G, std::string &Why) {
  auto [It, New] = Globals.try_emplace(&G, 0);
  if (!New)
    return It->second;
  const DataLayout &DL = G.getParent()->getDataLayout();
  uint64_t Bytes = DL.getTypeAllocSize(G.getValueType());
  uint64_t At = 0;
  if (G.getAddressSpace() == SharedSpace) {
    At = addShared(Bytes, G.getAlign().valueOrOne().value());
    if (!Problem.empty())
      Why = Problem;
  } else {
    At = Memory.add(Bytes, {}, /*Counted=*/true);
    if (!G.hasInitializer() || !writeConstant(At, G.getInitializer()))
      Why = "a variable of the program has no known contents";
  }
  return Globals[&G] = At;
}

bool WaveInterpreter::writeConstant(uint64_t At, const Constant *C) {
  const DataLayout &DL = Kernel.getParent()->getDataLayout();
  if (isa<ConstantAggregateZero>(C) || isa<UndefValue>(C) ||
      isa<ConstantPointerNull>(C))
    return true;
  if (const auto *D = dyn_cast<ConstantDataSequential>(C))
    return Memory.write(At, arrayRefFromStringRef(D->getRawDataValues()));
  APInt Bits;
  if (const auto *I = dyn_cast<ConstantInt>(C);
      I && !I->getType()->isVectorTy())
    Bits = I->getValue();
  else if (const auto *R = dyn_cast<ConstantFP>(C);
           R && !R->getType()->isVectorTy())
    Bits = R->getValueAPF().bitcastToAPInt();
  else if (const auto *A = dyn_cast<ConstantAggregate>(C)) {
    for (unsigned N = 0; N < A->getNumOperands(); ++N) {
      uint64_t Offset =
          isa<StructType>(A->getType())
              ? DL.getStructLayout(cast<StructType>(A->getType()))
                    ->getElementOffset(N)
              : N * DL.getTypeAllocSize(A->getOperand(N)->getType());
      if (!writeConstant(At + Offset, A->getOperand(N)))
        return false;
    }
    return true;
  } else {
    return false;
  }
  SmallVector<uint8_t, 16> Bytes(divideCeil(Bits.getBitWidth(), 8));
  for (auto [I, B] : enumerate(Bytes))
    B = uint8_t(Bits.extractBitsAsZExtValue(
        std::min(8u, Bits.getBitWidth() - unsigned(8 * I)), unsigned(8 * I)));
  return Memory.write(At, Bytes);
}

bool WaveInterpreter::needsWholeGroups() {
  programOf(Kernel); // finds the local memory that it uses
  return SharedBytes || any_of(instructions(Kernel), [](const Instruction &I) {
           const auto *C = dyn_cast<IntrinsicInst>(&I);
           return C && isGroupBarrier(C->getCalledFunction()->getName());
         });
}

bool WaveInterpreter::run(const uint64_t (&Group)[3],
                          std::optional<unsigned> Wave) {
  constexpr uint64_t MostRegisterBytes = uint64_t(192) << 20;
  WaveProgram *P = programOf(Kernel);
  uint64_t Items = Grid.Local[0] * Grid.Local[1] * Grid.Local[2];
  auto Waves = unsigned(divideCeil(Items, Grid.WaveLanes));
  uint64_t OfWave = uint64_t(P->Registers) * Grid.WaveLanes * sizeof(uint64_t);
  if (OfWave * (Wave ? 1 : Waves) > MostRegisterBytes)
    fail("its work-groups are too large");
  if (!Problem.empty())
    return false;
  Shared.assign(SharedBytes, 0);
  std::vector<std::unique_ptr<WaveStepper>> List;
  for (unsigned N = 0; N < Waves; ++N)
    if (!Wave || *Wave == N)
      List.push_back(std::make_unique<WaveStepper>(*this, *P, Group, N));
  std::vector<WaveStepper *> Left;
  for (auto &Each : List)
    Left.push_back(Each.get());
  while (!Left.empty()) {
    std::vector<WaveStepper *> Next;
    for (WaveStepper *Each : Left) {
      WaveStepper::State S = Each->resume();
      if (S == WaveStepper::Failed)
        return false;
      if (S == WaveStepper::AtBarrier)
        Next.push_back(Each);
    }
    Left = std::move(Next);
  }
  Out.Touched.clear();
  for (auto &Each : List)
    Each->finish();
  Out.Waves += unsigned(List.size());
  return true;
}

} // namespace clrewrite::measure
