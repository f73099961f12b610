// Sizes for a launch that is made up.
#include "measure/execute/MadeUpLaunch.h"
#include "measure/LaunchArguments.h"
#include "measure/estimate/WaveTrace.h"
#include "measure/llvm/AddressSpaces.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include <cstring>

using namespace llvm;

namespace clrewrite::measure {
namespace {

/// Local memory behind a pointer that is an argument.
constexpr uint64_t LocalBytes = uint64_t(32) << 10;
/// The dimensions whose ids \p Kernel, or a function that is not inlined, asks
/// for.
unsigned dimensionsOf(const Function &Kernel) {
  unsigned Out = 1;
  for (const Function &F : *Kernel.getParent()) {
    StringRef Name = F.getName();
    if (!F.isDeclaration() ||
        !(Name.contains(".workitem.id.") || Name.contains(".workgroup.id.") ||
          Name.contains(".sreg.tid.") || Name.contains(".sreg.ctaid.")))
      continue;
    for (const User *U : F.users())
      if (const auto *I = dyn_cast<Instruction>(U);
          I && (I->getFunction() == &Kernel || !isKernel(*I->getFunction())))
        Out = std::max(Out, Name.ends_with("z")   ? 3u
                            : Name.ends_with("y") ? 2u
                                                  : 1u);
  }
  return Out;
}

/// Appends \p V, of \p Bytes.
template <typename T> void append(std::string &To, T V, uint64_t Bytes) {
  std::string Raw(reinterpret_cast<const char *>(&V), sizeof V);
  Raw.resize(Bytes);
  To += Raw;
}

/// The value of an argument, whose integers are all one.
class PassedValue {
public:
  PassedValue(const DataLayout &DL, uint64_t Integer)
      : DL(DL), Integer(Integer) {}

  /// Appends a value of type \p T; false where there is none.
  bool add(Type *T, std::string &To) {
    uint64_t Bytes = DL.getTypeAllocSize(T);
    const size_t Begin = To.size();
    bool Known = true;
    if (auto *S = dyn_cast<StructType>(T)) {
      const StructLayout *L = DL.getStructLayout(S);
      for (unsigned I = 0; I < S->getNumElements() && Known; ++I) {
        To.resize(Begin + L->getElementOffset(I));
        Known = add(S->getElementType(I), To);
      }
    } else if (auto *A = dyn_cast<ArrayType>(T)) {
      for (uint64_t I = 0; I < A->getNumElements() && Known; ++I)
        Known = add(A->getElementType(), To);
    } else if (auto *V = dyn_cast<FixedVectorType>(T)) {
      for (unsigned I = 0; I < V->getNumElements() && Known; ++I)
        Known = add(V->getElementType(), To);
    } else if (T->isIntegerTy()) {
      append(To, Bytes > 1 ? Integer : uint64_t(1), Bytes);
    } else if (T->isFloatTy()) {
      append(To, 1.0f, Bytes);
    } else if (T->isDoubleTy()) {
      append(To, 1.0, Bytes);
    } else if (T->isHalfTy()) {
      constexpr uint16_t HalfOne = 0x3c00;
      append(To, HalfOne, Bytes);
    } else {
      Known = false;
    }
    To.resize(Begin + Bytes);
    return Known;
  }

private:
  const DataLayout &DL;
  uint64_t Integer;
};

/// What OpenCL C's name is for that to which argument \p I of \p Kernel points.
StringRef elementName(const Function &Kernel, unsigned I) {
  const MDNode *Types = Kernel.getMetadata("kernel_arg_base_type");
  const auto *Name = Types && I < Types->getNumOperands()
                         ? dyn_cast<MDString>(Types->getOperand(I))
                         : nullptr;
  return Name ? Name->getString().rtrim('*').trim() : "";
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
    bool ByValue = A.hasPassPointeeByValueCopyAttr();
    if (const auto *P = dyn_cast<PointerType>(A.getType()); P && !ByValue) {
      Out.Buffers[I] = launchBuffer(
          Out, elementName(Kernel, I),
          P->getAddressSpace() == SharedSpace ? LocalBytes : EndlessBytes);
      continue;
    }
    std::string Bytes;
    Type *T = ByValue ? A.getPointeeInMemoryValueType() : A.getType();
    if (PassedValue(DL, MadeUp.front()).add(T, Bytes))
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
