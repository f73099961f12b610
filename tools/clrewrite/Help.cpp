// Help in three sizes: a screen (--help), everything (--help-all), a command's
// (clrewrite COMMAND --help).
#include "Help.h"
#include "CommandTable.h"
#include "Commands.h"
#include "Generate.h"
#include "Version.h"
#include "source/Nearest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <optional>

using namespace llvm;

namespace clrewrite::cli {
namespace {

constexpr size_t Columns = 80;
/// Where the text beside an option begins.
constexpr size_t Beside = 26;

/// The options of every day, in a few words each.
constexpr std::pair<StringLiteral, StringLiteral> Daily[] = {
    {"fix", "write the edits that pay (-: stdin to stdout)"},
    {"diff", "show them as a unified diff"},
    {"check", "only name the files that would change"},
    {"target", "the GPUs that count (default gfx906,gfx1100)"},
    {"only", "try these rewrites only (--list-rewrites, --explain)"},
    {"config", "the settings (default: .clrewrite.yaml, upwards)"},
    {"unsafe-fixes", "allow edits that assume something, or round"},
    {"format", "text, html, svg, json, sarif, github, junit, csv, ..."},
    {"output", "write the report there instead of stdout"},
    {"verbose", "list every site that was left alone, and why"},
};

/// \p Text in lines of 80 columns, each after \p Indent spaces but the first,
/// which stands at column \p At already.
void wrap(raw_ostream &OS, StringRef Text, size_t Indent, size_t At) {
  SmallVector<StringRef> Words;
  Text.split(Words, ' ', -1, /*KeepEmpty=*/false);
  bool First = true;
  for (StringRef Word : Words) {
    if (!First && At + 1 + Word.size() >= Columns) {
      OS << "\n";
      OS.indent(Indent);
      At = Indent;
    } else if (!First) {
      OS << " ";
      ++At;
    }
    OS << Word;
    At += Word.size();
    First = false;
  }
  OS << "\n";
}

/// \p Left, and \p Text beside it or, where it is long, below it.
void row(raw_ostream &OS, const std::string &Left, StringRef Text) {
  OS << Left;
  size_t At = Left.size();
  if (At + 2 > Beside) {
    OS << "\n";
    At = 0;
  }
  OS.indent(Beside - At);
  wrap(OS, Text, Beside, Beside);
}

void printUsage(raw_ostream &OS, const CommandEntry &C) {
  StringRef Lead = "usage: ";
  for (const std::string &Line : C.Usage) {
    OS << Lead << "clrewrite " << (C.Name.empty() ? "" : C.Name + " ") << Line
       << "\n";
    Lead = "       ";
  }
}

void printOptions(raw_ostream &OS, const CommandEntry &C) {
  std::string Category;
  for (const config::Option &O : C.Options) {
    if (O.category() != Category) {
      Category = O.category();
      OS << "\n"
         << (Category == "General options" ? "Options" : Category) << ":\n";
    }
    std::string Short = O.Short.empty() ? "" : "-" + O.Short + ", ";
    row(OS, "  " + Short + O.spelling(), O.Help);
    for (const config::OptionValue &V : O.Values)
      row(OS, "    =" + V.Name, V.Help);
  }
}

void printParagraphs(raw_ostream &OS, StringRef Text) {
  SmallVector<StringRef> Paragraphs;
  Text.split(Paragraphs, '\n');
  for (StringRef P : Paragraphs) {
    OS << "\n";
    wrap(OS, P, 0, 0);
  }
}

/// All that \p C takes.
void printCommand(raw_ostream &OS, const CommandEntry &C) {
  printUsage(OS, C);
  printParagraphs(OS, C.Description);
  printOptions(OS, C);
}

void printAll(raw_ostream &OS, ArrayRef<CommandEntry> Table) {
  printCommand(OS, Table.front());
  OS << "\nCommands (clrewrite COMMAND --help):\n";
  for (const CommandEntry &C : Table.drop_front())
    row(OS, "  " + C.Name, StringRef(C.Description).split('\n').first);
  OS << "\nAbout clrewrite:\n";
  row(OS, "  --help", "What is used every day");
  row(OS, "  --help-all", "This");
  row(OS, "  --version", "The version, and what this program works with");
  row(OS, "  --generate=<what>",
      "Print the manual page (man) or a shell's completion (bash, zsh, fish)");
}

/// The short help, which fits a terminal of 80 columns and 24 lines.
void printScreen(raw_ostream &OS, ArrayRef<CommandEntry> Table) {
  const CommandEntry &Main = Table.front();
  printUsage(OS, Main);
  wrap(OS, StringRef(Main.Description).split('\n').first, 0, 0);
  OS << "Commands:\n";
  size_t Rows = (Table.size() - 1 + 2) / 3;
  for (size_t Row = 1; Row <= Rows; ++Row) {
    std::string Line;
    for (size_t I = Row; I < Table.size(); I += Rows)
      Line += formatv("  {0,-8} {1,-15}", Table[I].Name, Table[I].Summary);
    OS << StringRef(Line).rtrim() << "\n";
  }
  OS << "Options:\n";
  for (const auto &[Name, Text] : Daily)
    if (const config::Option *O = Main.option(Name))
      row(OS, "  " + O->spelling(), Text);
  wrap(OS, StringRef(Main.Description).split('\n').second, 0, 0);
  OS << "More: clrewrite COMMAND --help, --help-all (every option), "
        "--explain=REWRITE\n";
}

void printHelp(raw_ostream &OS, StringRef Command, bool All) {
  std::vector<CommandEntry> Table = commandTable();
  const CommandEntry *C = findCommand(Table, Command);
  if (C && !Command.empty())
    printCommand(OS, *C);
  else if (All)
    printAll(OS, Table);
  else
    printScreen(OS, Table);
}

/// Answers \p Word, of \p Command, where it is a question; the exit code.
std::optional<int> answer(StringRef Word, StringRef Command) {
  if (!Word.consume_front("-"))
    return std::nullopt;
  Word.consume_front("-");
  if (Word == "help" || Word == "h" || Word == "help-all") {
    printHelp(outs(), Command, Word == "help-all");
  } else if (Word == "version") {
    printVersion(outs());
  } else if (Word.consume_front("generate=")) {
    if (!generate(outs(), Word, commandTable())) {
      WithColor::error(errs(), "clrewrite")
          << "--generate makes man, bash, zsh and fish, not '" << Word << "'\n";
      return 2;
    }
  } else {
    return std::nullopt;
  }
  outs().flush();
  return 0;
}

} // namespace

void answerQuestions(ArrayRef<std::string> Words, StringRef Command) {
  for (StringRef Word : Words) {
    if (Word == "--")
      return;
    if (std::optional<int> Code = answer(Word, Command))
      std::exit(*Code);
  }
}

std::string misspeltCommand(StringRef Word) {
  if (Word.empty() || Word.starts_with("-") || Word.contains('.') ||
      Word.contains('/') || sys::fs::exists(Word))
    return "";
  std::vector<StringRef> Names{"help"};
  for (const Command &C : ArrayRef(Commands).drop_front())
    Names.push_back(C.Name);
  StringRef Near = nearest(Word, Names);
  if (Near.empty())
    return ""; // the usual message of a file that is missing
  return ("there is no command and no file '" + Word +
          "'; did you mean clrewrite " + Near + "?")
      .str();
}

std::string lateCommand(ArrayRef<std::string> Files, ArrayRef<char *> Words) {
  auto IsCommand = [](StringRef Name) {
    return Name == "help" ||
           any_of(ArrayRef(Commands).drop_front(),
                  [&](const Command &C) { return Name == C.Name; });
  };
  auto Late = find_if(Files, [&](const std::string &File) {
    return IsCommand(File) && !sys::fs::exists(File);
  });
  if (Late == Files.end())
    return "";
  // What a shell would split or run is not to be copied as it stands here.
  auto IsPlain = [](StringRef Word) {
    return all_of(Word, [](char C) {
      return isAlnum(C) || StringRef("_-+./=,:@%").contains(C);
    });
  };
  std::string Out = "a command comes first: clrewrite " + *Late;
  if (!all_of(Words, IsPlain))
    return Out + " ...";
  std::vector<std::string> Rest(Words.begin(), Words.end());
  if (auto It = find(Rest, *Late); It != Rest.end())
    Rest.erase(It);
  return Out + " " + join(Rest, " ");
}

std::string misspeltValue(ArrayRef<std::string> Words, StringRef Command) {
  std::vector<CommandEntry> Table = commandTable();
  const CommandEntry *C = findCommand(Table, Command);
  for (StringRef Word : Words) {
    if (Word == "--")
      break;
    auto [Name, Value] = Word.split('=');
    const config::Option *O = C ? C->option(Name.ltrim('-')) : nullptr;
    if (!O || O->Values.empty() || Name == Word || !Name.starts_with("-"))
      continue;
    std::vector<StringRef> Known;
    for (const config::OptionValue &V : O->Values)
      Known.push_back(V.Name);
    if (is_contained(Known, Value))
      continue;
    StringRef Near = nearest(Value, Known);
    return ("--" + O->Name + " has no value '" + Value + "'" +
            (Near.empty() ? "" : "; did you mean '" + Near + "'?") + " (" +
            join(Known, ", ") + ")")
        .str();
  }
  return "";
}

} // namespace clrewrite::cli
