// How a program spells the elements that vloadN and vstoreN access.
//
// An access is `vload4(index, input + offset)`. All that an edit needs to know
// of another build is that it has the same elements there as the declaration of
// `input` says, whichever they are. So the declaration must be the only one of
// that name in the function, in all arms of all #if's, and no directive in the
// function may define a macro anew between the two.
#include "Elements.h"
#include "frontend/RawTokens.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/text/CodeVariation.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {
namespace {

/// The variable that \p Pointer is a place behind: it, that plus or minus a
/// number, or the address of one of its elements. Null where it is another
/// pointer, or a macro holds a part of what makes it that.
const VarDecl *variableBehind(const Expr *Pointer) {
  while (true) {
    Pointer = Pointer->IgnoreParens();
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Pointer)) {
      Pointer = Cast->getSubExpr();
    } else if (const auto *Sum = dyn_cast<BinaryOperator>(Pointer);
               Sum && Sum->isAdditiveOp() && Sum->getOperatorLoc().isFileID()) {
      Pointer = Sum->getLHS()->getType()->isPointerType() ? Sum->getLHS()
                                                          : Sum->getRHS();
    } else if (const auto *Address = dyn_cast<UnaryOperator>(Pointer);
               Address && Address->getOpcode() == UO_AddrOf &&
               Address->getOperatorLoc().isFileID()) {
      const auto *Element =
          dyn_cast<ArraySubscriptExpr>(Address->getSubExpr()->IgnoreParens());
      if (!Element || !Element->getRBracketLoc().isFileID())
        return nullptr;
      Pointer = Element->getBase();
    } else {
      const auto *Name = dyn_cast<DeclRefExpr>(Pointer);
      return Name && Name->getLocation().isFileID()
                 ? dyn_cast<VarDecl>(Name->getDecl())
                 : nullptr;
    }
  }
}

/// \p Directive, without its #, can't change what a macro stands for.
bool leavesMacros(StringRef Directive) {
  StringRef Name = Directive.take_while(isAlpha);
  if (Name == "pragma")
    return !Directive.contains("_macro");
  return Name.starts_with("if") || Name.starts_with("el") || Name == "endif" ||
         Name == "error" || Name == "warning";
}

bool isWord(StringRef Token) {
  return !Token.empty() && (isAlpha(Token.front()) || Token.front() == '_');
}

/// \p Line, behind `#define`, defines \p Name without parameters.
bool startsWithWord(StringRef Line, StringRef Name) {
  return Line.consume_front(Name) && (Line.empty() || isSpace(Line.front()));
}

/// The next word may be a variable that is used, not one that is declared.
bool endsBeforeUse(StringRef Word) {
  return is_contained({"return", "else", "do", "case", "sizeof", "goto"}, Word);
}

std::vector<StringRef> tokensOf(StringRef Text) {
  std::vector<StringRef> Out;
  frontend::eachRawToken(Text, [&](tok::TokenKind, size_t At, StringRef Token) {
    Out.push_back(Text.substr(At, Token.size()));
  });
  return Out;
}

/// The places of \p Tokens at which \p Name may be declared: behind a word, or
/// a star that is behind one.
std::vector<size_t> declarationsOf(StringRef Name, ArrayRef<StringRef> Tokens) {
  std::vector<size_t> Out;
  for (size_t I = 1; I < Tokens.size(); ++I) {
    if (Tokens[I] != Name)
      continue;
    StringRef Before = Tokens[I - 1];
    if (Before == "*" && I > 1)
      Before = Tokens[I - 2];
    if (isWord(Before) && !endsBeforeUse(Before))
      Out.push_back(I);
  }
  return Out;
}

bool isScalarOfLanguage(StringRef Word) {
  return is_contained({"char", "uchar", "short", "ushort", "int", "uint",
                       "long", "ulong", "half", "float", "double"},
                      Word);
}

/// Looks for a variable of a vector type that is spelled as one word.
class VariableSearch : public DynamicRecursiveASTVisitor {
public:
  VariableSearch(StringRef Word, QualType Type, const ASTContext &Context)
      : Word(Word), Type(Type), Context(Context) {}
  const VarDecl *Found = nullptr;

  bool VisitVarDecl(VarDecl *V) override {
    const SourceManager &SM = Context.getSourceManager();
    const SourceLocation At = SM.getExpansionLoc(V->getTypeSpecStartLoc());
    if (V->getType().getCanonicalType().getUnqualifiedType() == Type &&
        V->getTypeSpecStartLoc().isValid() && SM.isInMainFile(At) &&
        text({At, At}, Context) == Word)
      Found = V;
    return !Found;
  }

private:
  StringRef Word;
  QualType Type;
  const ASTContext &Context;
};

} // namespace

/// What stands behind `#define` in \p Lines, directives without their #.
static std::vector<std::string> definitionsIn(ArrayRef<std::string> Lines) {
  std::vector<std::string> Out;
  for (StringRef Line : Lines)
    if (Line.consume_front("define"))
      Out.push_back(Line.ltrim().str());
  return Out;
}

Elements::Elements(const FunctionDecl &Function, ASTContext &Context)
    : Function(Function), Context(Context) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Begin = SM.getExpansionLoc(Function.getBeginLoc()),
                       End = SM.getExpansionLoc(Function.getEndLoc());
  if (!SM.isInMainFile(Begin) || !SM.isInMainFile(End))
    return;
  StringRef Whole = SM.getBufferData(SM.getMainFileID())
                        .slice(SM.getFileOffset(Begin), SM.getFileOffset(End));
  // The lexer wants a null behind a text.
  if (!all_of(directivesIn(Whole.str(), Context.getLangOpts()), leavesMacros))
    return;
  Text = Whole;
  for (StringRef File : userTexts(SM))
    append_range(Definitions,
                 definitionsIn(directivesIn(File, Context.getLangOpts())));
  Given = definitionsIn(directivesIn(commandLine(SM), Context.getLangOpts()));
  // Where a directive stands the code has a semicolon.
  const std::string Code = withoutDirectives(Text, /*KeepPragmas=*/false);
  for (StringRef Token : tokensOf(Code))
    Tokens.push_back(
        Token == ";"
            ? ";"
            : Text.substr(size_t(Token.data() - Code.data()), Token.size()));
}

/// In every build \p Macro stands for whole parameters, each with the comma
/// behind it, or for nothing.
bool Elements::endsParameter(StringRef Macro) const {
  auto defines = [&](StringRef Line) { return startsWithWord(Line, Macro); };
  auto ends = [&](StringRef Line) {
    StringRef Body = Line.drop_front(Macro.size()).trim();
    return !defines(Line) || Body.empty() || Body.ends_with(",");
  };
  return any_of(Definitions, defines) && all_of(Definitions, ends) &&
         all_of(Given, ends);
}

/// The one word of the type in `[qualifiers] TYPE [qualifiers] *NAME`, up to
/// the name of \p V; empty where the declaration has another form.
std::string Elements::declaredType(const VarDecl &V) const {
  const SourceManager &SM = Context.getSourceManager();
  const char *Name = SM.getCharacterData(V.getLocation());
  auto At =
      find_if(Tokens, [&](StringRef Token) { return Token.data() == Name; });
  if (At == Tokens.end())
    return "";
  MacroStability &Macros = MacroStability::of(Context);
  auto isQualifier = [&](StringRef Token) {
    return !isMacro(Token, Context) && !Macros.isMacroElsewhere(Token) &&
           is_contained({"__global", "global", "__constant", "constant",
                         "__local", "local", "const", "restrict", "__restrict"},
                        Token);
  };
  StringRef Type;
  unsigned Stars = 0;
  bool HasBegun = false; // behind a macro for other parameters
  while (At != Tokens.begin()) {
    StringRef Token = *--At;
    if (is_contained({"(", ",", ";", "{", "}"}, Token))
      return Stars == 1 ? Type.str() : "";
    if (!HasBegun && isQualifier(Token))
      continue;
    if (!HasBegun && Type.empty() && Token == "*")
      ++Stars;
    else if (!HasBegun && Type.empty() && Stars && isWord(Token))
      Type = Token;
    else if (!Type.empty() && endsParameter(Token))
      HasBegun = true;
    else
      return "";
  }
  return "";
}

/// One place of the function, in whatever arm of an #if, declares \p Name, and
/// what no macro of any build stands for does.
bool Elements::isDeclaredOnce(StringRef Name) const {
  auto declares = [&](StringRef Line) {
    StringRef Body = Line.drop_front(Line.take_while(isInWord).size());
    if (Body.starts_with("("))
      Body = Body.split(')').second;
    return Body.contains(Name) && !declarationsOf(Name, tokensOf(Body)).empty();
  };
  return declarationsOf(Name, Tokens).size() == 1 &&
         none_of(Definitions, declares) && none_of(Given, declares);
}

/// Some build may have a variable \p Name outside of the function, which the
/// function uses where it declares none.
bool Elements::isDeclaredOutside(StringRef Name) const {
  return any_of(userTexts(Context.getSourceManager()), [&](StringRef File) {
    const std::string Code = withoutDirectives(File, /*KeepPragmas=*/false);
    const std::vector<StringRef> All = tokensOf(Code);
    return any_of(declarationsOf(Name, All), [&](size_t I) {
      const char *At = File.data() + (All[I].data() - Code.data());
      const bool IsHere = Text.begin() <= At && At < Text.end();
      return !IsHere && I + 1 < All.size() &&
             is_contained({"[", "=", ";"}, All[I + 1]);
    });
  });
}

/// The word that names the elements of \p A in every build; empty for none.
std::string Elements::elementOf(const VectorAccess &A) const {
  MacroStability &Macros = MacroStability::of(Context);
  const VarDecl *V = variableBehind(A.Pointer);
  std::optional<StringRef> Pointer = text(A.Pointer->getSourceRange(), Context);
  if (Text.empty() || !V || !V->isLocalVarDeclOrParm() || !Pointer ||
      !V->getType()->isPointerType() ||
      !Context.hasSameUnqualifiedType(V->getType()->getPointeeType(),
                                      A.element()))
    return "";
  // A macro in an offset may be another number, and nothing else.
  auto isOther = [&](StringRef Word) {
    return Macros.isMacroElsewhere(Word) ||
           (isMacro(Word, Context) && !Macros.isStable(Word) &&
            !Macros.isNumber(Word));
  };
  if (any_of(wordsIn(*Pointer), isOther) ||
      Macros.isMacroElsewhere(calleeName(A.Call)) ||
      !isDeclaredOnce(V->getName()) ||
      (armEndBetween(V->getLocation(), A.Call->getBeginLoc(), Context)
           .isValid() &&
       isDeclaredOutside(V->getName())))
    return "";
  std::string Type = declaredType(*V);
  return Macros.isMacroElsewhere(Type) ? "" : Type;
}

/// The function has a variable whose type is \p Type, one word, which is the
/// vector's of \p A; it stands in no arm of an #if that ends before \p A.
bool Elements::hasVariable(StringRef Type, const VectorAccess &A) const {
  VariableSearch Search(Type, A.Vector, Context);
  Search.TraverseStmt(Function.getBody());
  return Search.Found && armEndBetween(Search.Found->getLocation(),
                                       Function.getEndLoc(), Context)
                             .isInvalid();
}

/// The command line defines both the element's word and \p Type, the vector's,
/// so that the host chooses them together.
bool Elements::isGivenWith(StringRef Type, const VectorAccess &A) const {
  auto isElement = [&](StringRef Line) {
    return startsWithWord(Line, A.Element);
  };
  auto isVector = [&](StringRef Line) {
    return startsWithWord(Line, Type) && Line.drop_front(Type.size()).trim() ==
                                             spelledType(A.Vector, Context);
  };
  return any_of(Given, isElement) && any_of(Given, isVector);
}

bool Elements::spell(VectorAccess &A) const {
  std::string Element = elementOf(A);
  if (Element.empty())
    return false;
  if (isScalarOfLanguage(Element) && !isMacro(Element, Context))
    return true;
  A.Element = Element;
  // A vector of two is put together of two numbers, which are converted: it
  // would not tell that another build has other elements in it.
  std::string Vector = Element + utostr(A.Lanes);
  A.DeclaresVector =
      A.Lanes == 2 || !(hasVariable(Vector, A) || isGivenWith(Vector, A));
  A.VectorName =
      A.DeclaresVector
          ? freshName((Function.getName() + "_" + Vector).str(), Context)
          : Vector;
  return true;
}

} // namespace clrewrite::rewrite
