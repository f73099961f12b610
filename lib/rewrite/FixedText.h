// What the same text means in other builds of it, with other options.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace clrewrite {

/// All that the file's directives say of each macro that the text of \p E
/// names is one #define, and so it is with the macros in their bodies: with
/// other options they are no other ones. False where \p E has no text of its
/// own.
bool macrosAreFixed(const clang::Expr *E, const clang::ASTContext &Context);

/// No operator in \p E comes from a macro that may be another one with other
/// options.
bool operatorsAreFixed(const clang::Expr *E, const clang::ASTContext &Context);

/// The type that \p D is declared with, or the one that it points to or is an
/// array of, stands in the text and is no other one with other options: it is
/// not a macro's, nor a typedef of such a one, nor one that the file declares
/// again in another arm of an #if.
bool hasFixedType(const clang::DeclaratorDecl &D,
                  const clang::ASTContext &Context);

} // namespace clrewrite
