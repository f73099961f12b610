// What is open between the lines of a text: comments, parentheses, directives.
#pragma once

#include "source/Shelter.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace clrewrite {

/// What is open where a line begins.
struct Edge {
  int Parentheses = 0, Braces = 0;
  bool InCode = true; ///< in no comment, and no part of the line before
};

/// Follows a text from line to line.
class LineScanner {
public:
  /// The edge behind \p Line.
  Edge next(llvm::StringRef Line) {
    Words = llvm::StringRef();
    if (!Directive && !InComment && Now.InCode)
      Directive = Line.ltrim().starts_with("#");
    if (Directive && Now.InCode) {
      Words = Line.ltrim().drop_front().ltrim();
      open(Words);
    }
    for (size_t I = 0; I < Line.size() && !InLineComment; ++I)
      I = take(Line, I);
    bool Continues = goesOn(Line);
    Directive &= Continues;
    InLineComment &= Continues;
    Now.InCode = !InComment && !Continues;
    return Now;
  }

  /// The directive that the last line began, without its '#'; empty for none.
  llvm::StringRef directive() const { return Words; }

private:
  Edge Now;
  llvm::StringRef Words;
  bool InComment = false, InLineComment = false, Directive = false;
  std::vector<Edge> Conditions; ///< where each #if began

  /// All parts of an #if begin alike.
  void open(llvm::StringRef Word) {
    if (Word.starts_with("if"))
      Conditions.push_back(Now);
    else if (Conditions.empty())
      return;
    else if (Word.starts_with("el"))
      Now = Conditions.back();
    else if (Word.starts_with("endif"))
      Conditions.pop_back();
  }

  /// Takes what begins at \p I of \p Line; where its last character is.
  size_t take(llvm::StringRef Line, size_t I) {
    llvm::StringRef Rest = Line.drop_front(I);
    if (InComment) {
      InComment = !Rest.starts_with("*/");
      return I + !InComment;
    }
    if (Rest.starts_with("//")) {
      InLineComment = true;
      return Line.size();
    }
    if (Rest.starts_with("/*")) {
      InComment = true;
      return I + 1;
    }
    char C = Rest.front();
    if (C == '"' || C == '\'')
      return endOfLiteral(Line, I);
    if (Directive)
      return I;
    Now.Parentheses += C == '(' ? 1 : C == ')' ? -1 : 0;
    Now.Braces += C == '{' ? 1 : C == '}' ? -1 : 0;
    return I;
  }

  static size_t endOfLiteral(llvm::StringRef Line, size_t I) {
    for (size_t At = I + 1; At < Line.size(); ++At)
      if (Line[At] == '\\')
        ++At;
      else if (Line[At] == Line[I])
        return At;
    return Line.size();
  }
};

} // namespace clrewrite
