// An edit varies with the build where it removes an unstable macro, or writes
// out a type that an unstable typedef may stand for.
#include "rewrite/BuildVariance.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

/// Adds \p Sign for each word of \p Text that is one of OpenCL C's names of
/// scalar and vector types, and gives their sum.
static int countTypes(StringRef Text, int Sign,
                      std::map<StringRef, int> &Into) {
  auto inWord = [](char C) { return isAlnum(C) || C == '_'; };
  int Count = 0;
  while (!(Text = Text.drop_until(inWord)).empty()) {
    StringRef Word = Text.take_while(inWord);
    Text = Text.drop_front(Word.size());
    if (!is_contained({"char", "uchar", "short", "ushort", "int", "uint",
                       "long", "ulong", "half", "float", "double"},
                      Word.rtrim("0123456789")))
      continue;
    Into[Word] += Sign;
    Count += Sign;
  }
  return Count;
}

const std::string &BuildVariance::unstableType(const FunctionDecl &F) {
  auto [It, New] = Unstable.insert({&F, ""});
  if (New)
    It->second = Macros.unstableTypeIn(F);
  return It->second;
}

/// What the user can do about it.
constexpr char Once[] =
    "'; where it is always the same, define it once, without #if, in the file";

std::string BuildVariance::obstacle(ArrayRef<Edit> List,
                                    const FunctionDecl *F) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef All = SM.getBufferData(SM.getMainFileID());
  std::map<StringRef, int> Kept, Types;
  bool WritesTypes = false;
  for (const Edit &E : List) {
    StringRef Old = All.substr(E.Offset, E.Length);
    for (StringRef Macro : Macros.unstableIn(Old))
      --Kept[Macro];
    for (StringRef Macro : Macros.unstableIn(E.Text))
      ++Kept[Macro];
    // What several sites share is a macro's definition (Macro.h), whose types
    // have nothing to do with those of the program.
    if (!E.Shared)
      WritesTypes |=
          countTypes(E.Text, 1, Types) + countTypes(Old, -1, Types) > 0;
  }
  // Text that is only moved writes no type anew.
  WritesTypes &= any_of(Types, [](const auto &T) { return T.second > 0; });
  for (const auto &[Macro, Count] : Kept)
    if (Count < 0)
      return "a macro in what it would replace may be another one with other "
             "build options: '" +
             Macro.str() + Once;
  if (F && WritesTypes && !unstableType(*F).empty())
    return "a type that it would write out may be another one with other "
           "build options: '" +
           unstableType(*F) + Once;
  return "";
}

} // namespace clrewrite::rewrite
