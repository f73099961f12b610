// What the documents of a shard say of it. A member of each, `shard`, is this;
// `place` says where an item stands among those of all shards.
#pragma once

#include "llvm/Support/JSON.h"
#include <string>

namespace clrewrite::report {

struct ShardMark {
  unsigned Number = 0, Of = 0; ///< the number counts from 1
  std::string Run; ///< the same in all shards of one run, and in no other
};

inline llvm::json::Value toJSON(const ShardMark &S) {
  return llvm::json::Object{{"number", S.Number}, {"of", S.Of}, {"run", S.Run}};
}

inline bool fromJSON(const llvm::json::Value &V, ShardMark &S,
                     llvm::json::Path P) {
  llvm::json::ObjectMapper Map(V, P);
  if (!Map || !Map.map("number", S.Number) || !Map.map("of", S.Of) ||
      !Map.map("run", S.Run))
    return false;
  if (S.Number >= 1 && S.Number <= S.Of)
    return true;
  P.report("expected a shard's number and how many there are");
  return false;
}

} // namespace clrewrite::report
