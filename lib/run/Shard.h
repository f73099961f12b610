// One of the shards of a run: the part of its files that one machine works on.
//
// Every machine parts the same files alike, without asking another one: by
// their paths and bytes, and by the times of an earlier run where --costs
// names its report. `clrewrite merge` puts the documents together again.
#pragma once

#include "pipeline/Pipeline.h"
#include "run/Settings.h"

namespace clrewrite::run {

/// Leaves those of \p Units, and of their \p Setups, that are in the shard of
/// \p O, and tells each where it stands among all. Units whose results depend
/// on one another are in one shard: texts of one file or program, and files
/// that include each other.
llvm::Expected<report::ShardMark>
keepShard(const config::Options &O, std::vector<pipeline::Unit> &Units,
          std::vector<const pipeline::Setup *> &Setups);

} // namespace clrewrite::run
