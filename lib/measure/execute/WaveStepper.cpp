// A wave's way from block to block.
#include "measure/execute/WaveStepper.h"
#include "llvm/ADT/bit.h"

using namespace llvm;

namespace clrewrite::measure {

/// What an instruction costs beside its lanes.
static constexpr uint64_t WorkOfStep = 16;

WaveStepper::WaveStepper(WaveInterpreter &Of, WaveProgram &Kernel,
                         const uint64_t (&At)[3], unsigned Number)
    : Of(Of), W(Of.Grid.WaveLanes), Number(Number),
      Main(Kernel, Of.Grid.WaveLanes), Reuse(Of.Model) {
  std::copy(std::begin(At), std::end(At), Group);
  const WaveGrid &G = Of.Grid;
  uint64_t Items = G.Local[0] * G.Local[1] * G.Local[2];
  for (unsigned L = 0; L < W; ++L) {
    bool Is = uint64_t(Number) * W + L < Items;
    for (unsigned D = 0; D < 3; ++D) // The last group may be cut.
      Is = Is && Group[D] * G.Local[D] + localId(L, D) < G.Global[D];
    Whole |= Mask(Is) << L;
  }
  Main.Waiting[0] = Whole;
  for (const auto &[A, Words] : Of.Arguments)
    for (auto [I, Word] : enumerate(Words))
      std::fill_n(&Main.Registers[(size_t(Kernel.registerOf(A)) + I) * W], W,
                  Word);
  PrivateBytes = Kernel.PrivateBytes;
  Private.resize(size_t(PrivateBytes) * W);
}

uint64_t WaveStepper::localId(unsigned Lane, unsigned Dimension) const {
  const uint64_t *Local = Of.Grid.Local;
  uint64_t Id = uint64_t(Number) * W + Lane;
  if (Dimension == 0)
    return Id % Local[0];
  return Dimension == 1 ? Id / Local[0] % Local[1] : Id / Local[0] / Local[1];
}

const uint64_t *WaveStepper::column(RegisterNumber R, unsigned I) const {
  if (R >= 0)
    return &Now->Registers[(size_t(R) + I) * W];
  return Now->P.constantColumn(unsigned(~R) + I, W);
}

void WaveStepper::copy(const WaveStep &S, unsigned To, const uint64_t *From) {
  uint64_t *D = out(S, To);
  lanes([&](unsigned L) { D[L] = From[L]; });
}

WaveStepper::State WaveStepper::resume() {
  State S = run(Main);
  return failed() ? Failed : S;
}

/// Of the lanes that wait those go on that wait in the lowest block.
WaveStepper::State WaveStepper::run(Frame &F) {
  Frame *Caller = Now;
  Mask Before = Active;
  Now = &F;
  State Result = Ended;
  for (;;) {
    if (!F.Lanes) {
      unsigned B = 0;
      while (B < F.Waiting.size() && !F.Waiting[B])
        ++B;
      if (B == F.Waiting.size())
        break;
      F.Block = B;
      F.Step = F.P.Blocks[B].First;
      F.Lanes = std::exchange(F.Waiting[B], 0);
      ++Of.Out.Runs[F.P.Blocks[B].At];
      Reuse.enterBlock();
    }
    Active = F.Lanes;
    unsigned End = F.P.Blocks[F.Block].End;
    bool Stopped = false;
    while (F.Step < End && !Stopped && !failed()) {
      const WaveStep &S = F.P.Steps[F.Step++];
      Of.Work += WorkOfStep + uint64_t(std::max(1u, S.Registers)) *
                                  uint64_t(llvm::popcount(Active));
      if (Of.Work > Of.MostWork)
        fail("it takes too many steps");
      else if (const auto *C = dyn_cast<CallBase>(S.At))
        Stopped = call(S, *C) == AtBarrier;
      else
        step(S);
      Now = &F;
      Active = F.Lanes;
    }
    if (failed()) {
      Result = Failed;
      break;
    }
    if (Stopped) {
      Result = AtBarrier;
      break;
    }
    F.Lanes = 0;
  }
  Now = Caller;
  Active = Before;
  return Result;
}

void WaveStepper::step(const WaveStep &S) {
  const Instruction &I = *S.At;
  switch (I.getOpcode()) {
  case Instruction::Load:
    return load(S);
  case Instruction::Store:
    return store(S);
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return atomic(S);
  case Instruction::Fence:
    return;
  case Instruction::Alloca: {
    uint64_t At = Now->PrivateBase + Now->P.Allocated.lookup(&I);
    unsigned Space = I.getType()->getPointerAddressSpace();
    return all(S, Space == PrivateSpace
                      ? At
                      : At | PrivateAperture << DeviceMemory::OffsetBits);
  }
  case Instruction::GetElementPtr:
    return element(S);
  case Instruction::ICmp:
  case Instruction::FCmp:
    return compare(S, cast<CmpInst>(I));
  case Instruction::Select:
    return select(S);
  case Instruction::Freeze:
    for (unsigned R = 0; R < S.Registers; ++R)
      copy(S, R, in(S, 0, R));
    return;
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    return members(S);
  case Instruction::Br:
  case Instruction::Switch:
  case Instruction::Ret:
  case Instruction::Unreachable:
    return leave(I, S);
  default:
    break;
  }
  if (const auto *C = dyn_cast<CastInst>(&I))
    return convert(S, *C);
  if (I.isBinaryOp() || I.isUnaryOp())
    return arithmetic(S);
  fail(Twine("it has the instruction ") + I.getOpcodeName() +
       ", which is not executed");
}

void WaveStepper::leave(const Instruction &End, const WaveStep &S) {
  const BasicBlock *From = End.getParent();
  if (isa<ReturnInst>(End)) {
    Now->Returned |= Active;
    if (End.getNumOperands()) {
      unsigned N = Now->P.registersOf(End.getOperand(0)->getType());
      Now->Result.resize(size_t(N) * W);
      for (unsigned R = 0; R < N; ++R) {
        const uint64_t *A = in(S, 0, R);
        lanes([&](unsigned L) { Now->Result[size_t(R) * W + L] = A[L]; });
      }
    }
    return;
  }
  if (isa<UnreachableInst>(End))
    return fail("it gets to a place that LLVM holds for unreachable");
  if (End.getNumSuccessors() == 1)
    return edge(From, End.getSuccessor(0), Active);
  const uint64_t *By = in(S, 0);
  SmallVector<Mask, 4> To(End.getNumSuccessors());
  if (const auto *Switch = dyn_cast<SwitchInst>(&End)) {
    lanes([&](unsigned L) {
      unsigned Which = 0;
      for (const auto &Case : Switch->cases())
        if (Case.getCaseValue()->getValue() == By[L])
          Which = Case.getSuccessorIndex();
      To[Which] |= Mask(1) << L;
    });
  } else {
    lanes([&](unsigned L) { To[By[L] & 1 ? 0 : 1] |= Mask(1) << L; });
  }
  for (auto [I, M] : enumerate(To))
    if (M)
      edge(From, End.getSuccessor(unsigned(I)), M);
}

/// \p M go from a block to another, whose phis take their values.
void WaveStepper::edge(const BasicBlock *From, const BasicBlock *To, Mask M) {
  Mask Before = std::exchange(Active, M);
  SmallVector<uint64_t, 512> Values;
  auto each = [&](auto Do) {
    for (const PHINode &P : To->phis()) {
      unsigned N = Now->P.registersOf(P.getType());
      for (unsigned R = 0; R < N; ++R)
        Do(P, R);
    }
  };
  // All are read before one is written.
  each([&](const PHINode &P, unsigned R) {
    const uint64_t *A =
        column(Now->P.registerOf(P.getIncomingValueForBlock(From)), R);
    lanes([&](unsigned L) { Values.push_back(A[L]); });
  });
  size_t Next = 0;
  each([&](const PHINode &P, unsigned R) {
    uint64_t *D = &Now->Registers[(size_t(Now->P.registerOf(&P)) + R) * W];
    lanes([&](unsigned L) { D[L] = Values[Next++]; });
  });
  Of.Work += Next;
  Now->Waiting[Now->P.NumberOf.lookup(To)] |= M;
  Active = Before;
}

/// The bytes of the lines that the wave touched, by buffer and direction:
/// those that it needs, or a sector of 32 bytes a line where few of each are.
std::map<uint64_t, double> bytesByBuffer(const TouchedLines &Lines) {
  struct Sums {
    double Words = 0, Lines = 0;
  };
  DenseMap<uint64_t, Sums> ByBuffer;
  for (const auto &[Key, Words] : Lines) {
    uint64_t Line = Key >> 1;
    Sums &S = ByBuffer[DeviceMemory::bufferOf(Line << 6) << 1 | (Key & 1)];
    S.Words += llvm::popcount(Words);
    ++S.Lines;
  }
  std::map<uint64_t, double> Out;
  for (const auto &[Key, S] : ByBuffer)
    Out[Key] = S.Words <= 4 * S.Lines ? 32 * S.Lines : 4 * S.Words;
  return Out;
}

void WaveStepper::finish() {
  for (const auto &[Buffer, Bytes] : bytesByBuffer(Lines))
    Of.Out.Bytes += Bytes;
  Of.Out.Again.add(Reuse.fetchedAgain(), 1);
  Of.Out.PrivateBytes += double(PrivateLines * uint64_t(Of.Model.LineBytes));
  Of.Out.Touched.push_back(std::move(Lines));
}

} // namespace clrewrite::measure
