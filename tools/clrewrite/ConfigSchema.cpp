// --config-schema: the JSON schema of .clrewrite.yaml, made of the option
// table. What it takes the program takes; the program takes some forms besides,
// such as numbers in quotes.
#include "Generate.h"
#include "advice/AdviceSort.h"
#include "rewrite/Registry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace clrewrite::cli {
namespace {

using Names = std::vector<std::string>;
using json::Array;
using json::Object;
using json::Value;

Object described(Object Type, StringRef Text) {
  if (!Text.empty())
    Type["description"] = Text.str();
  return Type;
}

Object typed(Value Type) { return Object{{"type", std::move(Type)}}; }

Object choice(Array Choices) { return Object{{"anyOf", std::move(Choices)}}; }

template <typename... T> Object anyOf(T... Choices) {
  Array Out;
  (Out.push_back(std::move(Choices)), ...);
  return choice(std::move(Out));
}

/// One of \p Known, which editors offer. `off` is false where YAML 1.1 is read.
Object oneOf(const Names &Known) {
  Array Values(Known);
  if (is_contained(Known, "off"))
    Values.push_back(false);
  return Object{{"enum", std::move(Values)}};
}

/// A list with commas of words that \p One, a regular expression, fits.
Object commas(const std::string &One) {
  std::string Word = " *(?:" + One + ") *";
  return Object{{"type", "string"},
                {"pattern", "^" + Word + "(?:," + Word + ")*$"}};
}

/// A list of \p Each, or one alone.
Object listOf(const Object &Each, unsigned Least = 0) {
  Object List{{"type", "array"}, {"items", Object(Each)}};
  if (Least)
    List["minItems"] = Least;
  return anyOf(Object(Each), std::move(List));
}

Names adviceNames() {
  Names Out{"all", "off"};
  for (const advice::AdviceSort *Sort : advice::allAdvice())
    Out.push_back(Sort->Name);
  return Out;
}

/// An element of the list that the option takes.
Object element(const config::Option &O) {
  if (O.Name == "target")
    return anyOf(oneOf(completionOf(O).Names), commas("[^, ][^,]*"));
  if (O.Name == "only" || O.Name == "without")
    return anyOf(oneOf(rewriteNames()), commas(join(rewriteNames(), "|")));
  if (O.Name == "grant" || O.Name == "demote")
    return anyOf(oneOf(rewriteNames()),
                 commas("(?:" + join(rewriteNames(), "|") +
                        ")(?:/[^,:/ ]+)?"
                        "(?::(?:exact|assumes|approximate|contract))?"));
  if (O.Name == "advise")
    return anyOf(oneOf(adviceNames()), commas(join(adviceNames(), "|")));
  if (O.Name == "try-options") {
    Names Known{"registers", "off", "-cl-mad-enable", "-cl-denorms-are-zero",
                "-cl-fast-relaxed-math"};
    return anyOf(oneOf(Known),
                 commas(join(Known, "|") + "|-cl-nv-maxrregcount=[0-9]{2,3}"));
  }
  return typed("string");
}

Object patterns() { return listOf(typed("string")); }

/// A map of \p Keys alone, of which \p Required must be there.
Object closed(Object Keys, StringRef Required = "") {
  Object Out{{"type", "object"},
             {"additionalProperties", false},
             {"properties", std::move(Keys)}};
  if (!Required.empty())
    Out["required"] = Array{Required};
  return Out;
}

Object number(const config::Option &O, StringRef Type, double Most) {
  Object Out{{"type", Type}, {"minimum", O.Least}};
  if (Most > 0)
    Out["maximum"] = Most;
  return Out;
}

// What a key takes, by where its value goes.

Object takes(const config::Option &, std::optional<bool> *) {
  return typed("boolean");
}

Object takes(const config::Option &O, std::optional<double> *) {
  return number(O, "number", O.Most > 0 ? O.Most : 1e9);
}

Object takes(const config::Option &O, std::optional<unsigned> *) {
  return number(O, "integer", O.Most);
}

Object takes(const config::Option &O, std::optional<std::string> *) {
  if (O.Name == "verify") // or a device
    return anyOf(oneOf({"auto", "off"}), typed("string"),
                 Object{{"type", "integer"}, {"minimum", 0}});
  if (O.Name == "budget") {
    // In a text the bound is a pattern's: 1 to 2000 of either, or parts of
    // seconds.
    assert(O.Most == 2000);
    return anyOf(
        Object{{"type", "integer"}, {"minimum", 1}, {"maximum", O.Most}},
        Object{{"type", "string"},
               {"pattern", "^0*(?:[1-9][0-9]{0,2}|1[0-9]{3}|2000)s?$"
                           "|^0*1?[0-9]{0,3}[.][0-9]*[1-9]s$"}});
  }
  return anyOf(Object{{"type", "number"}, {"minimum", 0}}, typed("string"));
}

Object takes(const config::Option &O, std::optional<config::Words> *) {
  return listOf(element(O), O.Name == "target" ? 1 : 0);
}

Object takes(const config::Option &O,
             std::optional<std::vector<select::EditName>> *) {
  return listOf(element(O));
}

Object takes(const config::Option &O, std::optional<select::Objective> *) {
  Array Values;
  for (const config::OptionValue &V : O.Values)
    Values.push_back(described(Object{{"const", V.Name}}, V.Help));
  return choice(std::move(Values));
}

Object takes(const config::Option &,
             std::optional<std::vector<config::OptionSet>> *) {
  return Object{
      {"type", "array"},
      {"items",
       closed(
           Object{{"name", described(typed("string"),
                                     "What tells it from others in reports")},
                  {"files", described(patterns(), "Patterns of its files; all "
                                                  "where there is none")},
                  {"options", described(patterns(), "Its build options")}},
           "name")}};
}

Object takes(const config::Option &,
             std::optional<std::vector<config::FileLaunch>> *) {
  Object Each = anyOf(
      typed("string"),
      closed(
          Object{{"launch", described(typed("string"),
                                      "KERNEL:GLOBAL[:LOCAL][,ARG=VALUE...]")},
                 {"files", described(patterns(), "Patterns of its files")}},
          "launch"));
  return listOf(Each);
}

/// What no key has.
template <typename T> Object takes(const config::Option &, T *) {
  return Object{};
}

} // namespace

void writeConfigSchema(raw_ostream &OS) {
  config::Config C;
  Object Keys;
  for (const config::Option &O : config::optionsOf(C))
    Keys[O.Name] = described(
        std::visit([&](auto *Into) { return takes(O, Into); }, O.Into), O.Help);
  Object Schema = closed(std::move(Keys));
  // An empty file is one, too.
  Schema["type"] = Array{"object", "null"};
  Schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  Schema["title"] = "The configuration of clrewrite, .clrewrite.yaml";
  OS << formatv("{0:2}", Value(std::move(Schema))) << "\n";
}

} // namespace clrewrite::cli
