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
  /// A hash of all tokens that the preprocessor gives: sources with the same
  /// hash are the same program.
  uint64_t Tokens = 0;
  bool Failed = false;
};

/// The inclusions of \p S. They have Failed where the preprocessor finds an
/// error; errors of the parser do not count, since nothing is parsed.
Inclusions inclusionsOf(const Source &S, const Arch &A);

} // namespace clrewrite::frontend
