// Results on disk, by the content that they follow from.
//
// A key is a hash of everything that a result depends on, so an entry never
// goes stale: it is only not asked for any more, and goes when the directory
// outgrows its bound, the longest unused first. An entry carries a checksum:
// one that was cut short or damaged is as good as none. Entries are written
// beside their place and moved there, so runs at the same time can't meet a
// half. A directory that can't be written to is no cache, and no error.
#pragma once

#include "source/Source.h"
#include "llvm/Support/BLAKE3.h"
#include <map>

namespace clrewrite {

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
  explicit DiskCache(std::string Directory);
  /// Bounds the directory, now and then.
  ~DiskCache();

  std::optional<std::string> get(const CacheKey &Key) const;
  void put(const CacheKey &Key, llvm::StringRef Value) const;

  /// The hash of a file's bytes, empty where it can't be read. Each file is
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
  mutable std::map<std::string, std::string> Contents;

  std::string pathOf(const CacheKey &Key) const;
};

} // namespace clrewrite
