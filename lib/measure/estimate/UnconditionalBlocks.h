// The blocks of a kernel that every work-item runs, whatever the conditions in
// it say.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Function.h"

namespace clrewrite::measure {

/// The blocks that every work-item runs which runs the kernel at all; of a
/// loop's, those that run in each iteration.
///
/// A branch from a block straight to an end that does nothing is a guard,
/// `if (x >= w) return;`. Only work-items at the edge are taken to leave there,
/// so that what follows counts as unconditional. So does a loop over n that
/// stands right after `if (n > 0)`.
class UnconditionalBlocks {
public:
  /// \p Exact has the headers of loops whose count is in the text: they need
  /// no guard. The references must outlive this.
  UnconditionalBlocks(llvm::Function &F, llvm::LoopInfo &Loops,
                      const llvm::DenseSet<const llvm::BasicBlock *> &Exact)
      : F(F), Loops(Loops), Exact(Exact) {}

  bool has(const llvm::BasicBlock *B);

private:
  llvm::Function &F;
  llvm::LoopInfo &Loops;
  const llvm::DenseSet<const llvm::BasicBlock *> &Exact;
  llvm::DenseMap<const llvm::BasicBlock *, bool> Known;

  bool canAvoid(const llvm::BasicBlock *B, const llvm::Loop *Within) const;
  bool isGuard(const llvm::BasicBlock *At, const llvm::BasicBlock *Next,
               const llvm::BasicBlock *B, const llvm::Loop *Within) const;
};

} // namespace clrewrite::measure
