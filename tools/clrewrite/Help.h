// The text of --help, and the error for a command that does not exist.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clrewrite::cli {

/// Answers what only asks about the program (--help, --help-all, --version and
/// --generate=...) among \p Words, which are of \p Command, and ends the
/// program; returns where nothing is asked.
void answerQuestions(llvm::ArrayRef<std::string> Words,
                     llvm::StringRef Command);

/// What is wrong with \p Word instead of a command; empty where it may be
/// one, or a file.
std::string misspeltCommand(llvm::StringRef Word);

/// What is wrong with the values in \p Words of options that allow only some;
/// empty where nothing is.
std::string misspeltValue(llvm::ArrayRef<std::string> Words,
                          llvm::StringRef Command);

} // namespace clrewrite::cli
