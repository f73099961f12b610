// Results on disk, by the content that they follow from.
//
// A key is a hash of everything that a result depends on, so an entry never
// goes stale: it is only not asked for any more, and goes when the directory
// outgrows its bound, the longest unused first, or nobody has asked for it in a
// week. Entries are written beside their place and moved there, so runs at the
// same time can't meet a half. A directory that can't be written to, or a full
// disk, is no cache, and no error.
//
// What comes from here is put into sources, so nobody else may put it here. The
// directory is the user's own, and nobody else can write to it; else it is not
// used, which is said. An entry is a regular file (no link is followed, no
// pipe is waited for), and carries a tag that only the user's key gives
// (CacheSecret.h): one that was forged, cut short or damaged is as good as
// none.
//
// Where the key is shared (CacheSecret.h), so may be the folder, on a network
// file system too: whoever has no key can delete entries there, and put nothing
// in. Entries need a rename that is done at once or not at all, and no locks.
//
// With that key there may also be a store behind the folder (HttpStore.h): it
// is asked for what the folder does not have, and gets what is put. The names
// of entries there need the key, too.
#pragma once

#include "cache/CacheSecret.h"
#include "cache/HttpStore.h"
#include "source/Beneath.h"
#include "source/Source.h"
#include "llvm/Support/BLAKE3.h"
#include <map>

namespace clrewrite::cache {

/// Gathers what a result depends on.
class CacheKey {
  llvm::BLAKE3 Hash;

public:
  /// \p Kind keeps the keys of different sorts of results apart. The key also
  /// holds the identity of this program and of its LLVM.
  explicit CacheKey(llvm::StringRef Kind);
  CacheKey &add(llvm::StringRef Part);
  /// Path, text, options and headers.
  CacheKey &add(const Source &S);
  /// A file by name, size and time of change; for libraries that are too large
  /// to be read for this.
  CacheKey &addFile(const std::string &Path);
  std::string str() const;
};

class DiskCache {
public:
  /// \p Store is behind the folder, or in place of one that can't be used.
  explicit DiskCache(std::string Directory,
                     std::unique_ptr<HttpStore> Store = nullptr);
  /// Bounds the directory, now and then.
  ~DiskCache();

  std::optional<std::string> get(const CacheKey &Key) const;
  void put(const CacheKey &Key, llvm::StringRef Value) const;

  /// How many entries the store gave in this run; none where there is no store.
  std::optional<unsigned> storeHits() const;

  /// The hash of a file's bytes, empty where it can't be read, or is no
  /// regular file of 64 MiB or less. Each file is
  /// read once a run.
  std::string contentHash(const std::string &Path) const;

  /// $CLREWRITE_CACHE_DIR, else clrewrite in $XDG_CACHE_HOME or in ~/.cache;
  /// empty (no cache) where the first is set to nothing, or there is no home.
  static std::string defaultDirectory();

  /// What `clrewrite cache` reports.
  struct Size {
    uint64_t Entries = 0, Bytes = 0;
  };
  static Size sizeOf(const std::string &Directory);
  /// Removes the entries; what else lies in the directory stays.
  static Size clear(const std::string &Directory);

private:
  std::string Directory;
  mutable std::unique_ptr<HttpStore> Store;
  mutable unsigned StoreHits = 0;
  mutable std::map<std::string, std::string> Contents;
  mutable FileHandle Folder;
  mutable std::optional<CacheSecret> Secret;
  mutable bool Broken = false, Full = false, Wrote = false;

  bool ready() const;
  std::optional<std::string> checked(const CacheKey &Key,
                                     llvm::StringRef Entry) const;
  std::string nameInStore(const CacheKey &Key) const;
  void write(const CacheKey &Key, llvm::StringRef Entry) const;
  void prune() const;
};

} // namespace clrewrite::cache
