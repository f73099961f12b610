// The text of a region that works on a part of its lanes.
#pragma once

#include "LaneUse.h"
#include "source/Edit.h"

namespace clrewrite::rewrite::split_vector {

/// How a region is to be split.
struct LaneSplit {
  unsigned Lanes = 0; ///< of a part: 1, 2, 4, 8
  /// Let the compiler repeat the part instead of looping.
  bool Unroll = false;
  /// Keep what the last stores store, and store it after the loop.
  bool Keep = false;
};

/// The edits that make \p R a loop over its parts. None where something that
/// must change comes from a macro or another file, or a name that is needed
/// means something else in this program; and, where values are to be kept,
/// where there are no lastStores().
std::optional<Edits> splitText(const LaneRegion &R, const LaneUse &Use,
                               const LaneSplit &Split,
                               const clang::FunctionDecl &Function,
                               clang::ASTContext &Context);

} // namespace clrewrite::rewrite::split_vector
