// What can be wrong with options that no option knows by itself.
#pragma once

#include "config/Options.h"

namespace clrewrite::cli {

/// What is wrong with the options beside each other; empty where nothing is.
std::string badOptions(const config::Options &O);

/// What a run of \p O on some file would find to be wrong with its options,
/// without looking for configurations or starting anything.
llvm::Error checkRun(const config::Options &O);

} // namespace clrewrite::cli
