// Whether macros and types have the same meaning in all builds of a file.
//
// Edits must hold for all build options of a file, and not only for those that
// it was parsed with: an edit that takes a macro apart, or spells out the type
// behind a typedef, would be wrong in a build that defines it otherwise.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <memory>
#include <set>

namespace clrewrite::rewrite {

class OtherDeclarations;

/// A token of a file as it stands, in whatever arm of an #if, or a directive.
struct ArmToken {
  unsigned Offset;
  llvm::StringRef Text; ///< of a directive from behind its #
  enum { Code, Opens, Next, Closes, Include, Other } Kind; ///< #if, #else, ...
};

/// \p Word is the name of a macro.
bool isMacro(llvm::StringRef Word, const clang::ASTContext &Context);

/// The words of \p Text that name macros, in order.
std::vector<llvm::StringRef> macrosIn(llvm::StringRef Text,
                                      const clang::ASTContext &Context);

/// Tells which macros and types of a file, and of the files that it includes,
/// are stable: they mean the same whatever the build options are. It reads all
/// directives once, and keeps its answers, as long as the AST lives.
class MacroStability {
public:
  /// The one of \p Context, which lives as long. One thread may ask at a time.
  static MacroStability &of(const clang::ASTContext &Context);

  /// Where \p Is, the program is built in no other way: everything is stable
  /// but macros that a function takes back (#undef), and may define anew.
  void setOnlyBuild(bool Is) { OnlyBuild = Is; }
  bool isOnlyBuild() const { return OnlyBuild; }

  /// The macro \p Name is mentioned by one directive, which is a #define in no
  /// arm of an #if but a header's guard, and the macros in its body are stable
  /// too. Macros that the command line defines, and those that describe the
  /// compiler (__NAME, cl_NAME), are not stable.
  bool isStable(llvm::StringRef Name);

  /// The words of \p Text that name unstable macros, each as often as it
  /// occurs.
  std::vector<llvm::StringRef> unstableIn(llvm::StringRef Text);

  /// All macros that the token at \p Loc is expanded from are stable.
  bool isStable(clang::SourceLocation Loc);

  /// What the macro \p Name, which takes no parameters, stands for in one build
  /// or another: the text of each of its definitions. None where a directive
  /// asks whether it is defined, or takes it back, or where the command line
  /// defines it, so that some build may have another one.
  std::optional<std::vector<std::string>> bodiesOf(llvm::StringRef Name);

  /// Each definition of the macro \p Name in the files, and on the command
  /// line, is a number: digits and operators, and other such macros, with the
  /// same suffixes in all of them. A build with other options is taken to
  /// define another number of that type.
  bool isNumber(llvm::StringRef Name);

  /// Each definition of the macro \p Name in the files, and on the command
  /// line, is one number, perhaps in parentheses, with a sign there. There is
  /// one.
  bool isLiteral(llvm::StringRef Name);

  /// Each definition of the macro \p Name in the files, and on the command
  /// line, is one literal, or stands in parentheses: no operator beside the
  /// macro takes a part of it.
  bool isOperand(llvm::StringRef Name);

  /// The macro \p Name is stable, and a line of the main file that no #if is
  /// around defines it, so that no build has a function of that name instead.
  bool isFixed(llvm::StringRef Name);

  /// A directive defines \p Name as a macro, in an arm that this build does not
  /// have or further down, so that it is none here.
  bool isMacroElsewhere(llvm::StringRef Name);

  /// \p Name is a macro here or elsewhere.
  bool isDefined(llvm::StringRef Name);

  /// The macro \p Macro may stand for code that declares \p Name, by its own
  /// text or by that of another macro, in whatever build.
  bool mayDeclare(llvm::StringRef Macro, llvm::StringRef Name);

  /// A file declares \p Name somewhere, in whatever arm of an #if, or a macro
  /// may stand for code that does, as far as their tokens tell.
  bool mayBeDeclared(llvm::StringRef Name);

  /// The macro \p Macro may stand for code that declares an argument of its:
  /// `DECLARE(float, v)`.
  bool mayDeclareArgument(llvm::StringRef Macro);

  /// In each build the macro \p Name stands for nothing, or for what ends with
  /// a semicolon or a brace.
  bool endsStatement(llvm::StringRef Name);

  /// In some build the macro \p Name, which is not stable, stands for the begin
  /// of a declaration.
  bool mayBeSpecifier(llvm::StringRef Name);

  /// The macro \p Name is asked for and defined by one guard alone, as openArms
  /// has it, and each header is read, since no #if is around an #include.
  bool mayGuard(llvm::StringRef Name);

  /// The macro \p Name, no number, is another one in some build, and a header
  /// that this build does not read may define it.
  bool mayComeFromUnreadHeader(llvm::StringRef Name);

  /// In another build a brace between two places may close another block than
  /// here: an arm of an #if, or a macro, leaves one open, or closes one.
  bool bracesVary(clang::SourceRange Between);

  /// The tokens of \p File.
  const std::vector<ArmToken> &tokensOf(clang::FileID File);

  /// No code stands behind the last #endif of \p File.
  bool endsWithDirective(clang::FileID File);

  /// A directive but a pragma stands in \p Range, in whatever file.
  bool hasArmsIn(clang::SourceRange Range);

  /// A directive of the files has the word \p Name, so that an option may
  /// define it.
  bool isInDirective(llvm::StringRef Name);

  /// What stands behind `#define` in each directive of the files, in whatever
  /// arm, and of the command line.
  const std::vector<std::string> &definitions();

  /// The element type of \p L, which may be a pointer or an array, is spelled
  /// without unstable macros. Where it is a typedef, this is declared once, and
  /// is itself stable.
  bool isStable(clang::TypeLoc L);

  /// Empty where all types that \p Code names are stable, and those of the
  /// fields, variables and functions that it uses, and no name of a built-in
  /// function comes from an unstable macro; else the first of these that is not
  /// so. Where it is empty, the expressions in \p Code have the same types in
  /// every build. (A macro of a number is taken to keep its type.)
  std::string unstableTypeIn(const clang::Stmt *Code);

private:
  friend class OtherDeclarations;
  /// Fills in Named and IncludesInArms.
  void readNames();
  /// The directives of \p File.
  const std::vector<std::string> &directivesOf(clang::FileID File);
  explicit MacroStability(const clang::ASTContext &Context);
  ~MacroStability();

  const clang::ASTContext &Context;
  bool OnlyBuild = false, HasRead = false;
  /// The text of each directive after its #, with continued lines as one: of
  /// the directives in the files, and of those that the command line stands
  /// for.
  std::vector<std::string> Directives, Commands;
  std::vector<std::string> Definitions;
  std::map<clang::FileID, std::vector<ArmToken>> Tokens;
  std::map<const clang::FunctionDecl *, std::unique_ptr<OtherDeclarations>>
      Others;
  std::set<std::string, std::less<>> TakenBack; ///< within functions
  llvm::StringMap<bool> ArgumentMacros;         ///< as mayDeclareArgument told
  /// By name, the macros that may declare it.
  llvm::StringMap<llvm::StringSet<>> Declaring;
  llvm::StringMap<bool> DeclaredNames; ///< as mayBeDeclared told
  /// How many directives name each word, but for what #endif has; and whether
  /// an #include stands in an arm.
  std::optional<llvm::StringMap<unsigned>> Named;
  std::map<clang::FileID, std::vector<std::string>> ByFile;
  bool IncludesInArms = false;
  /// The words of Directives.
  std::set<std::string, std::less<>> Mentioned;
  /// What the directives of all files define, and those of them that stand in
  /// the main file outside of #if.
  std::set<std::string, std::less<>> AllDefined, AlwaysDefined;
  /// Those of them that an arm of an #if defines which is no header's guard.
  std::set<std::string, std::less<>> Chosen;
  std::map<std::string, bool, std::less<>> Macros, Numbers;
  std::map<const clang::TypedefNameDecl *, bool> Typedefs;

  void read();
  /// The directives of the text that name \p Name, without their '#'; none
  /// where the command line names it.
  std::optional<std::vector<llvm::StringRef>>
  directivesNaming(llvm::StringRef Name);
  bool find(llvm::StringRef Name);
  /// What stands behind the name in each definition of \p Name.
  std::vector<llvm::StringRef> definitionsOf(llvm::StringRef Name);
  bool hasNumbersOnly(llvm::StringRef Body);
  /// The suffixes of the numbers in \p Body, and in the macros that it names,
  /// each once and small: what makes them unsigned or long.
  std::set<char> suffixesIn(llvm::StringRef Body);
};

/// All macros that the text of \p E names are stable; false where \p E has no
/// text of its own.
bool macrosAreStable(const clang::Expr *E, const clang::ASTContext &Context);

/// Where \p E is constant, it has the same value in every build: no token of it
/// comes from an unstable macro, nor what an enumerator, a const variable or a
/// size in it stands for.
bool isStableText(const clang::Expr *E, const clang::ASTContext &Context);

/// No operator in \p E comes from an unstable macro.
bool operatorsAreStable(const clang::Expr *E, const clang::ASTContext &Context);

/// The type that \p D is declared with is stable.
bool hasStableType(const clang::DeclaratorDecl &D,
                   const clang::ASTContext &Context);

} // namespace clrewrite::rewrite
