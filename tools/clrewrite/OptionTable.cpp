// Reading the table off LLVM's registry of options.
#include "OptionTable.h"
#include "Commands.h"
#include "CommonOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;

namespace clrewrite::cli {

std::string OptionEntry::dashed() const {
  return (Name.size() == 1 ? "-" : "--") + Name;
}

std::string OptionEntry::spelling() const {
  std::string Value = ValueName.empty() ? "" : "=<" + ValueName + ">";
  return dashed() + (ValueOptional ? "[" + Value + "]" : Value);
}

const OptionEntry *CommandEntry::option(StringRef Name) const {
  auto It = find_if(Options, [&](auto &O) { return O.Name == Name; });
  return It == Options.end() ? nullptr : &*It;
}

const CommandEntry *findCommand(ArrayRef<CommandEntry> Table, StringRef Name) {
  auto It = find_if(Table, [&](auto &C) { return C.Name == Name; });
  return It == Table.end() ? nullptr : &*It;
}

/// What \p O prints of itself on stdout, through a pipe: LLVM gives the values
/// of an option and what they mean in no other way.
static std::string printed(const cl::Option &O) {
  outs().flush();
  int Ends[2];
  if (::pipe(Ends) != 0)
    return "";
  int Stdout = ::dup(STDOUT_FILENO);
  ::dup2(Ends[1], STDOUT_FILENO);
  ::close(Ends[1]);
  O.printOptionInfo(/*GlobalWidth=*/80);
  outs().flush();
  ::dup2(Stdout, STDOUT_FILENO);
  ::close(Stdout);
  SmallString<4096> Text;
  char Part[4096];
  for (ssize_t N; (N = ::read(Ends[0], Part, sizeof Part)) > 0;)
    Text.append(Part, Part + N);
  ::close(Ends[0]);
  return std::string(Text);
}

/// Lines such as "    =json     -   one JSON document".
static std::vector<OptionValue> valuesOf(const cl::Option &O) {
  std::vector<OptionValue> Out;
  SmallVector<StringRef> Lines;
  std::string Text = printed(O);
  StringRef(Text).split(Lines, '\n');
  for (StringRef Line : Lines)
    if (Line.consume_front("    =")) {
      auto [Name, Help] = Line.split(" -   ");
      Out.push_back({Name.trim().str(), Help.trim().str()});
    }
  return Out;
}

static OptionEntry entryOf(const cl::Option &O) {
  OptionEntry E;
  E.Name = O.ArgStr.str();
  E.Help = StringRef(O.HelpStr).rtrim(':').str();
  E.Category = O.Categories.front()->getName().str();
  E.Values = valuesOf(O);
  bool Required = O.getValueExpectedFlag() == cl::ValueRequired;
  E.ValueName = O.ValueStr.str();
  if (E.ValueName.empty() && Required)
    E.ValueName = "value";
  E.ValueOptional = !E.ValueName.empty() && !Required;
  return E;
}

/// Some commands share the options of the one without a name.
static bool takes(StringRef Command, const OptionEntry &E) {
  if (Command == "devices")
    return is_contained({"device-command", "device-timeout", "format"}, E.Name);
  if (E.Category == Roofline.getName())
    return Command == "roofline";
  if (Command == "measure" || Command == "roofline")
    return (E.Category == Building.getName() ||
            E.Category == Output.getName()) &&
           !is_contained({"budget", "explain-search"}, E.Name) &&
           !(Command == "roofline" &&
             is_contained({"pressure", "advise", "timing"}, E.Name));
  if (Command == "lsp")
    return E.Category != Modes.getName() && E.Category != Output.getName() &&
           !is_contained({"end-of-options", "hook", "files-from", "null"},
                         E.Name); // the editor names the files
  return true;
}

/// Categories in the order of a run; others behind them.
static size_t rank(StringRef Category) {
  const cl::OptionCategory *Order[] = {&Modes,    &Choice,    &Building,
                                       &Roofline, &Verifying, &Output};
  return find_if(Order, [&](auto *C) { return C->getName() == Category; }) -
         std::begin(Order);
}

static std::vector<OptionEntry> optionsOf(StringRef Command,
                                          cl::SubCommand &From) {
  std::vector<OptionEntry> Out;
  std::vector<std::pair<std::string, std::string>> Shorts;
  for (auto &[Name, O] : From.OptionsMap) {
    // A short name's help is the long one; LLVM's own are told apart by it.
    if (Name.size() == 1 && StringRef(O->HelpStr).consume_front("--"))
      Shorts.push_back({O->HelpStr.drop_front(2).str(), Name.str()});
    else if (O->getOptionHiddenFlag() == cl::NotHidden &&
             O->Categories.front()->getName() != "Generic Options")
      Out.push_back(entryOf(*O));
  }
  llvm::erase_if(Out, [&](auto &E) { return !takes(Command, E); });
  if (Command == "devices" || Command == "roofline")
    for (OptionEntry &E : Out)
      llvm::erase_if(E.Values, [&](const OptionValue &V) {
        return E.Name == "format" && V.Name != "text" && V.Name != "json";
      });
  for (OptionEntry &E : Out)
    for (const auto &[Long, Short] : Shorts)
      if (E.Name == Long)
        E.Short = Short;
  llvm::sort(Out, [](const OptionEntry &A, const OptionEntry &B) {
    size_t RankA = rank(A.Category), RankB = rank(B.Category);
    return std::tie(RankA, A.Category, A.Name) <
           std::tie(RankB, B.Category, B.Name);
  });
  return Out;
}

std::vector<CommandEntry> commandTable() {
  std::vector<CommandEntry> Out;
  cl::SubCommand &Top = cl::SubCommand::getTopLevel();
  for (const Command &C : Commands) {
    CommandEntry E;
    E.Name = C.Name;
    E.Summary = C.Summary;
    SmallVector<StringRef> Usage;
    StringRef(C.Usage).split(Usage, '\n');
    for (StringRef Line : Usage)
      E.Usage.push_back(Line.str());
    E.Description = C.Description;
    cl::SubCommand *Own = nullptr;
    for (cl::SubCommand *S : cl::getRegisteredSubcommands())
      if (S->getName() == C.Name)
        Own = S;
    E.Options = optionsOf(C.Name, Own && !E.Name.empty() ? *Own : Top);
    Out.push_back(std::move(E));
  }
  return Out;
}

} // namespace clrewrite::cli
