#include "source/AskedNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite {

bool mayBePredefined(StringRef Name) {
  return Name.starts_with("__") || Name.starts_with("cl_") ||
         Name.starts_with("CL_VERSION_") || Name.starts_with("FP_FAST_");
}

static bool isWordByte(char C) { return isAlnum(C) || C == '_' || C == '$'; }

/// The word at the beginning of \p Text, which is taken from there.
static StringRef takeWord(StringRef &Text) {
  StringRef Word = Text.take_while(isWordByte);
  Text = Text.drop_front(Word.size());
  return Word;
}

/// What may be a directive stands in \p Line, behind something else: the end of
/// a comment, or another spelling of #.
static bool mayHideDirective(StringRef Line) {
  if (Line.ltrim().starts_with("#"))
    Line = Line.substr(Line.find("*/"));
  else if (!Line.contains("*/"))
    Line = Line.split("//").first;
  return Line.contains('#') || Line.contains("%:");
}

/// Bytes of \p Text may mean something else than they look like: trigraphs,
/// letters beyond ASCII, lines that end in a carriage return alone, and a
/// backslash at the end of a line that may join two parts of a token.
static bool isPlain(StringRef Text) {
  if (Text.contains("?\?/") || Text.contains("?\?=") || Text.contains("\\u") ||
      Text.contains("\\U") || Text.contains(AnswersPrefix) ||
      any_of(Text, [](char C) { return !isASCII(C); }))
    return false;
  for (size_t At = Text.find('\r'); At < Text.size();
       At = Text.find('\r', At + 1))
    if (!Text.substr(At + 1).starts_with("\n"))
      return false;
  for (size_t At = Text.find('\\'); At < Text.size();
       At = Text.find('\\', At + 1)) {
    StringRef Next = Text.substr(At + 1).ltrim(" \t\r\v\f");
    bool Blank = At && isSpace(Text[At - 1]);
    if (Next.consume_front("\n") && !Blank && !Next.empty() &&
        !isSpace(Next.front()))
      return false;
  }
  return true;
}

/// Calls \p Use with each directive of \p Text that begins its line: its word,
/// and what is behind that up to the end of its last line. False where there
/// may be others.
static bool
forEachDirective(StringRef Text,
                 function_ref<void(StringRef Word, StringRef Rest)> Use) {
  bool All = isPlain(Text);
  while (!Text.empty()) {
    // A backslash continues a line, with blanks behind it too.
    size_t End = 0;
    do {
      size_t Begin = End;
      End = std::min(Text.find('\n', Begin), Text.size());
      StringRef Line = Text.slice(Begin, End).rtrim(" \t\r\v\f");
      End = std::min(End + 1, Text.size());
      if (!Line.ends_with("\\"))
        break;
    } while (End < Text.size());
    StringRef Line = Text.take_front(End).ltrim(" \t\v\f");
    Text = Text.drop_front(End);
    All &= !mayHideDirective(Line);
    if (!Line.consume_front("#"))
      continue;
    Line = Line.ltrim(" \t\v\f");
    StringRef Word = takeWord(Line);
    Use(Word, Line);
  }
  return All;
}

/// Calls \p Use with each name that a condition of \p Text tests; it points
/// into \p Text.
static void forEachTest(StringRef Text, function_ref<void(StringRef)> Use) {
  forEachDirective(Text, [&](StringRef Word, StringRef Rest) {
    auto test = [&] {
      Rest = Rest.ltrim(" \t");
      if (StringRef Name = takeWord(Rest); mayBePredefined(Name))
        Use(Name);
    };
    if (is_contained({"ifdef", "ifndef", "elifdef", "elifndef"}, Word))
      test();
    else if (Word == "if" || Word == "elif")
      while (!Rest.empty()) {
        if (takeWord(Rest) == "defined") {
          Rest = Rest.ltrim(" \t");
          Rest.consume_front("(");
          test();
        } else {
          Rest = Rest.drop_until(isWordByte);
        }
      }
  });
}

/// How often \p Text has the word \p Name.
static size_t countOf(StringRef Name, StringRef Text) {
  size_t Out = 0;
  while (!(Text = Text.drop_until(isWordByte)).empty())
    Out += takeWord(Text) == Name;
  return Out;
}

/// \p Text has \p Name in other lines than directives, where its value matters.
static bool usesValue(StringRef Name, StringRef Text) {
  size_t InDirectives = 0;
  forEachDirective(Text, [&](StringRef, StringRef Rest) {
    InDirectives += countOf(Name, Rest);
  });
  return countOf(Name, Text) > InDirectives;
}

std::vector<std::string> askedNames(ArrayRef<StringRef> Texts) {
  std::vector<std::string> Out;
  std::vector<StringRef> Defined;
  bool Known = true;
  for (StringRef Text : Texts) {
    bool All = forEachDirective(Text, [&](StringRef Word, StringRef Rest) {
      Rest = Rest.ltrim(" \t");
      if (Word == "define" || Word == "undef") {
        Defined.push_back(takeWord(Rest));
        Known &= !Defined.back().empty();
      } else {
        Known &= is_contained({"if", "ifdef", "ifndef", "elif", "elifdef",
                               "elifndef", "else", "endif", "pragma", "error",
                               "warning", "line"},
                              Word);
      }
    });
    Known &= All;
  }
  if (!Known)
    return Out;
  for (StringRef Text : Texts)
    forEachTest(Text, [&](StringRef Name) {
      if (!is_contained(Defined, Name) && !is_contained(Out, Name) &&
          none_of(Texts, [&](StringRef Each) { return usesValue(Name, Each); }))
        Out.push_back(Name.str());
    });
  return Out;
}

std::string withAnswers(StringRef Text,
                        const std::map<std::string, bool> &Answers) {
  std::string Out;
  size_t Done = 0;
  forEachTest(Text, [&](StringRef Name) {
    auto It = Answers.find(Name.str());
    if (It == Answers.end())
      return;
    size_t At = size_t(Name.data() - Text.data());
    Out += Text.slice(Done, At);
    Out += (Twine(AnswersPrefix) + (It->second ? "YES" : "NO")).str();
    Done = At + Name.size();
  });
  return Out + Text.substr(Done).str();
}

} // namespace clrewrite
