// A macro is stable where the directives of the file, and of the files that it
// includes, define it once and nothing else.
#include "rewrite/ast/MacroStability.h"
#include "frontend/RawTokens.h"
#include "rewrite/ast/Nodes.h"
#include "rewrite/text/Directives.h"
#include "rewrite/text/OtherDeclarations.h"
#include "rewrite/text/Text.h"
#include "source/Words.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clang;

namespace clrewrite::rewrite {

bool isMacro(StringRef Word, const ASTContext &Context) {
  auto Known = Context.Idents.find(Word);
  return Known != Context.Idents.end() && Known->second->hadMacroDefinition();
}

std::vector<StringRef> macrosIn(StringRef Text, const ASTContext &Context) {
  std::vector<StringRef> Out;
  copy_if(wordsIn(Text), std::back_inserter(Out),
          [&](StringRef Word) { return isMacro(Word, Context); });
  return Out;
}

/// The name that the directive \p Line defines as a macro; empty for none.
static StringRef nameDefinedBy(StringRef Line) {
  if (!Line.consume_front("define"))
    return "";
  std::vector<StringRef> Words = wordsIn(Line);
  return Words.empty() ? "" : Words.front();
}

MacroStability &MacroStability::of(const ASTContext &Context) {
  static DenseMap<const ASTContext *, MacroStability *> All;
  MacroStability *&Own = All[&Context];
  if (!Own) {
    Own = new MacroStability(Context);
    Context.AddDeallocation(
        [](void *Data) {
          auto *Ended = static_cast<MacroStability *>(Data);
          All.erase(&Ended->Context);
          delete Ended;
        },
        Own);
  }
  return *Own;
}

void MacroStability::read() {
  if (std::exchange(HasRead, true))
    return;
  const SourceManager &SM = Context.getSourceManager();
  const StringRef Main = fileText(Context);
  for (FileID File : userFiles(SM)) {
    const StringRef Text = SM.getBufferData(File);
    const std::vector<std::string> &Own = directivesOf(File);
    const bool IsChosen = isInArm(SM.getIncludeLoc(File), Context);
    const std::vector<int> Open = openArms(
        std::vector<StringRef>(Own.begin(), Own.end()), endsWithDirective(File),
        [&](StringRef Name) { return mayGuard(Name); });
    for (const auto &[Line, Arms] : zip(Own, Open)) {
      StringRef Name = nameDefinedBy(Line);
      if (Name.empty())
        continue;
      AllDefined.insert(Name.str());
      if (IsChosen || Arms)
        Chosen.insert(Name.str());
      else if (Text.data() == Main.data())
        AlwaysDefined.insert(Name.str());
    }
    append_range(Directives, Own);
  }
  // An edit moves nothing out of its function.
  int Depth = 0;
  bool IncludesInBody = false;
  std::vector<StringRef> TakesBack;
  for (const ArmToken &T : tokensOf(SM.getMainFileID())) {
    if (T.Kind == ArmToken::Code)
      Depth += (T.Text == "{") - (T.Text == "}");
    else if (Depth)
      TakesBack.push_back(T.Text);
    IncludesInBody |= Depth && T.Kind == ArmToken::Include;
  }
  if (IncludesInBody)
    append_range(TakesBack, Directives);
  for (StringRef Line : TakesBack)
    if (Line.starts_with("undef"))
      for (StringRef Word : wordsIn(Line))
        TakenBack.insert(Word.str());
  Commands = directivesIn(commandLine(SM), Context.getLangOpts());
  for (StringRef Line : Directives)
    for (StringRef Word : wordsIn(Line))
      Mentioned.insert(Word.str());
  for (const auto *Lines : {&Directives, &Commands})
    for (StringRef Line : *Lines)
      if (Line.consume_front("define"))
        Definitions.push_back(Line.ltrim().str());
}

MacroStability::MacroStability(const ASTContext &Context) : Context(Context) {}
MacroStability::~MacroStability() = default;

const std::vector<std::string> &MacroStability::directivesOf(FileID File) {
  auto [It, New] = ByFile.insert({File, {}});
  if (New)
    It->second = directivesIn(Context.getSourceManager().getBufferData(File),
                              Context.getLangOpts());
  return It->second;
}

void MacroStability::readNames() {
  if (Named)
    return;
  Named.emplace();
  const SourceManager &SM = Context.getSourceManager();
  auto note = [&](StringRef Line) {
    if (!Line.starts_with("endif"))
      for (StringRef Word : wordsIn(Line))
        ++(*Named)[Word];
  };
  for (FileID File : userFiles(SM))
    for_each(directivesOf(File), note);
  for_each(directivesIn(commandLine(SM), Context.getLangOpts()), note);
  for (FileID File : userFiles(SM)) {
    const std::vector<std::string> &Own = directivesOf(File);
    const std::vector<int> Open = openArms(
        std::vector<StringRef>(Own.begin(), Own.end()), endsWithDirective(File),
        [&](StringRef Name) { return Named->lookup(Name) == 2; });
    for (const auto &[Line, Arms] : zip(Own, Open))
      IncludesInArms |= Arms && StringRef(Line).starts_with("include");
  }
}

bool MacroStability::mayGuard(StringRef Name) {
  readNames();
  return !IncludesInArms && Named->lookup(Name) == 2;
}

/// What the directive \p Text is, from behind its #.
static decltype(ArmToken::Kind) kindOf(StringRef Text) {
  const std::vector<StringRef> Words = wordsIn(Text);
  const StringRef Name = Words.empty() ? "" : Words.front();
  return Name.starts_with("if")   ? ArmToken::Opens
         : Name.starts_with("el") ? ArmToken::Next
         : Name == "endif"        ? ArmToken::Closes
         : Name == "include"      ? ArmToken::Include
                                  : ArmToken::Other;
}

const std::vector<ArmToken> &MacroStability::tokensOf(FileID File) {
  auto [It, New] = Tokens.insert({File, {}});
  if (!New)
    return It->second;
  const StringRef Text = Context.getSourceManager().getBufferData(File);
  std::vector<ArmToken> &Out = It->second;
  bool InDirective = false;
  auto end = [&](size_t At) {
    ArmToken &D = Out.back();
    D.Text = Text.slice(D.Offset, At).drop_front(D.Text.size()).trim();
    D.Kind = kindOf(D.Text);
    InDirective = false;
  };
  frontend::eachTokenOfDirectives(
      Text, [&](const Token &T, size_t At, StringRef Spelling) {
        const StringRef Here = Text.substr(At, Spelling.size());
        if (InDirective && (T.is(tok::eod) || T.is(tok::eof))) {
          end(At);
        } else if (!InDirective && T.is(tok::hash) && T.isAtStartOfLine()) {
          Out.push_back({unsigned(At), Here, ArmToken::Other});
          InDirective = true;
        } else if (!InDirective && T.isNot(tok::eof) && T.isNot(tok::eod)) {
          Out.push_back({unsigned(At), Here, ArmToken::Code});
        }
        return true;
      });
  if (InDirective)
    end(Text.size());
  return Out;
}

bool MacroStability::endsWithDirective(FileID File) {
  const std::vector<ArmToken> &All = tokensOf(File);
  return !All.empty() && All.back().Kind == ArmToken::Closes;
}

bool MacroStability::hasArmsIn(SourceRange Range) {
  const SourceManager &SM = Context.getSourceManager();
  auto From = SM.getDecomposedLoc(SM.getExpansionLoc(Range.getBegin())),
       To = SM.getDecomposedLoc(SM.getExpansionLoc(Range.getEnd()));
  return From.first != To.first ||
         any_of(tokensOf(From.first), [&](const ArmToken &T) {
           return From.second <= T.Offset && T.Offset <= To.second &&
                  (T.Kind == ArmToken::Opens || T.Kind == ArmToken::Next ||
                   T.Kind == ArmToken::Closes);
         });
}

bool MacroStability::mayComeFromUnreadHeader(StringRef Name) {
  readNames();
  return IncludesInArms && isDefined(Name) && !isStable(Name) &&
         !isNumber(Name);
}

bool MacroStability::bracesVary(SourceRange Between) {
  const SourceManager &SM = Context.getSourceManager();
  auto [File, From] = SM.getDecomposedLoc(Between.getBegin());
  auto [Last, To] = SM.getDecomposedLoc(Between.getEnd());
  if (File != Last)
    return true;
  int Depth = 0;
  std::vector<int> Arms; // how many braces are open where each begins
  for (const ArmToken &T : tokensOf(File)) {
    if (T.Offset < From || T.Offset >= To)
      continue;
    Depth += T.Text == "{";
    Depth -= T.Text == "}";
    if (T.Kind == ArmToken::Opens) {
      Arms.push_back(Depth);
    } else if (T.Kind == ArmToken::Next || T.Kind == ArmToken::Closes) {
      if (Arms.empty() || Arms.back() != Depth)
        return true;
      if (T.Kind == ArmToken::Closes)
        Arms.pop_back();
    } else if (T.Kind == ArmToken::Code && isDefined(T.Text) &&
               any_of(definitionsOf(T.Text), [](StringRef Body) {
                 return Body.count('{') != Body.count('}');
               })) {
      return true;
    }
  }
  return !Arms.empty();
}

bool MacroStability::isDefined(StringRef Name) {
  read();
  return AllDefined.count(Name) || isMacro(Name, Context);
}

namespace {

/// A macro as a #define has it: `NAME(parameters) body`.
struct ParsedDefinition {
  StringRef Name;
  std::vector<StringRef> Parameters, Body; ///< words, and tokens

  explicit ParsedDefinition(StringRef Text) {
    Name = Text.take_while([](char C) { return isAlnum(C) || C == '_'; });
    Text = Text.drop_front(Name.size());
    if (Text.starts_with("(")) {
      Parameters = wordsIn(Text.split(')').first);
      Text = Text.split(')').second;
    }
    Body = frontend::tokensOf(Text);
  }

  /// The word at \p At of the body may be \p Word, or be pasted to it.
  bool mayBe(size_t At, StringRef Word) const {
    if (At + 2 >= Body.size() || Body[At + 1] != "##")
      return Body[At] == Word && !is_contained(Parameters, Word);
    const StringRef Left = Body[At], Right = Body[At + 2];
    return (is_contained(Parameters, Left) || Word.starts_with(Left)) &&
           (is_contained(Parameters, Right) || Word.ends_with(Right));
  }
};

} // namespace

bool MacroStability::mayDeclareArgument(StringRef Macro) {
  read();
  // A macro that names itself is not looked at again.
  auto [It, New] = ArgumentMacros.try_emplace(Macro, false);
  if (!New)
    return It->second;
  auto declaresArgument = [&](StringRef Word) {
    return mayDeclareArgument(Word);
  };
  bool Found = false;
  for (StringRef Text : Definitions) {
    const ParsedDefinition D(Text);
    for (size_t I = 0; D.Name == Macro && I < D.Body.size(); ++I)
      Found |= is_contained(D.Parameters, D.Body[I]) &&
               rewrite::mayDeclare(D.Body, I, /*AreParameters=*/false,
                                   declaresArgument);
  }
  return ArgumentMacros[Macro] = Found;
}

bool MacroStability::mayDeclare(StringRef Macro, StringRef Name) {
  read();
  auto [It, New] = Declaring.try_emplace(Name);
  StringSet<> &Own = It->second;
  auto declaresArgument = [&](StringRef Word) {
    return mayDeclareArgument(Word);
  };
  for (bool Grows = New; Grows;) {
    Grows = false;
    for (StringRef Text : Definitions) {
      const ParsedDefinition D(Text);
      if (Own.contains(D.Name))
        continue;
      for (size_t I = 0; I < D.Body.size(); ++I)
        if (Own.contains(D.Body[I]) ||
            (D.mayBe(I, Name) &&
             rewrite::mayDeclare(D.Body, I, /*AreParameters=*/false,
                                 declaresArgument)))
          Grows |= Own.insert(D.Name).second;
    }
  }
  return Own.contains(Macro);
}

bool MacroStability::mayBeDeclared(StringRef Name) {
  auto [It, New] = DeclaredNames.try_emplace(Name, false);
  if (!New)
    return It->second;
  auto declaresArgument = [&](StringRef Word) {
    return mayDeclareArgument(Word);
  };
  mayDeclare("", Name);
  bool Found = !Declaring[Name].empty();
  for (FileID File : userFiles(Context.getSourceManager())) {
    std::vector<StringRef> Code;
    for (const ArmToken &T : tokensOf(File))
      if (T.Kind == ArmToken::Code)
        Code.push_back(T.Text);
    for (size_t I = 0; I < Code.size() && !Found; ++I)
      Found = Code[I] == Name && !isInStructure(Code, I) &&
              rewrite::mayDeclare(Code, I, /*AreParameters=*/false,
                                  declaresArgument);
  }
  return It->second = Found;
}

/// What a macro stands for, where \p Rest is what stands behind its name.
static StringRef codeOf(StringRef Rest) {
  return (Rest.starts_with("(") ? Rest.split(')').second : Rest).trim();
}

bool MacroStability::mayBeSpecifier(StringRef Name) {
  return isDefined(Name) && !isStable(Name) &&
         any_of(map_range(definitionsOf(Name), codeOf), [](StringRef Code) {
           return !Code.empty() && !StringRef(",;}").contains(Code.back());
         });
}

bool MacroStability::endsStatement(StringRef Name) {
  return all_of(map_range(definitionsOf(Name), codeOf), [](StringRef Code) {
    return Code.empty() || Code.ends_with(";") || Code.ends_with("}");
  });
}

bool MacroStability::isInDirective(StringRef Name) {
  read();
  return Mentioned.count(Name);
}

const std::vector<std::string> &MacroStability::definitions() {
  read();
  return Definitions;
}

std::optional<std::vector<StringRef>>
MacroStability::directivesNaming(StringRef Name) {
  read();
  auto names = [&](StringRef Line) {
    return is_contained(macrosIn(Line, Context), Name);
  };
  if (any_of(Commands, names))
    return std::nullopt;
  std::vector<StringRef> Out;
  copy_if(Directives, std::back_inserter(Out), names);
  return Out;
}

bool MacroStability::find(StringRef Name) {
  if (Name.starts_with("__") || Name.starts_with("cl_"))
    return false;
  std::optional<std::vector<StringRef>> Lines = directivesNaming(Name);
  if (!Lines)
    return false;
  if (Chosen.count(Name))
    return false;
  StringRef Definition;
  for (StringRef Line : *Lines) {
    bool Defines = Line.consume_front("define");
    Line = Line.ltrim();
    StringRef Defined = macrosIn(Line, Context).front();
    if (Defines && Defined != Name && Line.starts_with(Defined))
      continue; // Name stands in the body of another macro
    if (!Defines || !Definition.empty())
      return false;
    Definition = Line;
  }
  for (StringRef Word : wordsIn(Definition))
    if (isMacroElsewhere(Word))
      return false;
  // A macro that no line defines is one of OpenCL's.
  return all_of(
      macrosIn(Definition.drop_front(Definition.empty() ? 0 : Name.size()),
               Context),
      [&](StringRef Each) { return isStable(Each); });
}

/// The macro that the directive \p Line defines, and what stands behind its
/// name; none where it is no #define.
static std::optional<std::pair<StringRef, StringRef>>
definitionIn(StringRef Line, const ASTContext &Context) {
  if (!Line.consume_front("define"))
    return std::nullopt;
  Line = Line.ltrim();
  std::vector<StringRef> Words = macrosIn(Line, Context);
  if (Words.empty() || !Line.consume_front(Words.front()))
    return std::nullopt;
  return std::pair(Words.front(), Line);
}

/// What stands behind the name in a definition is a body, and no parameters.
static bool isBody(StringRef Rest) {
  return Rest.empty() || isSpace(Rest.front());
}

std::optional<std::vector<std::string>>
MacroStability::bodiesOf(StringRef Name) {
  std::optional<std::vector<StringRef>> Lines = directivesNaming(Name);
  if (!Lines)
    return std::nullopt;
  std::vector<std::string> Out;
  for (StringRef Line : *Lines) {
    auto Definition = definitionIn(Line, Context);
    if (!Definition)
      return std::nullopt;
    if (Definition->first != Name)
      continue; // Name stands in the body of another macro
    if (!isBody(Definition->second))
      return std::nullopt;
    Out.push_back(Definition->second.trim().str());
  }
  return Out;
}

/// A whole expression of numbers, operators and macros that are such ones.
bool MacroStability::hasNumbersOnly(StringRef Body) {
  std::string Text = Body.str();
  const std::vector<StringRef> Names = macrosIn(Body, Context);
  for (StringRef Word : reverse(Names)) {
    if (!isNumber(Word))
      return false;
    Text.replace(size_t(Word.data() - Body.data()), Word.size(), "1");
  }
  // A hexadecimal number reads as 1.
  for (size_t At = 0;
       (At = StringRef(Text).find_insensitive("0x", At)) != StringRef::npos;
       ++At) {
    size_t End = StringRef(Text).find_if_not(
        [](char C) { return isHexDigit(C); }, At + 2);
    if ((At && isAlnum(Text[At - 1])) || End == At + 2)
      return false;
    Text.replace(At, std::min(End, Text.size()) - At, "1");
  }
  // Suffixes stand behind digits, parentheses pair, and outside them is no
  // operator that binds more loosely than a comparison, or is one.
  int Depth = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I], Before = I ? Text[I - 1] : ' ';
    bool Shifts = (C == '<' || C == '>') &&
                  (Before == C || (I + 1 < Text.size() && Text[I + 1] == C));
    Depth += C == '(' ? 1 : C == ')' ? -1 : 0;
    if (Depth < 0 || (isAlpha(C) && !isAlnum(Before)) ||
        (!Depth && !Shifts && StringRef("&|^<>").contains(C)))
      return false;
  }
  Body = Text;
  StringRef First = Body.ltrim("(+-~ \t"), Last = Body.rtrim(") \t");
  return Depth == 0 &&
         Body.find_first_not_of("0123456789()+-*/%<>&|^~ \tuUlL") ==
             StringRef::npos &&
         !First.empty() && isDigit(First.front()) && isAlnum(Last.back());
}

std::set<char> MacroStability::suffixesIn(StringRef Body) {
  std::set<char> Found;
  for (StringRef Word : wordsIn(Body)) {
    if (isDigit(Word.front()))
      for (char C : Word.drop_front(Word.find_last_not_of("uUlL") + 1))
        Found.insert(toLower(C));
    else
      for (StringRef Own : definitionsOf(Word))
        Found.merge(suffixesIn(Own));
  }
  return Found;
}

bool MacroStability::isNumber(StringRef Name) {
  // A macro that names itself is none.
  auto [It, New] = Numbers.insert({Name.str(), false});
  if (!New)
    return It->second;
  std::vector<StringRef> Bodies = definitionsOf(Name);
  for (StringRef Body : Bodies)
    if (!isBody(Body) || !hasNumbersOnly(Body.trim()) ||
        suffixesIn(Body) != suffixesIn(Bodies.front()))
      return false;
  // A macro that no line defines is one of OpenCL's.
  return Numbers.find(Name)->second = !Bodies.empty() || isStable(Name);
}

/// \p Text begins with a parenthesis that its end closes.
static bool isInParens(StringRef Text) {
  int Depth = 0;
  for (size_t I = 0; I < Text.size(); ++I) {
    Depth += Text[I] == '(' ? 1 : Text[I] == ')' ? -1 : 0;
    if (Depth == 0)
      return I > 0 && I + 1 == Text.size();
  }
  return false;
}

/// \p Text is one number, such as 16u or 1.5e-3f: a sign stands in it behind
/// an exponent's letter alone.
static bool isNumberToken(StringRef Text) {
  char Before = 0;
  for (char C : Text) {
    const bool IsSign = C == '+' || C == '-';
    if (IsSign ? !StringRef("eEpP").contains(Before) : !isAlnum(C) && C != '.')
      return false;
    Before = C;
  }
  return Text.find_first_of("0123456789") <= (Text.starts_with(".") ? 1u : 0u);
}

bool MacroStability::isLiteral(StringRef Name) {
  const std::vector<StringRef> Bodies = definitionsOf(Name);
  return !Bodies.empty() && all_of(Bodies, [](StringRef Body) {
    Body = Body.trim();
    if (isInParens(Body)) {
      Body = Body.drop_front().drop_back().trim();
      Body = Body.ltrim("+-").ltrim();
    }
    return isNumberToken(Body);
  });
}

bool MacroStability::isOperand(StringRef Name) {
  return all_of(definitionsOf(Name), [](StringRef Body) {
    Body = Body.trim();
    return isNumberToken(Body) || isInParens(Body);
  });
}

bool MacroStability::isMacroElsewhere(StringRef Name) {
  read();
  return !OnlyBuild && AllDefined.count(Name) &&
         macrosIn(Name, Context).empty();
}

bool MacroStability::isFixed(StringRef Name) {
  return isStable(Name) && AlwaysDefined.count(Name);
}

std::vector<StringRef> MacroStability::definitionsOf(StringRef Name) {
  read();
  std::vector<StringRef> Out;
  for (const auto *Lines : {&Directives, &Commands})
    for (StringRef Line : *Lines)
      if (auto Definition = definitionIn(Line, Context);
          Definition && Definition->first == Name)
        Out.push_back(Definition->second);
  return Out;
}

bool MacroStability::isStable(StringRef Name) {
  if (OnlyBuild) {
    read();
    return !TakenBack.count(Name);
  }
  // A macro that names itself is not looked at again.
  auto [It, New] = Macros.insert({Name.str(), true});
  if (!New)
    return It->second;
  bool Stable = find(Name);
  Macros.find(Name)->second = Stable;
  return Stable;
}

std::vector<StringRef> MacroStability::unstableIn(StringRef Text) {
  std::vector<StringRef> Out = macrosIn(Text, Context);
  erase_if(Out, [&](StringRef Name) { return isStable(Name); });
  return Out;
}

bool MacroStability::isStable(SourceLocation Loc) {
  const SourceManager &SM = Context.getSourceManager();
  for (; Loc.isMacroID(); Loc = SM.getImmediateMacroCallerLoc(Loc)) {
    SourceLocation Body = Loc;
    while (SM.isMacroArgExpansion(Body))
      Body = SM.getImmediateExpansionRange(Body).getBegin();
    // A pasted token stands for the macro that pastes it, which comes next.
    SourceLocation Written = SM.getImmediateSpellingLoc(Body);
    if (SM.isInSystemHeader(Written) || SM.isWrittenInScratchSpace(Written))
      continue;
    SourceLocation Name =
        SM.getSpellingLoc(SM.getImmediateExpansionRange(Body).getBegin());
    if (!isStable(StringRef(
            SM.getCharacterData(Name),
            Lexer::MeasureTokenLength(Name, SM, Context.getLangOpts()))))
      return false;
  }
  return true;
}

/// How often the files say `typedef ... Name;`.
static unsigned typedefsOf(StringRef Name, const SourceManager &SM) {
  unsigned Count = 0;
  for (StringRef Rest : userTexts(SM))
    for (size_t At; (At = Rest.find("typedef")) != StringRef::npos;) {
      Rest = Rest.drop_front(At + 1);
      // Up to the semicolon after a structure.
      unsigned Depth = 0;
      StringRef Declaration = Rest.take_until([&](char C) {
        Depth += C == '{';
        Depth -= C == '}';
        return C == ';' && !Depth;
      });
      Declaration = Declaration.rtrim();
      bool Ends = Declaration.consume_back(Name);
      Count += Ends && !Declaration.empty() && !isAlnum(Declaration.back()) &&
               Declaration.back() != '_';
    }
  return Count;
}

bool MacroStability::isStable(TypeLoc L) {
  if (OnlyBuild)
    return isStable(L.getBeginLoc());
  while (true) {
    L = L.getUnqualifiedLoc();
    if (auto P = L.getAsAdjusted<PointerTypeLoc>())
      L = P.getPointeeLoc();
    else if (auto A = L.getAsAdjusted<ArrayTypeLoc>())
      L = A.getElementLoc();
    else
      break;
  }
  // What an expression tells is as stable as that, which nobody looked at.
  if (L.getAs<TypeOfExprTypeLoc>() || L.getAs<TypeOfTypeLoc>() ||
      L.getAs<DecltypeTypeLoc>() || L.getAs<AutoTypeLoc>())
    return false;
  if (!isStable(L.getBeginLoc()))
    return false;
  const auto *Alias = L.getType()->getAs<TypedefType>();
  const TypedefNameDecl *D = Alias ? Alias->getDecl() : nullptr;
  const SourceManager &SM = Context.getSourceManager();
  if (!D || D->getLocation().isInvalid() ||
      SM.isInSystemHeader(D->getLocation()))
    return true;
  auto [It, New] = Typedefs.insert({D, false});
  if (New)
    It->second = isStable(D->getLocation()) &&
                 typedefsOf(D->getName(), SM) == 1 &&
                 !isInArm(D->getLocation(), Context) &&
                 !hasArmsIn(D->getSourceRange()) &&
                 !mayHaveOtherSpecifiers(*D, Context) &&
                 isStable(D->getTypeSourceInfo()->getTypeLoc());
  return It->second;
}

namespace {

/// Visits everything that decides the types of a statement's expressions.
class Types : public DynamicRecursiveASTVisitor {
  MacroStability &Text;

public:
  explicit Types(MacroStability &Text) : Text(Text) {}

  /// The first that is not stable, as it is spelled.
  std::string Unstable;

  bool VisitTypedefTypeLoc(TypedefTypeLoc L) override { return look(L); }
  bool VisitBuiltinTypeLoc(BuiltinTypeLoc L) override { return look(L); }
  bool VisitMemberExpr(MemberExpr *M) override {
    return isDeclared(dyn_cast<FieldDecl>(M->getMemberDecl()));
  }
  bool VisitDeclRefExpr(DeclRefExpr *R) override {
    if (const auto *F = dyn_cast<FunctionDecl>(R->getDecl())) {
      // The arguments decide which overload of OpenCL's functions is called,
      // so that the parameters' types need not be looked at.
      FunctionTypeLoc L = F->getFunctionTypeLoc();
      if (!Text.isStable(R->getLocation()))
        return found(F->getName());
      return !L || look(L.getReturnLoc());
    }
    const auto *V = dyn_cast<VarDecl>(R->getDecl());
    return !V || isDeclared(V);
  }

private:
  bool found(StringRef Name) {
    Unstable = Name.str();
    return false;
  }
  bool look(TypeLoc L) {
    return Text.isStable(L) || found(L.getType().getAsString());
  }
  bool isDeclared(const DeclaratorDecl *D) {
    const TypeSourceInfo *T = D ? D->getTypeSourceInfo() : nullptr;
    return !T || look(T->getTypeLoc());
  }
};

} // namespace

std::string MacroStability::unstableTypeIn(const Stmt *Code) {
  return searched(Types(*this), Code).Unstable;
}

bool macrosAreStable(const Expr *E, const ASTContext &Context) {
  std::optional<StringRef> Words = text(E->getSourceRange(), Context);
  return Words && MacroStability::of(Context).unstableIn(*Words).empty();
}

namespace {

/// Looks for what gives an expression another value in another build: a token
/// of an unstable macro, or a name or a size that stands for one.
class ValueSearch : public DynamicRecursiveASTVisitor {
public:
  explicit ValueSearch(const ASTContext &Context)
      : Context(Context), Macros(MacroStability::of(Context)) {}
  bool Varies = false;

  bool VisitStmt(Stmt *S) override {
    Varies |=
        !Macros.isStable(S->getBeginLoc()) || !Macros.isStable(S->getEndLoc());
    return !Varies;
  }
  bool VisitDeclRefExpr(DeclRefExpr *D) override {
    if (const auto *E = dyn_cast<EnumConstantDecl>(D->getDecl())) {
      const auto *All = cast<EnumDecl>(E->getDeclContext());
      std::optional<StringRef> Text = text(All->getSourceRange(), Context);
      Varies |= !Text || !Macros.unstableIn(*Text).empty() ||
                Text->contains('#') || isInArm(All->getLocation(), Context);
    }
    const auto *V = dyn_cast<VarDecl>(D->getDecl());
    if (V && V->getInit() && isConstant(V->getType()) &&
        Seen.insert(V).second) {
      Varies |= isInArm(V->getLocation(), Context);
      TraverseStmt(const_cast<Expr *>(V->getInit()));
    }
    // A constexpr function of C++ is not looked into.
    const auto *F = dyn_cast<FunctionDecl>(D->getDecl());
    Varies |= F && F->isConstexpr();
    return !Varies;
  }
  bool VisitOffsetOfExpr(OffsetOfExpr *) override {
    Varies = true; // of a structure that has other fields elsewhere
    return false;
  }
  bool VisitUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *S) override {
    QualType T = S->getTypeOfArgument();
    Varies |= !T->isBuiltinType() && !T->isVectorType();
    if (S->isArgumentType())
      Varies |= !Macros.isStable(S->getArgumentTypeInfo()->getTypeLoc());
    return !Varies;
  }

private:
  const ASTContext &Context;
  MacroStability &Macros;
  SmallPtrSet<const VarDecl *, 4> Seen;

  /// Clang knows what variables of the constant space hold as well.
  static bool isConstant(QualType T) {
    return T.isConstQualified() ||
           T.getAddressSpace() == LangAS::opencl_constant;
  }
};

} // namespace

bool isStableText(const Expr *E, const ASTContext &Context) {
  return !searched(ValueSearch(Context), E).Varies;
}

bool operatorsAreStable(const Expr *E, const ASTContext &Context) {
  auto isFromMacro = [](const auto *O) {
    return O->getOperatorLoc().isMacroID();
  };
  return (!firstIn<BinaryOperator>(E, isFromMacro) &&
          !firstIn<UnaryOperator>(E, isFromMacro)) ||
         macrosAreStable(E, Context);
}

bool hasStableType(const DeclaratorDecl &D, const ASTContext &Context) {
  const TypeSourceInfo *T = D.getTypeSourceInfo();
  return T && MacroStability::of(Context).isStable(T->getTypeLoc());
}

} // namespace clrewrite::rewrite
