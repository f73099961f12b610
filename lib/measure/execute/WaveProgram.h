// A function of LLVM's IR, laid out to be executed by waves.
//
// Each value has registers: one for each scalar in it, and of each register a
// wave has a column of one 64-bit word a lane. Narrower scalars stand in the
// low bits, the others are zero; integers of more than 64 bits take several
// registers.
//
// Blocks are numbered such that loops are contiguous and every edge but those
// back to a loop's header leads to a higher number. A wave always runs the
// lowest block in which lanes wait. So the sides of a branch meet again where
// they join, and lanes that leave a loop wait for those that stay.
#pragma once

#include "measure/llvm/AddressSpaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace clrewrite::measure {

/// A number below 0 is a constant's register, ~0 the first.
using RegisterNumber = int32_t;

struct WaveStep {
  const llvm::Instruction *At;
  /// The first register of the result, how many it has, and the bits of the
  /// scalar in each: of the first operand where there is no result.
  RegisterNumber Result;
  unsigned Registers, Bits;
  /// Where its operands are among WaveProgram::Operands.
  unsigned FirstOperand;
  /// A getelementptr's bytes for all constant indices. The others are operands
  /// behind the pointer, and Strides has a factor for each.
  int64_t ConstantOffset = 0;
  unsigned FirstStride = 0, Strides = 0;
};

struct WaveBlock {
  const llvm::BasicBlock *At;
  unsigned First, End; ///< of Steps
};

class WaveProgram {
public:
  /// \p AddressOf gives the address of a global variable; it is asked once for
  /// each, and says in the string why there is none.
  using AddressesOfGlobals =
      std::function<uint64_t(const llvm::GlobalVariable &, std::string &)>;

  WaveProgram(const llvm::Function &F, AddressesOfGlobals AddressOf);

  const llvm::Function &F;
  const llvm::DataLayout &Layout;
  std::vector<WaveBlock> Blocks;
  std::vector<WaveStep> Steps;
  std::vector<RegisterNumber> Operands;
  std::vector<int64_t> Strides;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> NumberOf;
  unsigned Registers = 0;
  /// The values of the constants' registers.
  std::vector<uint64_t> Constants;
  /// The column of the constants' register \p N, for waves of \p Lanes lanes;
  /// no more constants may be added then.
  const uint64_t *constantColumn(unsigned N, unsigned Lanes);
  /// Bytes of private memory that its allocas take, and where each begins.
  unsigned PrivateBytes = 0;
  llvm::DenseMap<const llvm::Instruction *, unsigned> Allocated;
  std::string Problem; ///< why it can't be executed; empty where it can

  /// The first register of \p V, which the function computes or takes.
  RegisterNumber registerOf(const llvm::Value *V);

  /// How many registers a value of type \p T has; none for one that no
  /// register holds.
  unsigned registersOf(llvm::Type *T);
  /// Bits of a register of type \p T, a scalar or a vector.
  unsigned bitsOf(llvm::Type *T) const;
  /// Registers of the members of \p Aggregate before that of \p Indices.
  unsigned registersBefore(llvm::Type *Aggregate,
                           llvm::ArrayRef<unsigned> Indices);

private:
  AddressesOfGlobals AddressOf;
  llvm::DenseMap<const llvm::Value *, RegisterNumber> Numbers;
  std::vector<uint64_t> Columns;

  void fail(const llvm::Twine &Why);
  void numberBlocks();
  void add(const llvm::Instruction &I);
  void addElement(const llvm::GetElementPtrInst &I, WaveStep &S);
  void appendConstant(const llvm::Constant *C);
  uint64_t constantAddress(const llvm::Constant *C);
};

/// The null pointer of an address space: on AMD's GPUs all bits are set where
/// zero is a valid offset.
uint64_t nullPointer(const llvm::Module &M, unsigned AddressSpace);

/// Upper bits of generic addresses that lead into shared and private memory.
inline constexpr uint64_t SharedAperture = 0xfff1, PrivateAperture = 0xfff2;

} // namespace clrewrite::measure
