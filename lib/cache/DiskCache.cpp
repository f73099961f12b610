// Keys and entries of the disk cache.
#include "cache/DiskCache.h"
#include "source/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/xxhash.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::cache {

static constexpr StringLiteral Prefix = "llvmcache-";
static constexpr StringLiteral Magic = "clrewrite cache 3 ";
/// An entry is a few kilobytes; this is room for tens of thousands.
static constexpr uint64_t MostBytes = uint64_t(256) << 20;
/// A few hundred thousand, where many share it.
static constexpr uint64_t MostBytesShared = uint64_t(4) << 30;
/// Its time of change is when entries were last removed.
static constexpr const char *Timestamp = "last-pruned";
static constexpr time_t PruneEvery = 20 * 60, KeepUnused = 7 * 24 * 60 * 60;

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

/// The folder, if it is one that only this user writes to; made where \p Make
/// says so and there is none. Else \p Why says what is wrong with it, or
/// nothing, where there is none.
static FileHandle openFolder(const std::string &Path, bool Make,
                             std::string &Why) {
  if (Make && !sys::fs::create_directories(sys::path::parent_path(Path)))
    ::mkdir(Path.c_str(), 0700);
  FileHandle Folder(
      ::open(Path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat Info;
  if (!Folder || ::fstat(Folder.get(), &Info)) {
    if (sys::fs::is_symlink_file(Path))
      Why = "it is a link; name the folder itself in CLREWRITE_CACHE_DIR";
    return FileHandle();
  }
  if (sharesCache())
    return Folder;
  if (Info.st_uid != ::geteuid())
    Why = "it belongs to another user; name one of yours in "
          "CLREWRITE_CACHE_DIR";
  else if (Info.st_mode & (S_IWGRP | S_IWOTH))
    Why = "others can write to it; chmod go-w it";
  return Why.empty() ? std::move(Folder) : FileHandle();
}

/// Told once a run, whoever asks.
static void warnOfFolder(StringRef Path, StringRef Why) {
  static bool Told = false;
  if (!std::exchange(Told, true))
    WithColor::warning(errs(), "clrewrite")
        << "the cache " << Path << " is not used: " << Why << "\n";
}

DiskCache::DiskCache(std::string Directory, std::unique_ptr<HttpStore> Store)
    : Directory(std::move(Directory)), Store(std::move(Store)) {}

DiskCache::~DiskCache() {
  if (Wrote && Folder)
    prune();
}

/// Opens the folder and reads the user's key, when the first entry is asked
/// for.
bool DiskCache::ready() const {
  if (Secret)
    return true;
  if (Directory.empty() || Broken)
    return false;
  if (Store && !sharesCache()) {
    Store->warn("is not used: CLREWRITE_CACHE_KEY must name the key by which "
                "its entries count");
    Store.reset();
  }
  std::string Why;
  Folder = openFolder(Directory, /*Make=*/true, Why);
  if (Folder || Store)
    Secret = cacheSecret(Why);
  if (!Why.empty())
    warnOfFolder(Directory, Why);
  Broken = !Secret;
  return !Broken;
}

static std::string nameOf(const CacheKey &Key) {
  return Prefix.str() + Key.str();
}

/// 64 digits, as Bazel's servers want them, which no tag of an entry can equal.
std::string DiskCache::nameInStore(const CacheKey &Key) const {
  return Secret->tag("name of " + Key.str(), "");
}

/// The value of an entry that this one's name and the key stand for.
std::optional<std::string> DiskCache::checked(const CacheKey &Key,
                                              StringRef Entry) const {
  if (!Entry.consume_front(Magic))
    return std::nullopt;
  auto [Tag, Value] = Entry.split('\n');
  // With the key, so that what is another entry's is no answer.
  if (Tag != Secret->tag(Key.str(), Value))
    return std::nullopt;
  return Value.str();
}

std::optional<std::string> DiskCache::get(const CacheKey &Key) const {
  if (!ready())
    return std::nullopt;
  std::optional<std::string> Entry, Value;
  if (Folder)
    Entry = readRegularAt(Folder.get(), nameOf(Key), MostBytesRead);
  if (Entry && (Value = checked(Key, *Entry)))
    return Value;
  if (!Store || !(Entry = Store->get(nameInStore(Key))))
    return std::nullopt;
  Value = checked(Key, *Entry);
  if (Value) {
    ++StoreHits;
    write(Key, *Entry);
  } else {
    Store->warn("has an entry without the tag of CLREWRITE_CACHE_KEY: it was "
                "damaged, or made by somebody with another key");
  }
  return Value;
}

void DiskCache::put(const CacheKey &Key, StringRef Value) const {
  if (!ready())
    return;
  std::string Entry =
      (Magic + Secret->tag(Key.str(), Value) + "\n" + Value).str();
  write(Key, Entry);
  if (Store)
    Store->put(nameInStore(Key), Entry);
}

/// Puts \p Entry into the folder.
void DiskCache::write(const CacheKey &Key, StringRef Entry) const {
  // Another host may have a process of that number.
  uint64_t Random = 0;
  if (Full || !Folder ||
      ::getrandom(&Random, sizeof Random, 0) != sizeof Random)
    return;
  std::string Name = nameOf(Key);
  std::string Beside =
      Name + "." + utostr(::getpid()) + "." + utohexstr(Random);
  FileHandle File(::openat(Folder.get(), Beside.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           sharesCache() ? 0644 : 0600));
  // What does not work out here only costs time later; on a full disk, no more
  // time than this once.
  bool Whole = File && writeAll(File.get(), Entry);
  if (!Whole ||
      ::renameat(Folder.get(), Beside.c_str(), Folder.get(), Name.c_str()))
    ::unlinkat(Folder.get(), Beside.c_str(), 0);
  Full |= !Whole;
  Wrote |= Whole;
}

std::optional<unsigned> DiskCache::storeHits() const {
  return Store ? std::optional(StoreHits) : std::nullopt;
}

std::string DiskCache::contentHash(const std::string &Path) const {
  auto [At, New] = Contents.try_emplace(Path);
  if (New)
    if (std::optional<std::string> Text = expectedToOptional(readRegular(Path)))
      At->second = utohexstr(xxh3_64bits(*Text));
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

namespace {

struct Entry {
  std::string Name;
  uint64_t Bytes = 0;
  time_t Used = 0;
};

/// The entries' own files; links are not followed.
std::vector<Entry> entriesOf(int Folder) {
  std::vector<Entry> Out;
  // Its own, with a place of its own in the list.
  int FD = ::openat(Folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *List = FD < 0 ? nullptr : ::fdopendir(FD);
  if (!List && FD >= 0)
    ::close(FD);
  struct stat Info;
  while (dirent *Each = List ? ::readdir(List) : nullptr)
    if (StringRef(Each->d_name).starts_with(Prefix) &&
        !::fstatat(Folder, Each->d_name, &Info, AT_SYMLINK_NOFOLLOW) &&
        !S_ISDIR(Info.st_mode))
      Out.push_back({Each->d_name, uint64_t(Info.st_size),
                     std::max(Info.st_atime, Info.st_mtime)});
  if (List)
    ::closedir(List);
  return Out;
}

/// Whether it is time to look at all entries; notes that it was done.
bool isTimeToPrune(int Folder) {
  FileHandle File(::openat(Folder, Timestamp,
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           sharesCache() ? 0666 : 0600));
  if (File)
    return true; // the first time
  struct stat Info;
  if (::fstatat(Folder, Timestamp, &Info, AT_SYMLINK_NOFOLLOW) == 0 &&
      S_ISREG(Info.st_mode) && ::time(nullptr) - Info.st_mtime < PruneEvery)
    return false;
  ::utimensat(Folder, Timestamp, nullptr, AT_SYMLINK_NOFOLLOW);
  return true;
}

} // namespace

/// Removes what nobody asked for in a week, and then the longest unused until
/// the rest is within the bound.
void DiskCache::prune() const {
  if (!isTimeToPrune(Folder.get()))
    return;
  std::vector<Entry> All = entriesOf(Folder.get());
  llvm::sort(All,
             [](const Entry &A, const Entry &B) { return A.Used < B.Used; });
  uint64_t Bytes = 0;
  for (const Entry &E : All)
    Bytes += E.Bytes;
  time_t Now = ::time(nullptr);
  for (const Entry &E : All) {
    if (Bytes <= (sharesCache() ? MostBytesShared : MostBytes) &&
        Now - E.Used < KeepUnused)
      return;
    ::unlinkat(Folder.get(), E.Name.c_str(), 0);
    Bytes -= E.Bytes;
  }
}

/// The sum of the entries in \p Directory for which \p Counts holds; it gets
/// the open folder and an entry.
static DiskCache::Size
sumOf(const std::string &Directory,
      function_ref<bool(int Folder, const Entry &E)> Counts) {
  DiskCache::Size Sum;
  std::string Why;
  FileHandle Folder = openFolder(Directory, /*Make=*/false, Why);
  if (!Why.empty())
    warnOfFolder(Directory, Why);
  if (Folder)
    for (const Entry &E : entriesOf(Folder.get()))
      if (Counts(Folder.get(), E))
        Sum = {Sum.Entries + 1, Sum.Bytes + E.Bytes};
  return Sum;
}

DiskCache::Size DiskCache::sizeOf(const std::string &Directory) {
  return sumOf(Directory, [](int, const Entry &) { return true; });
}

DiskCache::Size DiskCache::clear(const std::string &Directory) {
  return sumOf(Directory, [](int Folder, const Entry &E) {
    return !::unlinkat(Folder, E.Name.c_str(), 0);
  });
}

} // namespace clrewrite::cache
