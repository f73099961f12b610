// Numbering of blocks and values, once for each function.
#include "measure/execute/WaveProgram.h"
#include "measure/execute/DeviceMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace clrewrite::measure {

static constexpr unsigned MostRegisters = 1 << 20;
static constexpr unsigned MostPrivateBytes = 1 << 16;

uint64_t nullPointer(const Module &M, unsigned AddressSpace) {
  bool Amd = Triple(M.getTargetTriple()).isAMDGPU();
  bool Offset = AddressSpace == SharedSpace || AddressSpace == PrivateSpace;
  return Amd && Offset ? 0xffffffff : 0;
}

WaveProgram::WaveProgram(const Function &F, AddressesOfGlobals AddressOf)
    : F(F), Layout(F.getParent()->getDataLayout()),
      AddressOf(std::move(AddressOf)) {
  numberBlocks();
  for (const Argument &A : F.args()) {
    Numbers[&A] = RegisterNumber(Registers);
    Registers += registersOf(A.getType());
  }
  for (const WaveBlock &B : Blocks)
    for (const Instruction &I : *B.At) {
      Numbers[&I] = RegisterNumber(Registers);
      Registers += registersOf(I.getType());
      if (Registers > MostRegisters) {
        fail("it is too large");
        return;
      }
    }
  for (WaveBlock &B : Blocks) {
    B.First = unsigned(Steps.size());
    for (const Instruction &I : *B.At)
      if (!isa<PHINode>(I) && !I.isDebugOrPseudoInst())
        add(I);
    B.End = unsigned(Steps.size());
  }
  // What the edges into blocks hand over.
  for (const WaveBlock &B : Blocks)
    for (const PHINode &P : B.At->phis())
      for (const Value *V : P.incoming_values())
        if (isa<Constant>(V))
          registerOf(V);
}

const uint64_t *WaveProgram::constantColumn(unsigned N, unsigned Lanes) {
  if (Columns.empty())
    for (uint64_t Each : Constants)
      Columns.insert(Columns.end(), Lanes, Each);
  return &Columns[size_t(N) * Lanes];
}

void WaveProgram::fail(const Twine &Why) {
  if (Problem.empty())
    Problem = Why.str();
}

/// The blocks of \p L, or of the function, in reverse post-order with the loops
/// in it taken as one node each.
static void order(const LoopInfo &Loops, const Loop *L, const BasicBlock *Entry,
                  function_ref<void(const BasicBlock *)> Emit) {
  auto nodeOf = [&](const BasicBlock *B) -> const BasicBlock * {
    const Loop *In = Loops.getLoopFor(B);
    while (In && In->getParentLoop() != L)
      In = In->getParentLoop();
    return In ? In->getHeader() : B;
  };
  auto isOf = [&](const BasicBlock *B) { return !L || L->contains(B); };
  auto innerOf = [&](const BasicBlock *B) -> const Loop * {
    const Loop *In = Loops.getLoopFor(B);
    return In != L && In && In->getHeader() == B ? In : nullptr;
  };
  auto nextOf = [&](const BasicBlock *B) {
    SmallVector<const BasicBlock *, 4> Out;
    auto add = [&](const BasicBlock *To) {
      if (isOf(To) && To != Entry)
        Out.push_back(nodeOf(To));
    };
    if (const Loop *In = innerOf(B)) {
      SmallVector<BasicBlock *, 8> Exits;
      In->getExitBlocks(Exits);
      for (const BasicBlock *E : Exits)
        add(E);
    } else {
      for (const BasicBlock *S : successors(B))
        add(S);
    }
    return Out;
  };
  SmallPtrSet<const BasicBlock *, 32> Seen{Entry};
  std::vector<const BasicBlock *> PostOrder;
  struct Visit {
    const BasicBlock *B;
    SmallVector<const BasicBlock *, 4> Next;
  };
  // The entry of a loop is no loop of its own here.
  std::vector<Visit> Path;
  auto open = [&](const BasicBlock *B) { Path.push_back({B, nextOf(B)}); };
  open(Entry);
  while (!Path.empty()) {
    if (Path.back().Next.empty()) {
      PostOrder.push_back(Path.back().B);
      Path.pop_back();
      continue;
    }
    const BasicBlock *To = Path.back().Next.pop_back_val();
    if (Seen.insert(To).second)
      open(To);
  }
  for (const BasicBlock *B : reverse(PostOrder))
    if (const Loop *In = innerOf(B))
      order(Loops, In, B, Emit);
    else
      Emit(B);
}

void WaveProgram::numberBlocks() {
  DominatorTree DT(const_cast<Function &>(F));
  LoopInfo Loops(DT);
  order(Loops, nullptr, &F.getEntryBlock(), [&](const BasicBlock *B) {
    if (NumberOf.try_emplace(B, unsigned(Blocks.size())).second)
      Blocks.push_back({B, 0, 0});
  });
}

unsigned WaveProgram::bitsOf(Type *T) const {
  T = T->getScalarType();
  if (T->isPointerTy())
    return Layout.getPointerTypeSizeInBits(T);
  return unsigned(T->getPrimitiveSizeInBits());
}

unsigned WaveProgram::registersOf(Type *T) {
  if (T->isVoidTy() || T->isLabelTy() || T->isMetadataTy() || T->isTokenTy())
    return 0;
  uint64_t N = 0;
  if (const auto *A = dyn_cast<ArrayType>(T)) {
    N = A->getNumElements() * registersOf(A->getElementType());
  } else if (const auto *S = dyn_cast<StructType>(T)) {
    for (Type *Each : S->elements())
      N += registersOf(Each);
  } else {
    unsigned Bits = bitsOf(T);
    if (isa<ScalableVectorType>(T) || !Bits || (Bits > 64 && Bits % 64) ||
        T->getScalarType()->isFP128Ty())
      fail("it has a type that is not executed");
    unsigned Each = Bits > 64 ? Bits / 64 : 1;
    const auto *V = dyn_cast<FixedVectorType>(T);
    N = uint64_t(V ? V->getNumElements() : 1) * Each;
  }
  if (N > 4096)
    fail("a value in it is too large");
  return unsigned(std::min<uint64_t>(N, 4096));
}

unsigned WaveProgram::registersBefore(Type *Aggregate,
                                      ArrayRef<unsigned> Indices) {
  unsigned N = 0;
  for (unsigned Index : Indices) {
    if (auto *S = dyn_cast<StructType>(Aggregate)) {
      for (unsigned I = 0; I < Index; ++I)
        N += registersOf(S->getElementType(I));
      Aggregate = S->getElementType(Index);
    } else {
      Aggregate = cast<ArrayType>(Aggregate)->getElementType();
      N += Index * registersOf(Aggregate);
    }
  }
  return N;
}

RegisterNumber WaveProgram::registerOf(const Value *V) {
  auto It = Numbers.find(V);
  if (It != Numbers.end())
    return It->second;
  RegisterNumber First = ~RegisterNumber(Constants.size());
  const auto *C = dyn_cast<Constant>(V);
  if (!C) {
    fail("it uses a value that no block computes");
    Constants.push_back(0);
    return First;
  }
  appendConstant(C);
  return Numbers[V] = First;
}

void WaveProgram::appendConstant(const Constant *C) {
  Type *T = C->getType();
  unsigned N = registersOf(T);
  if (isa<UndefValue>(C) || isa<ConstantAggregateZero>(C)) {
    Constants.insert(Constants.end(), N, 0);
  } else if (T->isPointerTy()) {
    Constants.push_back(constantAddress(C));
  } else if (const auto *I = dyn_cast<ConstantInt>(C); I && !T->isVectorTy()) {
    for (unsigned W = 0; W < N; ++W)
      Constants.push_back(I->getValue().extractBitsAsZExtValue(
          std::min(64u, I->getBitWidth()), 64 * W));
  } else if (const auto *R = dyn_cast<ConstantFP>(C); R && !T->isVectorTy()) {
    Constants.push_back(R->getValueAPF().bitcastToAPInt().getLimitedValue());
  } else if (isa<ConstantExpr>(C)) {
    Constants.push_back(constantAddress(C));
  } else {
    unsigned Members = isa<StructType>(T)  ? T->getStructNumElements()
                       : isa<ArrayType>(T) ? unsigned(T->getArrayNumElements())
                       : isa<FixedVectorType>(T)
                           ? cast<FixedVectorType>(T)->getNumElements()
                           : 0;
    if (!Members)
      fail("it has a constant that is not executed");
    for (unsigned Member = 0; Member < Members; ++Member) {
      const Constant *Each = C->getAggregateElement(Member);
      if (!Each)
        return fail("it has a constant that is not executed");
      appendConstant(Each);
    }
  }
}

/// The number that \p C, an address or computed of one, has.
uint64_t WaveProgram::constantAddress(const Constant *C) {
  if (isa<ConstantPointerNull>(C))
    return nullPointer(*F.getParent(), C->getType()->getPointerAddressSpace());
  if (const auto *I = dyn_cast<ConstantInt>(C))
    return I->getZExtValue();
  if (const auto *G = dyn_cast<GlobalVariable>(C)) {
    std::string Why;
    uint64_t At = AddressOf(*G, Why);
    if (!Why.empty())
      fail(Why);
    return At;
  }
  if (const auto *E = dyn_cast<GEPOperator>(C)) {
    APInt Offset(64, 0);
    if (E->accumulateConstantOffset(Layout, Offset))
      return constantAddress(cast<Constant>(E->getPointerOperand())) +
             Offset.getZExtValue();
  }
  if (const auto *E = dyn_cast<ConstantExpr>(C)) {
    if (E->getOpcode() == Instruction::AddrSpaceCast) {
      uint64_t At = constantAddress(E->getOperand(0));
      unsigned From = E->getOperand(0)->getType()->getPointerAddressSpace(),
               To = E->getType()->getPointerAddressSpace();
      if (From == SharedSpace && To == 0)
        return At | SharedAperture << DeviceMemory::OffsetBits;
      if (From != PrivateSpace && To != PrivateSpace && To != SharedSpace)
        return At;
    }
    if (E->isCast())
      return constantAddress(E->getOperand(0));
    if (E->getOpcode() == Instruction::Add)
      return constantAddress(E->getOperand(0)) +
             constantAddress(E->getOperand(1));
  }
  fail("it has a constant expression that is not executed");
  return 0;
}

void WaveProgram::addElement(const GetElementPtrInst &I, WaveStep &S) {
  if (I.getType()->isVectorTy())
    return fail("it has a vector of pointers");
  S.FirstStride = unsigned(Strides.size());
  for (auto It = gep_type_begin(I), End = gep_type_end(I); It != End; ++It) {
    const auto *C = dyn_cast<ConstantInt>(It.getOperand());
    if (StructType *T = It.getStructTypeOrNull()) {
      S.ConstantOffset += int64_t(Layout.getStructLayout(T)->getElementOffset(
          unsigned(C->getZExtValue())));
      continue;
    }
    auto Stride = int64_t(It.getSequentialElementStride(Layout));
    if (C) {
      S.ConstantOffset += C->getSExtValue() * Stride;
      continue;
    }
    Operands.push_back(registerOf(It.getOperand()));
    Strides.push_back(Stride);
    Strides.push_back(int64_t(bitsOf(It.getOperand()->getType())));
    ++S.Strides;
  }
}

void WaveProgram::add(const Instruction &I) {
  WaveStep S{&I, registerOf(&I), registersOf(I.getType()), 0,
             unsigned(Operands.size())};
  Type *Of = I.getType()->isVoidTy() && I.getNumOperands()
                 ? I.getOperand(0)->getType()
                 : I.getType();
  S.Bits = Of->isSized() && !Of->isAggregateType() ? bitsOf(Of) : 0;
  if (const auto *E = dyn_cast<GetElementPtrInst>(&I)) {
    Operands.push_back(registerOf(E->getPointerOperand()));
    addElement(*E, S);
    Steps.push_back(S);
    return;
  }
  if (const auto *A = dyn_cast<AllocaInst>(&I)) {
    std::optional<TypeSize> Size = A->getAllocationSize(Layout);
    if (!Size || Size->isScalable() || *Size > MostPrivateBytes)
      return fail("its private memory has no fixed size");
    PrivateBytes = unsigned(alignTo(PrivateBytes, A->getAlign()));
    Allocated[&I] = PrivateBytes;
    PrivateBytes += unsigned(*Size);
    if (PrivateBytes > MostPrivateBytes)
      return fail("its private memory is too large");
  }
  for (const Use &U : I.operands()) {
    const Value *V = U.get();
    bool Data = !isa<BasicBlock>(V) && !isa<MetadataAsValue>(V) &&
                !isa<Function>(V) && !isa<InlineAsm>(V);
    Operands.push_back(Data ? registerOf(V) : 0);
  }
  Steps.push_back(S);
}

} // namespace clrewrite::measure
