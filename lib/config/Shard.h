// The shard of a run: "2/8" is the second of eight parts of its files.
#pragma once

#include "llvm/Support/Error.h"
#include <string>

namespace clrewrite::config {

struct Shard {
  unsigned Number = 0, Of = 0; ///< the number counts from 1
};

/// The most shards that a run can be parted into.
inline constexpr unsigned MostShards = 100000;

llvm::Expected<Shard> parseShard(const std::string &Text);

} // namespace clrewrite::config
