// All edits are made, libFormat looks at the lines that they insert, and what
// it would replace within one of them is replaced in that edit's text.
#include "frontend/EditStyle.h"
#include "frontend/RawTokens.h"
#include "process/Child.h"
#include "clang/Format/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include <numeric>

using namespace llvm;
using clang::format::FormatStyle;

namespace clrewrite::frontend {
namespace {

/// What a text says but for its blanks: its tokens and comments, one a line.
std::string wordsOf(StringRef Text) {
  std::string Out;
  eachTokenAndComment(Text,
                      [&](const clang::Token &, size_t, StringRef Spelling) {
                        SmallVector<StringRef> Parts;
                        SplitString(Spelling, Parts);
                        Out += join(Parts, " ") + "\n";
                      });
  return Out;
}

/// A directive ends with its line, and one that goes on behind a backslash is
/// broken where it says.
bool mayBeLaidOut(const Edit &E) {
  return !E.Shared && StringRef(E.Text).find_first_of("#\\") == StringRef::npos;
}

std::optional<FormatStyle> styleIn(StringRef Config) {
  FormatStyle Style = clang::format::getLLVMStyle();
  if (clang::format::parseConfiguration(
          MemoryBufferRef(Config, ".clang-format"), &Style,
          /*AllowUnknownOptions=*/true, [](const SMDiagnostic &, void *) {}) ||
      Style.DisableFormat)
    return std::nullopt;
#if LLVM_VERSION_MAJOR >= 20
  Style.ReflowComments = FormatStyle::RCS_Never;
#else
  Style.ReflowComments = false;
#endif
  Style.SortIncludes = {};
  return Style;
}

/// The texts of \p List, which are \p Each in order of their offsets, laid out;
/// with as many lines as they have where the program \p CountsLines.
std::vector<std::string> laidOut(const FormatStyle &Style, StringRef Text,
                                 const Edits &List, ArrayRef<size_t> Each,
                                 bool CountsLines) {
  std::string New;
  std::vector<clang::tooling::Range> Inserted;
  size_t At = 0;
  for (size_t I : Each) {
    const Edit &E = List[I];
    New += Text.slice(At, E.Offset);
    Inserted.emplace_back(unsigned(New.size()), unsigned(E.Text.size()));
    New += E.Text;
    At = E.end();
  }
  New += Text.drop_front(At);
  std::vector<clang::tooling::Range> Ranges;
  for (auto [I, Range] : zip(Each, Inserted))
    if (mayBeLaidOut(List[I]) && Range.getLength())
      Ranges.push_back(Range);
  std::vector<std::string> Out;
  for (const Edit &E : List)
    Out.push_back(E.Text);
  if (Ranges.empty())
    return Out;
  const clang::tooling::Replacements Found =
      clang::format::reformat(Style, New, Ranges, "kernel.cl");
  for (auto [I, Range] : zip(Each, Inserted)) {
    if (!mayBeLaidOut(List[I]))
      continue;
    // Where the line in front of it has other blanks than these, the file is
    // not laid out as its configuration says.
    const size_t Start = Range.getOffset();
    if (any_of(Found, [&](const clang::tooling::Replacement &R) {
          return R.getOffset() < Start &&
                 R.getOffset() + R.getLength() >= Start;
        }))
      continue;
    std::string Own = List[I].Text;
    for (const clang::tooling::Replacement &R : reverse(Found))
      if (R.getOffset() >= Start &&
          R.getOffset() + R.getLength() <= Start + Range.getLength())
        Own.replace(R.getOffset() - Start, R.getLength(),
                    R.getReplacementText().str());
    const bool SameLines =
        StringRef(Own).count('\n') == StringRef(List[I].Text).count('\n');
    if ((SameLines || !CountsLines) && wordsOf(Own) == wordsOf(List[I].Text))
      Out[I] = std::move(Own);
  }
  return Out;
}

} // namespace

Edits inStyle(StringRef Config, StringRef Text, Edits List) {
  std::vector<size_t> Each(List.size());
  std::iota(Each.begin(), Each.end(), size_t(0));
  stable_sort(Each, [&](size_t A, size_t B) {
    return std::pair(List[A].Offset, List[A].Length) <
           std::pair(List[B].Offset, List[B].Length);
  });
  for (size_t I = 1; I < Each.size(); ++I)
    if (List[Each[I]].Offset < List[Each[I - 1]].end())
      return List; // they overlap
  if (none_of(List, mayBeLaidOut) || Text.contains('\r'))
    return List;
  // What stands around the functions that change is not looked at: a function
  // ends with a brace that begins a line.
  size_t From = Text.take_front(List[Each.front()].Offset).rfind("\n}"),
         To = Text.find("\n}", List[Each.back()].end());
  From = From == StringRef::npos ? 0 : From + 2;
  const StringRef Around =
      Text.slice(From, To == StringRef::npos ? To : To + 2);
  Edits Own = List;
  for (Edit &E : Own)
    E.Offset -= unsigned(From);
  auto Work = [&]() -> std::string {
    std::optional<FormatStyle> Style = styleIn(Config);
    if (!Style)
      return "";
    std::string Out;
    for (const std::string &One :
         laidOut(*Style, Around, Own, Each, Text.contains("__LINE__")))
      Out += One + '\0';
    return Out;
  };
  process::ChildLimits Limits;
  Limits.Seconds = 5;
  const process::ChildResult R = process::runInChildren({Work}, Limits).front();
  SmallVector<StringRef> Texts;
  StringRef(R.Output).split(Texts, '\0');
  if (R.Status != process::ChildResult::Done || Texts.size() != List.size() + 1)
    return List;
  for (auto [E, New] : zip(List, Texts))
    E.Text = New.str();
  return List;
}

} // namespace clrewrite::frontend
