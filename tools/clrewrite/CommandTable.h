// The commands and what each shows of its options: what help, the manual page
// and the shells' completion are made of. The options are those of the table
// by which a command line is read, so none can be stale.
#pragma once

#include "config/OptionTable.h"

namespace clrewrite::cli {

struct CommandEntry {
  std::string Name;    ///< empty for the command line without a command
  std::string Summary; ///< a few words
  std::vector<std::string> Usage;
  std::string Description; ///< paragraphs
  std::vector<config::Option> Options;

  /// Null where there is none.
  const config::Option *option(llvm::StringRef Wanted) const;
};

/// All commands, the one without a name first; options by category, then name.
std::vector<CommandEntry> commandTable();

/// The one with this name; null where there is none.
const CommandEntry *findCommand(llvm::ArrayRef<CommandEntry> Table,
                                llvm::StringRef Name);

} // namespace clrewrite::cli
