// Macros that a rewrite defines, for what only some compilers know.
#pragma once

#include "source/Edit.h"
#include "clang/AST/Decl.h"

namespace clrewrite::rewrite {

/// A macro that a function may use.
struct Macro {
  std::string Name;
  /// The edit that defines it; none where the text does already.
  std::optional<Edit> Definition;
};

/// The condition's sentence where macroFor finds no place.
inline constexpr char NoPlaceForMacro[] =
    "the macro has no place before it: a directive other than #if stands in "
    "its head, or braces do not pair";

/// The macro that \p Lines define, in which '@' stands for its name: \p Name,
/// or one like it where that means something else; without an '@' they define
/// \p Name itself. It is defined before the first function of the file that is
/// compiled whenever \p F is (arms of #if), once for all that ask. None where
/// headOf finds no place for it.
std::optional<Macro> macroFor(const clang::FunctionDecl &F,
                              llvm::StringRef Name, llvm::StringRef Lines,
                              const clang::ASTContext &Context);

/// The text defines \p Name as a macro other than by \p Lines, which hold it.
bool isOtherMacro(llvm::StringRef Name, llvm::StringRef Lines,
                  const clang::ASTContext &Context);

} // namespace clrewrite::rewrite
