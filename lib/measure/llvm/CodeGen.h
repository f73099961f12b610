// LLVM's code generator with passes of ours on its way.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace clrewrite::measure {

/// Passes that see each machine function on its way; null for none. They must
/// change nothing.
struct Observers {
  /// No observer: changes the IR where nothing but instruction selection comes
  /// behind it.
  llvm::FunctionPass *Lowering = nullptr;
  /// The IR with the blocks that the machine code has.
  llvm::FunctionPass *BeforeSelection = nullptr;
  /// Virtual registers, with live intervals; instructions in the order in which
  /// selection left them.
  llvm::FunctionPass *BeforeScheduling = nullptr;
  /// The same after the machine scheduler.
  llvm::FunctionPass *AfterScheduling = nullptr;
  /// Physical registers, in the order that they were allocated for: a second
  /// scheduler may still move instructions within what was allocated.
  llvm::FunctionPass *AfterAllocation = nullptr;
  /// Just before the assembly is written.
  llvm::FunctionPass *AtEnd = nullptr;
};

/// The back end for \p Cpu of the target \p Triple, which LLVM knows already;
/// null where this LLVM has none.
std::unique_ptr<llvm::TargetMachine>
machineOf(llvm::StringRef Triple, llvm::StringRef Cpu,
          llvm::CodeGenOptLevel Level = llvm::CodeGenOptLevel::Aggressive,
          llvm::Reloc::Model Model = llvm::Reloc::PIC_);

/// Writes \p M, optimised IR, to \p Out as an object file or as assembly.
/// False where the back end has no such pipeline.
bool generate(llvm::Module &M, llvm::TargetMachine &TM,
              const Observers &Watching, llvm::CodeGenFileType Kind,
              llvm::SmallVectorImpl<char> &Out);

} // namespace clrewrite::measure
