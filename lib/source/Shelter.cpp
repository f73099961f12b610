// Shelters are found line by line, without a parser: what stands in a comment
// or a literal that looks like one has no meaning to any compiler.
#include "source/Shelter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite {
namespace {

constexpr StringLiteral Opening = "#ifdef ", Comment = " // clrewrite",
                        Closing = "#endif";

bool isBlank(char C) { return C == ' ' || C == '\t'; }

/// The line is one with the next.
bool goesOn(StringRef Line) {
  Line = Line.rtrim();
  return Line.ends_with("\\") || Line.ends_with("?\?/");
}

/// It may stand in a shelter: no directive, whose '#' may be spelled otherwise,
/// and nothing that goes on behind its end.
bool isPlain(StringRef Line) {
  return !goesOn(Line) &&
         none_of(ArrayRef<StringRef>{"#", "%:", "?\?=", "/*", "*/", "R\""},
                 [&](StringRef Each) { return Line.contains(Each); });
}

/// The line begins a shelter. A launch comment is a user's.
bool opens(StringRef Line) {
  Line = Line.trim();
  if (!Line.consume_front(Opening))
    return false;
  StringRef Macro =
      Line.take_while([](char C) { return isAlnum(C) || C == '_'; });
  Line = Line.drop_front(Macro.size());
  return !Macro.empty() && Line.consume_front(Comment) && !goesOn(Line) &&
         (Line.empty() ||
          (Line.starts_with(": ") && !Line.starts_with(": launch")));
}

/// Of a shelter in a text, in bytes: its first line without the end, and all of
/// its lines with the end of the last one.
struct Shelter {
  StringRef Head, All;
};

/// The shelter that \p Text starts with.
std::optional<Shelter> shelterAt(StringRef Text) {
  auto [Head, Rest] = Text.split('\n');
  if (!opens(Head))
    return std::nullopt;
  for (bool Any = false; !Rest.empty(); Any = true) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    if (Any && Line.trim() == Closing)
      return Shelter{Head, Text.drop_back(Rest.size())};
    if (!isPlain(Line))
      return std::nullopt;
  }
  return std::nullopt;
}

/// \p Text with what \p Other gives in the place of each shelter.
std::string replaced(StringRef Text,
                     function_ref<std::string(const Shelter &)> Other) {
  std::string Out;
  for (bool Inside = false; !Text.empty();) {
    std::optional<Shelter> Here = Inside ? std::nullopt : shelterAt(Text);
    StringRef Line = Text.split('\n').first;
    StringRef All = Here ? Here->All : Text.take_front(Line.size() + 1);
    Out += Here ? Other(*Here) : All.str();
    Inside = !Here && goesOn(Line); // a line with the next
    Text = Text.drop_front(All.size());
  }
  return Out;
}

} // namespace

std::optional<Edit> sheltered(const Edit &E, StringRef Macro, StringRef Text) {
  StringRef Before = Text.take_front(E.Offset),
            Behind = Text.drop_front(E.Offset);
  StringRef Line = Before.drop_front(Before.rfind('\n') + 1); // npos + 1 is 0
  StringRef Own = E.Text, Indent = Line;
  const bool Follows = Own.consume_front("\n");
  if (Follows) {
    Indent = Own.take_while(isBlank);
    Own = Own.drop_front(Indent.size());
  }
  bool Whole = Follows ? Behind.empty() || Behind.starts_with("\n") ||
                             Behind.starts_with("\r\n")
                       : all_of(Line, isBlank) &&
                             Own.consume_back(("\n" + Indent).str());
  StringRef Above = Follows ? Before : Before.drop_back(Line.size());
  if (!Whole || E.Length || E.Shared || Own.empty() || Own.contains('\n') ||
      !isPlain(Own) || goesOn(Above) || lineEnding(Text) == "\r")
    return std::nullopt;
  std::string All = (Opening + Macro + Comment + "\n" + Indent + Own + "\n" +
                     Indent + Closing)
                        .str();
  Edit Out = E;
  Out.Text = (Follows ? "\n" + Indent + All : All + "\n" + Indent).str();
  return Out;
}

std::optional<size_t> endOfShelterComment(StringRef Added) {
  StringRef Text = Added.ltrim();
  std::optional<Shelter> Here = shelterAt(Text);
  if (!Here)
    return std::nullopt;
  return Added.size() - Text.size() + Here->Head.rtrim().size();
}

std::string withShelters(StringRef Text, bool Open) {
  return replaced(Text, [&](const Shelter &S) {
    StringRef Indent = S.Head.take_while(isBlank);
    StringRef Behind = S.Head.drop_front(S.Head.find(Comment));
    return (Indent + (Open ? "#if 1" : "#if 0") + Behind +
            S.All.drop_front(S.Head.size()))
        .str();
  });
}

std::string withoutShelters(StringRef Text) {
  return replaced(Text, [](const Shelter &) { return std::string(); });
}

} // namespace clrewrite
