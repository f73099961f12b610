// --advise and --list-advice.
#pragma once

#include "config/Config.h"
#include "pipeline/Advising.h"

namespace clrewrite::cli {

/// What --advise names, as Config::Advise; none where it was not given.
std::optional<config::Words> givenAdvice();

/// Prints the page of the sort of advice \p Name; false where there is none.
bool printAdvicePage(llvm::StringRef Name);

/// --list-advice was given, and the list is printed.
bool printedAdvice();

} // namespace clrewrite::cli
