// Comments are found by Clang's raw lexer, which also sees those in code that
// the preprocessor skips.
#include "frontend/Suppressions.h"
#include "frontend/RawTokens.h"
#include "source/Lines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace clrewrite::frontend {
namespace {

struct Word {
  const char *Spelling;
  Suppression::Forms Form;
  bool Ends; ///< what another one started
};

constexpr Word Words[] = {
    {"clrewrite-off", Suppression::Off, false},
    {"clrewrite-on", Suppression::Off, true},
    {"NOCLREWRITE", Suppression::ThisLine, false},
    {"NOCLREWRITENEXTLINE", Suppression::NextLine, false},
    {"NOCLREWRITEBEGIN", Suppression::Block, false},
    {"NOCLREWRITEEND", Suppression::Block, true},
};

const char *spelling(Suppression::Forms Form, bool Ends = false) {
  return find_if(
             Words,
             [&](const Word &W) { return W.Form == Form && W.Ends == Ends; })
      ->Spelling;
}

std::string listed(ArrayRef<std::string> Rules) {
  return Rules.empty() ? "" : "(" + join(Rules, ",") + ")";
}

class SuppressionReader {
public:
  explicit SuppressionReader(StringRef Text) : Text(Text) {}

  Suppressions run() {
    eachTokenAndComment(
        Text, [&](const clang::Token &T, size_t At, StringRef Spelling) {
          if (T.is(clang::tok::comment))
            comment({At, At + Spelling.size()});
        });
    for (const Suppression &S : Out.List)
      if (S.Form == Suppression::Block && S.Covers.End > Text.size())
        tell(S.Line,
             S.spelled() + " has no NOCLREWRITEEND" + listed(S.Rules) +
                 " after it, so it holds to the end: add one",
             /*Unpaired=*/true);
    llvm::sort(Out.Problems,
               [](const auto &A, const auto &B) { return A.Line < B.Line; });
    return std::move(Out);
  }

private:
  StringRef Text;
  Suppressions Out;

  void tell(unsigned Line, std::string Message, bool Unpaired = false) {
    Out.Problems.push_back({Line, std::move(Message), Unpaired});
  }

  void comment(Range At) {
    SmallVector<StringRef> Lines;
    Text.slice(At.Begin, At.End).split(Lines, '\n');
    for (StringRef Line : Lines) {
      SmallVector<StringRef> Parts;
      Line.split(Parts, "//");
      for (StringRef Part : Parts)
        part(At, Part.ltrim("/!* \t\r"));
    }
  }

  /// \p Part of the comment \p At may start with a word.
  void part(Range At, StringRef Part) {
    unsigned Line = lineAt(Text, size_t(Part.data() - Text.data()));
    StringRef First = Part.take_until(
        [](char C) { return StringRef(" \t\r:(,.;*").contains(C); });
    auto Known =
        find_if(Words, [&](const Word &W) { return First == W.Spelling; });
    if (Known == std::end(Words)) {
      if (First.starts_with("NOCLREWRITE"))
        tell(Line, (First + " means nothing (known: NOCLREWRITE, "
                            "NOCLREWRITENEXTLINE, NOCLREWRITEBEGIN, "
                            "NOCLREWRITEEND)")
                       .str());
      return;
    }
    Suppression S{Known->Form, Line};
    rules(Part.drop_front(First.size()), S);
    Out.Marks.push_back({At, Line});
    if (Known->Ends)
      close(S, At);
    else
      open(std::move(S), At);
  }

  /// Reads the names at the start of \p Rest.
  void rules(StringRef Rest, Suppression &S) {
    if (!Rest.consume_front("("))
      return;
    if (S.Form == Suppression::Off)
      return tell(S.Line, "clrewrite-off and clrewrite-on are for all "
                          "rewrites: NOCLREWRITEBEGIN(name) and "
                          "NOCLREWRITEEND(name) are for some");
    size_t Close = Rest.find(')');
    SmallVector<StringRef> Names;
    Rest.take_front(Close).split(Names, ',');
    if (Close != StringRef::npos)
      for (StringRef Name : Names)
        if (!Name.trim().empty())
          S.Rules.push_back(Name.trim().str());
    if (S.Rules.empty())
      tell(S.Line, Close == StringRef::npos
                       ? "the list of rewrites has no ')', so all are "
                         "suppressed: add it"
                       : "the list names no rewrite, so all are suppressed: "
                         "name some, or leave the parentheses out");
    S.RulesEnd = size_t(Rest.data() - Text.data()) + Close;
  }

  bool isOpen(const Suppression &S, Suppression::Forms Form) const {
    return S.Form == Form && S.Covers.End > Text.size();
  }

  void open(Suppression S, Range At) {
    if (S.Form == Suppression::Off &&
        any_of(Out.List,
               [&](const Suppression &O) { return isOpen(O, S.Form); }))
      return; // off already
    S.Covers = {At.Begin, Text.size() + 1};
    if (S.ofLine()) {
      bool Next = S.Form == Suppression::NextLine;
      S.Target = S.Line + (Next ? 1 : 0);
      Range Lines = bytesOf(Text, {{S.Line, S.Target}}).front();
      S.Covers = {Next ? At.Begin : Lines.Begin, Lines.End};
    }
    Out.List.push_back(std::move(S));
  }

  void close(const Suppression &End, Range At) {
    std::string Other;
    for (Suppression &S : reverse(Out.List)) {
      if (!isOpen(S, End.Form))
        continue;
      if (std::set(S.Rules.begin(), S.Rules.end()) ==
          std::set(End.Rules.begin(), End.Rules.end())) {
        S.Covers.End = At.End;
        return;
      }
      Other = "; the one in line " + utostr(S.Line) + " is " + S.spelled();
    }
    std::string List = listed(End.Rules);
    tell(End.Line,
         spelling(End.Form, true) + List + " has no " + spelling(End.Form) +
             List + " before it: add one, or remove it" + Other,
         /*Unpaired=*/true);
  }
};

} // namespace

bool Suppression::names(StringRef Rewrite) const {
  return Rules.empty() || is_contained(Rules, Rewrite);
}

std::string Suppression::spelled() const {
  return spelling(Form) + listed(Rules);
}

Suppressions suppressionsIn(StringRef Text) {
  if (!Text.contains("NOCLREWRITE") && !Text.contains("clrewrite-o"))
    return {};
  return SuppressionReader(Text).run();
}

bool takesCommentLine(StringRef Text, size_t Start) {
  StringRef Before = Text.take_front(Start).rtrim("\r\n");
  if (Before.ends_with("\\") && Start)
    return false;
  bool Free = true;
  eachTokenAndComment(Text,
                      [&](const clang::Token &, size_t At, StringRef Spelling) {
                        Free &= Start <= At || Start >= At + Spelling.size();
                      });
  return Free;
}

} // namespace clrewrite::frontend
