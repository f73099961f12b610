// One wave on its way through a kernel.
#pragma once

#include "measure/execute/LaneMath.h"
#include "measure/execute/WaveInterpreter.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IntrinsicInst.h"

namespace clrewrite::measure {

class WaveStepper {
public:
  /// The wave \p Number of the work-group \p Group.
  WaveStepper(WaveInterpreter &Of, WaveProgram &Kernel,
              const uint64_t (&Group)[3], unsigned Number);

  enum State { Running, AtBarrier, Ended, Failed };
  /// Runs to the next barrier, or to the end.
  State resume();
  /// Adds what memory the wave moved to the record.
  void finish();

private:
  using Mask = uint64_t; ///< of lanes

  /// A function that the wave is in.
  struct Frame {
    WaveProgram &P;
    std::vector<uint64_t> Registers;
    std::vector<Mask> Waiting; ///< lanes, by block
    Mask Returned = 0;
    std::vector<uint64_t> Result; ///< registers of the value that is returned
    unsigned PrivateBase = 0;
    // Where it was stopped by a barrier.
    unsigned Block = 0, Step = 0;
    Mask Lanes = 0;

    Frame(WaveProgram &P, unsigned W)
        : P(P), Registers(size_t(P.Registers) * W), Waiting(P.Blocks.size()) {}
  };

  WaveInterpreter &Of;
  const unsigned W; ///< lanes
  uint64_t Group[3];
  unsigned Number;
  Mask Whole = 0; ///< the lanes that are work-items
  Mask Active = 0;
  Frame *Now = nullptr;
  Frame Main;
  unsigned Depth = 0;
  std::vector<uint8_t> Private; ///< of each lane, PrivateBytes apart
  unsigned PrivateBytes = 0;
  TouchedLines Lines;
  ReuseDistances Reuse;
  uint64_t PrivateLines = 0;
  llvm::SmallVector<std::pair<uint64_t, unsigned>, 64>
      Touched; ///< by one access

  void fail(const llvm::Twine &Why) { Of.fail(Why); }
  bool failed() const { return !Of.Problem.empty(); }

  State run(Frame &F);
  void step(const WaveStep &S);
  void leave(const llvm::Instruction &End, const WaveStep &S);
  void edge(const llvm::BasicBlock *From, const llvm::BasicBlock *To, Mask M);

  template <typename Fn> void lanes(Fn Each) {
    if (Active == ~Mask(0) >> (64 - W)) {
      for (unsigned L = 0; L < W; ++L)
        Each(L);
      return;
    }
    for (Mask M = Active; M; M &= M - 1)
      Each(unsigned(llvm::countr_zero(M)));
  }

  /// Each register of the result is what \p Each gives for those of the
  /// operands, in as many bits as it has.
  template <unsigned Operands, typename Fn>
  void integers(const WaveStep &S, Fn Each) {
    uint64_t Bits = lowBits(S.Bits);
    for (unsigned R = 0; R < S.Registers; ++R) {
      uint64_t *D = out(S, R);
      const uint64_t *A = in(S, 0, R), *B = Operands > 1 ? in(S, 1, R) : A,
                     *C = Operands > 2 ? in(S, 2, R) : A;
      lanes([&](unsigned L) {
        if constexpr (Operands == 1)
          D[L] = uint64_t(Each(A[L])) & Bits;
        else if constexpr (Operands == 2)
          D[L] = uint64_t(Each(A[L], B[L])) & Bits;
        else
          D[L] = uint64_t(Each(A[L], B[L], C[L])) & Bits;
      });
    }
  }

  /// The same of floating-point numbers of type \p T. \p Each takes floats and
  /// doubles; on 16 bits it computes floats, which are rounded.
  template <unsigned Operands, typename Fn>
  void floats(const WaveStep &S, llvm::Type *T, Fn Each) {
    T = T->getScalarType();
    auto with = [&](auto From, auto To) {
      integers<Operands>(S, [&](auto... Of) { return To(Each(From(Of)...)); });
    };
    if (T->isFloatTy())
      with([](uint64_t V) { return llvm::bit_cast<float>(uint32_t(V)); },
           [](auto V) { return uint64_t(llvm::bit_cast<uint32_t>(float(V))); });
    else if (T->isDoubleTy())
      with([](uint64_t V) { return llvm::bit_cast<double>(V); },
           [](auto V) { return llvm::bit_cast<uint64_t>(double(V)); });
    else if (T->isHalfTy())
      with([](uint64_t V) { return floatOfHalf(uint16_t(V)); },
           [](auto V) { return uint64_t(halfOf(float(V))); });
    else if (T->isBFloatTy())
      with([](uint64_t V) { return floatOfBfloat(uint16_t(V)); },
           [](auto V) { return uint64_t(bfloatOf(float(V))); });
    else
      fail("it computes floating-point numbers of a type that is not executed");
  }

  /// The column of a register, to be written or read.
  uint64_t *out(const WaveStep &S, unsigned I = 0) {
    return &Now->Registers[size_t(S.Result + RegisterNumber(I)) * W];
  }
  const uint64_t *column(RegisterNumber R, unsigned I = 0) const;
  const uint64_t *in(const WaveStep &S, unsigned Operand,
                     unsigned I = 0) const {
    return column(Now->P.Operands[S.FirstOperand + Operand], I);
  }
  void copy(const WaveStep &S, unsigned To, const uint64_t *From);

  // What instructions compute (WaveArithmetic.cpp).
  void arithmetic(const WaveStep &S);
  void convert(const WaveStep &S, const llvm::CastInst &I);
  void compare(const WaveStep &S, const llvm::CmpInst &I);
  void reinterpret(const WaveStep &S, llvm::Type *From, llvm::Type *To);
  void castSpace(const WaveStep &S, unsigned From, unsigned To);
  void select(const WaveStep &S);
  void members(const WaveStep &S);
  void element(const WaveStep &S);
  bool isNarrow(const WaveStep &S);

  // Memory (WaveMemoryAccess.cpp).
  struct Leaf {
    uint64_t Offset;
    unsigned Bytes;
  };
  void leavesOf(llvm::Type *T, uint64_t At, llvm::SmallVectorImpl<Leaf> &Into);
  uint8_t *own(unsigned Space, uint64_t &At, unsigned Lane, uint64_t Bytes);
  bool get(unsigned Space, uint64_t At, unsigned Lane,
           llvm::MutableArrayRef<uint8_t> Into);
  bool put(unsigned Space, uint64_t At, unsigned Lane,
           llvm::ArrayRef<uint8_t> From);
  void outside(bool Store);
  void note(const llvm::Value *Pointer, const uint64_t *At, uint64_t Bytes,
            bool Store);
  /// Puts down the words of a buffer's or an image's memory.
  void touchWords(uint64_t At, uint64_t Bytes, bool Store);
  bool noteReuse(const uint64_t *At, uint64_t Bytes, bool Store,
                 bool IsPrivate);
  void load(const WaveStep &S);
  void maskedLoad(const WaveStep &S, const llvm::IntrinsicInst &I);
  void store(const WaveStep &S);
  void atomic(const WaveStep &S);
  void transfer(const WaveStep &S, const llvm::MemIntrinsic &M);

  // Images (WaveImages.cpp).
  void image(const WaveStep &S, const llvm::IntrinsicInst &I);
  void noteTexels(const uint64_t *At, unsigned Bytes, bool Store);

  // Calls (WaveIntrinsics.cpp).
  State call(const WaveStep &S, const llvm::CallBase &I);
  void function(const WaveStep &S, const llvm::Function &Callee);
  State intrinsic(const WaveStep &S, const llvm::IntrinsicInst &I);
  bool integerIntrinsic(const WaveStep &S, const llvm::IntrinsicInst &I);
  bool floatIntrinsic(const WaveStep &S, const llvm::IntrinsicInst &I);
  bool waveIntrinsic(const WaveStep &S, const llvm::IntrinsicInst &I);
  bool launchIntrinsic(const WaveStep &S, const llvm::IntrinsicInst &I);
  uint64_t localId(unsigned Lane, unsigned Dimension) const;
  void all(const WaveStep &S, uint64_t Value) {
    uint64_t *D = out(S);
    lanes([&](unsigned L) { D[L] = Value; });
  }
};

} // namespace clrewrite::measure
