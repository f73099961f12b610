// The tokens of a text as it stands, not preprocessed.
#pragma once

#include "clang/Basic/TokenKinds.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace clrewrite::frontend {

/// Calls \p Each on the tokens of \p Text as C++ has them: their kind, offset
/// and spelling. Comments are left out; the last one is the end of the file.
void eachRawToken(
    llvm::StringRef Text,
    llvm::function_ref<void(clang::tok::TokenKind, size_t, llvm::StringRef)>
        Each);

} // namespace clrewrite::frontend
