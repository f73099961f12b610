// One pass over the words of a command line.
#include "config/ParseOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::config {
namespace {

std::string dashed(StringRef Name) {
  return (Name.size() == 1 ? "-" : "--") + Name.str();
}

/// How many files a command takes, at least and at most.
std::pair<size_t, size_t> filesOf(StringRef Command) {
  if (Command == "verify")
    return {2, 2};
  if (Command == "replay" || Command == "history")
    return {1, 1};
  bool None = is_contained(
      {"capture", "run", "try", "tune", "peak", "probe", "cache", "fleet"},
      Command);
  return {0, None ? 0 : size_t(-1)};
}

class Parser {
public:
  Parser(StringRef Program, StringRef Command, ArrayRef<std::string> Words,
         Options &O)
      : Program(Program), Command(Command),
        Name(sys::path::filename(Program).str()), Words(Words), O(O),
        Own(optionsOf(Command, O)), Files(filesOf(Command)) {}

  Misuse run() {
    while (!Words.empty()) {
      StringRef Word = next();
      if (Word == "--")
        afterDashes();
      else if (Word == "-" || !Word.starts_with("-"))
        file(Word);
      else
        option(Word);
    }
    checkFiles();
    return std::move(Wrong);
  }

private:
  StringRef Program, Command;
  std::string Name;
  ArrayRef<std::string> Words; ///< that are left
  Options &O;
  std::vector<Option> Own;
  std::pair<size_t, size_t> Files;
  Misuse Wrong;

  StringRef next() {
    StringRef Word = Words.front();
    Words = Words.drop_front();
    return Word;
  }

  void file(StringRef Word) {
    if (Files.second == 0)
      return unknown(Word, "");
    O.Files.push_back(Word.str());
  }

  /// Build options, or a program to be run; else files, whatever they look
  /// like.
  void afterDashes() {
    bool OnlyFiles = is_contained(
        {"replay", "peak", "probe", "cache", "devices", "merge", "history"},
        Command);
    while (!Words.empty())
      OnlyFiles ? file(next()) : O.AfterDashes.push_back(next().str());
  }

  void checkFiles() {
    auto [Least, Most] = Files;
    if (O.Files.size() < Least || (Least && O.Files.size() > Most))
      Wrong.Words +=
          formatv("{0}: error: {1} takes {2} name{3}, and {4} {5} "
                  "given; try {0} {1} --help\n",
                  Name, Command, Least, Least > 1 ? "s" : "", O.Files.size(),
                  O.Files.size() == 1 ? "is" : "are");
  }

  /// The option of \p Table that is called \p Called; null: none.
  static const Option *find(ArrayRef<Option> Table, StringRef Called) {
    auto It = llvm::find_if(Table, [&](const Option &Row) {
      return !Called.empty() && (Called == Row.Name || Called == Row.Short ||
                                 Called == Row.Another);
    });
    return It == Table.end() ? nullptr : &*It;
  }

  void option(StringRef Word) {
    StringRef Text = Word.drop_front();
    Text.consume_front("-");
    auto [Called, Value] = Text.split('=');
    bool HasValue = Called.size() < Text.size();
    if (const Option *Found = find(Own, Called))
      return set(*Found, HasValue ? std::optional(Value) : std::nullopt);
    // -v0 is -v -0.
    bool Flags = !Text.empty() && all_of(Text, [&](const char &C) {
      const Option *Each = find(Own, StringRef(&C, 1));
      return Each && Each->isFlag();
    });
    if (!Flags)
      return find(optionsOf("", O), Called) ? notOfCommand(Called)
                                            : unknown(Word, Text);
    for (const char &C : Text)
      set(*find(Own, StringRef(&C, 1)), std::nullopt);
  }

  /// clrewrite without a command has the option \p Called.
  void notOfCommand(StringRef Called) {
    Wrong.Words += formatv("{0}: error: {1} takes no {2}; try {0} {1} --help\n",
                           Name, Command, dashed(Called));
  }

  /// \p Word is no option; \p Text is what stands after its dashes.
  void unknown(StringRef Word, StringRef Text) {
    Wrong.Words += formatv("{0}: Unknown command line argument '{1}'.  Try: "
                           "'{2} --help'\n",
                           Name, Word, Program);
    std::string Near;
    unsigned Distance = 0;
    auto Compare = [&](StringRef Known, StringRef With, StringRef Value) {
      unsigned D = Known.edit_distance(With, /*AllowReplacements=*/true,
                                       /*MaxEditDistance=*/Distance);
      if (!Near.empty() && D >= Distance)
        return;
      Distance = D;
      Near = Known.str() + (Value.empty() ? "" : "=" + Value.str());
    };
    auto [Called, Value] = Text.split('=');
    if (Text.empty())
      return;
    for (const Option &Row : Own)
      for (StringRef Known :
           {StringRef(Row.Name), StringRef(Row.Short), StringRef(Row.Another)})
        if (!Known.empty())
          Compare(Known, Called, Value);
    for (StringRef Known : {"help", "version"})
      Compare(Known, Text, "");
    Wrong.Words += formatv("{0}: Did you mean '{1}'?\n", Name, dashed(Near));
  }

  void set(const Option &Row, std::optional<StringRef> Value) {
    if (!Value && !Row.isFlag() && !Row.Alone) {
      if (Words.empty() || Words.front() == "--")
        return bad(Row, "requires a value!");
      Value = next();
    }
    std::visit([&](auto *Into) { take(Row, Value, *Into); }, Row.Into);
  }

  /// \p Why is not a sentence of ours but of LLVM's.
  void bad(const Option &Row, const Twine &Why) {
    Wrong.Words +=
        (Name + ": for the " + Row.dashed() + " option: " + Why + "\n").str();
  }
  void badValue(const Option &Row, StringRef Text, StringRef Sort) {
    bad(Row, "'" + Text + "' value invalid for " + Sort + " argument!");
  }

  /// Asks the option's own check.
  void check(const Option &Row, const std::string &Text) {
    if (!Row.Check)
      return;
    if (Error E = Row.Check(Text)) {
      std::string Why = toString(std::move(E));
      if (Wrong.Value.empty())
        Wrong.Value = Row.NamedInCheck ? Why : Row.dashed() + ": " + Why;
    }
  }

  using WordList = config::Words;
  using Given = const std::optional<StringRef> &;

  void take(const Option &Row, Given Value, bool &Into) {
    StringRef Text = Value.value_or("");
    if (is_contained({"", "true", "TRUE", "True", "1"}, Text))
      Into = true;
    else if (is_contained({"false", "FALSE", "False", "0"}, Text))
      Into = false;
    else
      bad(Row,
          "'" + Text + "' is invalid value for boolean argument! Try 0 or 1");
  }
  void take(const Option &Row, Given Value, int &Into) {
    if (Value->getAsInteger(0, Into))
      badValue(Row, *Value, "integer");
  }
  void take(const Option &Row, Given Value, unsigned &Into) {
    if (Value->getAsInteger(0, Into))
      badValue(Row, *Value, "uint");
  }
  void take(const Option &Row, Given Value, double &Into) {
    if (!to_float(*Value, Into))
      badValue(Row, *Value, "floating point");
  }
  void take(const Option &Row, Given Value, std::string &Into) {
    Into = Value ? Value->str() : Row.Alone.value_or("");
    check(Row, Into);
  }
  void take(const Option &Row, Given Value, WordList &Into) {
    for (const std::string &Text : elements(Row, Value)) {
      Into.push_back(Text);
      check(Row, Text);
    }
  }
  void take(const Option &Row, Given Value, std::vector<int64_t> &Into) {
    for (StringRef Text : elements(Row, Value))
      if (Text.getAsInteger(0, Into.emplace_back()))
        badValue(Row, Text, "long");
  }
  void take(const Option &Row, Given Value, Format &Into) {
    if (std::optional<size_t> At = choice(Row, *Value))
      Into = Format(*At);
  }
  void take(const Option &Row, Given Value, select::Objective &Into) {
    if (std::optional<size_t> At = choice(Row, *Value))
      Into = Objectives[*At].second;
  }
  void take(const Option &Row, Given Value,
            std::vector<select::EditName> &Into) {
    for (const std::string &Text : elements(Row, Value)) {
      check(Row, Text);
      if (Expected<select::EditName> Edit = select::parseEditName(Text))
        Into.push_back(std::move(*Edit));
      else
        consumeError(Edit.takeError()); // which check has told
    }
  }
  void take(const Option &Row, Given Value, std::vector<FileLaunch> &Into) {
    check(Row, Into.emplace_back(FileLaunch{Value->str()}).Text);
  }
  /// No command line gives these.
  void take(const Option &, Given, std::vector<OptionSet> &) {}
  template <typename T>
  void take(const Option &Row, Given Value, std::optional<T> &Into) {
    if (!Into)
      Into.emplace();
    take(Row, Value, *Into);
  }

  /// The elements of a list.
  static WordList elements(const Option &Row, Given Value) {
    std::string Lone = Row.Alone.value_or("");
    SmallVector<StringRef> Parts;
    Value.value_or("").split(Parts, ',', Row.hasCommas() ? -1 : 0);
    WordList Out;
    for (StringRef Part : Parts)
      Out.push_back(Part.empty() ? Lone : Part.str());
    return Out;
  }

  /// Which of the only values it is; none where it is none of them.
  std::optional<size_t> choice(const Option &Row, StringRef Text) {
    for (size_t I = 0; I < Row.Values.size(); ++I)
      if (Row.Values[I].Name == Text)
        return I;
    bad(Row, "Cannot find option named '" + Text + "'!");
    return std::nullopt;
  }
};

} // namespace

Misuse parseOptions(StringRef Program, StringRef Command,
                    ArrayRef<std::string> Words, Options &O) {
  return Parser(Program, Command, Words, O).run();
}

} // namespace clrewrite::config
