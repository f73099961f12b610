// LLVM's code generator with a pass of ours at its end.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Target/TargetMachine.h"

namespace llvm {
class FunctionPass;
} // namespace llvm

namespace clrewrite {

/// Writes \p M, optimised IR, to \p Out as an object file or as assembly.
/// \p Counter, which may be null, sees each machine function just before that.
/// False where the back end has no such pipeline.
bool generate(llvm::Module &M, llvm::TargetMachine &TM,
              llvm::FunctionPass *Counter, llvm::CodeGenFileType Kind,
              llvm::SmallVectorImpl<char> &Out);

} // namespace clrewrite
