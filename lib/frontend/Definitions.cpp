// Declarations are told apart by their tokens, with what stands in brackets
// left out.
#include "frontend/Definitions.h"
#include "frontend/RawTokens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <string>
#include <vector>

using namespace llvm;

namespace clrewrite::frontend {
namespace {

/// A token of a declaration; an opening bracket stands for all up to its end.
struct DeclarationWord {
  clang::tok::TokenKind Kind;
  std::string Text;

  bool isName() const { return Kind == clang::tok::raw_identifier; }
  bool is(StringRef Name) const { return isName() && Text == Name; }
};

class DefinitionReader {
public:
  Definitions Found;

  /// The tokens come one by one.
  void add(const clang::Token &T, StringRef Spelling) {
    if (InDirective)
      return addToDirective(T, Spelling);
    switch (T.getKind()) {
    case clang::tok::hash:
      if (T.isAtStartOfLine()) {
        InDirective = true;
        Directive.clear();
      }
      return;
    case clang::tok::l_brace:
    case clang::tok::l_paren:
    case clang::tok::l_square:
      if (Depth++ == 0)
        Words.push_back({T.getKind(), ""});
      return;
    case clang::tok::r_brace:
    case clang::tok::r_paren:
    case clang::tok::r_square:
      if (Depth && --Depth == 0 && T.is(clang::tok::r_brace))
        endFunction();
      return;
    case clang::tok::semi:
      if (!Depth)
        endDeclaration();
      return;
    default:
      if (!Depth)
        Words.push_back({T.getKind(), Spelling.str()});
    }
  }

private:
  std::vector<DeclarationWord> Words; ///< of the declaration that is read
  unsigned Depth = 0;                 ///< of brackets
  bool InDirective = false;
  std::vector<std::string> Directive;

  /// Notes a #define.
  void addToDirective(const clang::Token &T, StringRef Spelling) {
    if (T.is(clang::tok::eod)) {
      InDirective = false;
      if (Directive.size() == 2 && Directive[0] == "define")
        Found.Macros.insert(Directive[1]);
      return;
    }
    bool Called = Directive.size() == 2 && T.is(clang::tok::l_paren) &&
                  !T.hasLeadingSpace() && Directive[0] == "define";
    if (Called)
      Found.Called.insert(Directive[1]);
    if (Directive.size() == 2 && !Called && Directive[0] == "define")
      Found.Macros.insert(Directive[1]);
    Directive.push_back(Spelling.str());
  }

  /// Attributes say nothing here.
  void dropAttributes() {
    for (size_t I = 0; I + 1 < Words.size();)
      if (Words[I].is("__attribute__") &&
          Words[I + 1].Kind == clang::tok::l_paren)
        Words.erase(Words.begin() + long(I), Words.begin() + long(I) + 2);
      else
        ++I;
  }

  bool isAt(size_t I, clang::tok::TokenKind Kind) const {
    return I < Words.size() && Words[I].Kind == Kind;
  }

  /// A brace is closed: that of a function ends it, others go on.
  void endFunction() {
    dropAttributes();
    size_t End = Words.size();
    bool Function = End >= 3 && isAt(End - 2, clang::tok::l_paren) &&
                    Words[End - 3].isName() &&
                    none_of(Words, [](const DeclarationWord &W) {
                      return W.Kind == clang::tok::equal || W.is("typedef");
                    });
    if (!Function)
      return;
    Found.Functions.insert(Words[End - 3].Text);
    Words.clear();
  }

  void endDeclaration() {
    dropAttributes();
    for (size_t I = 0; I + 2 < Words.size(); ++I)
      if ((Words[I].is("struct") || Words[I].is("union") ||
           Words[I].is("enum")) &&
          Words[I + 1].isName() && isAt(I + 2, clang::tok::l_brace))
        Found.Types.insert(Words[I + 1].Text);
    bool Typedef = !Words.empty() && Words[0].is("typedef");
    if (Typedef || none_of(Words, [](const DeclarationWord &W) {
          return W.is("extern") || W.Kind == clang::tok::l_paren;
        }))
      noteDeclared(Typedef ? Found.Types : Found.Values);
    Words.clear();
  }

  /// The names before an initialiser, a dimension, a comma or the end.
  void noteDeclared(StringSet<> &Into) {
    bool InValue = false;
    for (size_t I = 1; I < Words.size(); ++I) {
      bool Ends = I + 1 == Words.size() || isAt(I + 1, clang::tok::equal) ||
                  isAt(I + 1, clang::tok::l_square) ||
                  isAt(I + 1, clang::tok::comma);
      bool Begins = Words[I - 1].isName() || isAt(I - 1, clang::tok::star) ||
                    isAt(I - 1, clang::tok::comma) ||
                    isAt(I - 1, clang::tok::l_brace);
      // "struct s;" declares a type alone.
      bool Tag = I == 1 && (Words[0].is("struct") || Words[0].is("union") ||
                            Words[0].is("enum"));
      if (Words[I].isName() && Begins && Ends && !InValue && !Tag)
        Into.insert(Words[I].Text);
      InValue = !isAt(I, clang::tok::comma) &&
                (InValue || isAt(I, clang::tok::equal));
    }
  }
};

} // namespace

Definitions definitionsIn(StringRef Text) {
  DefinitionReader R;
  eachTokenOfDirectives(Text,
                        [&](const clang::Token &T, size_t, StringRef Spelling) {
                          R.add(T, Spelling);
                          return true;
                        });
  return std::move(R.Found);
}

} // namespace clrewrite::frontend
