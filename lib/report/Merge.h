// The documents of a run's shards, put together to that of the whole run.
#pragma once

#include "report/Shard.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <vector>

namespace clrewrite::report {

/// A document of one shard, and the file that it was read from.
struct ShardDocument {
  std::string Path;
  llvm::json::Value Value;
};

/// The sorts of JSON documents that can be merged.
enum class DocumentSort { None, Report, Roofline, Sarif, Baseline, Plan };
DocumentSort sortOf(const llvm::json::Value &Document);

/// What a document says of its shard; none where it says nothing.
std::optional<ShardMark> markOf(const llvm::json::Value &Document);

/// Fails unless \p Marks, each with the file that it was found in, are those of
/// all shards of one run, each once: says which are missing, or there twice.
llvm::Error checkShards(
    llvm::ArrayRef<std::pair<std::string, std::optional<ShardMark>>> Marks);

/// The document of the whole run, of the sort \p S: a report, a roofline or
/// SARIF.
llvm::Expected<llvm::json::Value>
mergedDocument(DocumentSort S, std::vector<ShardDocument> Shards);

} // namespace clrewrite::report
