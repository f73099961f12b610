// The text that --version prints: the versions, and the files and programs that
// results depend on.
#pragma once

#include "llvm/Support/raw_ostream.h"
#include <string>

namespace clrewrite::cli {

/// What is wrong with Clang's headers, without which no OpenCL C is parsed;
/// empty where nothing is.
std::string missingHeaders();

/// The version, LLVM's, and what is found here of the files and programs that
/// results depend on.
void printVersion(llvm::raw_ostream &OS);

} // namespace clrewrite::cli
