// The table of all options: a row has an option's name, its help, and where
// its value goes in an Options value.
//
// The command line (ParseOptions.h), configuration files (ReadConfig.cpp,
// WriteConfig.cpp), the help, the manual page and the shells' completion are
// made of it. A new option is a member of Options and a row here.
#pragma once

#include "config/Options.h"
#include "llvm/Support/Error.h"
#include <variant>

namespace clrewrite::advice {
struct AdviceSort;
} // namespace clrewrite::advice

namespace clrewrite::config {

/// The parts of a command's help, in this order.
enum class Part {
  Modes,
  Choice,
  Building,
  Roofline,
  Verifying,
  Output,
  General ///< of a command of its own
};
llvm::StringRef titleOf(Part P);

/// A value that an option allows, and what it means.
struct OptionValue {
  std::string Name, Help;
};

struct Option {
  /// Where a value goes, and so its type. A flag has a bool.
  using Place =
      std::variant<bool *, int *, unsigned *, double *, std::string *, Words *,
                   std::vector<int64_t> *, Format *, std::optional<unsigned> *,
                   std::optional<double> *, std::optional<bool> *,
                   std::optional<std::string> *, std::optional<Words> *,
                   std::optional<select::Objective> *,
                   std::optional<std::vector<select::EditName>> *,
                   std::optional<std::vector<FileLaunch>> *,
                   std::optional<std::vector<OptionSet>> *>;
  /// Where a configuration file may give the option, under the same name.
  enum Givers : char { CommandLine, Both, FileOnly };

  Part In;
  std::string Name; ///< without dashes
  Place Into;
  std::string ValueName; ///< e.g. "gpu,..."; empty for a flag
  std::string Help;

  Givers From = CommandLine;
  /// Fails where \p Text is no value; null where every text is one. Of a list
  /// it gets each element.
  llvm::Error (*Check)(const std::string &Text) = nullptr;
  /// The least number that a configuration file may give.
  double Least = 0;
  std::string Short = "";   ///< a name of one letter
  std::string Another = ""; ///< a second name, which help does not list
  /// The only values: for an Objective those of Objectives, for a Format in
  /// that enum's order.
  std::vector<OptionValue> Values = {};
  /// What the option means without a value; none where it needs one.
  std::optional<std::string> Alone = std::nullopt;
  /// The greatest number that a configuration file may give; 0: any.
  double Most = 0;
  /// What Check says needs no name of an option before it.
  bool NamedInCheck = true;

  bool isFlag() const {
    return std::holds_alternative<bool *>(Into) ||
           std::holds_alternative<std::optional<bool> *>(Into);
  }
  /// Commas part the elements of its value.
  bool hasCommas() const {
    return llvm::StringRef(ValueName).ends_with(",...");
  }
  llvm::StringRef category() const { return titleOf(In); }
  /// "--target", or "-o".
  std::string dashed() const;
  /// As it is written: "--target=<gpu,...>".
  std::string spelling() const;
};

/// The options of \p Command, whose values go into \p O. The command line
/// without a command is "", and shares its options with those commands that
/// work on files as it does.
std::vector<Option> optionsOf(llvm::StringRef Command, Options &O);

/// The options that a configuration file may have, by the order in which
/// writeConfig writes them.
std::vector<Option> optionsOf(Config &C);

/// The message for a rewrite that does not exist.
std::string unknownRewrite(llvm::StringRef Name);

/// The sorts of advice that \p Words name: `all` or an empty word means every
/// one, `off` none. The error names what is unknown, and what is known.
llvm::Expected<std::vector<const advice::AdviceSort *>>
adviceNamed(llvm::ArrayRef<std::string> Words);

} // namespace clrewrite::config
