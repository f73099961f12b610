// Completion for Bash, which needs none of bash-completion's functions.
//
// Bash parts a line at = (COMP_WORDBREAKS), so that --format=js is three words,
// and replaces the last one only; where a user took the = out, it is one word.
#include "Generate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::cli {

static constexpr StringLiteral Head = R"(# Completion of clrewrite for Bash.
# Made by clrewrite --generate=bash.
_clrewrite() {
  local current=${COMP_WORDS[COMP_CWORD]} option= command= dashes=0 lead= i
  local words= kind=
  for ((i = 1; i < COMP_CWORD; i++)); do
    [[ ${COMP_WORDS[i]} == -- ]] && dashes=$i && break
  done
  case ${COMP_WORDS[1]} in
)";

static constexpr StringLiteral Middle = R"(  esac
  ((COMP_CWORD == 1)) && command=
  if ((!dashes)); then
    local before=${COMP_WORDS[COMP_CWORD - 1]}
    if [[ $current == = ]]; then
      option=$before current=
    elif [[ $before == = ]]; then
      option=${COMP_WORDS[COMP_CWORD - 2]}
    elif [[ $current == --*=* ]]; then
      option=${current%%=*} lead=${current%%=*}= current=${current#*=}
    elif [[ $before == -* ]]; then
      option=$before
    fi
  fi
  case $command$option in
)";

static constexpr StringLiteral Tail = R"(  esac
  if [[ $kind == list ]]; then
    [[ $current == *,* ]] && lead=$lead${current%,*},
    current=${current##*,}
    compopt -o nospace
  fi
  if [[ $words ]]; then
    mapfile -t COMPREPLY < <(compgen -P "$lead" -W "$words" -- "$current")
  elif [[ $kind == folder ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -P "$lead" -d -- "$current")
  elif [[ $kind == file ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -P "$lead" -f -- "$current")
  elif [[ $kind != value ]]; then
    _clrewrite_word
  fi
}
_clrewrite_word() {
)";

static constexpr StringLiteral Word = R"(  if ((dashes)); then
    case $command in
    capture | try)
      if ((dashes == COMP_CWORD - 1)); then
        mapfile -t COMPREPLY < <(compgen -c -- "$current")
        return
      fi
      ;;
    *) words=$build ;;
    esac
  else
    case $command in
)";

static constexpr StringLiteral End = R"(    esac
  fi
  if [[ $current == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
  else
    ((COMP_CWORD == 1)) || commands=
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -W "$commands" -f -- "$current")
  fi
}
complete -F _clrewrite clrewrite
)";

/// --name= where a value must follow.
static std::string typed(const config::Option &O) {
  bool Value = !O.ValueName.empty() && !O.Alone;
  return O.dashed() + (Value && O.Name.size() > 1 ? "=" : "");
}

static void writeValues(raw_ostream &OS, const CommandEntry &C) {
  for (const config::Option &O : C.Options) {
    Completion Values = completionOf(O);
    if (O.ValueName.empty())
      continue;
    OS << "  " << C.Name << O.dashed() << ") ";
    switch (Values.Kind) {
    case Completion::Words:
      OS << (Values.List ? "kind=list " : "")
         << "words=" << quoted(join(Values.Names, " "));
      break;
    case Completion::File:
      OS << "kind=file";
      break;
    case Completion::Folder:
      OS << "kind=folder";
      break;
    case Completion::Nothing:
      OS << "kind=value";
    }
    OS << " ;;\n";
  }
}

void writeBash(raw_ostream &OS, ArrayRef<CommandEntry> Table) {
  std::vector<std::string> Names{"help"};
  for (const CommandEntry &C : Table.drop_front())
    Names.push_back(C.Name);
  OS << Head << "  " << join(Names, " | ") << ") command=${COMP_WORDS[1]} ;;\n"
     << Middle;
  for (const CommandEntry &C : Table)
    writeValues(OS, C);
  OS << "  help*) [[ $option ]] || words="
     << quoted(join(ArrayRef(Names).drop_front(), " ")) << " ;;\n";
  OS << Tail << "  local build=" << quoted(join(buildOptionNames(), " "))
     << "\n  local commands=" << quoted(join(Names, " ")) << "\n"
     << Word;
  for (const CommandEntry &C : Table) {
    std::vector<std::string> Options;
    for (const config::Option &O : C.Options)
      Options.push_back(typed(O));
    Options.push_back("--help");
    if (C.Name.empty())
      Options.insert(Options.end(), {"--help-all", "--version"});
    OS << "    " << (C.Name.empty() ? "''" : C.Name)
       << ") words=" << quoted(join(Options, " ")) << " ;;\n";
  }
  OS << End;
}

} // namespace clrewrite::cli
