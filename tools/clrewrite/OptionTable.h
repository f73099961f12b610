// The commands and what each shows of its options: what help, the manual page
// and the shells' completion are made of. The options are those of the table
// by which a command line is read (config/OptionTable.h), so none can be stale.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clrewrite::cli {

struct OptionValue {
  std::string Name, Help;
};

struct OptionEntry {
  std::string Name;      ///< without dashes
  std::string Short;     ///< its one-letter name; empty where it has none
  std::string ValueName; ///< e.g. "gpu,..."; empty where it takes no value
  bool ValueOptional = false;
  std::string Help;
  std::string Category;
  std::vector<OptionValue> Values; ///< where only these are allowed

  /// "--target", or "-o".
  std::string dashed() const;
  /// As it is written: "--target=<gpu,...>".
  std::string spelling() const;
};

struct CommandEntry {
  std::string Name;    ///< empty for the command line without a command
  std::string Summary; ///< a few words
  std::vector<std::string> Usage;
  std::string Description; ///< paragraphs
  std::vector<OptionEntry> Options;

  const OptionEntry *option(llvm::StringRef Name) const;
};

/// All commands, the one without a name first; options by category, then name.
std::vector<CommandEntry> commandTable();

/// The one with this name; null where there is none.
const CommandEntry *findCommand(llvm::ArrayRef<CommandEntry> Table,
                                llvm::StringRef Name);

} // namespace clrewrite::cli
