// One lane's integers and addresses, evaluated on the optimised IR.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

namespace clrewrite::measure {

/// Evaluates integers and pointers for one lane at one point of its loops. What
/// the source does not say, such as arguments and what is loaded, is made up
/// but fixed.
class Lane {
public:
  Lane(llvm::ScalarEvolution &SE, const llvm::DataLayout &DL,
       const llvm::LoopInfo &Loops)
      : SE(SE), DL(DL), Loops(Loops) {}

  unsigned Id = 0;
  llvm::SmallDenseMap<const llvm::Loop *, int64_t> Iteration;

  /// To be called when Id or Iteration has changed.
  void forget() { Known.clear(); }

  int64_t value(const llvm::Value *V, unsigned Depth = 0);
  int64_t value(const llvm::SCEV *S, unsigned Depth = 0);

private:
  llvm::ScalarEvolution &SE;
  const llvm::DataLayout &DL;
  const llvm::LoopInfo &Loops;
  llvm::DenseMap<const llvm::Value *, int64_t> Known;

  int64_t compute(const llvm::Value *V, unsigned Depth);
  int64_t address(const llvm::GEPOperator *Gep, unsigned Depth);
  int64_t instruction(const llvm::Instruction *I, unsigned Depth);
  int64_t phi(const llvm::PHINode *P, unsigned Depth);
  int64_t loaded(const llvm::LoadInst *L, unsigned Depth);
  int64_t call(const llvm::CallInst *C, unsigned Depth);
};

} // namespace clrewrite::measure
