// A client's settings are read from its JSON, and laid over the configuration.
#include "LspSettings.h"
#include "frontend/IncludeFolders.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::cli {
namespace {

Error wrong(StringRef Key, StringRef Wanted) {
  return createStringError("setting '" + Key.str() + "': expected " +
                           Wanted.str());
}

Error setWords(StringRef Key, const json::Value &V,
               std::vector<std::string> &Into) {
  json::Path::Root Root;
  std::vector<std::string> Words;
  if (!fromJSON(V, Words, Root))
    return wrong(Key, "a list of strings");
  if (!Words.empty())
    Into = std::move(Words);
  return Error::success();
}

/// Options that say what to look for and how. Not among them is what runs a
/// program, reads or writes a file: some editors take settings from the folder
/// that they show, which somebody else may have made.
bool isForClients(StringRef Name) {
  static const StringSet<> Names{"advise",
                                 "allow-varying",
                                 "alternative",
                                 "budget",
                                 "compile-timeout",
                                 "demote",
                                 "grant",
                                 "device-timeout",
                                 "jobs",
                                 "guess-launches",
                                 "launch",
                                 "max-slowdown",
                                 "no-cache",
                                 "no-config",
                                 "no-measure",
                                 "objective",
                                 "only",
                                 "only-target",
                                 "options",
                                 "proof-seconds",
                                 "require-proof",
                                 "target",
                                 "tolerance",
                                 "unsafe-fixes",
                                 "variants",
                                 "verify",
                                 "verify-seconds",
                                 "without"};
  return Names.contains(Name);
}

/// The options whose value may not be a word of its own.
bool isFlag(StringRef Name) {
  return Name.starts_with("no-") || Name == "only-target" ||
         Name == "variants" || Name == "require-proof" ||
         Name == "unsafe-fixes" || Name == "allow-varying" ||
         Name == "guess-launches";
}

Error checkArguments(StringRef Key, ArrayRef<std::string> Words) {
  bool ValueMayFollow = false;
  for (StringRef Word : Words) {
    auto [Name, Value] = Word.split('=');
    bool Dashed = Name.consume_front("-");
    Name.consume_front("-");
    if (!Dashed && std::exchange(ValueMayFollow, false))
      continue;
    if (!Dashed || !isForClients(Name))
      return createStringError(
          "setting '" + Key.str() + "': '" + Word.str() +
          "' is not taken from an editor, whose settings may be a "
          "repository's; give it on the server's command line");
    ValueMayFollow = !Word.contains('=') && !isFlag(Name);
  }
  return Error::success();
}

Error setBool(StringRef Key, const json::Value &V, bool &Into) {
  std::optional<bool> B = V.getAsBoolean();
  if (!B)
    return wrong(Key, "true or false");
  Into = *B;
  return Error::success();
}

Error setDelay(StringRef Key, const json::Value &V, unsigned &Into) {
  std::optional<int64_t> N = V.getAsInteger();
  if (!N || *N < 0 || *N > 60000)
    return wrong(Key, "milliseconds, 0 to 60000");
  Into = unsigned(*N);
  return Error::success();
}

Error setArguments(StringRef Key, const json::Value &V,
                   std::vector<std::string> &Into) {
  std::vector<std::string> Words;
  if (Error E = setWords(Key, V, Words))
    return E;
  if (Error E = checkArguments(Key, Words))
    return E;
  if (!Words.empty())
    Into = std::move(Words);
  return Error::success();
}

/// A setting that stands for an option: "targets": ["gfx906"] is
/// --target=gfx906. An empty one takes back what was said of it.
Error setOption(StringRef Key, StringRef Option, const json::Value &V,
                std::map<std::string, std::string> &Into) {
  std::string Value;
  if (const json::Array *List = V.getAsArray()) {
    for (const json::Value &Each : *List) {
      if (!Each.getAsString())
        return wrong(Key, "a string, or a list of them");
      Value += (Value.empty() ? "" : ",") + Each.getAsString()->str();
    }
  } else if (V.getAsString()) {
    Value = V.getAsString()->str();
  } else {
    return wrong(Key, "a string, or a list of them");
  }
  if (Value.empty())
    Into.erase(Option.str());
  else
    Into[Option.str()] = Value;
  return Error::success();
}

} // namespace

config::Misuse LspSettings::read(StringRef Program, config::Options &O,
                                 std::vector<std::string> &LeftOut) const {
  std::vector<std::string> Words;
  for (const auto &[Name, Value] : Named)
    Words.push_back("--" + Name + "=" + Value);
  config::Options Over;
  config::Misuse Wrong = config::parseOptions(Program, "lsp", Options, O);
  if (!Wrong.any())
    Wrong = config::parseOptions(Program, "lsp", Words, Over);
  O.Set = config::overlay(std::move(O.Set), Over.Set);
  O.AfterDashes =
      frontend::withoutForeignFolders(BuildOptions, IncludeRoots, LeftOut);
  if (O.Set.Options)
    for (std::string &Text : *O.Set.Options)
      Text = config::withoutForeignFolders(Text, IncludeRoots, LeftOut);
  O.Files.push_back("-");
  return Wrong;
}

Error apply(const json::Value &Given, LspSettings &S) {
  const json::Object *O = Given.getAsObject();
  if (!O)
    return Given.getAsNull()
               ? Error::success()
               : createStringError("settings: expected an object");
  LspSettings New = S;
  for (const auto &[KeyRef, V] : *O) {
    StringRef Key = KeyRef;
    Error E = Error::success();
    if (V.getAsNull())
      continue; // as if it were not there
    if (Key == "targets")
      E = setOption(Key, "target", V, New.Named);
    else if (Key == "objective" || Key == "budget" || Key == "verify")
      E = setOption(Key, Key, V, New.Named);
    else if (Key == "arguments")
      E = setArguments(Key, V, New.Options);
    else if (Key == "buildOptions")
      E = setWords(Key, V, New.BuildOptions);
    else if (Key == "pressure")
      E = setBool(Key, V, New.Pressure);
    else if (Key == "search")
      E = setBool(Key, V, New.Search);
    else if (Key == "measureDelay")
      E = setDelay(Key, V, New.MeasureDelay);
    else if (Key == "searchDelay")
      E = setDelay(Key, V, New.SearchDelay);
    else if (Key == "hints" && V.getAsString() &&
             (*V.getAsString() == "on" || *V.getAsString() == "off" ||
              *V.getAsString() == "auto"))
      New.Hints = V.getAsString()->str();
    else if (Key == "hints")
      E = wrong(Key, "\"on\", \"off\" or \"auto\"");
    else
      E = createStringError("unknown setting '" + Key.str() + "'");
    if (E)
      return E;
  }
  S = std::move(New);
  return Error::success();
}

} // namespace clrewrite::cli
