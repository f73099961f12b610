// Whether edits also hold in builds with other options than those that the text
// was parsed with.
#pragma once

#include "rewrite/ast/MacroStability.h"
#include "source/Edit.h"

namespace clrewrite::rewrite {

class BuildVariance {
public:
  explicit BuildVariance(const clang::ASTContext &Context);

  /// Why the edits \p List, at a site in \p F, could be wrong in a build that
  /// defines macros and types otherwise, or has other arms of #if, or where
  /// the program asks for its lines, as a Condition says it; empty where they
  /// hold in every build. The types that they write out are not asked about
  /// where \p F is null.
  std::string obstacle(llvm::ArrayRef<Edit> List, const clang::FunctionDecl *F);

private:
  const clang::ASTContext &Context;
  MacroStability Macros;
  bool CountsLines; ///< code of the program uses __LINE__
  std::map<const clang::FunctionDecl *, std::string> Unstable;

  /// A statement of a block, by its offsets, with its semicolon.
  struct Statement {
    unsigned Begin, End;
    const clang::Stmt *Code;
    const clang::CompoundStmt *Block;
  };
  std::optional<std::vector<Statement>> Statements;

  /// The innermost statement of a block that \p E changes, or stands before or
  /// behind; null where there is none.
  const Statement *changedBy(const Edit &E);
  /// What may stand before a statement of which the edits make several, and be
  /// about the first alone, in another build; invalid for none.
  clang::SourceRange headOfSplit(llvm::ArrayRef<Edit> List);

  /// What may bring an `else` in another build, behind a branch that has none
  /// in this one and that the edits replace or come behind; invalid for none.
  clang::SourceRange elseBehind(llvm::ArrayRef<Edit> List);

  /// The type in \p F that may be another one; empty where there is none.
  const std::string &unstableType(const clang::FunctionDecl &F);
};

} // namespace clrewrite::rewrite
