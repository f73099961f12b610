// Launches for a kernel of which none is known, so that it can be executed.
//
// Sizes, strides and counts can't be told from each other by their types, so
// that all integers are one size, as a launch of square images or matrices has
// it. Buffers have no end, and no index can be wrong. Such a launch may leave a
// kernel little to do, as a convolution whose stride is its image's width: what
// it tells is taken beside what is assumed of loops and conditions (comparable
// in Usage.h), and not in its place.
#pragma once

#include "launch/Launch.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"
#include <vector>

namespace clrewrite::measure {

/// A buffer that is made up. Its pointer leads to the middle.
inline constexpr uint64_t EndlessBytes = uint64_t(1) << 39;

/// Launches of \p Kernel, the largest first: a smaller one serves where that
/// takes too many steps. Each integer argument is LaunchFacts::MadeUp's first
/// number; flags of a byte are 1, and so are floating-point numbers. A
/// structure by value has that in each of its members. The NDRange is up to
/// sixteen times smaller along each dimension. The work-group is what the
/// kernel requires, else 64 work-items.
///
/// Where \p Sizes are those of a launch, as LaunchFacts::MadeUp has them, that
/// one alone, and none where they are no sizes.
std::vector<launch::LaunchFacts>
madeUpLaunches(const llvm::Function &Kernel,
               llvm::ArrayRef<unsigned> Sizes = {});

} // namespace clrewrite::measure
