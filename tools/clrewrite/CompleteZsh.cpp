// The completion for zsh, as a function that calls zsh's own _arguments.
#include "Generate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::cli {

/// \p Text within the specification of an option.
static std::string escaped(StringRef Text, StringRef Special) {
  std::string Out;
  for (char C : Text) {
    if (C == '\\' || Special.contains(C))
      Out += '\\';
    Out += C;
  }
  return Out;
}

static std::string action(const config::Option &O) {
  Completion C = completionOf(O);
  switch (C.Kind) {
  case Completion::Words: {
    if (C.List)
      return "_sequence compadd - " + join(C.Names, " ");
    if (O.Values.empty())
      return "(" + join(C.Names, " ") + ")";
    std::vector<std::string> Each;
    for (const config::OptionValue &V : O.Values)
      Each.push_back(V.Name + "\\:\"" + escaped(V.Help, ":\"") + "\"");
    return "((" + join(Each, " ") + "))";
  }
  case Completion::File:
    return "_files";
  case Completion::Folder:
    return "_files -/";
  case Completion::Nothing:
    break;
  }
  return " ";
}

static std::string specification(const config::Option &O) {
  std::string Out = O.dashed();
  if (!O.ValueName.empty() && O.Name.size() > 1)
    Out += O.Alone ? "=-" : "=";
  Out += "[" + escaped(O.Help, "[]:") + "]";
  if (!O.ValueName.empty())
    Out +=
        (O.Alone ? "::" : ":") + escaped(O.ValueName, "[]:") + ":" + action(O);
  return Out;
}

/// The words that may stand instead of files.
static std::string rest(const CommandEntry &C) {
  for (const std::string &Line : C.Usage) {
    if (StringRef(Line).contains("PROGRAM"))
      return ""; // after --, which was seen to
    if (StringRef(Line).contains("FOLDER") && !StringRef(Line).contains("FILE"))
      return "*:folder:_files -/";
  }
  return C.Usage.front() == "[options]" ? "" : "*:file:_files";
}

void writeZsh(raw_ostream &OS, ArrayRef<CommandEntry> Table) {
  OS << "#compdef clrewrite\n"
        "# Completion of clrewrite for zsh.\n"
        "# Made by clrewrite --generate=zsh.\n"
        "_clrewrite() {\n"
        "  local -a subcommands=(\n    'help:what a command takes'\n";
  for (const CommandEntry &C : Table.drop_front())
    OS << "    " << quoted(C.Name + ":" + C.Summary) << "\n";
  OS << "  )\n"
        "  local command= dashes=${words[(i)--]}\n"
        "  (( CURRENT > 2 )) && "
        "(( ${subcommands[(I)${words[2]}:*]} )) && command=$words[2]\n"
        "  if (( dashes < CURRENT )) && "
        "[[ $command == (capture|try) ]]; then\n"
        "    shift dashes words\n"
        "    (( CURRENT -= dashes ))\n"
        "    _normal\n"
        "    return\n"
        "  elif (( dashes < CURRENT )); then\n"
        "    _alternative 'options:build option:(("
     << join(buildOptionNames(), " ")
     << "))' 'files:file:_files'\n"
        "    return\n"
        "  fi\n"
        "  if [[ -n $command ]]; then\n"
        "    shift words\n"
        "    (( CURRENT-- ))\n"
        "  fi\n"
        "  case $command in\n"
        "  help) _describe command subcommands ;;\n";
  for (const CommandEntry &C : Table.drop_front()) {
    OS << "  " << C.Name << ") _arguments";
    for (const config::Option &O : C.Options)
      OS << " \\\n    " << quoted(specification(O));
    OS << " \\\n    '--help[what this takes]'";
    if (std::string Rest = rest(C); !Rest.empty())
      OS << " " << quoted(Rest);
    OS << " ;;\n";
  }
  OS << "  *)\n"
        "    (( CURRENT == 2 )) && [[ $PREFIX != -* ]] && "
        "_describe command subcommands\n"
        "    _arguments";
  for (const config::Option &O : Table.front().Options)
    OS << " \\\n      " << quoted(specification(O));
  OS << " \\\n      '--help[what is used every day]' "
        "'--help-all[every option]' \\\n"
        "      '--version[the version, and what it works with]' "
        "'*:file:_files' ;;\n"
        "  esac\n"
        "}\n"
        "if [ \"$funcstack[1]\" = _clrewrite ]; then\n"
        "  _clrewrite \"$@\"\n"
        "else\n"
        "  compdef _clrewrite clrewrite\n"
        "fi\n";
}

} // namespace clrewrite::cli
