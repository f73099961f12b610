// Oclgrind, which interprets kernels: none of their code is native code of the
// process, so that they can run where too little of the sandbox holds.
#pragma once

#include <string>

namespace clrewrite::device {

/// The name of the interpreter's OpenCL platform.
inline constexpr char InterpreterPlatform[] = "Oclgrind";

/// Makes the ICD loader load oclgrind's library alone, before any driver is
/// loaded. False where it is not installed: it is looked for where the program
/// `oclgrind` of PATH lies.
bool useInterpreter();

} // namespace clrewrite::device
