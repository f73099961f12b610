// Which files a source includes, and where: for edits in headers.
#pragma once

#include "frontend/Invocation.h"

namespace clrewrite::frontend {

/// One #include directive that the preprocessor met.
struct Inclusion {
  /// The file as Clang names it, and with links resolved.
  std::string Path, Real;
  /// The inclusion in whose file the directive stands; none: the main file.
  std::optional<size_t> Within;
  /// The bytes of the directive there, from its # to the end of its last line,
  /// exclusive. (0, 0) for what options include.
  size_t Begin = 0, End = 0;
  /// The last line of the directive, 1-based, as #line counts.
  unsigned Line = 0;
  /// False where a guard or #pragma once keeps the file out.
  bool Entered = false;
  /// Found by -isystem, or the compiler's own.
  bool System = false;
  /// The directive stands between declarations.
  bool AtFileScope = false;
};

struct Inclusions {
  std::vector<Inclusion> List; ///< in the order in which they are met
  /// A hash of all tokens that are left behind the preprocessor: sources with
  /// the same are the same program.
  uint64_t Tokens = 0;
  bool Failed = false;
};

/// Those of \p S. Failed where there is an error; that of a parser is none.
Inclusions inclusionsOf(const Source &S, const Arch &A);

} // namespace clrewrite::frontend
