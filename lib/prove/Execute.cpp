// Running a kernel's instructions on terms.
//
// Blocks run in an order in which each comes after those that lead to it, with
// the memory that they leave; where ways meet, a choice of values is made by
// the conditions. A loop runs with its state as bound variables, until it is
// known which parts of the state it changes, and is then one term. A state that
// grows by the same in each iteration is a multiple of their count.
#include "prove/Execute.h"
#include "prove/Calls.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clrewrite::prove {
namespace {

/// A scalar, a pointer, or a part of a vector or a structure.
struct Lane {
  T Value = nullptr;
  /// The same integer in 64 bits, where the type's sign extension does not say
  /// it: a sum that does not overflow is the sum of the extended operands.
  T Wide = nullptr;
};
using Lanes = SmallVector<Lane, 1>;

/// All buffers that may overlap are one memory.
constexpr char SharedMemory[] = "global memory";

/// A part of a type that is a scalar or a pointer.
struct Leaf {
  Type *Of;
  uint64_t Offset;
};

/// What a pointer can lead to.
struct Buffer {
  std::string Memory;
  enum Kind { Shared, Constant, Private } Sort = Shared;
  uint64_t Align = 1;
  std::optional<uint64_t> Size = {};
  const GlobalVariable *Known = nullptr; ///< its contents are a constant
};

struct Edge {
  const BasicBlock *From, *To;
  T When;
  State At;
};

struct Ends {
  std::vector<Edge> Again, Out; ///< to the head of the loop, and out of it
};

struct Return {
  T When;
  State At;
  Lanes Value;
};

/// A function that is being run.
struct Frame {
  Function &F;
  DominatorTree Dominators;
  LoopInfo Loops;
  std::vector<BasicBlock *> Order;
  DenseMap<const Value *, Lanes> Values;
  std::vector<Return> Returns;
  std::vector<std::string> Own;         ///< the types of its arrays
  DenseMap<const Value *, T> Variables; ///< the addresses of its own

  explicit Frame(Function &Of) : F(Of), Dominators(Of), Loops(Dominators) {
    ReversePostOrderTraversal<Function *> All(&F);
    Order.assign(All.begin(), All.end());
  }
};

/// A part of a loop's state.
struct Part {
  const PHINode *P = nullptr; ///< null for a memory or the trace
  size_t Number = 0;          ///< of its lane
  std::string Memory = {};
  Lane First;
  T Base = nullptr; ///< of a pointer; First is the rest then
  T Bound = nullptr;
  T Next = nullptr;
  /// What it grows by in each iteration; null where that varies.
  T Growth = nullptr, WideGrowth = nullptr;
  bool Varies = false;
};

/// The iterations of a loop that counts.
struct Turns {
  T Run;  ///< when there is a first one, and so a last one
  T Last; ///< how many come before the last one, then
  /// The counter with 64 bits, where it has fewer and no sign, and the same as
  /// it is computed from the number of iterations; else null.
  T Index = nullptr, Counted = nullptr;
};

class Executor {
public:
  Executor(Graph &G, Module &M, const Apart &Alone)
      : G(G), M(M), Layout(M.getDataLayout()), Alone(Alone) {}

  Behaviour run(Function &Kernel);

private:
  Graph &G;
  Module &M;
  const DataLayout &Layout;
  const Apart &Alone;
  std::string Problem;
  unsigned Line = 0, ProblemLine = 0;
  std::vector<Record> Records;
  DenseMap<T, Buffer> Buffers;
  std::map<std::string, unsigned> Privates; ///< arrays that live, by type
  unsigned LoopDepth = 0, CallDepth = 0, Steps = 0;
  T Now = nullptr; ///< when the block that runs is reached

  static constexpr unsigned MostSteps = 150000, MostTurns = 128, MostPasses = 9;

  bool failed() const { return !Problem.empty(); }
  void fail(const Twine &Why);

  // Types
  void leavesOf(Type *Of, uint64_t At, SmallVectorImpl<Leaf> &Out);
  SmallVector<Leaf, 4> leavesOf(Type *Of);
  unsigned widthOf(Type *Of);

  // Values
  Lanes unset(Type *Of);
  Lanes constantLanes(const Constant *C);
  Lanes lanes(Frame &F, const Value *V);
  T scalar(Frame &F, const Value *V) {
    Lanes L = lanes(F, V);
    return L.empty() ? G.truth(false) : L[0].Value;
  }
  T wide(const Lane &L, unsigned Width = 64) {
    return L.Wide && Width == 64 ? L.Wide : G.sext(L.Value, Width);
  }
  T addressOf(const GlobalVariable &V);
  Lane chosen(T If, const Lane &Then, const Lane &Else);
  Lanes chosen(T If, const Lanes &Then, const Lanes &Else);

  // What must hold
  void record(Record::Kind Sort, T What, unsigned Bytes = 0, T Trace = nullptr);
  void useOf(T Value);
  void mustFit(T Exact, unsigned Width);
  void mustBeLane(T Index, size_t Lanes);

  // Memory
  const Buffer *bufferOf(T Address, T *Base = nullptr);
  void mustAlign(T Address, uint64_t Align);
  T loadFrom(State &S, T Address, unsigned Width, uint64_t Align);
  void storeTo(State &S, T Address, T Value, uint64_t Align);
  Lanes loadAll(State &S, T Address, Type *Of, uint64_t Align);
  void storeAll(State &S, T Address, const Lanes &V, Type *Of, uint64_t Align);
  void copy(State &S, T To, T From, uint64_t Bytes);
  void fill(State &S, T To, T Byte, uint64_t Bytes);

  // Instructions
  void step(Frame &F, Instruction &I, State &S);
  Lane arithmetic(const BinaryOperator &I, const Lane &A, const Lane &B);
  T floating(StringRef Name, ArrayRef<T> Kids);
  T folded(const Instruction &I, ArrayRef<T> Kids);
  T compared(const CmpInst &I, const Lane &A, const Lane &B);
  Lane converted(const CastInst &I, const Lane &A, Type *To);
  Lanes reinterpreted(const Lanes &V, Type *From, Type *To);
  Lanes element(Frame &F, const GEPOperator &P);
  Lanes call(Frame &F, CallBase &I, State &S);
  Lanes builtin(Frame &F, CallBase &I, State &S, const Function &Callee);
  bool isUniform(T A);
  Lanes intrinsic(Frame &F, IntrinsicInst &I, State &S);
  T halves(T Index, T Pointer, StringRef Name, size_t Count);
  Lanes loadHalves(Frame &F, CallBase &I, State &S, StringRef Name);
  void storeHalves(Frame &F, CallBase &I, State &S, StringRef Name);
  Lanes withSecond(Frame &F, CallBase &I, State &S, StringRef Name);
  Lanes event(Frame &F, CallBase &I, State &S, StringRef Name);
  Lanes applied(Frame &F, CallBase &I, StringRef Name, ArrayRef<T> More);
  T callOf(Frame &F, CallBase &I, StringRef Name, ArrayRef<T> More);
  Lanes resultOf(CallBase &I, T Call);
  std::optional<Lanes> byLane(Frame &F, CallBase &I, const Builtin &B);

  // Control flow
  Lanes function(Function &Callee, ArrayRef<Lanes> Arguments, State &S);
  Ends region(Frame &F, Loop *L, State S, T When);
  std::vector<Edge> loop(Frame &F, Loop &L, State S, T When,
                         DenseMap<const PHINode *, Lanes> First);
  std::optional<Turns> counted(unsigned Depth, T GoesOn, ArrayRef<Record> Inner,
                               function_ref<T(T)> Exact);
  void replace(Frame &F, Loop &L, unsigned Depth, const std::map<T, T> &By,
               T &GoesOn, std::vector<Part> &Parts, std::vector<Record> &Inner,
               std::vector<Edge> &Out);
  std::vector<Record> firstAndLast(unsigned Depth, T GoesOn, const Turns &Of,
                                   ArrayRef<Record> Inner);
  std::vector<Part> elements(unsigned Depth, T GoesOn,
                             const std::optional<Turns> &Of,
                             ArrayRef<Record> Inner, ArrayRef<T> Loads,
                             const Part &Memory, std::map<T, unsigned> &Numbers,
                             std::map<T, T> &By);
  void keepElements(Frame &F, Loop &L, unsigned Depth,
                    const std::optional<Turns> &Turn, T &GoesOn,
                    std::vector<Part> &Parts, std::vector<Record> &Inner,
                    std::vector<Edge> &Out);
  std::optional<std::vector<Edge>>
  unrolled(Frame &F, Loop &L, State S, T When,
           DenseMap<const PHINode *, Lanes> First);
  T gate(ArrayRef<Edge> Edges, size_t I, T Whole) {
    return G.given(Edges[I].When, Whole);
  }
  T anyOf(ArrayRef<Edge> Edges);
  State merged(ArrayRef<Edge> Edges, T Whole);
  Lanes merged(Frame &F, const PHINode &P, ArrayRef<Edge> Edges, T Whole);
};

void Executor::fail(const Twine &Why) {
  if (failed())
    return;
  Problem = Why.str();
  ProblemLine = Line;
}

// --- Types ------------------------------------------------------------------

void Executor::leavesOf(Type *Of, uint64_t At, SmallVectorImpl<Leaf> &Out) {
  if (auto *V = dyn_cast<FixedVectorType>(Of)) {
    uint64_t Size = Layout.getTypeSizeInBits(V->getElementType()) / 8;
    for (unsigned I = 0; I < V->getNumElements(); ++I)
      Out.push_back({V->getElementType(), At + I * Size});
  } else if (auto *A = dyn_cast<ArrayType>(Of)) {
    uint64_t Size = Layout.getTypeAllocSize(A->getElementType());
    if (A->getNumElements() > 4096)
      return fail("an array is a value");
    for (uint64_t I = 0; I < A->getNumElements(); ++I)
      leavesOf(A->getElementType(), At + I * Size, Out);
  } else if (auto *S = dyn_cast<StructType>(Of)) {
    const StructLayout *L = Layout.getStructLayout(S);
    for (unsigned I = 0; I < S->getNumElements(); ++I)
      leavesOf(S->getElementType(I), At + L->getElementOffset(I), Out);
  } else {
    Out.push_back({Of, At});
  }
}

SmallVector<Leaf, 4> Executor::leavesOf(Type *Of) {
  SmallVector<Leaf, 4> Out;
  if (!Of->isVoidTy())
    leavesOf(Of, 0, Out);
  return Out;
}

unsigned Executor::widthOf(Type *Of) {
  if (Of->isPointerTy())
    return 64;
  unsigned Width = Of->getPrimitiveSizeInBits();
  if (auto *I = dyn_cast<IntegerType>(Of))
    Width = I->getBitWidth();
  if (Width == 0 || Width > 64) {
    fail("a value has a type that is not looked into");
    return 64;
  }
  return Width;
}

// --- Values -----------------------------------------------------------------

T Executor::addressOf(const GlobalVariable &V) {
  // Constants are known by what they hold, others by their names without the
  // function's.
  std::string Name = V.getName().split('.').second.str();
  for (const GlobalVariable &Other : M.globals())
    if (&Other != &V && Other.getName().split('.').second == Name)
      Name = V.getName().str();
  Buffer B;
  B.Align = V.getAlign().valueOrOne().value();
  B.Size = Layout.getTypeAllocSize(V.getValueType());
  if (V.isConstant() && V.hasInitializer()) {
    std::string Contents;
    raw_string_ostream(Contents) << *V.getInitializer();
    MD5 Hash;
    Hash.update(Contents);
    MD5::MD5Result Result;
    Hash.final(Result);
    Name = Result.digest().str().str();
    B.Sort = Buffer::Constant;
    B.Known = &V;
  } else if (V.getAddressSpace() != 3) {
    fail("a variable of the program is not constant");
  }
  // The same name is the same array only where it is as large.
  if (!B.Known)
    Name += " " + utostr(*B.Size) + " " + utostr(B.Align);
  B.Memory = (B.Known ? "constant " : "local ") + Name;
  T Address = G.variable(64, "&" + Name);
  Buffers.try_emplace(Address, B);
  return Address;
}

Lanes Executor::unset(Type *Of) {
  Lanes Out;
  for (const Leaf &L : leavesOf(Of)) {
    unsigned Width = widthOf(L.Of);
    Out.push_back({G.variable(Width, "unset." + utostr(Width), true)});
  }
  return Out;
}

Lanes Executor::constantLanes(const Constant *C) {
  Type *Of = C->getType();
  if (auto *GV = dyn_cast<GlobalVariable>(C))
    return {{addressOf(*GV)}};
  if (isa<UndefValue>(C)) // poison, too
    return unset(Of);
  if (auto *I = dyn_cast<ConstantInt>(C); I && !Of->isVectorTy())
    return {{G.constant(widthOf(Of), I->getValue().getLimitedValue())}};
  if (auto *F = dyn_cast<ConstantFP>(C); F && !Of->isVectorTy())
    return {{G.constant(widthOf(Of),
                        F->getValueAPF().bitcastToAPInt().getLimitedValue())}};
  if (isa<ConstantPointerNull>(C))
    return {{G.constant(64, 0)}};
  if (Of->isVectorTy() || Of->isArrayTy() || Of->isStructTy()) {
    Lanes Out;
    unsigned N = Of->isStructTy() ? Of->getStructNumElements()
                 : Of->isArrayTy()
                     ? unsigned(Of->getArrayNumElements())
                     : cast<FixedVectorType>(Of)->getNumElements();
    for (unsigned I = 0; I < N && !failed(); ++I) {
      const Constant *E = C->getAggregateElement(I);
      if (!E) {
        fail("a constant is not looked into");
        break;
      }
      append_range(Out, constantLanes(E));
    }
    return Out;
  }
  fail("a constant is not looked into");
  return {{G.constant(64, 0)}};
}

Lanes Executor::lanes(Frame &F, const Value *V) {
  if (auto *CE = dyn_cast<ConstantExpr>(V)) {
    if (auto *P = dyn_cast<GEPOperator>(CE))
      return element(F, *P);
    if (CE->getOpcode() == Instruction::AddrSpaceCast ||
        CE->getOpcode() == Instruction::BitCast)
      return lanes(F, CE->getOperand(0));
    fail("an expression of constants is not looked into");
    return {{G.constant(64, 0)}};
  }
  if (auto *C = dyn_cast<Constant>(V))
    return constantLanes(C);
  auto It = F.Values.find(V);
  if (It != F.Values.end())
    return It->second;
  fail("a value is used that was not computed");
  Lanes Out;
  for (const Leaf &L : leavesOf(V->getType()))
    Out.push_back({G.constant(widthOf(L.Of), 0)});
  return Out;
}

Lane Executor::chosen(T If, const Lane &Then, const Lane &Else) {
  Lane Out{G.select(If, Then.Value, Else.Value)};
  if ((Then.Wide || Else.Wide) && Then.Value->Width < 64)
    Out.Wide = G.select(If, wide(Then), wide(Else));
  return Out;
}

Lanes Executor::chosen(T If, const Lanes &Then, const Lanes &Else) {
  Lanes Out;
  for (size_t I = 0; I < std::min(Then.size(), Else.size()); ++I)
    Out.push_back(chosen(If, Then[I], Else[I]));
  return Out;
}

// --- What must hold ---------------------------------------------------------

void Executor::record(Record::Kind Sort, T What, unsigned Bytes, T Trace) {
  constexpr size_t Looked = 24; // repetitions stand close to each other
  for (size_t I = Records.size(); I-- > 0 && I + Looked > Records.size();) {
    const Record &R = Records[I];
    if (R.Sort == Sort && R.What == What && R.Bytes == Bytes &&
        R.Trace == Trace && R.When == Now && R.Loops.empty() && !R.Implied)
      return;
  }
  Records.push_back({Sort, What, Bytes, Trace, Now, Line});
}

/// \p Value is an operand. What was computed of operands has told of them then.
void Executor::useOf(T Value) {
  if (!Value->Unset)
    return;
  switch (Value->What) {
  case Op::Variable:
  case Op::Bound:
  case Op::Last:
  case Op::Load:
  case Op::Select:
  case Op::ZExt:
  case Op::SExt:
  case Op::Extract:
  case Op::Concat:
    return record(Record::Unset, Value);
  default:
    return;
  }
}

/// A signed integer of \p Width bits has the value \p Exact.
void Executor::mustFit(T Exact, unsigned Width) {
  Interval I = G.interval(Exact, Now);
  __int128 Limit = __int128(1) << (Width - 1);
  if (I.Low < -Limit || I.High >= Limit)
    record(Record::Fits, Exact, Width / 8);
}

void Executor::mustBeLane(T Index, size_t Lanes) {
  useOf(Index);
  Interval I = G.interval(Index);
  if (I.Low < 0 || I.High >= __int128(Lanes))
    record(Record::Operation, G.apply(0, "lane of " + utostr(Lanes), {Index}));
}

// --- Memory -----------------------------------------------------------------

/// What \p Address leads to, where it is the sum of a buffer's and an offset.
const Buffer *Executor::bufferOf(T Address, T *Base) {
  auto Known = Buffers.find(Address);
  if (Known != Buffers.end()) {
    if (Base)
      *Base = Address;
    return &Known->second;
  }
  const Buffer *Found = nullptr;
  if (Address->is(Op::Sum))
    for (auto [Kid, Coef] : zip(Address->Kids, Address->Coefs))
      if (auto It = Buffers.find(Kid); It != Buffers.end()) {
        if (Found || Coef != 1)
          return nullptr;
        Found = &It->second;
        if (Base)
          *Base = Kid;
      }
  return Found;
}

void Executor::mustAlign(T Address, uint64_t Align) {
  if (Align <= 1)
    return;
  T Base = nullptr, Rest = Address;
  const Buffer *B = bufferOf(Address, &Base);
  if (B && B->Align % Align == 0)
    Rest = G.sub(Address, Base);
  T Low = G.binary(Op::BitAnd, Rest, G.constant(64, Align - 1));
  if (!G.implies(Now, G.equal(Low, G.constant(64, 0))))
    record(Record::Aligned, Address, unsigned(Align));
}

/// True where \p Bytes at \p Address are within \p B for certain.
static bool isWithin(Graph &G, const Buffer &B, T Base, T Address,
                     uint64_t Bytes) {
  if (!B.Size)
    return false;
  Interval I = G.interval(G.sub(Address, Base));
  return I.Low >= 0 && I.High + __int128(Bytes) <= __int128(*B.Size);
}

T Executor::loadFrom(State &S, T Address, unsigned Width, uint64_t Align) {
  if (Address->is(Op::Select)) {
    T Before = Now, If = Address->Kids[0];
    Now = G.both(Before, If);
    T Then = loadFrom(S, Address->Kids[1], Width, Align);
    Now = G.both(Before, G.negation(If));
    T Else = loadFrom(S, Address->Kids[2], Width, Align);
    Now = Before;
    return G.select(If, Then, Else);
  }
  // An offset that is chosen is two addresses.
  if (Address->is(Op::Sum))
    for (auto [Kid, Coef] : zip(Address->Kids, Address->Coefs))
      if (Kid->is(Op::Select)) {
        T Rest = G.sub(Address, G.times(Kid, Coef));
        T Both =
            G.select(Kid->Kids[0], G.add(Rest, G.times(Kid->Kids[1], Coef)),
                     G.add(Rest, G.times(Kid->Kids[2], Coef)));
        if (Both->is(Op::Select))
          return loadFrom(S, Both, Width, Align);
      }
  useOf(Address);
  T Base = nullptr;
  const Buffer *B = bufferOf(Address, &Base);
  if (!B) {
    fail("a pointer leads to more than one buffer, or to an unknown one");
    return G.constant(Width, 0);
  }
  mustAlign(Address, Align);
  if (!isWithin(G, *B, Base, Address, Width / 8))
    record(Record::Read, Address, Width / 8,
           B->Sort == Buffer::Shared ? S.Trace : nullptr);
  if (B->Known) {
    T Offset = G.sub(Address, Base);
    auto *Of = Type::getIntNTy(M.getContext(), Width);
    if (Offset->isConstant())
      if (Constant *C = ConstantFoldLoadFromConst(
              const_cast<Constant *>(B->Known->getInitializer()), Of,
              APInt(64, Offset->Value), Layout))
        if (auto *I = dyn_cast<ConstantInt>(C))
          return G.constant(Width, I->getZExtValue());
  }
  T &Memory = S.Memory[B->Memory];
  if (!Memory)
    Memory = G.variable(0, "memory of " + B->Memory);
  return G.load(Memory, Address, Width);
}

void Executor::storeTo(State &S, T Address, T Value, uint64_t Align) {
  useOf(Address);
  T Base = nullptr;
  const Buffer *B = bufferOf(Address, &Base);
  if (!B)
    return fail(Address->is(Op::Select)
                    ? "a store goes to one of several buffers"
                    : "a pointer leads to more than one buffer, or to an "
                      "unknown one");
  if (B->Sort == Buffer::Constant)
    return fail("a constant is written");
  mustAlign(Address, Align);
  unsigned Bytes = Value->Width / 8;
  if (!isWithin(G, *B, Base, Address, Bytes) || B->Sort == Buffer::Shared)
    record(Record::Write, Address, Bytes,
           B->Sort == Buffer::Shared ? S.Trace : nullptr);
  T &Memory = S.Memory[B->Memory];
  if (!Memory)
    Memory = G.variable(0, "memory of " + B->Memory);
  Memory = G.store(Memory, Address, Value);
}

/// What a part has of the alignment of the whole.
static uint64_t alignAt(uint64_t Align, uint64_t Offset) {
  while (Align > 1 && Offset % Align)
    Align /= 2;
  return Align;
}

Lanes Executor::loadAll(State &S, T Address, Type *Of, uint64_t Align) {
  Lanes Out;
  mustAlign(Address, Align);
  for (const Leaf &L : leavesOf(Of)) {
    unsigned Width = widthOf(L.Of),
             Stored = 8 * unsigned(Layout.getTypeStoreSize(L.Of));
    if (Width % 8 || (L.Of->isPointerTy() && Stored != 64))
      fail("a value in memory has a type that is not looked into");
    if (failed())
      return {Out.size() + 1, Lane{G.constant(Width, 0)}};
    Out.push_back({loadFrom(S, G.plus(Address, L.Offset), Width,
                            L.Offset ? 1 : alignAt(Align, L.Offset))});
  }
  return Out;
}

void Executor::storeAll(State &S, T Address, const Lanes &V, Type *Of,
                        uint64_t Align) {
  mustAlign(Address, Align);
  for (auto [L, Each] : zip(leavesOf(Of), V)) {
    unsigned Stored = 8 * unsigned(Layout.getTypeStoreSize(L.Of));
    if (Each.Value->Width % 8 || (L.Of->isPointerTy() && Stored != 64))
      fail("a value in memory has a type that is not looked into");
    if (failed())
      return;
    storeTo(S, G.plus(Address, L.Offset), Each.Value, 1);
  }
}

void Executor::copy(State &S, T To, T From, uint64_t Bytes) {
  if (Bytes > 2048)
    return fail("more is copied than is looked into");
  std::vector<std::pair<uint64_t, T>> Parts;
  for (uint64_t At = 0; At < Bytes && !failed();) {
    uint64_t Size = Bytes - At >= 4 ? 4 : 1;
    Parts.push_back({At, loadFrom(S, G.plus(From, At), unsigned(8 * Size), 1)});
    At += Size;
  }
  for (auto [At, Value] : Parts)
    if (!failed())
      storeTo(S, G.plus(To, At), Value, 1);
}

void Executor::fill(State &S, T To, T Byte, uint64_t Bytes) {
  if (Bytes > 2048 || !Byte->isConstant())
    return fail("more is filled than is looked into");
  for (uint64_t At = 0; At < Bytes && !failed();) {
    unsigned Size = Bytes - At >= 4 ? 4 : 1;
    storeTo(S, G.plus(To, At), G.constant(8 * Size, Byte->Value * 0x01010101u),
            1);
    At += Size;
  }
}

// --- Instructions -----------------------------------------------------------

static const fltSemantics *semanticsOf(Type *Of) {
  Of = Of->getScalarType();
  return Of->isHalfTy() || Of->isFloatTy() || Of->isDoubleTy()
             ? &Of->getFltSemantics()
             : nullptr;
}

/// Neither a denormal, which some devices flush, nor a NaN or an infinity.
static bool isPlain(const APFloat &F) { return F.isNormal() || F.isPosZero(); }

T Executor::folded(const Instruction &I, ArrayRef<T> Kids) {
  const fltSemantics *To = semanticsOf(I.getType());
  const fltSemantics *From = semanticsOf(I.getOperand(0)->getType());
  if (!To || !all_of(Kids, [](T K) { return K->isConstant(); }))
    return nullptr;
  unsigned Width = Kids[0]->Width;
  APFloat Out(*To);
  constexpr auto Nearest = APFloat::rmNearestTiesToEven;
  if (isa<SIToFPInst>(I) || isa<UIToFPInst>(I)) {
    Out.convertFromAPInt(APInt(Width, Kids[0]->Value), isa<SIToFPInst>(I),
                         Nearest);
  } else if (From) {
    Out = APFloat(*From, APInt(Width, Kids[0]->Value));
    bool Plain = isPlain(Out), Inexact = false;
    if (isa<FPTruncInst>(I) || isa<FPExtInst>(I)) {
      Out.convert(*To, Nearest, &Inexact);
    } else if (Kids.size() == 2) {
      APFloat Second(*From, APInt(Width, Kids[1]->Value));
      Plain &= isPlain(Second);
      if (I.getOpcode() == Instruction::FAdd)
        Out.add(Second, Nearest);
      else if (I.getOpcode() == Instruction::FSub)
        Out.subtract(Second, Nearest);
      else if (I.getOpcode() == Instruction::FMul)
        Out.multiply(Second, Nearest);
      else
        return nullptr;
    } else {
      return nullptr;
    }
    if (!Plain)
      return nullptr;
  } else {
    return nullptr;
  }
  if (!isPlain(Out))
    return nullptr;
  APInt Bits = Out.bitcastToAPInt();
  return G.constant(Bits.getBitWidth(), Bits.getZExtValue());
}

T Executor::floating(StringRef Name, ArrayRef<T> Kids) {
  return G.apply(Kids[0]->Width, (Name + "." + utostr(Kids[0]->Width)).str(),
                 Kids);
}

/// True where the result has 64 bits, whatever the operands are.
static bool fits(unsigned Opcode, Interval A, Interval B) {
  SmallVector<__int128, 4> Ends;
  for (__int128 X : {A.Low, A.High})
    for (__int128 Y : {B.Low, B.High})
      Ends.push_back(Opcode == Instruction::Add   ? X + Y
                     : Opcode == Instruction::Sub ? X - Y
                                                  : X * Y);
  const __int128 Limit = __int128(1) << 63;
  return (Opcode == Instruction::Add || Opcode == Instruction::Sub ||
          Opcode == Instruction::Mul) &&
         all_of(Ends, [&](__int128 E) { return E >= -Limit && E < Limit; });
}

Lane Executor::arithmetic(const BinaryOperator &I, const Lane &A,
                          const Lane &B) {
  unsigned Width = A.Value->Width;
  useOf(A.Value);
  useOf(B.Value);
  if (I.getType()->isFPOrFPVectorTy()) {
    FastMathFlags Flags = I.getFastMathFlags();
    Flags.setAllowContract(false);
    if (Flags.any())
      fail("floating-point operations may be changed by the compiler");
    if (T Known = folded(I, {A.Value, B.Value}))
      return {Known};
    return {floating(I.getOpcodeName(), {A.Value, B.Value})};
  }
  bool Signed = isa<OverflowingBinaryOperator>(I) && I.hasNoSignedWrap();
  bool Unsigned = isa<OverflowingBinaryOperator>(I) && I.hasNoUnsignedWrap();
  bool Exact = isa<PossiblyExactOperator>(I) && I.isExact();
  T Value = nullptr, Wide = nullptr;
  Op O = Op::BitAnd;
  switch (I.getOpcode()) {
  case Instruction::Add:
    Value = G.add(A.Value, B.Value);
    if (Signed)
      Wide = G.add(wide(A), wide(B));
    break;
  case Instruction::Sub:
    Value = G.sub(A.Value, B.Value);
    if (Signed)
      Wide = G.sub(wide(A), wide(B));
    break;
  case Instruction::Mul:
    Value = G.mul(A.Value, B.Value);
    if (Signed)
      Wide = G.mul(wide(A), wide(B));
    break;
  case Instruction::Shl:
    Value = G.binary(Op::Shl, A.Value, B.Value);
    if (Signed && B.Value->isConstant() && B.Value->Value < Width)
      Wide = G.times(wide(A), uint64_t(1) << B.Value->Value);
    else if (Signed)
      Exact = true; // told by the operands
    break;
  case Instruction::UDiv:
    O = Op::UDiv;
    break;
  case Instruction::SDiv:
    O = Op::SDiv;
    break;
  case Instruction::URem:
    O = Op::URem;
    break;
  case Instruction::SRem:
    O = Op::SRem;
    break;
  case Instruction::LShr:
    O = Op::LShr;
    break;
  case Instruction::AShr:
    O = Op::AShr;
    break;
  case Instruction::And:
    break;
  case Instruction::Or:
    O = Op::BitOr;
    break;
  case Instruction::Xor:
    O = Op::BitXor;
    break;
  default:
    fail("an operation is not known");
  }
  if (!Value)
    Value = G.binary(O, A.Value, B.Value);
  bool IsShift = I.isShift();
  Interval By = G.interval(B.Value);
  if (IsShift && (By.Low < 0 || By.High >= __int128(Width)))
    Exact = true;
  if (I.isIntDivRem()) {
    bool Safe = By.Low > 0 ||
                ((I.getOpcode() == Instruction::UDiv ||
                  I.getOpcode() == Instruction::URem) &&
                 B.Value->isConstant() && B.Value->Value != 0) ||
                (B.Value->isConstant() && By.Low < -1);
    Exact |= !Safe;
  }
  if (Signed && Width == 64 && !Exact && !Unsigned)
    Exact = !fits(I.getOpcode(), G.interval(A.Value), By);
  if (Exact || Unsigned)
    record(Record::Operation,
           G.apply(0,
                   std::string(I.getOpcodeName()) + (Signed ? " nsw" : "") +
                       (Unsigned ? " nuw" : "") + " " + utostr(Width),
                   {A.Value, B.Value}));
  if (!Wide || Width == 64)
    return {Value};
  if (Width > 32) {
    fail("an integer has an unusual width");
    return {Value};
  }
  mustFit(Wide, Width);
  return {Value, Wide};
}

T Executor::compared(const CmpInst &I, const Lane &A, const Lane &B) {
  T X = A.Value, Y = B.Value;
  useOf(X);
  useOf(Y);
  auto P = I.getPredicate();
  if (isa<ICmpInst>(I)) {
    if (P == CmpInst::ICMP_EQ)
      return G.equal(X, Y);
    if (P == CmpInst::ICMP_NE)
      return G.negation(G.equal(X, Y));
    bool Signed = ICmpInst::isSigned(P);
    if (P == CmpInst::ICMP_SGT || P == CmpInst::ICMP_UGT)
      return G.less(Signed, Y, X);
    if (P == CmpInst::ICMP_SLT || P == CmpInst::ICMP_ULT)
      return G.less(Signed, X, Y);
    if (P == CmpInst::ICMP_SGE || P == CmpInst::ICMP_UGE)
      return G.negation(G.less(Signed, X, Y));
    return G.negation(G.less(Signed, Y, X));
  }
  FastMathFlags Flags = I.getFastMathFlags();
  Flags.setAllowContract(false);
  if (Flags.any())
    fail("floating-point operations may be changed by the compiler");
  if (P == CmpInst::FCMP_FALSE || P == CmpInst::FCMP_TRUE)
    return G.truth(P == CmpInst::FCMP_TRUE);
  auto apply = [&](StringRef Of, T L, T R) {
    return G.apply(1, (Of + "." + utostr(L->Width)).str(), {L, R});
  };
  auto ordered = [&](CmpInst::Predicate Of) {
    switch (Of) {
    case CmpInst::FCMP_OEQ:
      return apply("foeq", X, Y);
    case CmpInst::FCMP_OLT:
      return apply("folt", X, Y);
    case CmpInst::FCMP_OGT:
      return apply("folt", Y, X);
    case CmpInst::FCMP_OLE:
      return apply("fole", X, Y);
    case CmpInst::FCMP_OGE:
      return apply("fole", Y, X);
    case CmpInst::FCMP_ONE:
      return apply("fone", X, Y);
    default: // FCMP_ORD
      return apply("ford", X, Y);
    }
  };
  // An unordered one holds where its inverse, which is ordered, does not.
  return CmpInst::isUnordered(P)
             ? G.negation(ordered(CmpInst::getInversePredicate(P)))
             : ordered(P);
}

Lane Executor::converted(const CastInst &I, const Lane &A, Type *To) {
  unsigned Width = widthOf(To);
  switch (I.getOpcode()) {
  case Instruction::Trunc:
    return {G.extract(A.Value, 0, Width)};
  case Instruction::ZExt: {
    T Value = G.zext(A.Value, Width);
    return {Value, Width < 64 ? G.zext(A.Value, 64) : nullptr};
  }
  case Instruction::SExt:
    if (Width == 64)
      return {wide(A)};
    return {A.Wide ? G.extract(A.Wide, 0, Width) : G.sext(A.Value, Width),
            A.Wide};
  case Instruction::AddrSpaceCast:
  case Instruction::IntToPtr:
    return {G.zext(A.Value, 64)};
  case Instruction::PtrToInt:
    return {G.extract(A.Value, 0, Width)};
  default: {
    useOf(A.Value);
    if (T Known = folded(I, {A.Value}))
      return {Known};
    T Value = G.apply(Width,
                      std::string(I.getOpcodeName()) + "." +
                          utostr(A.Value->Width) + "." + utostr(Width),
                      {A.Value});
    if (isa<FPToSIInst>(I) || isa<FPToUIInst>(I))
      record(Record::Operation, Value);
    return {Value};
  }
  }
}

Lanes Executor::reinterpreted(const Lanes &V, Type *From, Type *To) {
  SmallVector<Leaf, 4> Parts = leavesOf(To);
  if (Parts.empty() || V.empty())
    return {};
  unsigned Width = widthOf(Parts[0].Of), Own = V[0].Value->Width;
  Lanes Out;
  if (Width == Own)
    return V;
  if (From->isVectorTy() && Own == 1)
    fail("a vector of conditions is an integer");
  for (size_t I = 0; I < Parts.size() && !failed(); ++I) {
    if (Width < Own) {
      size_t Each = Own / Width;
      Out.push_back(
          {G.extract(V[I / Each].Value, unsigned(I % Each) * Width, Width)});
      continue;
    }
    size_t Each = Width / Own;
    T Value = V[I * Each].Value;
    for (size_t J = 1; J < Each; ++J)
      Value = G.concat(Value, V[I * Each + J].Value);
    Out.push_back({Value});
  }
  return Out;
}

Lanes Executor::element(Frame &F, const GEPOperator &P) {
  if (P.getType()->isVectorTy()) {
    fail("there are vectors of pointers");
    return {};
  }
  T Address = scalar(F, P.getPointerOperand());
  bool Narrow = Layout.getIndexTypeSizeInBits(P.getType()) < 64;
  T Offset = G.constant(64, 0);
  for (auto It = gep_type_begin(P), End = gep_type_end(P); It != End; ++It) {
    if (StructType *S = It.getStructTypeOrNull()) {
      uint64_t Field = cast<ConstantInt>(It.getOperand())->getZExtValue();
      Offset = G.plus(
          Offset, Layout.getStructLayout(S)->getElementOffset(unsigned(Field)));
      continue;
    }
    Lanes Index = lanes(F, It.getOperand());
    if (failed())
      return {{Address}};
    useOf(Index[0].Value);
    T By = wide(Index[0]);
    uint64_t Size = It.getSequentialElementStride(Layout);
    __int128 Limit = (__int128(1) << 62) / std::max<uint64_t>(Size, 1);
    Interval I = G.interval(By);
    if (I.Low < -Limit || I.High > Limit)
      record(Record::Operation, G.apply(0, "index " + utostr(Size), {By}));
    Offset = G.add(Offset, G.times(By, Size));
  }
  if (!P.isInBounds() && Narrow && !Offset->isConstant())
    fail("an index may wrap");
  T Out = G.add(Address, Offset);
  if (P.isInBounds() && Out != Address) {
    T Base = nullptr;
    const Buffer *B = bufferOf(Out, &Base);
    if (!B || !isWithin(G, *B, Base, Out, 0))
      record(Record::Inside, Out);
  }
  return {{Out}};
}

Lanes Executor::applied(Frame &F, CallBase &I, StringRef Name,
                        ArrayRef<T> More) {
  return resultOf(I, callOf(F, I, Name, More));
}

/// A call, of its arguments and of \p More.
T Executor::callOf(Frame &F, CallBase &I, StringRef Name, ArrayRef<T> More) {
  SmallVector<T, 8> Kids;
  for (const Use &A : I.args())
    for (const Lane &L : lanes(F, A)) {
      useOf(L.Value);
      Kids.push_back(L.Value);
    }
  append_range(Kids, More);
  return G.apply(0, Name, Kids);
}

Lanes Executor::resultOf(CallBase &I, T Call) {
  Lanes Out;
  for (auto [N, L] : enumerate(leavesOf(I.getType())))
    Out.push_back({G.apply(widthOf(L.Of), "result " + utostr(N), {Call})});
  return Out;
}

/// What others see, and may change memory: the result and all memories but the
/// work-item's own depend on what was there before.
Lanes Executor::event(Frame &F, CallBase &I, State &S, StringRef Name) {
  // Memories that nobody has looked at yet are changed, too.
  for (auto &[Base, B] : Buffers)
    if (B.Sort == Buffer::Shared && !S.Memory.count(B.Memory))
      S.Memory[B.Memory] = G.variable(0, "memory of " + B.Memory);
  SmallVector<T, 8> Before{S.Trace};
  for (auto &[Each, Memory] : S.Memory)
    if (!StringRef(Each).starts_with("private ") &&
        !StringRef(Each).starts_with("constant ")) {
      Before.push_back(G.variable(0, Each));
      Before.push_back(Memory);
    }
  for (const Use &A : I.args()) {
    if (!A->getType()->isPointerTy())
      continue;
    // What an unknown pointer leads to may be the work-item's own.
    unsigned Space = A->getType()->getPointerAddressSpace();
    const Buffer *B = bufferOf(scalar(F, A));
    if (Space == 5 || (Space == 0 && (!B || B->Sort == Buffer::Private)))
      fail("a function takes the address of a variable");
  }
  T Whole = callOf(F, I, "event " + Name.str(), Before);
  for (auto &[Each, Memory] : S.Memory)
    if (!StringRef(Each).starts_with("private ") &&
        !StringRef(Each).starts_with("constant "))
      Memory = G.apply(0, "memory after", {Whole, G.variable(0, Each)});
  S.Trace = G.apply(0, "after", {Whole});
  return resultOf(I, Whole);
}

std::optional<Lanes> Executor::byLane(Frame &F, CallBase &I, const Builtin &B) {
  std::string Name = laneName(B);
  if (Name.empty())
    return std::nullopt;
  SmallVector<Lanes, 3> In;
  size_t Count = leavesOf(I.getType()).size();
  unsigned Width = widthOf(leavesOf(I.getType())[0].Of);
  for (const Use &A : I.args()) {
    In.push_back(lanes(F, A));
    if (In.back().size() != Count && In.back().size() != 1)
      return std::nullopt;
  }
  char Kind = StringRef(Name).rsplit('.').second[0];
  bool Integer = StringRef("cstilahjm").contains(Kind),
       Signed = !StringRef("htjm").contains(Kind);
  Lanes Out;
  for (size_t N = 0; N < Count; ++N) {
    SmallVector<T, 3> Kids;
    for (const Lanes &L : In) {
      useOf(L[L.size() == 1 ? 0 : N].Value);
      Kids.push_back(L[L.size() == 1 ? 0 : N].Value);
    }
    if (Integer && (B.Name == "min" || B.Name == "max")) {
      T Less = B.Name == "min" ? G.less(Signed, Kids[1], Kids[0])
                               : G.less(Signed, Kids[0], Kids[1]);
      Out.push_back({G.select(Less, Kids[1], Kids[0])});
    } else if (Integer && B.Name == "clamp" && Kids[1]->isConstant() &&
               Kids[2]->isConstant() &&
               !G.less(Signed, Kids[2], Kids[1])->Value) {
      T Low = G.select(G.less(Signed, Kids[0], Kids[1]), Kids[1], Kids[0]);
      Out.push_back({G.select(G.less(Signed, Kids[2], Low), Kids[2], Low)});
    } else {
      Out.push_back({G.apply(Width, Name, Kids)});
    }
  }
  return Out;
}

/// Functions of arguments that have a second result, which goes where the last
/// argument points.
Lanes Executor::withSecond(Frame &F, CallBase &I, State &S, StringRef Name) {
  SmallVector<T, 8> Kids;
  for (unsigned A = 0; A + 1 < I.arg_size(); ++A)
    for (const Lane &L : lanes(F, I.getArgOperand(A))) {
      useOf(L.Value);
      Kids.push_back(L.Value);
    }
  T Whole = G.apply(0, Name, Kids),
    At = scalar(F, I.getArgOperand(I.arg_size() - 1));
  Lanes Out;
  SmallVector<Leaf, 4> Parts = leavesOf(I.getType());
  // frexp, remquo and lgamma_r give an integer there.
  bool Integer = Name.contains("frexp") || Name.contains("remquo") ||
                 Name.contains("lgamma_r");
  unsigned Second = Integer ? 32 : widthOf(Parts[0].Of);
  // A vector of three is aligned as one of four.
  mustAlign(At, Second / 8 * (Parts.size() == 3 ? 4 : Parts.size()));
  for (auto [N, L] : enumerate(Parts)) {
    Out.push_back({G.apply(widthOf(L.Of), "result " + utostr(N), {Whole})});
    storeTo(S, G.plus(At, N * Second / 8),
            G.apply(Second, "second result " + utostr(N), {Whole}), 1);
  }
  return Out;
}

/// Where the elements of vload_halfN and vstore_halfN are, which must be
/// aligned as vectors where the name says so.
T Executor::halves(T Index, T Pointer, StringRef Name, size_t Count) {
  bool Aligned = Name.starts_with("vloada") || Name.starts_with("vstorea");
  uint64_t Stride = Aligned && Count == 3 ? 4 : Count;
  T At = G.add(Pointer, G.times(Index, 2 * Stride));
  mustAlign(At, Aligned ? 2 * Stride : 2);
  return At;
}

Lanes Executor::loadHalves(Frame &F, CallBase &I, State &S, StringRef Name) {
  size_t Count = leavesOf(I.getType()).size();
  T At = halves(scalar(F, I.getArgOperand(0)), scalar(F, I.getArgOperand(1)),
                Name, Count);
  Lanes Out;
  for (size_t N = 0; N < Count && !failed(); ++N)
    Out.push_back(
        {G.apply(32, "fpext.16.32", {loadFrom(S, G.plus(At, 2 * N), 16, 1)})});
  return Out;
}

void Executor::storeHalves(Frame &F, CallBase &I, State &S, StringRef Name) {
  Lanes V = lanes(F, I.getArgOperand(0));
  T At = halves(scalar(F, I.getArgOperand(1)), scalar(F, I.getArgOperand(2)),
                Name, V.size());
  // Behind the number of elements stands how is rounded.
  StringRef Rounds =
      Name.split("_half").second.drop_while([](char C) { return isDigit(C); });
  for (size_t N = 0; N < V.size() && !failed(); ++N) {
    useOf(V[N].Value);
    storeTo(S, G.plus(At, 2 * N),
            G.apply(16,
                    ("half" + Rounds + "." + utostr(V[N].Value->Width)).str(),
                    {V[N].Value}),
            1);
  }
}

Lanes Executor::builtin(Frame &F, CallBase &I, State &S,
                        const Function &Callee) {
  std::string Whole = Callee.getName().str();
  if (StringRef(Whole).starts_with(UnsetName))
    return unset(I.getType());
  if (Whole == "__translate_sampler_initializer")
    return applied(F, I, Whole, {});
  std::optional<Builtin> B = demangle(Whole);
  if (!B)
    return event(F, I, S, Whole);
  if (unsigned N = lanesOf(*B, "vload")) {
    Type *Each = cast<FixedVectorType>(I.getType())->getElementType();
    uint64_t Size = Layout.getTypeStoreSize(Each);
    T At = G.add(scalar(F, I.getArgOperand(1)),
                 G.times(scalar(F, I.getArgOperand(0)), N * Size));
    Lanes Out;
    mustAlign(At, Size);
    for (unsigned Lane = 0; Lane < N && !failed(); ++Lane)
      Out.push_back(
          {loadFrom(S, G.plus(At, Lane * Size), unsigned(8 * Size), 1)});
    return Out;
  }
  if (unsigned N = lanesOf(*B, "vstore")) {
    Lanes V = lanes(F, I.getArgOperand(0));
    uint64_t Size = V[0].Value->Width / 8;
    T At = G.add(scalar(F, I.getArgOperand(2)),
                 G.times(scalar(F, I.getArgOperand(1)), N * Size));
    mustAlign(At, Size);
    for (unsigned Lane = 0; Lane < N && !failed(); ++Lane)
      storeTo(S, G.plus(At, Lane * Size), V[Lane].Value, 1);
    return {};
  }
  if (B->Name == "select") {
    // Of vectors the highest bit counts, of scalars any.
    Lanes A = lanes(F, I.getArgOperand(0)), C = lanes(F, I.getArgOperand(1)),
          By = lanes(F, I.getArgOperand(2)), Out;
    for (size_t N = 0; N < A.size() && N < By.size(); ++N) {
      useOf(By[N].Value);
      T Zero = G.constant(By[N].Value->Width, 0);
      T If = I.getType()->isVectorTy() ? G.less(true, By[N].Value, Zero)
                                       : G.negation(G.equal(By[N].Value, Zero));
      Out.push_back({G.select(If, C[N].Value, A[N].Value)});
    }
    return Out;
  }
  if (StringRef(B->Name).starts_with("vload") &&
      StringRef(B->Name).contains("_half"))
    return loadHalves(F, I, S, B->Name);
  if (StringRef(B->Name).starts_with("vstore") &&
      StringRef(B->Name).contains("_half")) {
    storeHalves(F, I, S, B->Name);
    return {};
  }
  if (is_contained({"fract", "modf", "sincos", "frexp", "remquo", "lgamma_r"},
                   B->Name))
    return withSecond(F, I, S, Whole);
  if (isFunctionOfArguments(Callee, *B)) {
    if (auto Out = byLane(F, I, *B))
      return *Out;
    Lanes Out = applied(F, I, Whole, {});
    // Coordinates outside an image are defined with a sampler alone.
    if (StringRef(B->Name).starts_with("read_image") &&
        !StringRef(B->Types).contains("sampler") && !Out.empty())
      record(Record::Operation, Out[0].Value);
    return Out;
  }
  return event(F, I, S, Whole);
}

/// True where all work-items of a group have the same value.
bool Executor::isUniform(T Of) {
  static constexpr StringRef Alike[] = {
      "_Z12get_group_idj",    "_Z14get_num_groupsj", "_Z14get_local_sizej",
      "_Z15get_global_sizej", "_Z12get_work_dimv",   "_Z17get_global_offsetj"};
  return !hasPart(Of, [](T A) {
    bool Varies =
        A->Unset || A->is(Op::Bound) || A->is(Op::Loop) || A->is(Op::Last);
    // What is computed of alike operands is alike, a call's result is not.
    if (A->is(Op::Apply) && A->Width == 0)
      Varies |= !is_contained(Alike, StringRef(A->Name));
    return Varies;
  });
}

Lanes Executor::intrinsic(Frame &F, IntrinsicInst &I, State &S) {
  auto constantBytes = [&](unsigned A) -> uint64_t {
    if (auto *C = dyn_cast<ConstantInt>(I.getArgOperand(A)))
      return C->getZExtValue();
    fail("more is copied than is looked into");
    return 0;
  };
  switch (I.getIntrinsicID()) {
  case Intrinsic::lifetime_start: {
    const Value *V = I.getArgOperand(I.arg_size() - 1)->stripPointerCasts();
    if (auto It = F.Variables.find(V); It != F.Variables.end()) {
      std::string Name = Buffers[It->second].Memory;
      S.Memory[Name] = G.variable(0, "memory of " + Name, true);
    }
    return {};
  }
  case Intrinsic::lifetime_end:
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_value:
  case Intrinsic::dbg_label:
  case Intrinsic::experimental_noalias_scope_decl:
    return {};
  case Intrinsic::assume: {
    T Before = Now;
    Now = G.both(Now, G.negation(scalar(F, I.getArgOperand(0))));
    if (!Now->isFalse())
      record(Record::Unreachable, G.truth(true));
    Now = Before;
    return {};
  }
  case Intrinsic::expect:
    return lanes(F, I.getArgOperand(0));
  case Intrinsic::memcpy:
  case Intrinsic::memcpy_inline:
    mustAlign(scalar(F, I.getArgOperand(0)),
              I.getParamAlign(0).valueOrOne().value());
    mustAlign(scalar(F, I.getArgOperand(1)),
              I.getParamAlign(1).valueOrOne().value());
    copy(S, scalar(F, I.getArgOperand(0)), scalar(F, I.getArgOperand(1)),
         constantBytes(2));
    return {};
  case Intrinsic::memset:
    fill(S, scalar(F, I.getArgOperand(0)), scalar(F, I.getArgOperand(1)),
         constantBytes(2));
    return {};
  default:
    break;
  }
  StringRef Name = I.getCalledFunction()->getName();
  // They steer the compiler's scheduler, and do nothing.
  if (Name.starts_with("llvm.amdgcn.sched.") ||
      Name.starts_with("llvm.amdgcn.iglp."))
    return {};
  if (Name.starts_with("llvm.amdgcn.readfirstlane")) {
    Lanes V = lanes(F, I.getArgOperand(0));
    if (V.size() == 1 && isUniform(V[0].Value))
      return V;
    fail("a value of one lane is taken for all, and may differ from lane to "
         "lane");
    return {};
  }
  if (!I.doesNotAccessMemory() || I.isConvergent() ||
      I.getType()->isStructTy()) {
    fail("a function of the compiler's is not known");
    return {};
  }
  if (auto *Op = dyn_cast<FPMathOperator>(&I)) {
    FastMathFlags Flags = Op->getFastMathFlags();
    Flags.setAllowContract(false);
    if (Flags.any())
      fail("floating-point operations may be changed by the compiler");
  }
  // Some of them are undefined for some operands.
  Lanes Out = applied(F, I, I.getCalledFunction()->getName(), {});
  if (!Out.empty() && !I.getType()->isFPOrFPVectorTy())
    record(Record::Operation, Out[0].Value);
  return Out;
}

Lanes Executor::call(Frame &F, CallBase &I, State &S) {
  if (auto *Own = dyn_cast<IntrinsicInst>(&I))
    return intrinsic(F, *Own, S);
  auto *Callee = dyn_cast<Function>(I.getCalledOperand()->stripPointerCasts());
  if (!Callee || Callee->isVarArg()) {
    if (Callee)
      return event(F, I, S, Callee->getName());
    fail(I.isInlineAsm() ? "there is assembly"
                         : "a function is called by a pointer");
    return {};
  }
  if (Callee->isDeclaration())
    return builtin(F, I, S, *Callee);
  SmallVector<Lanes, 8> Arguments;
  for (const Use &A : I.args())
    Arguments.push_back(lanes(F, A));
  if (failed())
    return {};
  for (auto [A, V] : zip(Callee->args(), Arguments)) {
    if (A.hasByValAttr()) {
      fail("a structure is passed by value in memory");
      return {};
    }
    // That no other pointer leads there is known of some buffers.
    if (A.hasNoAliasAttr())
      if (const Buffer *B = bufferOf(V[0].Value);
          !B || B->Memory == SharedMemory)
        record(Record::Operation, G.apply(0, "restrict", {V[0].Value}));
  }
  return function(*Callee, Arguments, S);
}

void Executor::step(Frame &F, Instruction &I, State &S) {
  if (DebugLoc L = I.getDebugLoc())
    Line = L.getLine();
  if (++Steps > MostSteps || G.isFull())
    return fail("the kernel is too large");
  Lanes Out;
  auto each = [&](auto Make) {
    Lanes A = lanes(F, I.getOperand(0));
    Lanes B = I.getNumOperands() > 1 ? lanes(F, I.getOperand(1)) : A;
    for (size_t N = 0; N < std::min(A.size(), B.size()) && !failed(); ++N)
      Out.push_back(Make(A[N], B[N]));
  };
  if (auto *B = dyn_cast<BinaryOperator>(&I)) {
    each([&](const Lane &X, const Lane &Y) { return arithmetic(*B, X, Y); });
  } else if (auto *C = dyn_cast<CmpInst>(&I)) {
    each(
        [&](const Lane &X, const Lane &Y) { return Lane{compared(*C, X, Y)}; });
  } else if (isa<UnaryOperator>(&I)) {
    each([&](const Lane &X, const Lane &) {
      useOf(X.Value);
      unsigned W = X.Value->Width;
      return Lane{
          G.binary(Op::BitXor, X.Value, G.constant(W, uint64_t(1) << (W - 1)))};
    });
  } else if (isa<FreezeInst>(&I)) {
    Out = lanes(F, I.getOperand(0));
    for (const Lane &L : Out)
      useOf(L.Value);
  } else if (auto *Cast = dyn_cast<CastInst>(&I)) {
    Type *From = Cast->getSrcTy(), *To = Cast->getDestTy();
    if (isa<BitCastInst>(Cast))
      Out = reinterpreted(lanes(F, I.getOperand(0)), From, To);
    else
      each([&](const Lane &X, const Lane &) {
        return converted(*Cast, X, To->getScalarType());
      });
  } else if (auto *P = dyn_cast<GetElementPtrInst>(&I)) {
    Out = element(F, *cast<GEPOperator>(P));
  } else if (auto *L = dyn_cast<LoadInst>(&I)) {
    if (!L->isSimple())
      return fail("a load is volatile or atomic");
    T Address = scalar(F, L->getPointerOperand());
    if (!failed())
      Out = loadAll(S, Address, L->getType(), L->getAlign().value());
    // A bool is 0 or 1.
    if (L->hasMetadata(LLVMContext::MD_range) && !Out.empty())
      record(Record::Operation, G.apply(0, "range", {Out[0].Value}));
  } else if (auto *W = dyn_cast<StoreInst>(&I)) {
    if (!W->isSimple())
      return fail("a store is volatile or atomic");
    T Address = scalar(F, W->getPointerOperand());
    Lanes V = lanes(F, W->getValueOperand());
    if (!failed())
      storeAll(S, Address, V, W->getValueOperand()->getType(),
               W->getAlign().value());
  } else if (auto *Sel = dyn_cast<SelectInst>(&I)) {
    Lanes If = lanes(F, Sel->getCondition());
    Lanes Then = lanes(F, Sel->getTrueValue());
    Lanes Else = lanes(F, Sel->getFalseValue());
    for (size_t N = 0; N < Then.size() && !failed(); ++N) {
      T Condition = If[If.size() == 1 ? 0 : N].Value;
      useOf(Condition);
      Out.push_back(chosen(Condition, Then[N], Else[N]));
    }
  } else if (auto *X = dyn_cast<ExtractElementInst>(&I)) {
    Lanes V = lanes(F, X->getVectorOperand());
    T Index = scalar(F, X->getIndexOperand());
    if (Index->isConstant() && Index->Value < V.size()) {
      Out.push_back(V[Index->Value]);
    } else if (!V.empty()) {
      mustBeLane(Index, V.size());
      Lane Chosen = V.back();
      for (size_t N = V.size() - 1; N-- > 0;)
        Chosen =
            chosen(G.equal(Index, G.constant(Index->Width, N)), V[N], Chosen);
      Out.push_back(Chosen);
    }
  } else if (auto *N = dyn_cast<InsertElementInst>(&I)) {
    Out = lanes(F, N->getOperand(0));
    Lane New = lanes(F, N->getOperand(1))[0];
    T Index = scalar(F, N->getOperand(2));
    if (Index->isConstant() && Index->Value < Out.size()) {
      Out[Index->Value] = New;
    } else {
      mustBeLane(Index, Out.size());
      for (size_t E = 0; E < Out.size(); ++E)
        Out[E] =
            chosen(G.equal(Index, G.constant(Index->Width, E)), New, Out[E]);
    }
  } else if (auto *Sh = dyn_cast<ShuffleVectorInst>(&I)) {
    Lanes One = lanes(F, Sh->getOperand(0));
    Lanes Two = lanes(F, Sh->getOperand(1));
    for (int E : Sh->getShuffleMask()) {
      if (E < 0) {
        unsigned Width = One[0].Value->Width;
        Out.push_back({G.variable(Width, "unset." + utostr(Width), true)});
      } else {
        Out.push_back(size_t(E) < One.size() ? One[size_t(E)]
                                             : Two[size_t(E) - One.size()]);
      }
    }
  } else if (isa<ExtractValueInst>(&I) || isa<InsertValueInst>(&I)) {
    bool Extracts = isa<ExtractValueInst>(&I);
    ArrayRef<unsigned> Path = Extracts ? cast<ExtractValueInst>(I).getIndices()
                                       : cast<InsertValueInst>(I).getIndices();
    Lanes Whole = lanes(F, I.getOperand(0));
    Type *Of = I.getOperand(0)->getType();
    size_t At = 0;
    for (unsigned Index : Path) {
      for (unsigned E = 0; E < Index; ++E)
        At += leavesOf(Of->isStructTy() ? Of->getStructElementType(E)
                                        : Of->getArrayElementType())
                  .size();
      Of = Of->isStructTy() ? Of->getStructElementType(Index)
                            : Of->getArrayElementType();
    }
    size_t Count = leavesOf(Of).size();
    if (failed() || At + Count > Whole.size())
      return fail("a structure is not looked into");
    if (Extracts) {
      Out.append(Whole.begin() + At, Whole.begin() + At + Count);
    } else {
      Lanes Part = lanes(F, I.getOperand(1));
      std::copy(Part.begin(), Part.end(), Whole.begin() + At);
      Out = Whole;
    }
  } else if (auto *A = dyn_cast<AllocaInst>(&I)) {
    if (!isa<ConstantInt>(A->getArraySize()) || !A->getParent()->isEntryBlock())
      return fail("an array has a size that varies");
    // Those of one type are told apart by their order.
    std::string Of;
    raw_string_ostream(Of) << *A->getAllocatedType();
    F.Own.push_back(Of);
    std::string Name = "private " + Of + " " + utostr(Privates[Of]++);
    T Address = G.variable(64, "&" + Name);
    Buffer Own;
    Own.Memory = Name;
    Own.Sort = Buffer::Private;
    Own.Align = A->getAlign().value();
    Own.Size = Layout.getTypeAllocSize(A->getAllocatedType()) *
               cast<ConstantInt>(A->getArraySize())->getZExtValue();
    Buffers[Address] = Own;
    F.Variables[A] = Address;
    S.Memory[Name] = G.variable(0, "memory of " + Name, true);
    Out = {{Address}};
  } else if (auto *Call = dyn_cast<CallBase>(&I)) {
    Out = call(F, *Call, S);
  } else if (isa<AtomicRMWInst>(&I) || isa<AtomicCmpXchgInst>(&I) ||
             isa<FenceInst>(&I)) {
    return fail("an atomic operation is not a call");
  } else {
    return fail(Twine("an instruction is not known: ") + I.getOpcodeName());
  }
  if (!I.getType()->isVoidTy())
    F.Values[&I] = std::move(Out);
}

// --- Control flow -----------------------------------------------------------

T Executor::anyOf(ArrayRef<Edge> Edges) {
  SmallVector<T, 4> Nots;
  for (const Edge &E : Edges)
    Nots.push_back(G.negation(E.When));
  return G.negation(G.conjunction(Nots));
}

State Executor::merged(ArrayRef<Edge> Edges, T Whole) {
  State Out = Edges.back().At;
  for (size_t I = Edges.size() - 1; I-- > 0;) {
    T If = gate(Edges, I, Whole);
    for (const auto &[Name, Memory] : Edges[I].At.Memory) {
      T &Other = Out.Memory[Name];
      if (!Other && StringRef(Name).starts_with("private "))
        Other = Memory; // it is not used where it does not live
      else if (!Other)
        Other = G.select(If, Memory, G.variable(0, "memory of " + Name));
      else
        Other = G.select(If, Memory, Other);
    }
    for (auto &[Name, Memory] : Out.Memory)
      if (!Edges[I].At.Memory.count(Name) &&
          !StringRef(Name).starts_with("private "))
        Memory = G.select(If, G.variable(0, "memory of " + Name), Memory);
    Out.Trace = G.select(If, Edges[I].At.Trace, Out.Trace);
  }
  return Out;
}

Lanes Executor::merged(Frame &F, const PHINode &P, ArrayRef<Edge> Edges,
                       T Whole) {
  Lanes Out = lanes(F, P.getIncomingValueForBlock(Edges.back().From));
  for (size_t I = Edges.size() - 1; I-- > 0;)
    Out = chosen(gate(Edges, I, Whole),
                 lanes(F, P.getIncomingValueForBlock(Edges[I].From)), Out);
  return Out;
}

/// Runs the blocks of \p L, or of the function without one, from its head on.
Ends Executor::region(Frame &F, Loop *L, State S, T When) {
  Ends Out;
  DenseMap<const BasicBlock *, std::vector<Edge>> Into;
  DenseSet<const BasicBlock *> Done;
  const BasicBlock *Head = L ? L->getHeader() : &F.F.getEntryBlock();
  auto leave = [&](Edge E) {
    if (E.When->isFalse())
      return;
    if (L && E.To == Head)
      Out.Again.push_back(std::move(E));
    else if (L && !L->contains(E.To))
      Out.Out.push_back(std::move(E));
    else if (Done.count(E.To))
      fail("the ways through the function are not loops");
    else
      Into[E.To].push_back(std::move(E));
  };
  for (BasicBlock *B : F.Order) {
    Loop *Own = F.Loops.getLoopFor(B);
    bool Nested =
        Own != L && Own && Own->getParentLoop() == L && Own->getHeader() == B;
    if (Own != L && !Nested)
      continue;
    std::vector<Edge> Edges = std::move(Into[B]);
    Done.insert(B);
    State At;
    T Reached = When;
    if (B == Head) {
      At = S;
    } else {
      if (Edges.empty())
        continue;
      Reached = anyOf(Edges);
      At = merged(Edges, Reached);
      DenseMap<const PHINode *, Lanes> First;
      for (const PHINode &P : B->phis())
        First[&P] = merged(F, P, Edges, Reached);
      if (failed())
        return Out;
      if (Nested) {
        for (Edge &E : loop(F, *Own, std::move(At), Reached, std::move(First)))
          leave(std::move(E));
        if (failed())
          return Out;
        continue;
      }
      for (auto &[P, V] : First)
        F.Values[P] = V;
    }
    Now = Reached;
    for (Instruction &I : *B) {
      if (isa<PHINode>(I) || I.isTerminator())
        continue;
      step(F, I, At);
      if (failed())
        return Out;
      Now = Reached;
    }
    Instruction &End = *B->getTerminator();
    if (DebugLoc Where = End.getDebugLoc())
      Line = Where.getLine();
    if (auto *R = dyn_cast<ReturnInst>(&End)) {
      Lanes V;
      if (R->getReturnValue())
        V = lanes(F, R->getReturnValue());
      F.Returns.push_back({Reached, std::move(At), std::move(V)});
    } else if (auto *Br = dyn_cast<BranchInst>(&End)) {
      if (Br->isUnconditional() || Br->getSuccessor(0) == Br->getSuccessor(1)) {
        leave({B, Br->getSuccessor(0), Reached, std::move(At)});
      } else {
        T If = scalar(F, Br->getCondition());
        useOf(If);
        leave({B, Br->getSuccessor(0), G.both(Reached, If), At});
        leave({B, Br->getSuccessor(1), G.both(Reached, G.negation(If)),
               std::move(At)});
      }
    } else if (auto *Sw = dyn_cast<SwitchInst>(&End)) {
      T Of = scalar(F, Sw->getCondition());
      useOf(Of);
      std::map<const BasicBlock *, SmallVector<T, 4>> Nots;
      SmallVector<T, 8> Default;
      SmallVector<const BasicBlock *, 8> Targets;
      for (auto Case : Sw->cases()) {
        T Not = G.negation(
            G.equal(Of, constantLanes(Case.getCaseValue())[0].Value));
        if (Nots[Case.getCaseSuccessor()].empty())
          Targets.push_back(Case.getCaseSuccessor());
        Nots[Case.getCaseSuccessor()].push_back(Not);
        Default.push_back(Not);
      }
      if (Nots.count(Sw->getDefaultDest())) {
        fail("a switch has a case that is its default");
        return Out;
      }
      for (const BasicBlock *To : Targets)
        leave(
            {B, To, G.both(Reached, G.negation(G.conjunction(Nots[To]))), At});
      leave({B, Sw->getDefaultDest(), G.both(Reached, G.conjunction(Default)),
             std::move(At)});
    } else if (isa<UnreachableInst>(&End)) {
      record(Record::Unreachable, G.truth(true));
    } else {
      fail(Twine("an instruction is not known: ") + End.getOpcodeName());
    }
    if (failed())
      return Out;
  }
  return Out;
}

Lanes Executor::function(Function &Callee, ArrayRef<Lanes> Arguments,
                         State &S) {
  if (CallDepth > 40) {
    fail("a function calls itself");
    return {};
  }
  ++CallDepth;
  Frame F(Callee);
  T When = Now;
  unsigned At = Line;
  for (auto [A, V] : zip(Callee.args(), Arguments))
    F.Values[&A] = V;
  region(F, nullptr, S, When);
  --CallDepth;
  for (const std::string &Of : F.Own)
    --Privates[Of];
  if (failed())
    return {};
  if (F.Returns.empty()) {
    fail("a function does not return");
    return {};
  }
  std::vector<Edge> Edges;
  for (Return &R : F.Returns)
    Edges.push_back({nullptr, nullptr, R.When, std::move(R.At)});
  T Whole = anyOf(Edges);
  S = merged(Edges, Whole);
  Lanes Out = F.Returns.back().Value;
  for (size_t I = Edges.size() - 1; I-- > 0;)
    Out = chosen(gate(Edges, I, Whole), F.Returns[I].Value, Out);
  Now = When;
  Line = At;
  return Out;
}

/// Runs a loop turn by turn, as long as it is known whether it goes on.
std::optional<std::vector<Edge>>
Executor::unrolled(Frame &F, Loop &L, State S, T When,
                   DenseMap<const PHINode *, Lanes> Values) {
  std::vector<Record> Before = Records;
  unsigned FirstStep = Steps;
  for (unsigned Turn = 0; Turn < MostTurns; ++Turn) {
    for (auto &[P, V] : Values)
      F.Values[P] = V;
    Ends E = region(F, &L, S, When);
    if (failed() || E.Again.empty())
      return std::move(E.Out);
    if (!E.Out.empty() || Steps - FirstStep > 20000)
      break;
    S = merged(E.Again, When);
    for (auto &[P, V] : Values)
      V = merged(F, *P, E.Again, When);
  }
  Records = std::move(Before);
  return std::nullopt;
}

/// The iterations of a loop that counts up by one while it is below a bound
/// that stays the same, where nothing else ends it: null where it is another
/// one. \p Exact gives the integer that a signed value stands for, where
/// something tells it.
std::optional<Turns> Executor::counted(unsigned Depth, T GoesOn,
                                       ArrayRef<Record> Inner,
                                       function_ref<T(T)> Exact) {
  // Of loops within nothing says that they end.
  if (any_of(Inner, [](const Record &R) { return R.Sort == Record::Ends; }))
    return std::nullopt;
  bool Strict = !GoesOn->is(Op::Not); // i < n; else !(n < i)
  T Test = Strict ? GoesOn : GoesOn->Kids[0];
  if (!Test->is(Op::SLess) && !Test->is(Op::ULess))
    return std::nullopt;
  bool Signed = Test->is(Op::SLess);
  T I = Test->Kids[Strict ? 0 : 1], Bound = Test->Kids[Strict ? 1 : 0];
  T First = G.sub(I, G.extract(G.count(Depth), 0, I->Width));
  if (First->isBoundIn(Depth) || Bound->isBoundIn(Depth))
    return std::nullopt;
  // i is First + count, and does not leave its type before it reaches the
  // bound.
  auto extended = [&](T A) {
    T Told = Signed ? Exact(A) : nullptr;
    if (Told && !Told->isBoundIn(Depth))
      return Told;
    return Signed ? G.sext(A, 64) : G.zext(A, 64);
  };
  T Runs = Strict ? G.less(Signed, First, Bound)
                  : G.negation(G.less(Signed, Bound, First));
  // What a text writes for the last value of a counter without a sign.
  T Last = Signed || !Strict
               ? G.plus(extended(Bound), Strict ? ~uint64_t(0) : 0)
               : G.zext(G.plus(Bound, ~uint64_t(0)), 64);
  Turns Out{Runs, G.sub(Last, extended(First))};
  if (!Signed && Strict && I->Width < 64) {
    Out.Index = G.zext(I, 64);
    Out.Counted = G.add(G.count(Depth), G.zext(First, 64));
  }
  return Out;
}

/// Puts other terms in the place of those in \p By, in all that is known of a
/// loop.
void Executor::replace(Frame &F, Loop &L, unsigned Depth,
                       const std::map<T, T> &By, T &GoesOn,
                       std::vector<Part> &Parts, std::vector<Record> &Inner,
                       std::vector<Edge> &Out) {
  std::map<T, T> Done;
  auto put = [&](T &A) {
    if (A)
      A = G.substitute(A, Depth, By, Done);
  };
  put(GoesOn);
  for (Part &P : Parts)
    put(P.Next);
  for (Record &R : Inner) {
    for (T *Each : {&R.What, &R.Trace, &R.When})
      put(*Each);
    for (auto &[Each, Entered] : R.Loops) {
      put(Each);
      put(Entered);
    }
  }
  for (Edge &Each : Out) {
    put(Each.When);
    put(Each.At.Trace);
    for (auto &[Name, Memory] : Each.At.Memory)
      put(Memory);
  }
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (auto It = F.Values.find(&I); It != F.Values.end())
        for (Lane &V : It->second) {
          put(V.Value);
          put(V.Wide);
        }
}

/// What is recorded of the first and of the last iteration of \p Of: whatever a
/// loop does in each iteration it does in these two.
std::vector<Record> Executor::firstAndLast(unsigned Depth, T GoesOn,
                                           const Turns &Of,
                                           ArrayRef<Record> Inner) {
  T Count = G.count(Depth);
  std::vector<Record> Out;
  for (T At : {G.constant(64, 0), Of.Last}) {
    std::map<T, T> By{{Count, At}}, Done;
    auto there = [&](T A) {
      return A ? G.substitute(A, Depth, By, Done) : nullptr;
    };
    for (const Record &R : Inner) {
      if (R.Implied || !R.Loops.empty() ||
          !(R.What->isBoundIn(Depth) || R.When->isBoundIn(Depth)))
        continue;
      Record New = R;
      New.Implied = true;
      New.What = there(R.What);
      New.Trace = there(R.Trace);
      New.When = G.both(Of.Run, there(G.given(R.When, GoesOn)));
      if (none_of(ArrayRef<T>{New.What, New.Trace, New.When},
                  [&](T A) { return A && A->isBoundIn(Depth); }))
        Out.push_back(std::move(New));
    }
  }
  return Out;
}

/// \p Memory is stored to by each iteration of a loop at addresses that stay
/// the same, and nowhere else: it is the memory before the loop with a value at
/// each of them. Gives those values, which are parts of the loop's state in its
/// place. What then stands for it, and for \p Loads from it, goes to \p By.
///
/// A load from elsewhere is one from the memory before the loop where it leads
/// outside of these places in the first and in the last iteration: if each
/// iteration does it and the addresses are some way apart, then all lie between
/// those two, since all lie in one buffer, and no buffer is half of all memory.
std::vector<Part> Executor::elements(unsigned Depth, T GoesOn,
                                     const std::optional<Turns> &Of,
                                     ArrayRef<Record> Inner, ArrayRef<T> Loads,
                                     const Part &Memory,
                                     std::map<T, unsigned> &Numbers,
                                     std::map<T, T> &By) {
  struct Store {
    T Address, Next, Bound;
  };
  SmallVector<Store, 2> Stores; // the last one first
  T Below = Memory.Next;
  for (; Below->is(Op::Store); Below = Below->Kids[0]) {
    if (Below->Kids[1]->isBoundIn(Depth))
      return {};
    Stores.push_back({Below->Kids[1], Below->Kids[2], nullptr});
  }
  if (Below != Memory.Bound || Stores.empty())
    return {};
  T Before = Memory.First.Value, Whole = Before;
  std::vector<Part> Out;
  for (Store &S : reverse(Stores)) {
    Part New;
    New.First = {G.load(Before, S.Address, S.Next->Width)};
    New.Next = S.Next;
    New.Bound = S.Bound =
        G.bound(Depth, New.First.Value, Numbers[New.First.Value]++);
    New.Memory = Memory.Memory;
    Whole = G.store(Whole, S.Address, S.Bound);
    Out.push_back(std::move(New));
  }
  By[Memory.Bound] = Whole;

  T Count = G.count(Depth);
  auto at = [&](T A, T Turn) {
    std::map<T, T> There{{Count, Turn}}, Done;
    return G.substitute(A, Depth, There, Done);
  };
  for (T Load : Loads) {
    T Address = Load->Kids[1], From = Load->Kids[0];
    unsigned Bytes = Load->Width / 8;
    T Step = G.sub(at(Address, G.plus(Count, 1)), Address);
    T First = at(Address, G.constant(64, 0)),
      Last = Of ? at(Address, Of->Last) : nullptr;
    if (!Last || Step->isBoundIn(Depth) || First->isBoundIn(Depth) ||
        !bufferOf(Address))
      continue;
    // Each iteration does it, and none does it after the last one.
    bool Always = false, Later = false;
    for (const Record &R : Inner)
      if (auto D = G.difference(Address, R.What);
          R.Sort == Record::Read && D && *D >= 0 &&
          *D <= int64_t(R.Bytes) - int64_t(Bytes)) {
        Always |= R.Loops.empty() && G.given(R.When, GoesOn)->isTrue();
        Later |= !G.implies(R.When, GoesOn);
      }
    if (!Always || Later)
      continue;
    auto isOutside = [&](T Place, unsigned Width) {
      return G.isOutside(Place, Width / 8, First, Last, Bytes);
    };
    while (From->is(Op::Store) &&
           isOutside(From->Kids[1], From->Kids[2]->Width))
      From = From->Kids[0];
    if (From != Memory.Bound)
      continue;
    auto *Hit = find_if(Stores, [&](const Store &S) {
      return !isOutside(S.Address, S.Next->Width);
    });
    if (Hit == Stores.end())
      By[Load] = G.load(Before, Address, Load->Width);
    else if (Hit->Address == Address && Hit->Next->Width == Load->Width)
      By[Load] = Hit->Bound;
  }
  return Out;
}

/// Puts values in the place of the memories of which a loop stores to the same
/// addresses in each iteration. None where it has events, such as barriers,
/// which show its memory to others.
void Executor::keepElements(Frame &F, Loop &L, unsigned Depth,
                            const std::optional<Turns> &Turn, T &GoesOn,
                            std::vector<Part> &Parts,
                            std::vector<Record> &Inner,
                            std::vector<Edge> &Out) {
  if (any_of(Parts, [](const Part &P) { return !P.P && P.Memory.empty(); }))
    return;
  std::map<T, T> By;
  std::vector<Part> Elements;
  std::map<T, unsigned> Numbers;
  for (const Part &P : Parts)
    if (P.Bound)
      ++Numbers[P.First.Value];
  std::vector<T> Loads;
  SmallVector<T, 32> Work{GoesOn};
  for (const Part &P : Parts)
    Work.push_back(P.Next);
  for (const Record &R : Inner)
    Work.append({R.What, R.When});
  for (DenseSet<T> Seen; !Work.empty();) {
    T A = Work.pop_back_val();
    if (!A || !A->isBoundIn(Depth) || !Seen.insert(A).second)
      continue;
    if (A->is(Op::Load))
      Loads.push_back(A);
    append_range(Work, A->Kids);
  }
  for (Part &P : Parts)
    if (!P.P && P.Bound && !StringRef(P.Memory).starts_with("private "))
      append_range(Elements,
                   elements(Depth, GoesOn, Turn, Inner, Loads, P, Numbers, By));
  if (!By.empty()) {
    append_range(Parts, Elements);
    replace(F, L, Depth, By, GoesOn, Parts, Inner, Out);
  }
}

std::vector<Edge> Executor::loop(Frame &F, Loop &L, State S, T When,
                                 DenseMap<const PHINode *, Lanes> First) {
  if (auto Out = unrolled(F, L, S, When, First))
    return std::move(*Out);
  if (failed())
    return {};
  unsigned Depth = ++LoopDepth;
  if (Depth > 20) {
    fail("loops are nested too deeply");
    return {};
  }
  T Count = G.count(Depth);
  std::vector<Part> Parts;
  for (const PHINode &P : L.getHeader()->phis())
    for (auto [N, V] : enumerate(First[&P])) {
      Part New;
      New.P = &P;
      New.Number = N;
      New.First = V;
      if (P.getType()->isPointerTy() &&
          (!bufferOf(V.Value, &New.Base) || !New.Base)) {
        fail("a pointer that a loop moves leads to an unknown buffer");
        return {};
      }
      if (New.Base)
        New.First = {G.sub(V.Value, New.Base)};
      Parts.push_back(std::move(New));
    }
  std::vector<Record> Before = std::move(Records), Inner;
  Ends E;
  T GoesOn = nullptr;
  bool Stable = false;
  for (unsigned Pass = 0; Pass < MostPasses && !Stable; ++Pass) {
    Records.clear();
    // The state in some iteration.
    State At = S;
    std::map<T, unsigned> Numbers;
    DenseMap<const PHINode *, Lanes> Values;
    for (Part &P : Parts) {
      Lane V;
      unsigned Width = P.First.Value->Width;
      if (P.Growth) {
        V.Value =
            G.add(P.First.Value, G.mul(G.extract(Count, 0, Width), P.Growth));
        if (P.WideGrowth)
          V.Wide = G.add(wide(P.First), G.mul(Count, P.WideGrowth));
        P.Bound = nullptr;
      } else {
        P.Bound = G.bound(Depth, P.First.Value, Numbers[P.First.Value]++);
        V.Value = P.Bound;
      }
      if (P.P && P.Base)
        V.Value = G.add(P.Base, V.Value);
      if (P.P)
        Values[P.P].push_back(V);
      else if (P.Memory.empty())
        At.Trace = V.Value;
      else
        At.Memory[P.Memory] = V.Value;
    }
    for (auto &[P, V] : Values)
      F.Values[P] = V;
    E = region(F, &L, At, G.truth(true));
    if (failed())
      return {};
    if (E.Again.empty()) {
      fail("a loop never goes on");
      return {};
    }
    GoesOn = anyOf(E.Again);
    State End = merged(E.Again, GoesOn);
    Stable = true;
    // What it changes is a part of its state.
    auto addMemory = [&](StringRef Name, T Was, T Is, T Begins) {
      if (Is == Was || any_of(Parts, [&](const Part &P) {
            return !P.P && P.Memory == Name;
          }))
        return;
      Part New;
      New.Memory = Name.str();
      New.First = {Begins};
      New.Varies = true;
      Parts.push_back(std::move(New));
      Stable = false;
    };
    for (auto &[Name, Memory] : End.Memory) {
      bool Known = S.Memory.count(Name);
      if (!Known && StringRef(Name).starts_with("private "))
        continue;
      if (!Known)
        S.Memory[Name] = G.variable(0, "memory of " + Name);
      T Was = Known ? At.Memory[Name] : S.Memory[Name];
      addMemory(Name, Was, Memory, S.Memory[Name]);
    }
    addMemory("", At.Trace, End.Trace, S.Trace);
    for (Part &P : Parts) {
      if (!P.P) {
        if (P.Bound)
          P.Next = P.Memory.empty() ? End.Trace : End.Memory[P.Memory];
        continue;
      }
      Lane Was = Values[P.P][P.Number];
      Lane Is = merged(F, *P.P, E.Again, GoesOn)[P.Number];
      if (failed())
        return {};
      T Base = nullptr;
      if (P.Base && (!bufferOf(Is.Value, &Base) || Base != P.Base)) {
        fail("a pointer changes its buffer in a loop");
        return {};
      }
      T Growth = G.sub(Is.Value, Was.Value);
      bool Steady = !Growth->isBoundIn(Depth);
      T WideGrowth = Is.Wide && Was.Value->Width < 64
                         ? G.sub(Is.Wide, wide(Was))
                         : nullptr;
      if (WideGrowth && WideGrowth->isBoundIn(Depth))
        WideGrowth = nullptr;
      if (P.Growth) {
        // It must grow as it was taken to.
        if (Growth != P.Growth ||
            (P.WideGrowth && WideGrowth != P.WideGrowth)) {
          P.Growth = P.WideGrowth = nullptr;
          P.Varies = true;
          Stable = false;
        }
        continue;
      }
      P.Next = P.Base ? G.sub(Is.Value, P.Base) : Is.Value;
      if (Steady && !P.Varies) {
        P.Growth = Growth;
        P.WideGrowth = WideGrowth;
        Stable = false;
      }
    }
  }
  Inner = std::move(Records);
  Records = std::move(Before);
  --LoopDepth;
  if (!Stable) {
    fail("what a loop changes is not found");
    return {};
  }
  auto exact = [&](T A) -> T {
    for (const Part &P : Parts)
      if (P.First.Value == A && P.First.Wide)
        return P.First.Wide;
    // The head of the loop runs where the loop is entered.
    for (const Instruction &I : *L.getHeader())
      if (isa<ICmpInst>(I))
        for (const Value *V : I.operands())
          for (const Lane &Each : F.Values.lookup(V))
            if (Each.Value == A && Each.Wide)
              return Each.Wide;
    return nullptr;
  };
  std::optional<Turns> Turn = counted(Depth, GoesOn, Inner, exact);
  if (Turn && Turn->Index)
    replace(F, L, Depth, {{Turn->Index, Turn->Counted}}, GoesOn, Parts, Inner,
            E.Out);
  keepElements(F, L, Depth, Turn, GoesOn, Parts, Inner, E.Out);
  if (Turn)
    append_range(Inner, firstAndLast(Depth, GoesOn, *Turn, Inner));

  // The loop as a term, with those parts of its state that matter for \p Of,
  // which are named in the order in which they are met.
  struct Named {
    std::map<T, T> Names, Done; ///< of variables, and of terms with them
    T Whole = nullptr;
  };
  std::map<std::vector<const Part *>, Named> ByOrder;
  auto named = [&](ArrayRef<T> Of) -> Named & {
    std::vector<const Part *> Met;
    std::map<T, unsigned> Numbers;
    std::map<T, T> Names;
    SmallVector<T, 8> Work(Of.rbegin(), Of.rend());
    Work.insert(Work.begin(), GoesOn);
    DenseSet<T> Seen;
    while (!Work.empty()) {
      T A = Work.pop_back_val();
      if (!A || !A->isBoundIn(Depth) || !Seen.insert(A).second)
        continue;
      for (const Part &P : Parts)
        if (P.Bound == A) {
          Names[A] = G.bound(Depth, P.First.Value, Numbers[P.First.Value]++);
          Met.push_back(&P);
          Work.push_back(P.Next);
        }
      Work.append(A->Kids.rbegin(), A->Kids.rend());
    }
    Named &Out = ByOrder[Met];
    if (Out.Whole)
      return Out;
    Out.Names = std::move(Names);
    SmallVector<T, 8> States;
    for (const Part *P : Met)
      append_range(States, ArrayRef<T>{Out.Names[P->Bound], P->First.Value,
                                       G.substitute(P->Next, Depth, Out.Names,
                                                    Out.Done)});
    Out.Whole =
        G.loop(Depth, G.substitute(GoesOn, Depth, Out.Names, Out.Done), States);
    return Out;
  };
  std::map<T, T> AtEnd, Ended;
  T Whole = named({}).Whole;
  AtEnd[Count] = G.last(Count, Whole);
  for (const Part &P : Parts)
    if (P.Bound) {
      Named &N = named({P.Bound});
      AtEnd[P.Bound] = G.last(N.Names[P.Bound], N.Whole);
    }
  auto atEnd = [&](T A) {
    return A ? G.substitute(A, Depth, AtEnd, Ended) : nullptr;
  };

  for (Record &R : Inner) {
    SmallVector<T *, 8> Own{&R.What, &R.Trace, &R.When};
    for (auto &[Each, Entered] : R.Loops)
      Own.append({&Each, &Entered});
    SmallVector<T, 8> Of;
    for (T *Each : Own)
      Of.push_back(*Each);
    if (any_of(Of, [&](T A) { return A && A->isBoundIn(Depth); })) {
      Named &N = named(Of);
      for (T *Each : Own)
        if (*Each)
          *Each = G.substitute(*Each, Depth, N.Names, N.Done);
      R.Loops.push_back({N.Whole, When});
    } else if (R.Loops.empty()) {
      R.When = G.both(When, R.When); // as in the first iteration
    } else {
      R.Loops.back().second = G.both(When, R.Loops.back().second);
    }
    Records.push_back(std::move(R));
  }
  Record End;
  End.Sort = Record::Ends;
  End.What = Whole;
  End.When = When;
  End.Line = Line;
  Records.push_back(std::move(End));

  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      auto It = F.Values.find(&I);
      if (It == F.Values.end())
        continue;
      if (any_of(I.users(), [&](const User *U) {
            auto *Place = dyn_cast<Instruction>(U);
            return Place && !L.contains(Place);
          }))
        for (Lane &V : It->second)
          V = {atEnd(V.Value), atEnd(V.Wide)};
    }
  // One of the ways out is taken: the last one where none of the others is.
  T Ends = G.negation(GoesOn), Left = G.truth(true);
  for (Edge &Each : E.Out) {
    T If = &Each == &E.Out.back() ? Left : atEnd(G.given(Each.When, Ends));
    Left = G.both(Left, G.negation(If));
    Each.When = G.both(When, If);
    for (auto &[Name, Memory] : Each.At.Memory)
      Memory = atEnd(Memory);
    Each.At.Trace = atEnd(Each.At.Trace);
  }
  if (E.Out.empty())
    fail("a loop never ends");
  return std::move(E.Out);
}

Behaviour Executor::run(Function &Kernel) {
  State S;
  S.Trace = G.variable(0, "start");
  SmallVector<Lanes, 8> Arguments;
  const MDNode *Spaces = Kernel.getMetadata("kernel_arg_addr_space");
  for (Argument &A : Kernel.args()) {
    unsigned N = A.getArgNo();
    std::string Name = "argument " + utostr(N);
    if (!A.getType()->isPointerTy()) {
      Lanes Out;
      for (auto [I, L] : enumerate(leavesOf(A.getType())))
        Out.push_back({G.variable(widthOf(L.Of), Name + "." + utostr(I))});
      Arguments.push_back(Out);
      continue;
    }
    Buffer B;
    B.Memory = Name;
    B.Align = A.getParamAlign().valueOrOne().value();
    unsigned Space = A.getType()->getPointerAddressSpace();
    bool IsBuffer = true;
    if (A.hasByRefAttr()) {
      B.Sort = Buffer::Constant;
      B.Memory = "constant " + Name;
      B.Size = Layout.getTypeAllocSize(A.getParamByRefType());
    } else if (Space == 1) {
      if (!Alone.count(N))
        B.Memory = SharedMemory;
    } else if (Space == 4) {
      auto *C = Spaces && N < Spaces->getNumOperands()
                    ? mdconst::dyn_extract<ConstantInt>(Spaces->getOperand(N))
                    : nullptr;
      IsBuffer = C && C->getZExtValue() == 2;
      B.Sort = Buffer::Constant;
      B.Memory = "constant " + Name;
    } else if (Space == 3) {
      B.Memory = "local " + Name;
    } else {
      fail("an argument is not known");
    }
    T Address = G.variable(64, "&" + Name);
    if (IsBuffer)
      Buffers[Address] = B;
    if (Space == 1)
      G.addGlobal(Address);
    Arguments.push_back({{Address}});
  }
  for (const GlobalVariable &V : M.globals())
    if (V.getAddressSpace() == 3)
      addressOf(V);
  Now = G.truth(true);
  if (!failed())
    function(Kernel, Arguments, S);
  Behaviour Out;
  Out.Problem = Problem;
  Out.Line = ProblemLine;
  Out.End = std::move(S);
  Out.Records = std::move(Records);
  return Out;
}

} // namespace

Behaviour execute(Graph &G, Function &Kernel, const Apart &Alone) {
  return Executor(G, *Kernel.getParent(), Alone).run(Kernel);
}

} // namespace clrewrite::prove
