// Loads, stores and atomics of a wave's lanes.
#include "measure/estimate/WaveTrace.h"
#include "measure/execute/WaveStepper.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include <cmath>
#include <cstring>

using namespace llvm;

namespace clrewrite::measure {

/// Where each register of a value of type \p T has its bytes in memory.
void WaveStepper::leavesOf(Type *T, uint64_t At, SmallVectorImpl<Leaf> &Into) {
  const DataLayout &DL = Now->P.Layout;
  if (auto *A = dyn_cast<ArrayType>(T)) {
    uint64_t Size = DL.getTypeAllocSize(A->getElementType());
    for (uint64_t I = 0; I < A->getNumElements() && !failed(); ++I)
      leavesOf(A->getElementType(), At + I * Size, Into);
    return;
  }
  if (auto *S = dyn_cast<StructType>(T)) {
    const StructLayout *L = DL.getStructLayout(S);
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      leavesOf(S->getElementType(I), At + L->getElementOffset(I), Into);
    return;
  }
  auto *V = dyn_cast<FixedVectorType>(T);
  unsigned Bits = Now->P.bitsOf(T), Count = V ? V->getNumElements() : 1;
  if (Bits % 8 && V)
    return fail("it has a vector of bits in memory");
  uint64_t Size = divideCeil(Bits, 8);
  for (unsigned I = 0; I < Count; ++I)
    for (uint64_t Word = 0; Word < Size; Word += 8)
      Into.push_back(
          {At + I * Size + Word, unsigned(std::min<uint64_t>(8, Size - Word))});
}

/// The byte in local or private memory that \p At leads to; null with the
/// address in one of the buffers where it leads there, and with 0 where it
/// leads nowhere.
uint8_t *WaveStepper::own(unsigned Space, uint64_t &At, unsigned Lane,
                          uint64_t Bytes) {
  bool IsShared = Space == SharedSpace, IsPrivate = Space == PrivateSpace;
  if (Space == 0) {
    uint64_t Aperture = DeviceMemory::bufferOf(At);
    IsShared = Aperture == SharedAperture;
    IsPrivate = Aperture == PrivateAperture;
  }
  if (!IsShared && !IsPrivate)
    return nullptr;
  uint64_t Offset = At & lowBits(32),
           Size = IsShared ? Of.Shared.size() : PrivateBytes;
  At = 0;
  if (Offset > Size || Bytes > Size - Offset)
    return nullptr;
  return IsShared ? Of.Shared.data() + Offset
                  : Private.data() + size_t(Lane) * PrivateBytes + Offset;
}

bool WaveStepper::get(unsigned Space, uint64_t At, unsigned Lane,
                      MutableArrayRef<uint8_t> Into) {
  if (const uint8_t *P = own(Space, At, Lane, Into.size())) {
    std::memcpy(Into.data(), P, Into.size());
    return true;
  }
  return Of.Memory.read(At, Into);
}

bool WaveStepper::put(unsigned Space, uint64_t At, unsigned Lane,
                      ArrayRef<uint8_t> From) {
  if (uint8_t *P = own(Space, At, Lane, From.size())) {
    std::memcpy(P, From.data(), From.size());
    return true;
  }
  return Of.Memory.write(At, From);
}

void WaveStepper::outside(bool Store) {
  if (Of.Memory.isFull())
    return fail("its waves touch more than " +
                Twine(DeviceMemory::MostBytes >> 20) + " MiB of memory");
  fail(Twine("it ") + (Store ? "writes" : "reads") +
       " outside of its buffers, as the launch sizes them");
}

/// Puts down the lines of the caches that the active lanes access, \p Bytes at
/// their addresses. True of a load if an L1 still has all of them.
bool WaveStepper::noteReuse(const uint64_t *At, uint64_t Bytes, bool Store,
                            bool IsPrivate) {
  constexpr uint64_t WordBytes = 4;
  const auto LineBytes = uint64_t(Of.Model.LineBytes),
             PieceBytes = uint64_t(Of.Model.FillBytes);
  Touched.clear();
  auto add = [&](uint64_t Byte) {
    uint64_t Line = Byte / LineBytes;
    unsigned Piece = 1u << (Byte % LineBytes / PieceBytes);
    if (!Touched.empty() && Touched.back().first == Line)
      Touched.back().second |= Piece;
    else
      Touched.push_back({Line, Piece});
  };
  lanes([&](unsigned L) {
    const uint64_t First = IsPrivate ? At[L] & lowBits(32) : At[L],
                   Last = First + Bytes - 1;
    if (IsPrivate)
      for (uint64_t Word = First / WordBytes; Word <= Last / WordBytes; ++Word)
        add(PrivateAperture << DeviceMemory::OffsetBits |
            uint64_t(placeOfPrivate(int64_t(Word * WordBytes), L, W)));
    else if (Of.Memory.isCounted(First))
      for (uint64_t P = First / PieceBytes; P <= Last / PieceBytes; ++P)
        add(P * PieceBytes);
  });
  llvm::sort(Touched);
  const size_t Before = Reuse.lines();
  bool HasAll = !Store;
  for (auto [I, Each] : enumerate(Touched)) {
    auto [Line, Pieces] = Each;
    if (I + 1 < Touched.size() && Touched[I + 1].first == Line) {
      Touched[I + 1].second |= Pieces;
      continue;
    }
    if (Store)
      Reuse.store(Line, Pieces, IsPrivate);
    else
      HasAll &= Reuse.load(Line, Pieces, IsPrivate);
  }
  if (IsPrivate)
    PrivateLines += Reuse.lines() - Before;
  return HasAll;
}

void WaveStepper::touchWords(uint64_t At, uint64_t Bytes, bool Store) {
  for (uint64_t Word = At >> 2; Word <= (At + Bytes - 1) >> 2; ++Word)
    Lines[(Word >> 4) << 1 | uint64_t(Store)] |= uint16_t(1u << (Word & 15));
}

/// Puts down that the active lanes access \p Bytes at their addresses.
void WaveStepper::note(const Value *Pointer, const uint64_t *At, uint64_t Bytes,
                       bool Store) {
  unsigned Space = Pointer->getType()->getPointerAddressSpace();
  bool IsOwn = Space == SharedSpace || Space == PrivateSpace;
  if (Space == PrivateSpace || (!IsOwn && !Of.Grid.MadeUp)) {
    bool Has = noteReuse(At, Bytes, Store, Space == PrivateSpace);
    if (!Store)
      Of.Out.Hits[Pointer].add(Has);
  }
  // All lanes have the same word of a variable that is no array.
  if (Space == PrivateSpace &&
      isa<AllocaInst>(Pointer->stripInBoundsConstantOffsets()))
    return;
  std::vector<int64_t> Sample(W, WaveCounts::Idle);
  bool Counted = false;
  lanes([&](unsigned L) {
    Sample[L] = int64_t(At[L]);
    if (IsOwn || !Of.Memory.isCounted(At[L]))
      return;
    Counted = true;
    touchWords(At[L], Bytes, Store);
  });
  if (Counted || IsOwn)
    Of.Out.Addresses[Pointer].add(std::move(Sample));
  if (Space != PrivateSpace)
    Of.Work += 4 * uint64_t(llvm::popcount(Active));
}

void WaveStepper::load(const WaveStep &S) {
  const auto &I = cast<LoadInst>(*S.At);
  SmallVector<Leaf, 16> Leaves;
  leavesOf(I.getType(), 0, Leaves);
  uint64_t Bytes = Now->P.Layout.getTypeStoreSize(I.getType());
  const uint64_t *At = in(S, 0);
  unsigned Space = I.getPointerAddressSpace();
  SmallVector<uint8_t, 64> Raw(Bytes);
  note(I.getPointerOperand(), At, Bytes, false);
  lanes([&](unsigned L) {
    if (failed())
      return;
    if (!get(Space, At[L], L, Raw))
      return outside(false);
    for (auto [First, End] : Of.Unknown)
      if (At[L] < End && First < At[L] + Bytes)
        return fail("the launch gives an argument no value");
    for (auto [R, Each] : enumerate(Leaves)) {
      uint64_t V = 0;
      std::memcpy(&V, Raw.data() + Each.Offset, Each.Bytes);
      out(S, unsigned(R))[L] = Each.Bytes == 1 && S.Bits == 1 ? V & 1 : V;
    }
  });
}

/// The operands are the address, the mask and, last, what elements are that
/// the mask leaves out.
void WaveStepper::maskedLoad(const WaveStep &S, const IntrinsicInst &I) {
  SmallVector<Leaf, 16> Leaves;
  leavesOf(I.getType(), 0, Leaves);
  const unsigned Mask = I.arg_size() - 2, Else = I.arg_size() - 1;
  const Value *Pointer = I.getArgOperand(0);
  const uint64_t *At = in(S, 0);
  note(Pointer, At, Now->P.Layout.getTypeStoreSize(I.getType()), false);
  for (unsigned R = 0; R < Leaves.size(); ++R)
    lanes([&](unsigned L) {
      if (failed())
        return;
      uint64_t V = 0;
      MutableArrayRef<uint8_t> Raw(reinterpret_cast<uint8_t *>(&V),
                                   Leaves[R].Bytes);
      if (!(in(S, Mask, R)[L] & 1))
        V = in(S, Else, R)[L];
      else if (!get(Pointer->getType()->getPointerAddressSpace(),
                    At[L] + Leaves[R].Offset, L, Raw))
        return outside(false);
      out(S, R)[L] = V;
    });
}

void WaveStepper::store(const WaveStep &S) {
  const auto &I = cast<StoreInst>(*S.At);
  Type *T = I.getValueOperand()->getType();
  SmallVector<Leaf, 16> Leaves;
  leavesOf(T, 0, Leaves);
  uint64_t Bytes = Now->P.Layout.getTypeStoreSize(T);
  const uint64_t *At = in(S, 1);
  unsigned Space = I.getPointerAddressSpace();
  SmallVector<uint8_t, 64> Raw(Bytes);
  note(I.getPointerOperand(), At, Bytes, true);
  Of.Work += uint64_t(Leaves.size()) * uint64_t(llvm::popcount(Active));
  lanes([&](unsigned L) {
    if (failed())
      return;
    for (auto [R, Each] : enumerate(Leaves))
      std::memcpy(Raw.data() + Each.Offset, &in(S, 0, unsigned(R))[L],
                  Each.Bytes);
    if (!put(Space, At[L], L, Raw))
      outside(true);
  });
}

/// What an atomic leaves of \p Old in memory; nullopt for one that is not
/// known.
static std::optional<uint64_t> atomicResult(AtomicRMWInst::BinOp Op, Type *T,
                                            unsigned Bits, uint64_t Old,
                                            uint64_t V) {
  auto chosen = [&](bool First) { return First ? Old : V; };
  auto real = [&](auto Fn) {
    return bitsOfNumber(T, Fn(numberOf(T, Old), numberOf(T, V)));
  };
  switch (Op) {
  case AtomicRMWInst::Xchg:
    return V;
  case AtomicRMWInst::Add:
    return Old + V;
  case AtomicRMWInst::Sub:
    return Old - V;
  case AtomicRMWInst::And:
    return Old & V;
  case AtomicRMWInst::Nand:
    return ~(Old & V);
  case AtomicRMWInst::Or:
    return Old | V;
  case AtomicRMWInst::Xor:
    return Old ^ V;
  case AtomicRMWInst::Max:
    return chosen(signedOf(Old, Bits) > signedOf(V, Bits));
  case AtomicRMWInst::Min:
    return chosen(signedOf(Old, Bits) < signedOf(V, Bits));
  case AtomicRMWInst::UMax:
    return chosen(Old > V);
  case AtomicRMWInst::UMin:
    return chosen(Old < V);
  case AtomicRMWInst::FAdd:
    return real([](double A, double B) { return A + B; });
  case AtomicRMWInst::FSub:
    return real([](double A, double B) { return A - B; });
  case AtomicRMWInst::FMax:
    return real([](double A, double B) { return std::fmax(A, B); });
  case AtomicRMWInst::FMin:
    return real([](double A, double B) { return std::fmin(A, B); });
  case AtomicRMWInst::UIncWrap:
    return Old >= V ? 0 : Old + 1;
  case AtomicRMWInst::UDecWrap:
    return Old == 0 || Old > V ? V : Old - 1;
  default:
    return std::nullopt;
  }
}

/// Lanes come one after the other, the first one first.
void WaveStepper::atomic(const WaveStep &S) {
  const auto *Rmw = dyn_cast<AtomicRMWInst>(S.At);
  const auto *Exchange = dyn_cast<AtomicCmpXchgInst>(S.At);
  const Value *Pointer =
      Rmw ? Rmw->getPointerOperand() : Exchange->getPointerOperand();
  Type *T = Rmw ? Rmw->getType() : Exchange->getNewValOperand()->getType();
  unsigned Bits = Now->P.bitsOf(T), Bytes = Bits / 8,
           Space = Pointer->getType()->getPointerAddressSpace();
  if (T->isVectorTy() || Bits > 64 || Bits % 8)
    return fail("it has an atomic that is not executed");
  const uint64_t *At = in(S, 0), *A = in(S, 1);
  note(Pointer, At, Bytes, true);
  lanes([&](unsigned L) {
    uint64_t Old = 0;
    MutableArrayRef<uint8_t> Raw(reinterpret_cast<uint8_t *>(&Old), Bytes);
    if (failed())
      return;
    if (!get(Space, At[L], L, Raw))
      return outside(false);
    std::optional<uint64_t> New =
        Rmw ? atomicResult(Rmw->getOperation(), T, Bits, Old, A[L])
            : std::optional(Old == A[L] ? in(S, 2)[L] : Old);
    if (!New)
      return fail("it has an atomic that is not executed");
    if (Exchange)
      out(S, 1)[L] = Old == A[L];
    out(S)[L] = Old;
    if (!put(Space, At[L], L,
             ArrayRef(reinterpret_cast<const uint8_t *>(&*New), Bytes)))
      outside(true);
  });
}

void WaveStepper::transfer(const WaveStep &S, const MemIntrinsic &M) {
  constexpr uint64_t MostBytes = 1 << 16;
  const auto *From = dyn_cast<MemTransferInst>(&M);
  const uint64_t *To = in(S, 0), *What = in(S, 1), *Bytes = in(S, 2);
  unsigned ToSpace = M.getDestAddressSpace();
  std::vector<uint8_t> Raw;
  lanes([&](unsigned L) {
    if (failed())
      return;
    if (Bytes[L] > MostBytes)
      return fail("it copies more than is executed");
    Of.Work += Bytes[L];
    Raw.assign(Bytes[L], uint8_t(What[L]));
    if (From && !get(From->getSourceAddressSpace(), What[L], L, Raw))
      return outside(false);
    if (!put(ToSpace, To[L], L, Raw))
      outside(true);
  });
  const uint64_t *Length = in(S, 2);
  uint64_t Most = 0;
  lanes([&](unsigned L) { Most = std::max(Most, Length[L]); });
  if (failed() || Most == 0)
    return;
  note(M.getRawDest(), To, Most, true);
  if (From)
    note(From->getRawSource(), What, Most, false);
}

} // namespace clrewrite::measure
