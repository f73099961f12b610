// Whether code means the same in every build.
//
// An edit that is legal in the build that was parsed is wrong in another one
// where a macro in the code that it moves, joins or leaves out is another one
// there: an empty one may be a statement, a name an expression, a type a
// narrower one.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"

namespace clrewrite::rewrite {

/// The first thing by which \p Code, statements of \p F that have the text
/// \p Whole, may mean something else in a build with other options: a macro
/// that is neither a number nor defined once in the file, outside of #if, a
/// declaration that an #if chooses, a type. Invalid where it means the same in
/// every build. A macro that is a number here is taken to be a number there.
clang::SourceRange variationOf(llvm::ArrayRef<const clang::Stmt *> Code,
                               clang::SourceRange Whole,
                               const clang::FunctionDecl &F,
                               clang::ASTContext &Context);

/// The same for the parameter \p P of a function that is called at \p Use.
clang::SourceRange variationOfParameter(const clang::ParmVarDecl &P,
                                        clang::SourceLocation Use,
                                        const clang::ASTContext &Context);

/// The directive that ends the arm of an #if in which \p Declared stands,
/// before \p Use: another build may declare it otherwise. Invalid where none
/// does, and where it stands in another file.
clang::SourceRange armEndBetween(clang::SourceLocation Declared,
                                 clang::SourceLocation Use,
                                 const clang::ASTContext &Context);

/// The code of \p Range may be other code in another build, macros that are
/// numbers aside.
bool variesButForNumbers(clang::SourceRange Range,
                         const clang::ASTContext &Context);

} // namespace clrewrite::rewrite
