// Code that this build leaves out has no AST, so that its tokens tell what may
// be a declaration: a name behind another name, or behind what ends a type.
#include "rewrite/text/OtherDeclarations.h"
#include "frontend/RawTokens.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/ast/PointerUses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

/// The first of \p Tokens at \p Offset or behind it.
static size_t firstAt(ArrayRef<ArmToken> Tokens, unsigned Offset) {
  auto isBefore = [](const ArmToken &T, unsigned At) { return T.Offset < At; };
  return size_t(lower_bound(Tokens, Offset, isBefore) - Tokens.begin());
}

static bool isName(StringRef Token) {
  return !Token.empty() && (isAlpha(Token.front()) || Token.front() == '_');
}

/// Words behind which an expression, a label or a statement stands.
static bool isNoType(StringRef Word) {
  return is_contained({"return", "case", "goto", "else", "do", "sizeof", "if",
                       "for", "while", "switch"},
                      Word);
}

namespace {

/// Tokens read backwards from a name.
class Backwards {
public:
  explicit Backwards(ArrayRef<StringRef> Tokens) : Tokens(Tokens) {}

  /// As before a statement where there is none.
  StringRef token(size_t At) const {
    return At < Tokens.size() ? Tokens[At] : StringRef(";");
  }
  /// The parenthesis or brace that the one at \p At closes.
  size_t opened(size_t At) const {
    int Depth = 0;
    for (size_t I = At; I < Tokens.size(); --I) {
      Depth += closes(Tokens[I]) - opens(Tokens[I]);
      if (!Depth)
        return I;
    }
    return Tokens.size();
  }
  /// What the token at \p At stands in: an open parenthesis, bracket or brace,
  /// or the end of the statement before.
  size_t around(size_t At) const {
    for (size_t I = At - 1; I < Tokens.size(); --I) {
      if (Tokens[I] == "}" && !isInitialiser(I))
        return I;
      if (opens(Tokens[I]) || Tokens[I] == ";")
        return I;
      // A macro's body may close what it does not open.
      if (closes(Tokens[I]) && (I = opened(I)) == Tokens.size())
        break;
    }
    return Tokens.size();
  }
  /// The brace at \p At closes what a variable begins with, a structure, a
  /// literal such as `(int2){1, 2}`, or a block.
  bool isInitialiser(size_t At) const {
    const size_t Brace = opened(At);
    const StringRef Before = token(Brace - 1);
    return is_contained({"=", ",", "(", "{", "^"}, Before) ||
           Before.ends_with("]") || isType(Brace) ||
           (Before == ")" &&
            is_contained({"=", ",", "(", "{", "^", "+", "-", "*", "/"},
                         token(opened(Brace - 1) - 1)));
  }
  /// The word at \p At has a type in the parentheses behind it.
  bool namesType(size_t At) const {
    return is_contained({"__attribute__", "typeof", "__typeof__", "_Alignas"},
                        token(At));
  }
  /// The brace that is open at \p At; the number of tokens for none.
  size_t brace(size_t At) const {
    for (size_t I = At - 1; I < Tokens.size(); --I) {
      if (Tokens[I] == "{")
        return I;
      if (closes(Tokens[I]) && (I = opened(I)) == Tokens.size())
        break;
    }
    return Tokens.size();
  }
  bool isEnum(size_t Brace) const {
    return token(Brace) == "{" &&
           (token(Brace - 1) == "enum" || token(Brace - 2) == "enum");
  }
  bool isType(size_t Brace) const {
    auto is = [&](size_t At) {
      return is_contained({"struct", "union", "enum"}, token(At));
    };
    return is(Brace - 1) || is(Brace - 2);
  }

private:
  ArrayRef<StringRef> Tokens;
  static bool opens(StringRef T) { return T == "(" || T == "[" || T == "{"; }
  static bool closes(StringRef T) { return T == ")" || T == "]" || T == "}"; }
};

} // namespace

bool mayDeclare(ArrayRef<StringRef> Tokens, size_t At, bool AreParameters,
                function_ref<bool(StringRef)> DeclaresArgument) {
  const Backwards Before(Tokens);
  const StringRef Last = Before.token(At - 1);
  // `DECLARE(float, v)`, or `float NAMED(v)`
  auto isDeclared = [&](size_t Paren) {
    return Before.token(Paren) == "(" && isName(Before.token(Paren - 1)) &&
           (DeclaresArgument(Before.token(Paren - 1)) ||
            mayDeclare(Tokens, Paren - 1, AreParameters, DeclaresArgument));
  };
  // A list of declarators: `float a,`, `float *a,` or `int (*a)[2],`.
  auto isList = [&](size_t Comma) {
    const size_t In = Before.around(Comma + 1);
    const StringRef First = Before.token(In + 1), Second = Before.token(In + 2);
    const bool IsDeclaration =
        isName(First) && !isNoType(First) && (isName(Second) || Second == "*");
    if (Before.token(In) == "(")
      return Before.token(In - 1) == "for" && IsDeclaration;
    return Before.isEnum(In) || Before.namesType(In + 1) || IsDeclaration ||
           (isName(First) && !isNoType(First) && Second == "(");
  };
  // `float v`, or a macro `REAL v`
  if (isName(Last))
    return !isNoType(Last);
  // `float *v`, at the start of a statement or a parameter; not `x = a * v`
  if (Last == "*" || Last == "^") {
    size_t Type = At - 1;
    while (
        is_contained({"*", "^", "const", "volatile", "restrict", "__restrict"},
                     Before.token(Type)))
      --Type;
    const StringRef Other = Before.token(Type - 1);
    // `float *a, *v`
    if (Before.token(Type) == "," && isList(Type))
      return true;
    // `typeof(a) *v`
    if (Before.token(Type) == ")" && Before.namesType(Before.opened(Type) - 1))
      return true;
    // `int (*v)[2]`; not `f(*v)`
    if (Before.token(Type) == "(" && isName(Other) && !isNoType(Other) &&
        Before.token(At + 1) == ")" &&
        is_contained({"[", "(", "="}, Before.token(At + 2)))
      return true;
    return isName(Before.token(Type)) && !isNoType(Before.token(Type)) &&
           (AreParameters || isName(Other) || Other == ";" || Other == "{" ||
            Other == "}" || (Other == "(" && Before.token(Type - 2) == "for"));
  }
  // `float a, v`, `enum { a, v }` or `DECLARE(float, v)`; not `f(a, v)`
  if (Last == ",")
    return isDeclared(Before.around(At)) || isList(At - 1);
  // `DECLARE(v)`, or `int (v) = 1`; not `f(v)`
  if (Last == "(") {
    const StringRef Type = Before.token(At - 2);
    return isDeclared(At - 1) ||
           (isName(Type) && !isNoType(Type) && Before.token(At + 1) == ")" &&
            (is_contained({"=", "["}, Before.token(At + 2)) ||
             is_contained({"char", "uchar", "short", "ushort", "int", "uint",
                           "long", "ulong", "float", "double", "half",
                           "unsigned", "signed", "bool", "const"},
                          Type)));
  }
  // `__attribute__((packed)) v` or `TYPE(a) v`; not `(float)v`, `if (a) v` or
  // `CHECKED(a) f(v)`
  if (Last == ")") {
    const size_t Called = Before.opened(At - 1) - 1;
    return Before.namesType(Called) ||
           (isName(Before.token(Called)) && !isNoType(Before.token(Called)) &&
            Before.token(At + 1) != "(");
  }
  // `struct { int a; } v`
  if (Last == "}")
    return Before.isType(Before.opened(At - 1));
  return Last == "{" && Before.isEnum(At - 1);
}

bool isInStructure(ArrayRef<StringRef> Tokens, size_t At) {
  const Backwards Before(Tokens);
  const size_t Brace = Before.brace(At);
  return Brace < Tokens.size() && Before.isType(Brace) && !Before.isEnum(Brace);
}

const OtherDeclarations &OtherDeclarations::of(const FunctionDecl &F) {
  auto &Own = MacroStability::of(F.getASTContext()).Others[&F];
  if (!Own)
    Own.reset(new OtherDeclarations(F));
  return *Own;
}

OtherDeclarations::OtherDeclarations(const FunctionDecl &F)
    : F(F), SM(F.getASTContext().getSourceManager()),
      Macros(MacroStability::of(F.getASTContext())) {
  const SourceLocation Begin = SM.getExpansionLoc(F.getBeginLoc()),
                       End = SM.getExpansionLoc(F.getEndLoc());
  if (SM.getFileID(Begin) != SM.getFileID(End))
    return;
  const ArrayRef<ArmToken> All = Macros.tokensOf(SM.getFileID(Begin));
  const size_t From = firstAt(All, SM.getFileOffset(Begin));
  Tokens = All.slice(From, firstAt(All, SM.getFileOffset(End) + 1) - From);
  Body = firstAt(
      Tokens, SM.getFileOffset(SM.getExpansionLoc(F.getBody()->getBeginLoc())));
  for (size_t I = 0; I < Tokens.size(); ++I) {
    if (Tokens[I].Kind != ArmToken::Code)
      continue;
    const StringRef Word = Tokens[I].Text;
    if (isName(Word)) {
      ByName[Word].push_back(Words.size());
      if (Macros.isDefined(Word))
        MacroWords.push_back(Words.size());
    }
    Words.push_back(Word);
    Places.push_back(I);
  }
  for (const VarDecl *V : allIn<VarDecl>(F.getBody()))
    Declared.insert({V->getName(), SM.getExpansionLoc(V->getLocation())});
}

SourceLocation OtherDeclarations::at(const ArmToken &T) const {
  return SM.getComposedLoc(SM.getFileID(SM.getExpansionLoc(F.getBeginLoc())),
                           T.Offset);
}

/// What the token at \p From declares is seen at the one at \p Use. Where
/// arms of an #if have different braces, the one that leaves most open counts.
bool OtherDeclarations::isVisible(size_t From, size_t Use) const {
  // The head of a loop: its variable lives as long as the loop.
  size_t Head = From;
  while (Head &&
         (isName(Tokens[Head - 1].Text) || Tokens[Head - 1].Text == "*"))
    --Head;
  if (Head > 1 && Tokens[Head - 1].Text == "(" &&
      Tokens[Head - 2].Text == "for") {
    int Depth = 0;
    for (size_t I = Head - 1; I < Use; ++I) {
      const StringRef T = Tokens[I].Text;
      Depth += T == "(" || T == "{";
      Depth -= T == ")" || T == "}";
      const bool HasElse = I + 1 < Use && Tokens[I + 1].Text == "else",
                 EndsHere = T == "}" || (T == ";" && I > Head);
      if (!Depth && EndsHere && !HasElse)
        return false;
    }
  }
  int Depth = 0;
  std::vector<std::pair<int, std::optional<int>>> Arms; // before, most so far
  for (size_t I = From; I < Use; ++I) {
    const ArmToken &T = Tokens[I];
    Depth += T.Text == "{";
    Depth -= T.Text == "}";
    if (T.Kind == ArmToken::Opens)
      Arms.push_back({Depth, std::nullopt});
    if (T.Kind == ArmToken::Next && !Arms.empty()) {
      Arms.back().second = std::max(Depth, Arms.back().second.value_or(Depth));
      Depth = Arms.back().first;
    }
    if (T.Kind == ArmToken::Closes && !Arms.empty()) {
      Depth = std::max(
          {Depth, Arms.back().first, Arms.back().second.value_or(Depth)});
      Arms.pop_back();
    }
    if (Depth < 0 && Arms.empty())
      return false;
  }
  return true;
}

SourceRange OtherDeclarations::hiding(const NamedDecl &D,
                                      SourceLocation Use) const {
  const SourceLocation Own = SM.getExpansionLoc(D.getLocation());
  const size_t End = firstAt(Tokens, SM.getFileOffset(SM.getExpansionLoc(Use)));
  const bool IsOfHere =
      D.getDeclContext()->isFunctionOrMethod() && SM.isInMainFile(Own);
  std::optional<std::set<SourceLocation>> Seen;
  auto isSeen = [&](SourceLocation At) {
    if (!Seen) {
      Seen = seenPlaces(&D, F.getBody());
      for (const ParmVarDecl *P : F.parameters())
        Seen->insert(SM.getFileLoc(P->getLocation()));
    }
    return Seen->count(At) != 0;
  };
  auto declaresArgument = [&](StringRef Word) {
    return Macros.mayDeclareArgument(Word);
  };
  const Backwards Before(Words);
  auto hides = [&](size_t Word, bool IsMacro) {
    const size_t I = Places[Word];
    const SourceLocation Here = at(Tokens[I]);
    if (I >= End || (IsOfHere && Here <= Own))
      return false;
    // A macro that is the same in each build, and declares the name here, does
    // so for the AST.
    const StringRef Text = Words[Word];
    const bool Declares =
        IsMacro ? Macros.mayDeclare(Text, D.getName()) &&
                      !(Macros.isStable(Text) &&
                        Declared.count({D.getName(), Here}))
                : !isSeen(Here) &&
                      mayDeclare(Words, Word, I < Body, declaresArgument);
    if (!Declares)
      return false;
    // An enumerator is seen behind the braces that it stands in.
    size_t From = Word;
    if (Before.isEnum(Before.around(Word)))
      while (From + 1 < Words.size() && Words[From++] != "}")
        ;
    return I < Body || isVisible(Places[From], End);
  };
  if (auto It = ByName.find(D.getName()); It != ByName.end())
    for (size_t Word : It->second)
      if (hides(Word, /*IsMacro=*/false))
        return at(Tokens[Places[Word]]);
  for (size_t Word : MacroWords)
    if (Words[Word] != D.getName() && hides(Word, /*IsMacro=*/true))
      return at(Tokens[Places[Word]]);
  // What a file that is included in between declares is not read here.
  for (size_t I = Body; I < End; ++I)
    if (Tokens[I].Kind == ArmToken::Include &&
        !(IsOfHere && at(Tokens[I]) <= Own))
      return at(Tokens[I]);
  return {};
}

bool mayHaveOtherSpecifiers(const Decl &D, const ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  const SourceLocation Begin = SM.getExpansionLoc(D.getBeginLoc());
  if (Begin.isInvalid() || SM.isInSystemHeader(Begin))
    return false;
  MacroStability &Macros = MacroStability::of(Context);
  const ArrayRef<ArmToken> All = Macros.tokensOf(SM.getFileID(Begin));
  bool BehindArm = false;
  for (const ArmToken &T :
       reverse(All.take_front(firstAt(All, SM.getFileOffset(Begin))))) {
    if (T.Kind == ArmToken::Code) {
      if (is_contained({";", "{", "}", "(", ",", ":"}, T.Text))
        return false;
      if (BehindArm || (isName(T.Text) && Macros.mayBeSpecifier(T.Text)))
        return true;
    }
    BehindArm |= T.Kind == ArmToken::Next || T.Kind == ArmToken::Closes;
  }
  return false;
}

} // namespace clrewrite::rewrite
