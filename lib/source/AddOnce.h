// Lists that name each thing once, in the order in which they met it.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include <vector>

namespace clrewrite {

/// Adds those of \p More that \p List lacks.
template <typename T, typename Range>
void addOnce(std::vector<T> &List, const Range &More) {
  for (const auto &Each : More)
    if (!llvm::is_contained(List, Each))
      List.push_back(Each);
}

} // namespace clrewrite
