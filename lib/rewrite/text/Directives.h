// The directives of a program, whatever stands around them.
#pragma once

#include "rewrite/Rewrite.h"
#include "clang/AST/ASTContext.h"

namespace clrewrite::rewrite {

/// The main file, and the files that it includes, but those of the compiler.
std::vector<clang::FileID> userFiles(const clang::SourceManager &SM);

/// The texts of the main file, and of the files that it includes, but those of
/// the compiler.
std::vector<llvm::StringRef> userTexts(const clang::SourceManager &SM);

/// The directives that the options -D and -U stand for.
llvm::StringRef commandLine(const clang::SourceManager &SM);

/// Each directive in \p Text, in whatever arm of an #if, from behind its # on,
/// with continued lines as one and a space for each comment. The # may be
/// spelled `%:`, and stand behind a comment.
std::vector<std::string> directivesIn(llvm::StringRef Text,
                                      const clang::LangOptions &Options);

/// No code of any build names \p F but where it is defined: none calls it.
bool isNamedOnce(const clang::FunctionDecl &F,
                 const clang::ASTContext &Context);

/// How many #if's are open behind each of \p Directives, all of a file without
/// their #, but for a guard. It is an #ifndef without an #else of what the next
/// directive defines, and the last directive closes it, with no code behind it:
/// \p EndsFile. Where it is not the first one, the macro is empty, and \p
/// MayGuard holds for its name.
std::vector<int>
openArms(llvm::ArrayRef<llvm::StringRef> Directives, bool EndsFile,
         llvm::function_ref<bool(llvm::StringRef)> MayGuard);

/// \p Loc stands in an arm of an #if that is no guard of its file, or what
/// includes that file does.
bool isInArm(clang::SourceLocation Loc, const clang::ASTContext &Context);

/// By how much \p Directive, without its #, changes how many #if's are open.
int armsOpenedBy(llvm::StringRef Directive);

} // namespace clrewrite::rewrite
