// A function's text has the names of all its builds; what macros write is in
// the AST for this build, and in directives for the others.
#include "rewrite/text/FreshLocal.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

bool hasWord(StringRef Text, StringRef Word) {
  return Text.contains(Word) && is_contained(wordsIn(Text), Word);
}

/// A file that is read, or the command line, may write \p Word into a function
/// with the text \p Own: by a macro, or since the function includes it.
bool isWritten(StringRef Word, StringRef Own, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  std::vector<StringRef> Texts = userTexts(SM);
  Texts.push_back(commandLine(SM));
  const bool Includes = Own.contains("include");
  return any_of(Texts, [&](StringRef Text) {
    return hasWord(Text, Word) &&
           (Includes ||
            any_of(directivesIn(Text, Context.getLangOpts()),
                   [&](StringRef Each) { return hasWord(Each, Word); }));
  });
}

/// \p F, which has the text \p Own, may have a variable \p Name.
bool isFreshIn(StringRef Name, const FunctionDecl &F, StringRef Own,
               const ASTContext &Context) {
  if (hasWord(Own, Name) || isWritten(Name, Own, Context))
    return false;
  auto Known = Context.Idents.find(Name);
  if (Known == Context.Idents.end())
    return true;
  if (Known->second->hadMacroDefinition() ||
      !Context.getTranslationUnitDecl()->lookup(Known->second).empty())
    return false;
  // In the function, and in what macros put there.
  auto hasName = [&](const NamedDecl *D) {
    return D->getDeclName().isIdentifier() && D->getName() == Name;
  };
  return !firstIn<NamedDecl>(&F, hasName) &&
         !firstIn<DeclRefExpr>(
             &F, [&](const DeclRefExpr *E) { return hasName(E->getDecl()); });
}

std::string freshFor(StringRef Stem, const Site &S, Scope Of,
                     ArrayRef<std::string> Used) {
  std::optional<StringRef> Own = text(S.Function.getSourceRange(), S.Context);
  std::string Out = numbered(Stem, [&](const std::string &Name) {
    bool Fresh = Own ? isFreshIn(Name, S.Function, *Own, S.Context)
                     : freshName(Name, S.Context) == Name;
    return Fresh && !is_contained(Used, Name);
  });
  if (Of == Scope::Open)
    S.Names.insert(Out);
  return Out;
}

} // namespace

std::string freshLocal(StringRef Stem, const Site &S, Scope Of) {
  return freshFor(Stem, S, Of, {});
}

std::string FreshNames::named(StringRef Stem) {
  Used.push_back(freshFor(Stem, S, Of, Used));
  return Used.back();
}

} // namespace clrewrite::rewrite
