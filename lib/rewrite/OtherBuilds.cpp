// Edits, and what a host may define otherwise.
#include "rewrite/OtherBuilds.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

/// How many of \p Text's words are OpenCL C's names of numbers and vectors.
static unsigned typeNames(StringRef Text) {
  auto inWord = [](char C) { return isAlnum(C) || C == '_'; };
  unsigned Count = 0;
  while (!(Text = Text.drop_until(inWord)).empty()) {
    StringRef Word = Text.take_while(inWord);
    Text = Text.drop_front(Word.size());
    Count +=
        StringSwitch<bool>(Word.rtrim("0123456789"))
            .Cases({"char", "uchar", "short", "ushort", "int", "uint"}, true)
            .Cases({"long", "ulong", "half", "float", "double"}, true)
            .Default(false);
  }
  return Count;
}

bool OtherBuilds::typesAreFixed(const FunctionDecl &F) {
  auto [It, New] = TypesAreFixed.insert({&F, false});
  if (New)
    It->second = Fixed.hasFixedTypes(F);
  return It->second;
}

const char *OtherBuilds::whyOther(ArrayRef<Edit> List, const FunctionDecl &F) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef All = SM.getBufferData(SM.getMainFileID());
  std::map<StringRef, int> Kept;
  bool WritesTypes = false;
  for (const Edit &E : List) {
    StringRef Old = All.substr(E.Offset, E.Length);
    for (StringRef Macro : Fixed.others(Old))
      --Kept[Macro];
    for (StringRef Macro : Fixed.others(E.Text))
      ++Kept[Macro];
    WritesTypes |= typeNames(E.Text) > typeNames(Old);
  }
  for (const auto &[Macro, Count] : Kept)
    if (Count < 0)
      return "a macro in what it would replace may be another one with other "
             "build options";
  if (WritesTypes && !typesAreFixed(F))
    return "a type that it would write out may be another one with other "
           "build options";
  return nullptr;
}

} // namespace clrewrite::rewrite
