// Whether a condition can differ between the lanes of a wave.
#pragma once

#include "lanes/Program.h"
#include "lanes/Strides.h"

namespace clrewrite::lanes {

/// Why lanes of one wave may disagree.
enum class Divergence {
  None,   ///< they do not, or not that can be told
  Ids,    ///< by their ids: `x % 2`, `x & 1`
  Memory, ///< by what each has loaded from its own place
};

/// Of the condition \p E, in the function that \p In calls. A comparison of an
/// id with what is the same for all counts as None: there the lanes of but one
/// wave disagree, the one at the bound; and so do tests that groups of \p Wave
/// lanes answer alike, such as `x & 64` or `x / 64 == 0`.
Divergence divergenceOf(const clang::Expr *E, const Program &P, const Frame *In,
                        unsigned Wave);

} // namespace clrewrite::lanes
