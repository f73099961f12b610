// NVIDIA's assembler ptxas, run as a process: it assembles PTX, and reports
// registers, stack and spills.
#pragma once

#include "process/Child.h"
#include "ptxas/PtxasLog.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace clrewrite::measure {

/// What ptxas made of one kernel.
struct Assembled {
  ptxas::PtxasFigures Figures;
  std::optional<unsigned> CodeBytes;
  std::string CodeHash; ///< empty where the code was not found
};

/// The ptxas on PATH; empty where there is none.
std::string findPtxas();

/// Assembles \p Ptx for \p Arch, by kernel. The error is ptxas's first one, or
/// says which of \p Limits it exceeded.
llvm::Expected<std::map<std::string, Assembled>>
assemble(llvm::StringRef Ptxas, llvm::StringRef Ptx, llvm::StringRef Arch,
         const process::ChildLimits &Limits);

} // namespace clrewrite::measure
