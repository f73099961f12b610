// Edits in headers: legal, and measured, in every file that includes them.
//
// A header is no program, so it is rewritten as a part of the programs that
// include it: each includer's text, with the header's in the place of its
// #include directive, is one way to build it (Build::Before and After). All
// else that the includer includes stays a directive, with the file's full name.
// That this is the same program is not argued but checked: behind the
// preprocessor both have the same tokens.
#pragma once

#include "pipeline/Pipeline.h"
#include <set>

namespace clrewrite::pipeline {

/// Runs everything for \p Units as run() does, files that others of them
/// include last, in each way in which they are included. With \p All so are
/// the headers below the working folder, the includer's folder or its
/// repository; without it their sites are declined.
///
/// A header is left as it is, and its sites say why, where an includer could
/// not be worked on, includes it twice, or not between declarations.
/// A header has the setup of the files that include it; of several, it must be
/// the same.
///
/// \p Units are then those of the report, in its order.
report::Report runWithHeaders(std::vector<Unit> &Units,
                              std::vector<const Setup *> Setups, bool All);

/// Which of \p Units include a file, by its real path. Only those are looked at
/// that may include another of them.
std::map<std::string, std::set<size_t>>
includersAmong(llvm::ArrayRef<Unit> Units,
               llvm::ArrayRef<const Setup *> Setups);

} // namespace clrewrite::pipeline
