// Counting what a work-item does, on optimised LLVM IR.
#pragma once

#include "launch/Launch.h"
#include "measure/Work.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace clrewrite::measure {

/// The kernels of \p M, which is optimised for \p TM, by name. Parameters that
/// \p Launches give have those values, so that loops over them have counts;
/// the code stays what it is for all values. \p M is changed by that.
std::vector<KernelWork> countWork(llvm::Module &M, llvm::TargetMachine &TM,
                                  unsigned WaveLanes,
                                  const launch::FactsByKernel &Launches);

} // namespace clrewrite::measure
