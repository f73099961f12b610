// A ladder is read line by line, from the loop upwards.
#include "HintLadder.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::rewrite::limit_unroll {

size_t lengthOfHint(StringRef Text) {
  StringRef Rest = Text;
  auto take = [&](StringRef Word) {
    Rest = Rest.ltrim();
    return Rest.consume_front(Word);
  };
  bool Head = (take("__attribute__") || take("__attribute")) && take("(") &&
              take("(") &&
              (take("opencl_unroll_hint") || take("__opencl_unroll_hint__"));
  if (!Head)
    return 0;
  // The number may be absent together with the brackets around it.
  if (take("(")) {
    Rest = Rest.ltrim();
    Rest = Rest.drop_while([](char C) { return llvm::isDigit(C); });
    if (!take(")"))
      return 0;
  }
  return take(")") && take(")") ? Text.size() - Rest.size() : 0;
}

bool isUnrollPragma(StringRef Line) {
  Line = Line.trim();
  if (!Line.consume_front("#"))
    return false;
  Line = Line.ltrim();
  if (!Line.consume_front("pragma"))
    return false;
  Line = Line.ltrim();
  if (Line == "nounroll")
    return true;
  if (!Line.consume_front("unroll"))
    return false;
  return llvm::all_of(Line.trim(" \t()"),
                      [](char C) { return llvm::isDigit(C); });
}

static bool isHint(StringRef Line) {
  size_t Length = lengthOfHint(Line);
  return isUnrollPragma(Line) || (Length > 0 && Length == Line.size());
}

static bool isCommentOrEmpty(StringRef Line) {
  return Line.empty() || Line.starts_with("//") || Line.starts_with("/*") ||
         Line.starts_with("*");
}

/// The word of a directive; empty where \p Line is none.
static StringRef directiveOf(StringRef Line) {
  return Line.consume_front("#") ? Line.ltrim().take_while(isAlpha) : "";
}

std::optional<HintLadder> ladderAbove(StringRef Text, size_t Loop) {
  HintLadder Out;
  Out.OnlyHints = true;
  unsigned Open = 0;
  // ArmEnds: the line above is the last of an arm.
  bool ArmEnds = false, Hinted = false;
  // npos + 1 is 0: the first line.
  for (size_t At = Text.take_front(Loop).rfind('\n') + 1; At > 0;) {
    StringRef Above = Text.take_front(At - 1);
    At = Above.rfind('\n') + 1;
    StringRef Line = Above.drop_front(At).trim(), Word = directiveOf(Line);
    if (isCommentOrEmpty(Line))
      continue;
    Out.OnlyHints &= !Line.ends_with("\\");
    if (Word == "endif") {
      if (Open++ == 0)
        Out.EndIf = At;
      Out.OnlyHints &= Open == 1;
      ArmEnds = true;
    } else if (Open == 0) {
      if (Word != "pragma" && !Line.starts_with("__attribute"))
        return std::nullopt;
    } else if (Word.starts_with("if")) {
      Out.OnlyHints &= !ArmEnds;
      Out.If = At;
      if (--Open == 0)
        return Hinted ? std::optional(Out) : std::nullopt;
    } else if (Word.starts_with("el")) {
      Out.OnlyHints &= !ArmEnds && Word != "else";
      ArmEnds = true;
    } else {
      Out.OnlyHints &= ArmEnds && isHint(Line);
      Hinted |= ArmEnds && Line.contains_insensitive("unroll") &&
                !Line.ends_with(";") && !Line.ends_with("}");
      ArmEnds = false;
    }
  }
  return std::nullopt;
}

} // namespace clrewrite::rewrite::limit_unroll
