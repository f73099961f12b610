// Each command shows the options whose part of the table is its own.
#include "CommandTable.h"
#include "Commands.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::cli {

const config::Option *CommandEntry::option(StringRef Wanted) const {
  auto It = find_if(Options, [&](auto &O) { return O.Name == Wanted; });
  return It == Options.end() ? nullptr : &*It;
}

const CommandEntry *findCommand(ArrayRef<CommandEntry> Table, StringRef Name) {
  auto It = find_if(Table, [&](auto &C) { return C.Name == Name; });
  return It == Table.end() ? nullptr : &*It;
}

/// Some commands share the options of the one without a name.
static bool shows(StringRef Command, const config::Option &O) {
  using config::Part;
  if (Command == "init")
    return is_contained({"device-command", "device-timeout"}, O.Name);
  if (Command == "devices")
    return is_contained({"device-command", "farm", "device-timeout", "format"},
                        O.Name);
  if (O.In == Part::Roofline)
    return Command == "roofline";
  if (Command == "measure" || Command == "roofline")
    return (O.In == Part::Building || O.In == Part::Output) &&
           !is_contained({"budget", "explain-search"}, O.Name) &&
           !(Command == "roofline" &&
             is_contained({"pressure", "advise", "timing"}, O.Name));
  if (Command == "lsp")
    return O.In != Part::Modes && O.In != Part::Output &&
           !is_contained({"end-of-options", "hook", "files-from", "null",
                          "shard", "costs"},
                         O.Name); // the editor names the files
  return true;
}

static std::vector<config::Option> shownOf(StringRef Command) {
  static config::Options Any; // what the rows point to, and nobody reads
  std::vector<config::Option> Rows = config::optionsOf(Command, Any);
  llvm::erase_if(Rows, [&](auto &Row) { return !shows(Command, Row); });
  llvm::sort(Rows, [](const config::Option &A, const config::Option &B) {
    return std::tie(A.In, A.Name) < std::tie(B.In, B.Name);
  });
  if (Command == "devices" || Command == "roofline")
    for (config::Option &Row : Rows)
      if (Row.Name == "format")
        Row.Values.resize(2); // text and json
  return Rows;
}

std::vector<CommandEntry> commandTable() {
  std::vector<CommandEntry> Out;
  for (const Command &C : Commands) {
    CommandEntry E;
    E.Name = C.Name;
    E.Summary = C.Summary;
    SmallVector<StringRef> Usage;
    StringRef(C.Usage).split(Usage, '\n');
    for (StringRef Line : Usage)
      E.Usage.push_back(Line.str());
    E.Description = C.Description;
    E.Options = shownOf(C.Name);
    Out.push_back(std::move(E));
  }
  return Out;
}

} // namespace clrewrite::cli
