// Variables become values.
#include "prove/Execute.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace clrewrite::prove {

/// A value of type \p Of that nobody has set, as an instruction before \p At.
static Value *unsetBefore(Instruction *At, Type *Of) {
  IRBuilder<> B(At);
  Module &M = *At->getModule();
  std::string Name = UnsetName;
  raw_string_ostream(Name) << '.' << *Of;
  return B.CreateCall(
      M.getOrInsertFunction(Name, FunctionType::get(Of, false)));
}

void prepare(Function &F) {
  std::vector<AllocaInst *> Variables;
  for (Instruction &I : instructions(F))
    if (auto *A = dyn_cast<AllocaInst>(&I); A && isAllocaPromotable(A))
      Variables.push_back(A);
  for (AllocaInst *A : Variables) {
    std::vector<Instruction *> Places{A};
    for (User *U : A->users())
      if (auto *Call = dyn_cast<IntrinsicInst>(U))
        if (Call->getIntrinsicID() == Intrinsic::lifetime_start)
          Places.push_back(Call);
    for (Instruction *Place : Places) {
      Instruction *Next = Place->getNextNode();
      Value *Unset = unsetBefore(Next, A->getAllocatedType());
      new StoreInst(Unset, A, Next->getIterator());
    }
  }
  DominatorTree Dominators(F);
  PromoteMemToReg(Variables, Dominators);
}

} // namespace clrewrite::prove
