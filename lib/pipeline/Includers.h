// Who else includes a header: files beside those that were given.
#pragma once

#include "llvm/ADT/StringSet.h"
#include <map>
#include <set>
#include <string>
#include <vector>

namespace clrewrite::pipeline {

/// The paths that the #include directives of \p Text name, as they stand there.
std::vector<std::string> includedPaths(llvm::StringRef Text);

/// Whether some line of \p Text looks like the #include of one of \p Names,
/// files without their folders, or of what a macro names.
bool mayInclude(llvm::StringRef Text, const llvm::StringSet<> &Names);

/// The sources below a folder, and what each includes.
class Includers {
public:
  /// Reads all files of OpenCL C, C and C++ below \p Root, a real path, but for
  /// hidden folders.
  explicit Includers(const std::string &Root);

  /// A file that includes \p Header, or one of \p Known that does, and is none
  /// of
  /// \p Known itself; all are real paths. Empty for none. What does not stand
  /// beside the file that includes it may be found by -I, so there a header of
  /// the same name counts as the header.
  std::string unknown(llvm::StringRef Header,
                      const std::set<std::string> &Known) const;

private:
  std::map<std::string, std::vector<std::string>> Paths; ///< by real path
};

} // namespace clrewrite::pipeline
