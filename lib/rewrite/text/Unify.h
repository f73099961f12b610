// Writing several similar expressions, or runs of statements, as one that
// depends on a counter.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

namespace clrewrite::rewrite {

/// Statements, or one expression.
using Piece = std::vector<const clang::Stmt *>;

/// A place where pieces of one shape differ.
struct Varied {
  /// What stands there in each piece: scalars of one type (int or wider, float,
  /// double, a pointer) that read no memory and have no side effects. Floats
  /// are literals, names, lanes and their negatives: no operation is put in a
  /// select, where a compiler could not contract it any more.
  std::vector<const clang::Expr *> Values;
  /// Says only which element of global or local memory is meant.
  bool InAddress = false;
};

/// How several pieces differ.
struct Similarity {
  std::vector<Varied> Places;
  /// The variables that the pieces declare.
  std::vector<const clang::VarDecl *> Declared;
};

/// None where the pieces differ in more than scalars can say: in operators,
/// types, vectors, what is assigned to, or where control leaves; where
/// \p OnlyText also where what differs is not the file's own text.
std::optional<Similarity> similarity(llvm::ArrayRef<Piece> Pieces,
                                     bool OnlyText,
                                     const clang::ASTContext &Context);

/// \p S divides floats, or calls a function whose last bits are left open. A
/// compiler may compute that in another way where it knows an operand.
bool roundsFreely(const clang::Stmt *S);

/// A literal number, perhaps with a sign.
bool isNumber(const clang::Expr *E);

/// The values differ, by numbers in even steps or by multiples of one thing.
bool inEvenSteps(const Varied &V, const clang::ASTContext &Context);

/// Where the numbers of a place that are in no even steps go.
struct Tables {
  /// Each table's name starts so; empty: no tables, selects for all.
  std::string Name;
  /// The tables' definitions.
  std::string Text;
};

/// Bytes \p Begin to \p End of the main file, which hold the first piece, for
/// all pieces: each place becomes a linear expression of the int variable
/// \p Counter, or an element of a table, or a select. None where a place can't
/// be edited there.
std::optional<std::string> chosenText(unsigned Begin, unsigned End,
                                      llvm::ArrayRef<Varied> Places,
                                      llvm::StringRef Counter, Tables &T,
                                      const clang::ASTContext &Context);

/// \p Terms as one expression of the int variable \p Counter, whose value for
/// counter I is term I. None where the terms are all the same, or differ in
/// more than chosenText() can write without changing a bit.
std::optional<std::string> unified(llvm::ArrayRef<const clang::Expr *> Terms,
                                   llvm::StringRef Counter,
                                   const clang::ASTContext &Context);

} // namespace clrewrite::rewrite
