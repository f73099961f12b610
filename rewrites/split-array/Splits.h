// The arrays of a declaration that split-array takes apart, and their text.
#pragma once

#include "ElementUses.h"
#include "rewrite/Rewrite.h"

namespace clrewrite::rewrite::split_array {

/// \p D is a private array of vectors; else null.
const clang::VarDecl *vectorsIn(const clang::Decl *D);

/// One array of the declaration.
struct Split {
  const clang::VarDecl *Array = nullptr;
  ElementUses Uses;
};
const std::vector<Split> &splits(const Site &S);
bool isSplit(const clang::VarDecl *V, const Site &S);

/// The calls that are given an array, each once.
std::vector<const clang::CallExpr *> callsOf(const Site &S);

/// The vector that an element is.
clang::QualType vectorOf(const Site &S);

/// An array's type as the text has it; invalid ranges where a typedef hides the
/// bounds.
struct TypeText {
  clang::SourceRange Vector; ///< the tokens of the vector's name
  clang::SourceRange Name;   ///< from the array's name to its last bound
  const clang::Expr *Bound = nullptr; ///< of the outermost array
};
TypeText typeTextOf(const clang::VarDecl *V);

/// \p E is written in numbers: no variable, no constant by name and no size of
/// a type stands in it, which another place or build may have otherwise.
bool isOfNumbers(const clang::Expr *E);

/// \p V begins with zeros alone, in every build.
bool isZero(const clang::VarDecl *V);

/// The vectors that \p V begins with, null for zeros: those that the text has.
/// None where something else stands there.
std::optional<std::vector<const clang::Expr *>>
firstVectors(const clang::VarDecl *V, const Site &S);

/// The statement that \p E is directly in.
const clang::Stmt *around(const clang::Stmt *E, clang::ASTContext &Context);

/// From a statement to the semicolon that ends it; empty where that is not
/// found.
Edit withSemicolon(const clang::Expr *E, const clang::ASTContext &Context);

/// The arrays as scalars, where all conditions hold: a row for each vector, or
/// else an array for each lane.
Alternative splitText(const Site &S, bool Rows);

} // namespace clrewrite::rewrite::split_array
