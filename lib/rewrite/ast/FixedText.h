// What the same text means in other builds of it, with other options.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include <map>

namespace clrewrite::rewrite {

/// Which macros and types of a file, and of what it includes, are no other ones
/// with other options. What it has found out it keeps.
class FixedText {
public:
  explicit FixedText(const clang::ASTContext &Context) : Context(Context) {}

  /// All that the directives say of the macro \p Name is one #define, and so it
  /// is with the macros in its body. False too for what the command line
  /// defines, and for what tells about the compiler (__NAME, cl_NAME).
  bool isFixed(llvm::StringRef Name);

  /// The macros in the words of \p Text that may be others, each as often as it
  /// occurs.
  std::vector<llvm::StringRef> others(llvm::StringRef Text);

  /// No macro that the token at \p Loc comes through may be another one.
  bool isFixed(clang::SourceLocation Loc);

  /// What \p L points to, or is an array of, is named by words that come from
  /// no macro that may be another one; a typedef is declared once, and of such
  /// words.
  bool isFixed(clang::TypeLoc L);

  /// All types that \p F names are such, those of the fields, global variables
  /// and functions that it uses, and no built-in function comes from a macro
  /// that may be another one: so the expressions in it have the same types with
  /// other options. (A macro of a number is taken to keep its type.)
  bool hasFixedTypes(const clang::FunctionDecl &F);

private:
  const clang::ASTContext &Context;
  bool HasRead = false;
  /// What stands behind the # of each directive, with continued lines as one;
  /// of those of the user, and of those that the command line stands for.
  std::vector<std::string> Directives, Commands;
  std::map<std::string, bool, std::less<>> Macros;
  std::map<const clang::TypedefNameDecl *, bool> Typedefs;

  void read();
  bool find(llvm::StringRef Name);
};

/// FixedText::isFixed for each macro that the text of \p E names; false where
/// \p E has no text of its own.
bool macrosAreFixed(const clang::Expr *E, const clang::ASTContext &Context);

/// No operator in \p E comes from a macro that may be another one with other
/// options.
bool operatorsAreFixed(const clang::Expr *E, const clang::ASTContext &Context);

/// FixedText::isFixed for the type that \p D is declared with.
bool hasFixedType(const clang::DeclaratorDecl &D,
                  const clang::ASTContext &Context);

} // namespace clrewrite::rewrite
