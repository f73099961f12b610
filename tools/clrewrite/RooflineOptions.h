// What `clrewrite roofline` takes and prints.
#pragma once

#include "report/Report.h"

namespace clrewrite::cli {

/// The command is `roofline`.
bool wantsRoofline();

/// What is wrong with its options, or with having them; empty where nothing is.
std::string badRooflineOption();

/// Prints what was counted, in the format that was asked for.
void printRoofline(const report::Report &R, llvm::raw_ostream &OS);

} // namespace clrewrite::cli
