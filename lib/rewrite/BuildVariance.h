// Whether edits also hold in builds with other options than those that the text
// was parsed with.
#pragma once

#include "rewrite/ast/MacroStability.h"
#include "source/Edit.h"

namespace clrewrite::rewrite {

class BuildVariance {
public:
  explicit BuildVariance(clang::ASTContext &Context);

  /// Why the edits \p List could be wrong in a build that defines the macros in
  /// them otherwise, or has other arms of #if, or where the program asks for
  /// its lines, as a Condition says it; empty where they hold in every build.
  std::string obstacle(llvm::ArrayRef<Edit> List);

  /// A name in what \p List writes that is no macro here, and one in a build
  /// with other options; empty for none.
  std::string macroOfOthers(llvm::ArrayRef<Edit> List);

  /// The first thing by which the code that the edits \p List stand in may mean
  /// something else in another build (CodeVariation.h): the statements of \p F
  /// from the first to the last that they change, and \p Node, the site. Behind
  /// a variable that they take away or redeclare it goes to the end of the
  /// block, and of a function's head to all of the function, as with \p AllOf.
  /// Invalid where there is none.
  clang::SourceRange variationAround(llvm::ArrayRef<Edit> List,
                                     clang::SourceRange Node,
                                     const clang::FunctionDecl &F, bool AllOf);

  /// The same for the statements of \p F alone that the edits \p List change,
  /// each by itself.
  clang::SourceRange variationInStatements(llvm::ArrayRef<Edit> List,
                                           const clang::FunctionDecl &F);

private:
  clang::ASTContext &Context;
  MacroStability &Macros;
  bool CountsLines; ///< code of the program uses __LINE__
  /// Why nothing is edited, as a Condition says it: tokens or lines of the
  /// program are not read here as a compiler reads them. Empty where they are.
  std::string OddPart;

  /// A statement of a block, by its offsets, with its semicolon.
  struct Statement {
    unsigned Begin, End;
    const clang::Stmt *Code;
    const clang::CompoundStmt *Block;
  };
  std::optional<std::vector<Statement>> Statements;
  const std::vector<Statement> &statements();
  std::map<std::pair<unsigned, unsigned>, clang::SourceRange> Variations;

  /// variationOf, and directives in \p Whole; each text is looked at once.
  clang::SourceRange variationOfText(llvm::ArrayRef<const clang::Stmt *> Code,
                                     clang::SourceRange Whole,
                                     const clang::FunctionDecl &F);

  /// A word of the language in what \p List writes, and does not replace, that
  /// is a macro of the program; empty for none.
  std::string keywordOfProgram(llvm::ArrayRef<Edit> List);

  /// The innermost statement of a block that \p E changes, or stands before or
  /// behind; null where there is none.
  const Statement *changedBy(const Edit &E);
  /// What may stand before a statement of which the edits make several, and be
  /// about the first alone, in another build; invalid for none.
  clang::SourceRange headOfSplit(llvm::ArrayRef<Edit> List);

  /// What may bring an `else` in another build, behind a branch that has none
  /// in this one and that the edits replace or come behind; invalid for none.
  clang::SourceRange elseBehind(llvm::ArrayRef<Edit> List);
};

} // namespace clrewrite::rewrite
