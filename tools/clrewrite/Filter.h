// Standard input instead of a file.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace clrewrite::cli {

/// All bytes of standard input.
llvm::Expected<std::string> readInput();

/// Makes a filter of \p Work, which gives the document, or none where it
/// failed; what else it prints goes to stderr. \p Given comes out unchanged
/// where it failed, crashed, or a signal ended it. Returns the exit code: 0, or
/// \p OnChange for another document, or 2 where nothing came of it.
int filter(llvm::StringRef Given,
           llvm::function_ref<std::optional<std::string>()> Work, int OnChange);

} // namespace clrewrite::cli
