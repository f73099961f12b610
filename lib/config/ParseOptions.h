// Reading a command line into Options, by the table of options.
//
// Words are read as LLVM's tools read theirs: -name and --name are the same, a
// value stands after = or is the next word, and a flag may have =0 or =1.
// Options may be given again: the last value counts, lists grow.
#pragma once

#include "config/OptionTable.h"

namespace clrewrite::config {

/// What is wrong with a command line; all members are empty where nothing is.
struct Misuse {
  /// Words that are no options, or lack a value: lines that are ready to be
  /// printed.
  std::string Words;
  /// The first value that its option does not take: a message.
  std::string Value;

  bool any() const { return !Words.empty() || !Value.empty(); }
};

/// Reads \p Words, which follow the name of \p Program and of \p Command, into
/// \p O. Words that are no options go to Options::Files, and those after "--"
/// to Options::AfterDashes where the command has a use for them.
Misuse parseOptions(llvm::StringRef Program, llvm::StringRef Command,
                    llvm::ArrayRef<std::string> Words, Options &O);

} // namespace clrewrite::config
