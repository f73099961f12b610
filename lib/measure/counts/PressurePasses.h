// Passes that count live vector registers in AMDGPU machine code.
#pragma once

#include "measure/Pressure.h"
#include "measure/llvm/CodeGen.h"

namespace clrewrite::measure {

/// Fills Boundary and SourceOrder of \p Into by function name.
void watchEdges(Observers &Watching, std::map<std::string, Pressure> &Into);

/// Fills all of it. Lines are what debug information says about \p Path.
void watchPressure(Observers &Watching, std::map<std::string, Pressure> &Into,
                   llvm::StringRef Path);

} // namespace clrewrite::measure
