// Texts within what a host builds of them.
#include "pipeline/Unit.h"
#include "frontend/RawStrings.h"
#include "source/Options.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::pipeline {

std::string lineMarker(StringRef Before, StringRef Path, unsigned Line) {
  bool AtLineStart = Before.empty() || Before.ends_with("\n");
  if (!AtLineStart || Before.ends_with("\\\n") || Before.ends_with("\\\r\n"))
    return "";
  // A path that would need escapes is not worth a broken directive.
  bool Plain = Path.find_first_of("\\\"\n") == StringRef::npos;
  return ("#line " + Twine(Line) + " \"" + (Plain ? Path : "source") + "\"\n")
      .str();
}

/// What stands before the text in what is built.
static std::string head(const Source &Text, const Build &B, unsigned Line) {
  if (B.Before.empty() && Line == 1)
    return "";
  return B.Before + lineMarker(B.Before, Text.Path, Line);
}

Source whole(const Source &Text, const Build &B, unsigned Line) {
  Source S = Text;
  S.Options = B.Options;
  S.DeviceOptions = withOptions(B.DeviceOptions, Text.DeviceOptions);
  S.Headers = B.Headers;
  std::string Head = head(Text, B, Line);
  if (!Head.empty() || !B.After.empty())
    S.Text = Head + Text.Text + B.After;
  return S;
}

/// \p Before, at byte \p At of \p Text, becomes \p After. False where it does
/// not stand there.
static bool replaceAt(std::string &Text, size_t At, StringRef Before,
                      StringRef After) {
  if (!StringRef(Text).substr(At).starts_with(Before))
    return false;
  Text.replace(At, Before.size(), After.data(), After.size());
  return true;
}

void noteChange(Unit &Other, const Unit &Changed, StringRef Before,
                StringRef After, bool Written) {
  if (Written && Other.Within && Changed.Within && Other.Path == Changed.Path &&
      Other.Within->Begin >= Changed.Within->End) {
    bool Escaped = Changed.Within->Escaped;
    long Longer = Escaped ? long(frontend::escaped(After).size()) -
                                long(frontend::escaped(Before).size())
                          : long(After.size()) - long(Before.size());
    Other.Within->Begin += size_t(Longer);
    Other.Within->End += size_t(Longer);
    Other.MovedBytes += Longer;
    if (!Escaped)
      Other.MovedLines += long(After.count('\n')) - long(Before.count('\n'));
  }
  for (Build &B : Other.Builds)
    for (const Build &C : Changed.Builds) {
      if (!B.Program || B.Program != C.Program)
        continue;
      size_t At = C.Before.size();
      size_t All = At + Before.size() + C.After.size();
      if (At < B.Before.size())
        replaceAt(B.Before, At, Before, After);
      else if (All >= B.After.size() && At >= All - B.After.size())
        replaceAt(B.After, At - (All - B.After.size()), Before, After);
    }
}

namespace {

/// From places in the whole to places in the text.
struct Shift {
  size_t Bytes, Lines, Length, LengthInLines;

  Shift(StringRef Head, StringRef Text)
      : Bytes(Head.size()), Lines(Head.count('\n')), Length(Text.size()),
        LengthInLines(Text.count('\n') + 1) {}

  bool holds(unsigned Offset) const {
    return Offset >= Bytes && Offset < Bytes + Length;
  }
  unsigned line(unsigned Line) const {
    return Line > Lines && Line <= Lines + LengthInLines
               ? unsigned(Line - Lines)
               : 0;
  }
  /// False where \p E changes something outside.
  bool move(Edit &E) const {
    if (E.Length == 0 && E.Offset < Bytes) {
      E.Offset = unsigned(Bytes);
      // A directive may follow, which needs a line of its own.
      E.Text = (StringRef(E.Text).trim("\r\n") + "\n").str();
    }
    if (E.Offset < Bytes || E.end() > Bytes + Length)
      return false;
    E.Offset -= unsigned(Bytes);
    return true;
  }
  template <typename Site> void moveSites(std::vector<Site> &List) const {
    llvm::erase_if(List, [&](const Site &S) { return !holds(S.Offset); });
    for (Site &S : List) {
      S.Offset -= unsigned(Bytes);
      S.Line = line(S.Line);
    }
  }
};

} // namespace

rewrite::Findings withinText(rewrite::Findings F, const Source &Text,
                             const Build &B, unsigned Line) {
  std::string Head = head(Text, B, Line);
  if (Head.empty() && B.After.empty())
    return F;
  Shift By(Head, Text.Text);
  By.moveSites(F.Candidates);
  By.moveSites(F.Declines);
  for (rewrite::Candidate &C : F.Candidates)
    llvm::erase_if(C.Alternatives, [&](rewrite::Alternative &A) {
      return !all_of(A.Changes, [&](Edit &E) { return By.move(E); });
    });
  llvm::erase_if(F.Candidates, [](const rewrite::Candidate &C) {
    return C.Alternatives.empty();
  });
  for (rewrite::KernelInfo &K : F.Kernels) {
    K.Line = By.line(K.Line);
    for (unsigned &L : K.UninitialisedLines)
      L = By.line(L);
    for (rewrite::LaunchComment &C : K.Launches)
      C.Line = By.line(C.Line);
  }
  for (rewrite::Warning &W : F.Warnings)
    W.Line = By.line(W.Line);
  llvm::erase_if(F.Skipped, [&](std::pair<unsigned, unsigned> &Range) {
    bool Outside = !By.holds(Range.first);
    Range.first -= unsigned(Outside ? 0 : By.Bytes);
    Range.second -= unsigned(Outside ? 0 : By.Bytes);
    return Outside;
  });
  return F;
}

std::vector<SourceError> withinText(std::vector<SourceError> Errors,
                                    const Source &Text, const Build &B,
                                    unsigned Line) {
  Shift By(head(Text, B, Line), Text.Text);
  for (SourceError &E : Errors) {
    bool Outside = E.LineOfText && !By.line(E.LineOfText);
    // Another literal of the same file. No #line can stand where one ends
    // within a line, so that the compiler may count wrong there.
    if (Outside && E.Path == Text.Path)
      E.Line = E.Column = 0;
    E.LineOfText = By.line(E.LineOfText);
  }
  return Errors;
}

} // namespace clrewrite::pipeline
