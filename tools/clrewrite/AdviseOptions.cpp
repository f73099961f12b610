// --advise and --list-advice.
#include "AdviseOptions.h"
#include "CommonOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clrewrite::cli {

static cl::list<std::string>
    Advise("advise", cl::CommaSeparated, cl::ValueOptional,
           cl::desc("Note also what is no edit, such as accesses that do not "
                    "coalesce: all sorts, or these (--list-advice); off for "
                    "none"),
           cl::value_desc("name,..."), cl::cat(Output));
static cl::opt<bool> ListAdvice("list-advice",
                                cl::desc("List the sorts of advice"),
                                cl::cat(Modes));

std::optional<config::Words> givenAdvice() {
  if (!Advise.getNumOccurrences())
    return std::nullopt;
  config::Words Out;
  for (const std::string &Word : Advise)
    Out.push_back(Word.empty() ? "all" : Word);
  if (Out.empty())
    Out.push_back("all");
  return Out;
}

bool printAdvicePage(StringRef Name) {
  for (auto [Sort, Page] : zip(advice::allAdvice(), advice::advicePages()))
    if (Sort->Name == Name) {
      outs() << Page;
      return true;
    }
  return false;
}

bool printedAdvice() {
  if (!ListAdvice)
    return false;
  for (const advice::AdviceSort *Sort : advice::allAdvice())
    outs() << formatv("{0,-17} {1}\n", Sort->Name, Sort->Summary);
  return true;
}

} // namespace clrewrite::cli
