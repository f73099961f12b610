// One lane's integers and addresses, evaluated on the optimised IR.
#pragma once

#include "launch/Launch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Operator.h"

namespace clrewrite::measure {

/// Evaluates integers and pointers for one lane at one point of its loops. What
/// neither the source nor the launch says, such as what is loaded, is made up
/// but fixed. The lane is one of the fourth work-group.
class Lane {
public:
  Lane(llvm::ScalarEvolution &SE, const llvm::DataLayout &DL,
       const llvm::LoopInfo &Loops, const llvm::DominatorTree &Tree,
       const launch::LaunchFacts &Launch)
      : SE(SE), DL(DL), Loops(Loops), Tree(Tree), Launch(Launch) {}

  unsigned Id = 0;
  llvm::SmallDenseMap<const llvm::Loop *, int64_t> Iteration;
  /// A value was made up, rather than that of an id, a constant, or what the
  /// launch passes; where a buffer begins does not count.
  bool MadeUp = false;
  /// What is loaded bounds a loop, as `k < start[row + 1]` does: of neighbours
  /// the later one is as much larger as a loop has turns that nothing counts.
  bool IsDataSize = false;

  /// To be called when Id or Iteration has changed.
  void forget() {
    // Origins stay: they are of all lanes and turns.
    Known.clear();
    KnownElements.clear();
    Earlier.clear();
    Asked = 0;
    Replays = std::make_shared<unsigned>(0);
  }

  int64_t value(const llvm::Value *V, unsigned Depth = 0);
  int64_t value(const llvm::SCEV *S, unsigned Depth = 0);

  /// The value of \p V where constants and the launch alone decide it, so that
  /// all lanes of all work-groups have it.
  std::optional<int64_t> told(const llvm::Value *V) const;

private:
  llvm::ScalarEvolution &SE;
  const llvm::DataLayout &DL;
  const llvm::LoopInfo &Loops;
  const llvm::DominatorTree &Tree;
  const launch::LaunchFacts &Launch;
  llvm::DenseMap<const llvm::Value *, int64_t> Known;
  /// Of vectors, by element.
  llvm::DenseMap<std::pair<const llvm::Value *, unsigned>, int64_t>
      KnownElements;
  unsigned Asked = 0; ///< values whose way was looked at
  /// The lane as it was an iteration of a loop before.
  llvm::SmallDenseMap<const llvm::Loop *, std::shared_ptr<Lane>> Earlier;
  /// How many such lanes there are, of this one and of those themselves.
  std::shared_ptr<unsigned> Replays = std::make_shared<unsigned>(0);
  /// A value was taken that neither constants nor the launch tell.
  bool Untold = false;

  /// What a value depends on, in one lane or another, or in some turn.
  struct Origin {
    bool Lane = false;    ///< the lane's number
    bool Unknown = false; ///< what neither the source nor the launch says
  };
  llvm::DenseMap<const llvm::Value *, Origin> Origins;
  Origin originOf(const llvm::Value *V, unsigned Depth = 0);
  Origin originOf(const llvm::SCEV *S);
  /// Which of \p A and \p B a bound leaves in the midst of the data, where
  /// nothing tells how far these reach: the one that lanes differ in. Null
  /// where both are, or neither, or the bound is known.
  template <typename T> const T *unbounded(const T *A, const T *B);

  /// Which blocks the lane comes to behind From, by the conditions there.
  struct Way {
    explicit Way(const llvm::BasicBlock *From) : From(From) {}
    const llvm::BasicBlock *From;
    llvm::SmallDenseMap<const llvm::BasicBlock *, bool> Reached;
  };

  int64_t compute(const llvm::Value *V, unsigned Depth);
  int64_t address(const llvm::GEPOperator *Gep, unsigned Depth);
  int64_t instruction(const llvm::Instruction *I, unsigned Depth);
  std::optional<int64_t> bounded(const llvm::Instruction *I, unsigned Depth);
  static std::optional<int64_t>
  arithmetic(const llvm::Instruction *I,
             llvm::function_ref<int64_t(unsigned Operand)> op);
  int64_t phi(const llvm::PHINode *P, unsigned Depth);
  int64_t behindLoops(const llvm::Value *V, const llvm::BasicBlock &At,
                      unsigned Depth);
  unsigned incoming(const llvm::PHINode &P, unsigned Depth);
  bool goesTo(const llvm::BasicBlock *Next, const llvm::BasicBlock *Block,
              unsigned Depth);
  bool isTaken(const llvm::BasicBlock *Block, const llvm::BasicBlock *Next,
               Way &On, unsigned Depth);
  bool isReached(const llvm::BasicBlock *Block, Way &On, unsigned Depth);
  int64_t data(const llvm::LoadInst *L, int64_t Offset, unsigned Depth);
  int64_t element(const llvm::Value *V, unsigned Index, unsigned Depth);
  int64_t computeElement(const llvm::Value *V, unsigned Index, unsigned Depth);
  std::optional<int64_t> toldByLaunch(const llvm::LoadInst *L,
                                      int64_t Offset) const;
  const llvm::Argument *argumentIn(const llvm::LoadInst &L,
                                   int64_t Offset = 0) const;
  std::optional<int64_t> passed(const llvm::Argument &A) const;
  int64_t argument(const llvm::Argument &A);
  int64_t sizeRead(const llvm::CallInst *Register, std::optional<int64_t> Told);
  int64_t localId(unsigned Dimension);
  int64_t groupId(unsigned Dimension);
  int64_t call(const llvm::CallInst *C, unsigned Depth);
};

} // namespace clrewrite::measure
