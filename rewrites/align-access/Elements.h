// How a program spells the elements that vloadN and vstoreN access.
#pragma once

#include "rewrite/ast/WholeAccess.h"

namespace clrewrite::rewrite::align_access {

/// Finds the word by which a function declares the elements behind a pointer,
/// such as FLOAT in `__global const FLOAT *input`. A macro may be another type
/// in a build with other options, and the pointer has that type there as well.
class Elements {
public:
  /// Reads the text of \p Function, of which accesses are asked for.
  Elements(const clang::FunctionDecl &Function, clang::ASTContext &Context);

  /// Sets the names by which \p A spells its types to such as hold in every
  /// build. False where there are none: another build may have another pointer
  /// there, or another function of the name.
  bool spell(VectorAccess &A) const;

  /// \p Loc stands in an arm of an #if that the function ends.
  bool isInArmOfFunction(clang::SourceLocation Loc) const;

private:
  const clang::FunctionDecl &Function;
  clang::ASTContext &Context;
  llvm::StringRef Text; ///< of the function; empty where it has none of its own
  /// Its tokens; "#" in the place of a directive.
  std::vector<llvm::StringRef> Tokens;
  /// What each #define of any build says, and each -D of this one.
  const std::vector<std::string> &Definitions;

  /// One place of the function declares \p Name, in whatever arm of an #if, and
  /// no macro does in any build, as far as the program's text tells.
  bool isDeclaredOnce(llvm::StringRef Name) const;
  /// No macro that \p Text names stands for one of \p Tokens, in any build.
  bool macrosLack(llvm::StringRef Text,
                  llvm::ArrayRef<llvm::StringRef> Tokens) const;
  std::string elementOf(const VectorAccess &A) const;
  std::string declaredType(const clang::VarDecl &V) const;
  bool endsParameter(llvm::StringRef Macro) const;
  bool isMacroSomewhere(llvm::StringRef Word) const;
  bool mayDeclare(llvm::ArrayRef<llvm::StringRef> In, size_t I) const;
  bool isVectorOf(llvm::StringRef Type, const VectorAccess &A) const;
};

} // namespace clrewrite::rewrite::align_access
