// Shelters are found line by line, without a parser: what stands in a comment
// or a literal that looks like one has no meaning to any compiler.
#include "source/Shelter.h"
#include "source/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite {
namespace {

constexpr StringLiteral Comment = " // clrewrite", Closing = "#endif",
                        Otherwise = "#else";

bool isBlank(char C) { return C == ' ' || C == '\t'; }

/// Takes a macro's name from the front of \p Text; empty where there is none.
StringRef takeMacro(StringRef &Text) {
  StringRef Macro = Text.take_while(isInWord);
  Text = Text.drop_front(Macro.size());
  return Macro;
}

/// The macro of a line that begins lines for some GPUs; empty for another line.
/// A launch comment is a user's.
std::string macroOf(StringRef Line, bool IsFirst) {
  Line = Line.trim();
  if (!Line.consume_front(IsFirst ? "#ifdef " : "#elif defined("))
    return "";
  StringRef Macro = takeMacro(Line);
  bool Said = (IsFirst || Line.consume_front(")")) &&
              Line.consume_front(Comment) && !goesOn(Line) &&
              (Line.empty() ||
               (Line.starts_with(": ") && !Line.starts_with(": launch")));
  return Said ? Macro.str() : "";
}

/// Lines that are read where the macro For is defined, or where none is if it
/// is empty.
struct Arm {
  std::string For;
  StringRef Head, Lines; ///< without the end, and with all ends
};

/// Of a shelter in a text: its parts, and all of its bytes with the end of the
/// last line.
struct Shelter {
  std::vector<Arm> Arms;
  StringRef Last, All;
};

/// The shelter that \p Text starts with.
std::optional<Shelter> shelterAt(StringRef Text) {
  auto [Head, Rest] = Text.split('\n');
  Shelter Out;
  std::string For = macroOf(Head, /*IsFirst=*/true);
  if (For.empty())
    return std::nullopt;
  Out.Arms.push_back({std::move(For), Head, Rest.take_front(0)});
  for (bool Any = false; !Rest.empty();) {
    Arm &Now = Out.Arms.back();
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    StringRef Behind(Line.end(), 0);
    if (Line.end() != Text.end())
      Behind = StringRef(Line.end() + 1, 0);
    bool IsLast = Now.For.empty();
    if (Any && Line.trim() == Closing) {
      Out.Last = Line;
      Out.All = Text.drop_back(Rest.size());
      return Out;
    }
    std::string Next = IsLast ? "" : macroOf(Line, /*IsFirst=*/false);
    if (!Next.empty() || (!IsLast && Line.trim() == Otherwise)) {
      Out.Arms.push_back({std::move(Next), Line, Behind});
      continue;
    }
    if (!mayBeSheltered(Line))
      return std::nullopt;
    Now.Lines = StringRef(Now.Lines.begin(),
                          size_t(Behind.begin() - Now.Lines.begin()));
    Any = true;
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

bool goesOn(StringRef Line) {
  Line = Line.rtrim();
  return Line.ends_with("\\") || Line.ends_with("?\?/");
}

bool mayBeSheltered(StringRef Line) {
  // A '#' may be spelled otherwise.
  return !goesOn(Line) &&
         none_of(ArrayRef<StringRef>{"#", "%:", "?\?=", "/*", "*/", "R\""},
                 [&](StringRef Each) { return Line.contains(Each); });
}

std::string shelterLine(StringRef For, bool IsFirst) {
  return ((IsFirst ? "#ifdef " : "#elif defined(") + For +
          (IsFirst ? "" : ")") + Comment)
      .str();
}

std::optional<Edit> sheltered(const Edit &E, StringRef For, StringRef Text) {
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
      !mayBeSheltered(Own) || goesOn(Above) || lineEnding(Text) == "\r")
    return std::nullopt;
  std::string All = (shelterLine(For, /*IsFirst=*/true) + "\n" + Indent + Own +
                     "\n" + Indent + Closing)
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
  return Added.size() - Text.size() + Here->Arms.front().Head.rtrim().size();
}

bool isInShelter(const Edit &E, StringRef Text) {
  bool Out = false;
  replaced(Text, [&](const Shelter &S) {
    auto Begin = size_t(S.All.begin() - Text.begin());
    size_t End = Begin + S.All.size();
    Out |= E.Length ? E.Offset < End && E.end() > Begin
                    : E.Offset > Begin && E.Offset < End;
    return std::string();
  });
  return Out;
}

std::vector<std::string> sheltersIn(StringRef Text) {
  std::vector<std::string> Out;
  replaced(Text, [&](const Shelter &S) {
    for (const Arm &A : S.Arms)
      if (!A.For.empty() && !is_contained(Out, A.For))
        Out.push_back(A.For);
    return std::string();
  });
  return Out;
}

std::string withShelters(StringRef Text, StringRef For) {
  return replaced(Text, [&](const Shelter &S) {
    std::string Out;
    for (const Arm &A : S.Arms) {
      size_t At = A.Head.find('#'), Behind = A.Head.find(Comment);
      StringRef Word = &A == &S.Arms.front() ? "#if" : "#elif";
      Out += A.For.empty()
                 ? A.Head.str()
                 : (A.Head.take_front(At) + Word +
                    (A.For == For ? " 1" : " 0") + A.Head.drop_front(Behind))
                       .str();
      Out += "\n" + A.Lines.str();
    }
    return Out + StringRef(S.Last.begin(), size_t(S.All.end() - S.Last.begin()))
                     .str();
  });
}

std::string readBy(StringRef Text, StringRef For) {
  return replaced(Text, [&](const Shelter &S) {
    for (const Arm &A : S.Arms)
      if (A.For == For || A.For.empty())
        return A.Lines.str();
    return std::string();
  });
}

} // namespace clrewrite
