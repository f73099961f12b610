// Where a macro's definition goes, and whether it is there already.
//
// A definition must be seen wherever the macro is used, whatever the host
// defines: one that stands in an arm of #if serves only what stands in the same
// arm. So every place has the list of arms that it is in, and one place serves
// another if its list is the start of the other's.
#include "rewrite/text/Macro.h"
#include "rewrite/text/Text.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// The arms of #if that each place of a file is in.
class Arms {
public:
  explicit Arms(const ASTContext &Context) {
    const SourceManager &SM = Context.getSourceManager();
    StringRef Text = fileText(Context);
    Lexer Raw(SM.getLocForStartOfFile(SM.getMainFileID()),
              Context.getLangOpts(), Text.begin(), Text.begin(), Text.end());
    Token T;
    for (bool More = true; More;) {
      More = !Raw.LexFromRawLexer(T);
      if (!T.is(tok::hash) || !T.isAtStartOfLine())
        continue;
      unsigned At = SM.getFileOffset(T.getLocation());
      More = !Raw.LexFromRawLexer(T);
      if (T.is(tok::raw_identifier))
        take(T.getRawIdentifier(), At);
    }
  }

  /// Whatever is compiled at \p There has \p Here compiled before it.
  bool serves(unsigned Here, unsigned There) const {
    const std::vector<unsigned> &Inner = at(There), &Outer = at(Here);
    return Here <= There && Outer.size() <= Inner.size() &&
           std::equal(Outer.begin(), Outer.end(), Inner.begin());
  }

private:
  /// From each offset on, numbers of the arms.
  std::vector<std::pair<unsigned, std::vector<unsigned>>> Changes = {{0, {}}};
  unsigned Last = 0;

  void take(StringRef Directive, unsigned At) {
    std::vector<unsigned> Now = Changes.back().second;
    bool Opens = Directive.starts_with("if");
    bool Closes = Directive.starts_with("el") || Directive == "endif";
    if (Closes && !Now.empty())
      Now.pop_back();
    if (Opens || Directive.starts_with("el"))
      Now.push_back(++Last);
    // What is put right before a directive comes before it.
    Changes.push_back({At + 1, std::move(Now)});
  }

  const std::vector<unsigned> &at(unsigned Offset) const {
    auto After = partition_point(
        Changes, [&](const auto &C) { return C.first <= Offset; });
    return std::prev(After)->second;
  }
};

/// \p Lines with the macro's name in them.
std::string named(StringRef Lines, StringRef Name) {
  std::string Out;
  for (char C : Lines)
    if (C == '@')
      Out += Name;
    else
      Out += C;
  return Out;
}

/// \p Block with the line endings of \p Text.
std::string endingAs(StringRef Text, StringRef Block) {
  return withEndingsOf(Text, {Edit{0, 0, Block.str()}}).front().Text;
}

/// The macro is defined, by \p Block, wherever \p F is compiled.
bool definedBefore(const FunctionDecl &F, const std::string &Block,
                   StringRef Name, const Arms &In, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  StringRef Text = fileText(Context);
  if (Text.contains(("#undef " + Name).str()))
    return false;
  std::string Lines = endingAs(Text, Block);
  unsigned Use = SM.getFileOffset(SM.getExpansionLoc(F.getLocation()));
  for (size_t At = Text.find(Lines); At < Use; At = Text.find(Lines, At + 1))
    if (In.serves(unsigned(At), Use))
      return true;
  return false;
}

} // namespace

std::optional<Macro> macroFor(const FunctionDecl &F, StringRef Name,
                              StringRef Lines, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  Arms In(Context);
  if (definedBefore(F, named(Lines, Name), Name, In, Context))
    return Macro{Name.str(), std::nullopt};
  std::string Fresh =
      Lines.contains('@') ? freshName(Name, Context) : Name.str();
  unsigned Use = SM.getFileOffset(SM.getExpansionLoc(F.getLocation()));
  for (const Decl *D : Context.getTranslationUnitDecl()->decls()) {
    const auto *Each = dyn_cast<FunctionDecl>(D);
    if (!Each || !Each->doesThisDeclarationHaveABody() ||
        !SM.isInMainFile(SM.getExpansionLoc(Each->getLocation())))
      continue;
    std::optional<unsigned> Head = headOf(*Each, Context);
    if (Head && In.serves(*Head, Use))
      return Macro{Fresh,
                   Edit{*Head, 0, named(Lines, Fresh) + "\n", /*Shared=*/true}};
  }
  return std::nullopt;
}

bool isOtherMacro(StringRef Name, StringRef Lines, const ASTContext &Context) {
  StringRef Text = fileText(Context);
  std::string Define = ("define " + Name).str();
  size_t Own = Text.count(endingAs(Text, Lines));
  // Those of headers, and of the build's options, Clang alone has seen.
  return Text.count(Define) > Own ||
         (Own == 0 && Context.Idents.get(Name).hadMacroDefinition());
}

} // namespace clrewrite::rewrite
