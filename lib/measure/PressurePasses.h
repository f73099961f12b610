// Passes that count live vector registers in AMDGPU machine code.
#pragma once

#include "measure/CodeGen.h"
#include "measure/Pressure.h"

namespace clrewrite {

/// Fill \p Into by function name: Boundary and SourceOrder, Scheduled, and the
/// rest, which takes lines from what debug information says about \p Path.
void watchPressure(Observers &Watching, std::map<std::string, Pressure> &Into,
                   llvm::StringRef Path);

} // namespace clrewrite
