// How a program spells the elements that vloadN and vstoreN access.
//
// An access is `vload4(index, input + offset)`. All that an edit needs to know
// of another build is that it has the same elements there as the declaration of
// `input` says, whichever they are. So the declaration must be the only one of
// that name in the function, in all arms of all #if's, none of which it stands
// in, and no directive in the function may define a macro anew. What is not
// plain to see counts as another declaration.
#include "Elements.h"
#include "frontend/RawTokens.h"
#include "rewrite/ast/MacroStability.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/CodeVariation.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite::align_access {
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

/// What stands for the macro in \p Line, behind `#define`.
StringRef bodyOf(StringRef Line) {
  StringRef Body = Line.drop_front(Line.take_while(isInWord).size());
  return Body.starts_with("(") ? Body.split(')').second : Body;
}

/// A statement or an expression goes on behind \p Word, and no declaration.
bool endsBeforeUse(StringRef Word) {
  return is_contained({"return", "else", "do", "case", "sizeof", "goto", "if",
                       "for", "while", "switch"},
                      Word);
}

/// The parenthesis that the one at \p I closes, in \p Tokens; 0 for none.
size_t openOf(ArrayRef<StringRef> Tokens, size_t I) {
  int Depth = 0;
  for (size_t At = I + 1; At-- > 0;) {
    Depth += Tokens[At] == ")" ? 1 : Tokens[At] == "(" ? -1 : 0;
    if (Depth == 0)
      return At;
  }
  return 0;
}

/// The parentheses around the token at \p I, the inner ones first.
std::vector<size_t> openAround(ArrayRef<StringRef> Tokens, size_t I) {
  std::vector<size_t> Out;
  int Depth = 0;
  for (size_t At = I; At-- > 0 && Tokens[At] != "{" && Tokens[At] != "}";) {
    Depth += Tokens[At] == ")" ? 1 : Tokens[At] == "(" ? -1 : 0;
    if (Depth < 0) {
      Out.push_back(At);
      Depth = 0;
    }
  }
  return Out;
}

bool isScalarOfLanguage(StringRef Word) {
  return is_contained({"char", "uchar", "short", "ushort", "int", "uint",
                       "long", "ulong", "half", "float", "double"},
                      Word);
}

/// The type that \p V points to is a typedef of the function's own.
bool isLocalTypedef(const VarDecl &V) {
  const auto *T = V.getType()->getPointeeType()->getAs<TypedefType>();
  return T && T->getDecl()->getDeclContext()->isFunctionOrMethod();
}

} // namespace

Elements::Elements(const FunctionDecl &Function, ASTContext &Context)
    : Function(Function), Context(Context),
      Definitions(MacroStability::of(Context).definitions()) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Begin = SM.getExpansionLoc(Function.getBeginLoc()),
                       End = SM.getExpansionLoc(Function.getEndLoc());
  if (!SM.isInMainFile(Begin) || !SM.isInMainFile(End) ||
      !Function.getLocation().isFileID())
    return;
  StringRef Whole =
      fileText(Context).slice(SM.getFileOffset(Begin), SM.getFileOffset(End));
  // The lexer wants a null behind a text.
  if (!all_of(directivesIn(Whole.str(), Context.getLangOpts()), leavesMacros))
    return;
  Text = Whole;
  // Where a directive stands the code has a semicolon.
  const std::string Code = withoutDirectives(Text, /*KeepPragmas=*/false);
  for (StringRef Token : frontend::tokensOf(Code)) {
    StringRef Own =
        Text.substr(size_t(Token.data() - Code.data()), Token.size());
    Tokens.push_back(Token == ";" && Own != ";" ? StringRef("#") : Own);
  }
}

bool Elements::isInArmOfFunction(SourceLocation Loc) const {
  return armEndBetween(Loc, Function.getEndLoc(), Context).isValid();
}

bool Elements::isMacroSomewhere(StringRef Word) const {
  return isMacro(Word, Context) ||
         MacroStability::of(Context).isMacroElsewhere(Word);
}

bool Elements::macrosLack(StringRef Of, ArrayRef<StringRef> Unwanted) const {
  std::set<std::string, std::less<>> Seen;
  std::vector<std::string> Todo;
  auto add = [&](StringRef Code) {
    for (StringRef Word : wordsIn(Code))
      if (Seen.insert(Word.str()).second)
        Todo.push_back(Word.str());
  };
  add(Of);
  while (!Todo.empty()) {
    const std::string Word = Todo.back();
    Todo.pop_back();
    for (StringRef Line : Definitions) {
      if (Line.take_while(isInWord) != Word)
        continue;
      StringRef Body = bodyOf(Line);
      for (StringRef Token : frontend::tokensOf(Body))
        if (is_contained(Unwanted, Token))
          return false;
      add(Body);
    }
  }
  return true;
}

/// In every build \p Macro stands for whole parameters, each with the comma
/// behind it, or for nothing.
bool Elements::endsParameter(StringRef Macro) const {
  auto defines = [&](StringRef Line) { return startsWithWord(Line, Macro); };
  auto ends = [&](StringRef Line) {
    StringRef Body = Line.drop_front(Macro.size()).trim();
    return !defines(Line) || Body.empty() || Body.ends_with(",");
  };
  // One that is empty alone may be a part of the type elsewhere.
  return any_of(Definitions,
                [&](StringRef Line) {
                  return defines(Line) && Line.rtrim().ends_with(",");
                }) &&
         all_of(Definitions, ends);
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
  auto isQualifier = [&](StringRef Token) {
    return !isMacroSomewhere(Token) &&
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

/// The token at \p I of \p In may be a name that is declared there: behind a
/// word, a star or what a word calls, in a list of declarations, or given to a
/// macro.
bool Elements::mayDeclare(ArrayRef<StringRef> In, size_t I) const {
  StringRef Before = In[I - 1];
  size_t At = I - 1;
  if (Before == "*" && I > 1)
    Before = In[--At];
  const std::vector<size_t> Around = openAround(In, I);
  if (any_of(Around, [&](size_t Open) {
        return Open && isWord(In[Open - 1]) && isMacroSomewhere(In[Open - 1]);
      }))
    return true;
  if (isWord(Before))
    return !endsBeforeUse(Before);
  if (Before == "]")
    return true;
  if (Before == "#")
    return At != I - 1; // a star behind a directive
  if (Before == ",")
    return Around.empty() ||
           (Around.front() && In[Around.front() - 1] == "for");
  if (Before != ")")
    return false;
  size_t Open = openOf(In, At);
  return Open && isWord(In[Open - 1]) && !endsBeforeUse(In[Open - 1]);
}

bool Elements::isDeclaredOnce(StringRef Name) const {
  unsigned Times = 0;
  for (size_t I = 1; I < Tokens.size(); ++I)
    Times += Tokens[I] == Name && mayDeclare(Tokens, I);
  return Times == 1 && none_of(Definitions, [&](StringRef Line) {
           if (!Line.contains(Name))
             return false;
           const std::vector<StringRef> Body = frontend::tokensOf(bodyOf(Line));
           for (size_t I = 1; I < Body.size(); ++I)
             if (Body[I] == Name && mayDeclare(Body, I))
               return true;
           return false;
         });
}

/// The word that names the elements of \p A in every build; empty for none.
std::string Elements::elementOf(const VectorAccess &A) const {
  MacroStability &Macros = MacroStability::of(Context);
  const VarDecl *V = variableBehind(A.Pointer);
  // All of the arguments but a stored value.
  SourceRange Arguments(A.Call->getArg(A.Store ? 1 : 0)->getBeginLoc(),
                        A.Call->getRParenLoc());
  if (A.Store)
    Arguments.setBegin(A.Call->getArg(0)->getEndLoc());
  std::optional<StringRef> Given = text(Arguments, Context);
  if (Text.empty() || !V || !V->isLocalVarDeclOrParm() || !Given ||
      variationIn(A.Call->getSourceRange(), Context).isValid() ||
      !V->getType()->isPointerType() || isLocalTypedef(*V) ||
      !Context.hasSameUnqualifiedType(V->getType()->getPointeeType(),
                                      A.element()))
    return "";
  if (A.Store) // Behind the value's last token.
    Given = Given->drop_front(std::min(Given->size(), Given->find(',')));
  // A macro in an offset may be another number, and nothing else.
  auto isOther = [&](StringRef Word) {
    return Macros.isMacroElsewhere(Word) ||
           (isMacro(Word, Context) && !Macros.isStable(Word) &&
            !Macros.isNumber(Word));
  };
  if (any_of(wordsIn(*Given), isOther) ||
      Macros.isMacroElsewhere(calleeName(A.Call)) ||
      isInArmOfFunction(V->getLocation()) || !isDeclaredOnce(V->getName()))
    return "";
  std::string Type = declaredType(*V);
  return Macros.isMacroElsewhere(Type) ||
                 !macrosLack(Type, {"const", "volatile", "restrict", "global",
                                    "__global", "local", "__local", "constant",
                                    "__constant", "private", "__private", "*"})
             ? ""
             : Type;
}

/// In each build \p Type, one word, is the vector of \p A's elements: a
/// variable of it takes what an access of them loads, and a vector of something
/// else would not be converted.
bool Elements::isVectorOf(StringRef Type, const VectorAccess &A) const {
  const SourceManager &SM = Context.getSourceManager();
  auto loadsSame = [&](const Expr *Init) {
    const auto *Call = dyn_cast<CallExpr>(Init->IgnoreParenImpCasts());
    std::optional<VectorAccess> Load =
        Call ? vectorAccessOf(Call) : std::nullopt;
    return Load && !Load->Store && Load->Lanes == A.Lanes &&
           Init->getBeginLoc().isFileID() &&
           !isInArmOfFunction(Call->getBeginLoc()) &&
           elementOf(*Load) == A.Element;
  };
  return firstIn<VarDecl>(Function.getBody(), [&](const VarDecl *V) {
    const SourceLocation At = SM.getExpansionLoc(V->getTypeSpecStartLoc());
    return V->getType().getCanonicalType().getUnqualifiedType() == A.Vector &&
           At.isValid() && SM.isInMainFile(At) &&
           text({At, At}, Context) == Type && V->hasInit() &&
           !isInArmOfFunction(V->getLocation()) && loadsSame(V->getInit());
  });
}

bool Elements::spell(VectorAccess &A) const {
  std::string Element = elementOf(A);
  if (Element.empty())
    return false;
  if (isScalarOfLanguage(Element) && !isMacroSomewhere(Element))
    return true;
  A.Element = Element;
  // A vector of two is put together of two numbers, which are converted: it
  // would not tell that another build has other elements in it.
  std::string Vector = Element + utostr(A.Lanes);
  A.DeclaresVector = A.Lanes == 2 || !isVectorOf(Vector, A);
  A.VectorName =
      A.DeclaresVector
          ? freshName((Function.getName() + "_" + Vector).str(), Context)
          : Vector;
  return true;
}

} // namespace clrewrite::rewrite::align_access
