// The mark is metadata, which copies of the branch share: i1 is the successor's
// number.
#include "measure/llvm/SeldomTaken.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace clrewrite::measure {

static constexpr StringLiteral Mark = "clrewrite.seldom";

void markSeldomTaken(BranchInst &Branch, unsigned Side) {
  LLVMContext &C = Branch.getContext();
  auto *Number = ConstantAsMetadata::get(ConstantInt::getBool(C, Side != 0));
  Branch.setMetadata(Mark, MDNode::get(C, Number));
}

const BasicBlock *seldomTaken(const BranchInst &Branch) {
  const MDNode *Found = Branch.getMetadata(Mark);
  if (!Found || !Branch.isConditional())
    return nullptr;
  const auto *Side = mdconst::extract<ConstantInt>(Found->getOperand(0));
  return Branch.getSuccessor(unsigned(Side->getZExtValue()));
}

} // namespace clrewrite::measure
