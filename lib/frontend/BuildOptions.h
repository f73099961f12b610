// The options of clBuildProgram, translated to what Clang's front end takes.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace clrewrite::frontend {

/// Splits an option string as a shell would (quotes and backslashes count), as
/// in `-D N=16 -I "my dir"`.
std::vector<std::string> splitBuildOptions(llvm::StringRef Text);

/// Fails where a quote in \p Text, which splitBuildOptions would split, is not
/// closed.
llvm::Error checkQuotes(llvm::StringRef Text);

/// The front end's arguments for \p Words. Options that only a vendor's driver
/// knows (-cl-nv-..., -cl-amd-..., -cl-intel-..., -fbin-..., -save-temps) are
/// left out and listed in \p Ignored. Any other unknown option is an error
/// that names it.
llvm::Expected<std::vector<std::string>>
parseBuildOptions(llvm::ArrayRef<std::string> Words,
                  std::vector<std::string> *Ignored = nullptr);

/// True where \p Options choose a language version.
bool hasStandard(llvm::ArrayRef<std::string> Options);

} // namespace clrewrite::frontend
