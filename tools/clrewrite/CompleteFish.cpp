// Completion for fish, which itself knows long options with and without =.
#include "Generate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::cli {

/// fish knows two escapes between single quotes.
static std::string fishQuoted(StringRef Text) {
  std::string Escaped;
  for (char C : Text)
    Escaped += (C == '\\' ? "\\\\" : std::string(1, C));
  return quoted(Escaped, "\\'");
}

/// The words that fish offers: one a line, after a tab what it means.
static std::string valueWords(const config::Option &O, const Completion &C) {
  std::string Out;
  if (C.List)
    return "(__fish_append , " + join(C.Names, " ") + ")";
  if (O.Values.empty())
    return join(C.Names, " ");
  for (const config::OptionValue &V : O.Values)
    Out += (Out.empty() ? "" : " ") + V.Name + "\\t" + fishQuoted(V.Help);
  return Out;
}

static std::string valueOf(const config::Option &O) {
  Completion C = completionOf(O);
  if (O.ValueName.empty())
    return "";
  // An option's value that may be left out stands after a = only, which fish
  // offers by itself.
  if (O.Alone)
    return "";
  switch (C.Kind) {
  case Completion::Words:
    return " -x -a " + fishQuoted(valueWords(O, C));
  case Completion::File:
    return " -r -F";
  case Completion::Folder:
    // Fish 4 would give the option a second time.
    return " -x -a '(__fish_complete_directories (string replace -r "
           "\"^--[^=]*=\" \"\" -- (commandline -ct)))'";
  case Completion::Nothing:
    return " -x";
  }
  return "";
}

void writeFish(raw_ostream &OS, ArrayRef<CommandEntry> Table) {
  std::vector<std::string> Names{"help"};
  for (const CommandEntry &C : Table.drop_front())
    Names.push_back(C.Name);
  std::string All = join(Names, " ");
  OS << "# Completion of clrewrite for fish.\n"
        "# Made by clrewrite --generate=fish.\n"
        "function __clrewrite_first\n"
        "  test (count (commandline -opc)) -eq 1\n"
        "end\n"
        "function __clrewrite_command\n"
        "  set -l words (commandline -opc)\n"
        "  contains -- \"$words[2]\" $argv\n"
        "end\n";
  for (const CommandEntry &C : Table.drop_front())
    OS << "complete -c clrewrite -n __clrewrite_first -a " << C.Name << " -d "
       << fishQuoted(C.Summary) << "\n";
  OS << "complete -c clrewrite -n __clrewrite_first -a help -d 'what a "
        "command takes'\n"
        "complete -c clrewrite -n '__clrewrite_command help' -f -a "
     << quoted(join(ArrayRef(Names).drop_front(), " ")) << "\n";
  for (const CommandEntry &C : Table) {
    std::string Where = C.Name.empty() ? "not __clrewrite_command " + All
                                       : "__clrewrite_command " + C.Name;
    std::string Lead = "complete -c clrewrite -n '" + Where + "'";
    for (const config::Option &O : C.Options)
      OS << Lead << (O.Short.empty() ? "" : " -s " + O.Short)
         << (O.Name.size() > 1 ? " -l " : " -s ") << O.Name << valueOf(O)
         << " -d " << fishQuoted(O.Help) << "\n";
    OS << Lead << " -l help -d 'What this takes'\n";
    if (C.Name.empty())
      OS << Lead << " -l help-all -d 'Every option'\n"
         << Lead << " -l version -d 'The version, and what it works with'\n";
  }
  OS << "complete -c clrewrite -n '__clrewrite_command capture try; "
        "and string match -q -- -- (commandline -opc)[-1]' -x -a "
        "'(__fish_complete_command)'\n";
  for (const std::string &Option : buildOptionNames())
    OS << "complete -c clrewrite -n 'not __clrewrite_command capture "
          "try; and contains -- -- (commandline -opc)' -a "
       << fishQuoted(Option) << "\n";
}

} // namespace clrewrite::cli
