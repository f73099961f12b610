// Keys and entries of the disk cache.
#include "cache/DiskCache.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace clrewrite {

/// The prefix that llvm::pruneCache looks after.
static constexpr StringLiteral Prefix = "llvmcache-";
static constexpr StringLiteral Magic = "clrewrite cache 2 ";
/// An entry is a few kilobytes; this is room for tens of thousands.
static constexpr uint64_t MostBytes = uint64_t(256) << 20;

CacheKey::CacheKey(StringRef Kind) {
  add(Kind).add(LLVM_VERSION_STRING).addFile("/proc/self/exe");
}

CacheKey &CacheKey::add(StringRef Part) {
  // With its length, so that two parts can't be taken for two others.
  Hash.update(utostr(Part.size()) + ":");
  Hash.update(Part);
  return *this;
}

CacheKey &CacheKey::add(const Source &S) {
  SmallString<128> Here;
  sys::fs::current_path(Here);
  add(Here).add(S.Path).add(S.Text).add(S.Headers);
  for (const std::string &O : S.Options)
    add(O);
  return add(S.DeviceOptions);
}

CacheKey &CacheKey::addFile(const std::string &Path) {
  sys::fs::file_status Status;
  if (sys::fs::status(Path, Status))
    return add(Path).add("absent");
  return add(Path)
      .add(utostr(Status.getSize()))
      .add(itostr(Status.getLastModificationTime().time_since_epoch().count()));
}

std::string CacheKey::str() const {
  BLAKE3 Copy = Hash;
  return toHex(Copy.final<20>(), /*LowerCase=*/true);
}

DiskCache::DiskCache(std::string Directory) : Directory(std::move(Directory)) {}

DiskCache::~DiskCache() {
  CachePruningPolicy Policy;
  Policy.MaxSizeBytes = MostBytes;
  Policy.MaxSizePercentageOfAvailableSpace = 0;
  if (!Directory.empty() && sys::fs::is_directory(Directory))
    pruneCache(Directory, Policy);
}

std::string DiskCache::pathOf(const CacheKey &Key) const {
  return Directory + "/" + Prefix.str() + Key.str();
}

/// With the key, so that what is another entry's is no answer.
static std::string checksum(const CacheKey &Key, StringRef Value) {
  return utohexstr(xxh3_64bits(Key.str() + Value.str())) + "\n";
}

std::optional<std::string> DiskCache::get(const CacheKey &Key) const {
  if (Directory.empty())
    return std::nullopt;
  auto File = MemoryBuffer::getFile(pathOf(Key));
  if (!File)
    return std::nullopt;
  StringRef Text = (*File)->getBuffer();
  if (!Text.consume_front(Magic))
    return std::nullopt;
  auto [Sum, Value] = Text.split('\n');
  if (checksum(Key, Value) != (Sum + "\n").str())
    return std::nullopt;
  return Value.str();
}

void DiskCache::put(const CacheKey &Key, StringRef Value) const {
  if (Directory.empty() || sys::fs::create_directories(Directory))
    return;
  // What does not work out here only costs time later.
  consumeError(writeToOutput(pathOf(Key), [&](raw_ostream &OS) {
    OS << Magic << checksum(Key, Value) << Value;
    return Error::success();
  }));
}

std::string DiskCache::contentHash(const std::string &Path) const {
  auto [At, New] = Contents.try_emplace(Path);
  if (New)
    if (auto File = MemoryBuffer::getFile(Path))
      At->second = utohexstr(xxh3_64bits((*File)->getBuffer()));
  return At->second;
}

std::string DiskCache::defaultDirectory() {
  if (const char *Given = ::getenv("CLREWRITE_CACHE_DIR"))
    return Given;
  SmallString<128> Path;
  if (!sys::path::cache_directory(Path))
    return "";
  sys::path::append(Path, "clrewrite");
  return Path.str().str();
}

template <typename Action>
static DiskCache::Size walk(const std::string &Directory, Action Do) {
  DiskCache::Size Sum;
  std::error_code EC;
  for (sys::fs::directory_iterator It(Directory, EC), End; It != End && !EC;
       It.increment(EC)) {
    auto Status = It->status();
    if (!sys::path::filename(It->path()).starts_with(Prefix) || !Status ||
        !Do(It->path()))
      continue;
    ++Sum.Entries;
    Sum.Bytes += Status->getSize();
  }
  return Sum;
}

DiskCache::Size DiskCache::sizeOf(const std::string &Directory) {
  return walk(Directory, [](const std::string &) { return true; });
}

DiskCache::Size DiskCache::clear(const std::string &Directory) {
  return walk(Directory,
              [](const std::string &Path) { return !sys::fs::remove(Path); });
}

} // namespace clrewrite
