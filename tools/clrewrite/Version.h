// What --version prints.
#pragma once

#include "llvm/Support/raw_ostream.h"

namespace clrewrite {

/// The version, LLVM's, and what is found here of the files and programs that
/// results depend on.
void printVersion(llvm::raw_ostream &OS);

} // namespace clrewrite
