// The include folders of build options, and which of them count where the
// options come from somebody else: a repository's configuration, a capture, or
// an editor.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace clrewrite::frontend {

/// \p Words with what \p Change makes of the folder of each -I and -isystem. An
/// option goes where that is nothing.
std::vector<std::string> withIncludeFolders(
    llvm::ArrayRef<std::string> Words,
    llvm::function_ref<std::optional<std::string>(llvm::StringRef)> Change);

/// The folders of -I and -isystem in \p Words.
std::vector<std::string> includeFolders(llvm::ArrayRef<std::string> Words);

/// The real paths of the folders that CLREWRITE_READABLE names.
std::vector<std::string> readableFolders();

/// \p Words without the include folders that somebody else may not name: their
/// files could be read by kernels and the front end. Those that lie in one of
/// \p Roots (real paths), in /usr, in /opt or in a folder of CLREWRITE_READABLE
/// stay. The others go into \p LeftOut, each once.
std::vector<std::string>
withoutForeignFolders(llvm::ArrayRef<std::string> Words,
                      llvm::ArrayRef<std::string> Roots,
                      std::vector<std::string> &LeftOut);

} // namespace clrewrite::frontend
