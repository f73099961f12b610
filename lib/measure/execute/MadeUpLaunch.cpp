// Sizes for a launch that is made up.
#include "measure/execute/MadeUpLaunch.h"
#include "measure/LaunchArguments.h"
#include "measure/estimate/WaveTrace.h"
#include "measure/execute/LaneMath.h"
#include "measure/llvm/AddressSpaces.h"
#include "measure/llvm/LaunchIds.h"
#include "measure/llvm/Optimise.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

/// Local memory behind a pointer that is an argument.
constexpr uint64_t LocalBytes = uint64_t(32) << 10;

/// How many dimensions \p Kernel, or a function that it calls, asks the ids of.
unsigned dimensionsOf(const Function &Kernel) {
  const auto Reached = reachedFrom(Kernel);
  unsigned Out = 1;
  for (const Function &F : *Kernel.getParent())
    if (std::optional<LaunchId> Id = launchIdOf(F.getIntrinsicID()))
      for (const User *U : F.users())
        if (Reached.count(cast<Instruction>(U)->getFunction()))
          Out = std::max(Out, Id->Dimension + 1);
  return Out;
}

/// Appends a value of type \p T whose integers are \p Integer, or 1 where they
/// have a byte, and whose floating-point numbers are 1; false where \p T has
/// something else.
bool addValue(Type *T, const DataLayout &DL, uint64_t Integer,
              std::string &To) {
  const size_t Begin = To.size(), Bytes = DL.getTypeAllocSize(T);
  auto addAll = [&](unsigned Count, auto TypeOf, auto OffsetOf) {
    for (unsigned I = 0; I < Count; ++I) {
      To.resize(Begin + OffsetOf(I));
      if (!addValue(TypeOf(I), DL, Integer, To))
        return false;
    }
    return true;
  };
  bool Known = true;
  if (auto *S = dyn_cast<StructType>(T)) {
    const StructLayout *L = DL.getStructLayout(S);
    Known = addAll(
        S->getNumElements(), [&](unsigned I) { return S->getElementType(I); },
        [&](unsigned I) { return uint64_t(L->getElementOffset(I)); });
  } else if (isa<ArrayType, FixedVectorType>(T)) {
    Type *Each = T->getContainedType(0);
    const uint64_t Size = DL.getTypeAllocSize(Each);
    Known = addAll(
        unsigned(isa<ArrayType>(T)
                     ? T->getArrayNumElements()
                     : cast<FixedVectorType>(T)->getNumElements()),
        [&](unsigned) { return Each; }, [&](unsigned I) { return I * Size; });
  } else if (T->isIntegerTy() || T->isFloatTy() || T->isDoubleTy() ||
             T->isHalfTy()) {
    const uint64_t Word = !T->isIntegerTy() ? bitsOfNumber(T, 1)
                          : Bytes > 1       ? Integer
                                            : 1;
    To.append(reinterpret_cast<const char *>(&Word),
              std::min(Bytes, sizeof Word));
  } else {
    Known = false;
  }
  To.resize(Begin + Bytes);
  return Known;
}

/// What OpenCL C's name is for that to which argument \p I of \p Kernel points.
StringRef elementName(const Function &Kernel, unsigned I) {
  return argumentType(Kernel, I).rtrim('*').trim();
}

/// The launch of \p Kernel with the sizes \p MadeUp.
launch::LaunchFacts launchOf(const Function &Kernel,
                             ArrayRef<unsigned> MadeUp) {
  const DataLayout &DL = Kernel.getParent()->getDataLayout();
  launch::LaunchFacts Out = factsOf(Kernel, {}); // the group that it requires
  Out.MadeUp = MadeUp.vec();
  Out.Global.assign(MadeUp.begin() + 1, MadeUp.end());
  for (const Argument &A : Kernel.args()) {
    unsigned I = A.getArgNo();
    bool ByValue = A.hasPointeeInMemoryValueAttr();
    if (const auto *P = dyn_cast<PointerType>(A.getType()); P && !ByValue) {
      Out.Buffers[I] = launchBuffer(
          Out, elementName(Kernel, I),
          P->getAddressSpace() == SharedSpace ? LocalBytes : EndlessBytes);
      continue;
    }
    std::string Bytes;
    Type *T = ByValue ? A.getPointeeInMemoryValueType() : A.getType();
    if (addValue(T, DL, MadeUp.front(), Bytes))
      Out.Values[I] = std::move(Bytes);
  }
  return Out;
}

} // namespace

std::vector<launch::LaunchFacts> madeUpLaunches(const Function &Kernel,
                                                ArrayRef<unsigned> Sizes) {
  static constexpr unsigned OfDimensions[3][3] = {
      {4096, 512, 64}, {2048, 256, 64}, {512, 128, 64}};
  // Work-items may take many elements each, and are then within their bounds.
  constexpr unsigned Elements = 16, FewestAlong[] = {128, 16, 16};
  std::vector<launch::LaunchFacts> Out;
  if (Sizes.size() > 1)
    Out.push_back(launchOf(Kernel, Sizes));
  if (!Sizes.empty())
    return Out;
  const unsigned Dimensions = dimensionsOf(Kernel);
  for (unsigned Size : OfDimensions[Dimensions - 1]) {
    SmallVector<unsigned, 4> MadeUp{Size};
    for (unsigned D = 0; D < Dimensions; ++D)
      MadeUp.push_back(
          std::min(Size, std::max(FewestAlong[D], Size / Elements)));
    Out.push_back(launchOf(Kernel, MadeUp));
  }
  return Out;
}

} // namespace clrewrite::measure
