// What another build may declare in the place of what this one declares.
//
//     float2 v = in[n];
//     for (int k = 0; k < n; ++k) {
//     #ifdef SCALAR
//       const float v = k;     // hides the vector there
//     #endif
//       a[k & 1] += v;
#pragma once

#include "rewrite/ast/MacroStability.h"
#include "clang/AST/Decl.h"

namespace clrewrite::rewrite {

/// The parameters and variables of a function in builds with other options.
class OtherDeclarations {
public:
  /// The one of \p F, which lives as long as the AST.
  static const OtherDeclarations &of(const clang::FunctionDecl &F);

  /// Where a parameter or a variable that this build leaves out, or a macro of
  /// another build, may declare the name of \p D anew so that \p Use sees that;
  /// invalid where nothing does.
  clang::SourceRange hiding(const clang::NamedDecl &D,
                            clang::SourceLocation Use) const;

private:
  friend class MacroStability;
  explicit OtherDeclarations(const clang::FunctionDecl &F);

  const clang::FunctionDecl &F;
  const clang::SourceManager &SM;
  MacroStability &Macros;
  /// From the function's first token to its last.
  llvm::ArrayRef<ArmToken> Tokens;
  size_t Body = 0; ///< the index of the brace that the body begins with
  std::vector<llvm::StringRef> Words; ///< those of Tokens that are code
  std::vector<size_t> Places;         ///< the indices of Words in Tokens
  /// What the function's variables are called, and where.
  std::set<std::pair<llvm::StringRef, clang::SourceLocation>> Declared;
  /// The indices in Words of each name, and those of macros.
  llvm::StringMap<std::vector<size_t>> ByName;
  std::vector<size_t> MacroWords;

  clang::SourceLocation at(const ArmToken &T) const;
  bool isVisible(size_t From, size_t Use) const;
};

/// The tokens \p Tokens may declare the name that the one at \p At is; \p
/// DeclaresArgument tells which macros may declare what they are given.
bool mayDeclare(llvm::ArrayRef<llvm::StringRef> Tokens, size_t At,
                bool AreParameters,
                llvm::function_ref<bool(llvm::StringRef)> DeclaresArgument);

/// The token of \p Tokens at \p At stands in the braces of a structure or a
/// union, so that a name there hides nothing.
bool isInStructure(llvm::ArrayRef<llvm::StringRef> Tokens, size_t At);

/// Before \p D stand words in an arm of an #if that has ended, or a macro,
/// which are a part of the declaration in another build, such as `unsigned`.
bool mayHaveOtherSpecifiers(const clang::Decl &D,
                            const clang::ASTContext &Context);

} // namespace clrewrite::rewrite
