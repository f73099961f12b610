// A shard's name has two numbers.
#include "config/Shard.h"
#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace clrewrite::config {

Expected<Shard> parseShard(const std::string &Text) {
  auto [Number, Of] = StringRef(Text).split('/');
  Shard S;
  if (Number.getAsInteger(10, S.Number) || Of.getAsInteger(10, S.Of) ||
      S.Number < 1 || S.Number > S.Of || S.Of > MostShards)
    return createStringError("--shard takes a shard's number, counted from 1, "
                             "and how many there are, such as 2/8, not '" +
                             Text + "'");
  return S;
}

} // namespace clrewrite::config
