// The directives of a program, whatever stands around them.
#pragma once

#include "rewrite/Rewrite.h"
#include "clang/AST/ASTContext.h"

namespace clrewrite::rewrite {

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

/// By how much \p Directive, without its #, changes how many #if's are open.
int armsOpenedBy(llvm::StringRef Directive);

} // namespace clrewrite::rewrite
