// The key with which entries of the cache are tagged. It lies outside the
// cache: in the file $CLREWRITE_CACHE_KEY, which several hosts or users then
// share, or in clrewrite/cache.key in $XDG_STATE_HOME or ~/.local/state, which
// is the user's own.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <array>
#include <optional>
#include <string>

namespace clrewrite::cache {

class CacheSecret {
public:
  using Bytes = std::array<uint8_t, 32>;
  explicit CacheSecret(const Bytes &Key) : Key(Key) {}

  /// BLAKE3 of both with the key, in hexadecimal.
  std::string tag(llvm::StringRef Name, llvm::StringRef Value) const;

private:
  Bytes Key;
};

/// $CLREWRITE_CACHE_KEY names the key, so that the cache may be a folder that
/// others write to.
bool sharesCache();

/// The user's, made on first use, or the one that is shared. None where there
/// is no place for it; \p Why then says what is wrong, if somebody else could
/// know or change it.
std::optional<CacheSecret> cacheSecret(std::string &Why);

} // namespace clrewrite::cache
