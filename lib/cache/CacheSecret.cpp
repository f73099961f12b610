// The key is made on first use, with a mode that keeps other users out, and
// entries are tagged with it.
#include "cache/CacheSecret.h"
#include "source/Beneath.h"
#include "source/File.h"
#include "llvm-c/blake3.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite::cache {

static constexpr const char *KeyName = "cache.key";

std::string CacheSecret::tag(StringRef Name, StringRef Value) const {
  llvm_blake3_hasher Hasher;
  llvm_blake3_hasher_init_keyed(&Hasher, Key.data());
  // With its length, so that no name can run on into a value.
  std::string Head = utostr(Name.size()) + ":" + Name.str();
  llvm_blake3_hasher_update(&Hasher, Head.data(), Head.size());
  llvm_blake3_hasher_update(&Hasher, Value.data(), Value.size());
  Bytes Out;
  llvm_blake3_hasher_finalize(&Hasher, Out.data(), Out.size());
  return toHex(Out, /*LowerCase=*/true);
}

static std::string stateFolder() {
  SmallString<128> Path;
  const char *Given = ::getenv("XDG_STATE_HOME");
  if (Given && sys::path::is_absolute(Given))
    Path = Given;
  else if (sys::path::home_directory(Path))
    sys::path::append(Path, ".local", "state");
  else
    return "";
  sys::path::append(Path, "clrewrite");
  return Path.str().str();
}

/// Writes a new key beside its place and gives it its name, unless another run
/// was first.
static void makeKey(int Folder) {
  CacheSecret::Bytes Key;
  if (::getrandom(Key.data(), Key.size(), 0) != ssize_t(Key.size()))
    return;
  std::string Beside = std::string(KeyName) + "." + std::to_string(::getpid());
  FileHandle File(::openat(Folder, Beside.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           0600));
  if (!File)
    return;
  if (writeAll(File.get(), toStringRef(Key)))
    ::linkat(Folder, Beside.c_str(), Folder, KeyName, 0);
  ::unlinkat(Folder, Beside.c_str(), 0);
}

/// The key; none where \p Why says what is wrong, or it is not there.
static std::optional<CacheSecret> readKey(int Folder, const std::string &Path,
                                          std::string &Why) {
  struct stat Info;
  std::optional<std::string> Text =
      readRegularAt(Folder, KeyName, sizeof(CacheSecret::Bytes), &Info);
  if (!Text) {
    if (errno != ENOENT)
      Why = "its key " + Path +
            " can't be read as a file of 32 bytes; remove "
            "it";
    return std::nullopt;
  }
  CacheSecret::Bytes Key;
  if (Text->size() != Key.size())
    Why = "its key " + Path + " has not 32 bytes; remove it";
  else if (Info.st_uid != ::geteuid() || (Info.st_mode & 077))
    Why = "its key " + Path + " is not private to you; remove it";
  if (!Why.empty())
    return std::nullopt;
  llvm::copy(*Text, Key.begin());
  return CacheSecret(Key);
}

static std::string sharedKey() {
  const char *Given = ::getenv("CLREWRITE_CACHE_KEY");
  return Given ? Given : "";
}

bool sharesCache() { return !sharedKey().empty(); }

/// The key in the user's file \p Path, wherever links lead. It is made by
/// whoever shares it.
static std::optional<CacheSecret> readSharedKey(const std::string &Path,
                                                std::string &Why) {
  CacheSecret::Bytes Key;
  FileHandle File = openOwn(Path);
  struct stat Info;
  std::string Text(Key.size() + 1, '\0');
  ssize_t Size = -1;
  if (File && !::fstat(File.get(), &Info) && S_ISREG(Info.st_mode))
    Size = ::read(File.get(), Text.data(), Text.size());
  if (Size != ssize_t(Key.size()))
    Why = "CLREWRITE_CACHE_KEY names no file of 32 bytes: " + Path +
          "; head -c 32 /dev/urandom makes them";
  else if ((Info.st_uid != ::geteuid() && Info.st_uid != 0) ||
           (Info.st_mode & (S_IWGRP | S_IRWXO)))
    Why = "others can read or change its key " + Path + "; chmod g-w,o= it";
  if (!Why.empty())
    return std::nullopt;
  std::copy_n(Text.begin(), Key.size(), Key.begin());
  return CacheSecret(Key);
}

std::optional<CacheSecret> cacheSecret(std::string &Why) {
  if (sharesCache())
    return readSharedKey(sharedKey(), Why);
  std::string Path = stateFolder();
  if (Path.empty() || sys::fs::create_directories(sys::path::parent_path(Path)))
    return std::nullopt;
  ::mkdir(Path.c_str(), 0700);
  FileHandle Folder(
      ::open(Path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat Info;
  if (!Folder || ::fstat(Folder.get(), &Info))
    return std::nullopt;
  if (Info.st_uid != ::geteuid() || (Info.st_mode & (S_IWGRP | S_IWOTH))) {
    Why = "others can write to the folder of its key, " + Path +
          "; chmod go-w it";
    return std::nullopt;
  }
  Path += std::string("/") + KeyName;
  if (::faccessat(Folder.get(), KeyName, F_OK, AT_SYMLINK_NOFOLLOW))
    makeKey(Folder.get());
  return readKey(Folder.get(), Path, Why);
}

} // namespace clrewrite::cache
