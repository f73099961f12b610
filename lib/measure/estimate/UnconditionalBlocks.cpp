// A block is unconditional where no path through the function avoids it.
#include "measure/estimate/UnconditionalBlocks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace clrewrite::measure {

bool UnconditionalBlocks::has(const BasicBlock *B) {
  auto [It, New] = Known.try_emplace(B, false);
  if (!New)
    return It->second;
  bool Sure = true;
  const BasicBlock *At = B;
  for (const Loop *L = Loops.getLoopFor(B);; L = L->getParentLoop()) {
    Sure &= !canAvoid(At, L);
    if (!L)
      break;
    At = L->getHeader();
  }
  return Known[B] = Sure;
}

static bool isIdleEnd(const BasicBlock *B) {
  return isa<ReturnInst>(B->getTerminator()) &&
         none_of(*B, [](const Instruction &I) {
           return I.mayReadOrWriteMemory() && !I.isDebugOrPseudoInst();
         });
}

/// From the header of \p Within (null: the function's entry) a way leads
/// around \p B to another iteration, or to the end.
bool UnconditionalBlocks::canAvoid(const BasicBlock *B,
                                   const Loop *Within) const {
  const BasicBlock *Start = Within ? Within->getHeader() : &F.getEntryBlock();
  if (Start == B)
    return false;
  SmallPtrSet<const BasicBlock *, 32> Seen{Start};
  SmallVector<const BasicBlock *> Todo{Start};
  while (!Todo.empty()) {
    const BasicBlock *At = Todo.pop_back_val();
    if (!Within && isa<ReturnInst>(At->getTerminator()))
      return true;
    for (const BasicBlock *Next : successors(At)) {
      if (Next == B || isGuard(At, Next, B, Within))
        continue;
      if (Within && Next == Within->getHeader())
        return true;
      if ((!Within || Within->contains(Next)) && Seen.insert(Next).second)
        Todo.push_back(Next);
    }
  }
  return false;
}

/// The way from \p At to \p Next is one that leaves because there is nothing
/// to do: out of the kernel, or past a loop that runs no iteration.
bool UnconditionalBlocks::isGuard(const BasicBlock *At, const BasicBlock *Next,
                                  const BasicBlock *B,
                                  const Loop *Within) const {
  if (succ_size(At) < 2)
    return false;
  if (!Within && isIdleEnd(Next))
    return true;
  // `if (n > 0)` before the loop over n.
  const auto *Branch = dyn_cast<BranchInst>(At->getTerminator());
  const Loop *L = Loops.getLoopFor(B);
  bool OfLoop = L && L->getHeader() == B && L != Within && !Exact.contains(B);
  return OfLoop && Branch && isa<ICmpInst>(Branch->getCondition()) &&
         any_of(successors(At), [&](const BasicBlock *S) {
           return S == B || S->getSingleSuccessor() == B;
         });
}

} // namespace clrewrite::measure
