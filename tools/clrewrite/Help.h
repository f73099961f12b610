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

/// What to type instead, where one of \p Files, which are among \p Words, is a
/// command's name and no file: options were put before it. Empty elsewhere.
std::string lateCommand(llvm::ArrayRef<std::string> Files,
                        llvm::ArrayRef<char *> Words);

/// What is wrong with the values in \p Words of options that allow only some;
/// empty where nothing is.
std::string misspeltValue(llvm::ArrayRef<std::string> Words,
                          llvm::StringRef Command);

} // namespace clrewrite::cli
