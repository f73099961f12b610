// The tokens of a text as it stands, not preprocessed.
#pragma once

#include "clang/Basic/TokenKinds.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <vector>

namespace clrewrite::frontend {

/// Calls \p Each on the tokens of \p Text as C++ has them: their kind, offset
/// and spelling. Comments are left out; the last one is the end of the file.
void eachRawToken(
    llvm::StringRef Text,
    llvm::function_ref<void(clang::tok::TokenKind, size_t, llvm::StringRef)>
        Each);

/// Those tokens, as parts of \p Text.
std::vector<llvm::StringRef> tokensOf(llvm::StringRef Text);

/// Calls \p Each on the tokens and comments of \p Text as OpenCL C has them,
/// with their offset and spelling; the last one is the end of the file.
void eachTokenAndComment(
    llvm::StringRef Text,
    llvm::function_ref<void(const clang::Token &, size_t, llvm::StringRef)>
        Each);

/// Calls \p Each on the tokens of \p Text as OpenCL C has them, until it
/// returns false or the file ends. Comments are left out, and a directive ends
/// with a token eod, behind its last continued line or comment.
void eachTokenOfDirectives(
    llvm::StringRef Text,
    llvm::function_ref<bool(const clang::Token &, size_t, llvm::StringRef)>
        Each);

} // namespace clrewrite::frontend
