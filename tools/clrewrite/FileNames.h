// Names of files among the words of a command line, and in lists. Whoever made
// a repository chose its names, so none may be an option.
#pragma once

#include "config/Options.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace clrewrite::cli {

/// Looks for names in \p Words, which begin with the program's: after
/// --end-of-options all are names, after --hook all from the first that names
/// a file. Those that begin with - get ./ before it. Returns what is wrong: an
/// option that is the name of a file as well, as *.cl gives it; empty for
/// nothing.
std::string separateNames(std::vector<char *> &Words);

/// The names in the list of --files-from.
llvm::Expected<std::vector<std::string>> listedFiles(const config::Options &O);

} // namespace clrewrite::cli
