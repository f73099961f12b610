// The system calls behind Beneath.h. A reviewer of what a hostile tree can make
// us open has to read this file.
#include "source/Beneath.h"
#include "source/File.h"
#include "source/RealPaths.h"
#include "llvm/ADT/SmallVector.h"
#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

using namespace llvm;

namespace clrewrite {
namespace {

constexpr int ReadFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
constexpr int FolderFlags = O_RDONLY | O_CLOEXEC | O_DIRECTORY;

Error failure(const Twine &Path, const Twine &Why) {
  return createStringError(Path + ": " + Why);
}

/// What errno says of \p Path, in words where the system's are none.
Error failure(const Twine &Path) {
  if (errno == ELOOP || errno == EXDEV)
    return failure(Path, "a link, or a name that leads out of its folder; it "
                         "is not followed");
  return failure(
      Path, StringRef(std::error_code(errno, std::generic_category()).message())
                .lower());
}

/// As in linux/openat2.h, which older systems lack.
struct OpenHow {
  uint64_t Flags, Mode, Resolve;
};
constexpr uint64_t NoMagicLinks = 2, NoLinks = 4, StayBeneath = 8;
#ifndef SYS_openat2
#define SYS_openat2 437
#endif

/// Whether \p Error says that there is no such system call here: containers
/// refuse those that they don't know.
bool isMissing(int Error) { return Error == ENOSYS || Error == EPERM; }

/// The words of a name; none where one of them leads up, or there is none.
SmallVector<StringRef> wordsOf(StringRef Name) {
  SmallVector<StringRef> All, Out;
  if (Name.starts_with("/") || Name.contains('\0'))
    return Out;
  Name.split(All, '/', -1, /*KeepEmpty=*/false);
  for (StringRef Word : All) {
    if (Word == "..")
      return {};
    if (Word != ".")
      Out.push_back(Word);
  }
  return Out;
}

/// Goes into the folders \p Words from \p From; with \p Make, makes them.
FileHandle enter(FileHandle From, ArrayRef<StringRef> Words, bool Make) {
  for (StringRef Word : Words) {
    if (!From)
      break;
    std::string Name = Word.str();
    if (Make && ::mkdirat(From.get(), Name.c_str(), 0777) && errno != EEXIST)
      return FileHandle();
    int Next = ::openat(From.get(), Name.c_str(), FolderFlags | O_NOFOLLOW);
    // A link is "no folder" to O_DIRECTORY.
    struct stat Info;
    if (Next < 0 && errno == ENOTDIR &&
        !::fstatat(From.get(), Name.c_str(), &Info, AT_SYMLINK_NOFOLLOW))
      errno = S_ISLNK(Info.st_mode) ? ELOOP : ENOTDIR;
    From = FileHandle(Next);
  }
  return From;
}

/// The bytes of \p File, where it is a regular one; \p Info is what fstat says.
Expected<std::string> contentOf(int File, const Twine &Path, uint64_t MostBytes,
                                struct stat &Info) {
  if (::fstat(File, &Info))
    return failure(Path);
  if (!S_ISREG(Info.st_mode))
    return failure(Path, "is not a regular file, so it is not read");
  auto TooMuch = [&](uint64_t Bytes) {
    return failure(Path, Twine(Bytes) + " bytes, more than the " +
                             Twine(MostBytes >> 20) + " MiB that are read");
  };
  if (uint64_t(Info.st_size) > MostBytes)
    return TooMuch(uint64_t(Info.st_size));
  std::string Out(size_t(Info.st_size), '\0');
  size_t Done = 0;
  // One byte more would say that it grew.
  while (true) {
    if (Done == Out.size())
      Out.resize(Done + 1);
    ssize_t N = ::read(File, Out.data() + Done, Out.size() - Done);
    if (N < 0 && errno == EINTR)
      continue;
    if (N < 0)
      return failure(Path);
    if (N == 0)
      break;
    Done += size_t(N);
    if (Done > MostBytes)
      return TooMuch(Done);
  }
  Out.resize(Done);
  return std::move(Out);
}

/// Removes \p Name in the folder \p From, and all below it.
bool removeAt(int From, const char *Name) {
  if (!::unlinkat(From, Name, 0) || errno == ENOENT)
    return true;
  // A folder is EISDIR on Linux, EPERM elsewhere.
  if (errno != EISDIR && errno != EPERM)
    return false;
  int Folder = ::openat(From, Name, FolderFlags | O_NOFOLLOW);
  if (Folder < 0)
    return false;
  DIR *List = ::fdopendir(Folder);
  if (!List) {
    ::close(Folder);
    return false;
  }
  bool Ok = true;
  while (struct dirent *Entry = ::readdir(List)) {
    StringRef Each = Entry->d_name;
    if (Each != "." && Each != "..")
      Ok &= removeAt(Folder, Entry->d_name);
  }
  ::closedir(List);
  return Ok && ::unlinkat(From, Name, AT_REMOVEDIR) == 0;
}

} // namespace

FileHandle &FileHandle::operator=(FileHandle &&O) {
  std::swap(FD, O.FD);
  return *this;
}

FileHandle::~FileHandle() {
  if (FD < 0)
    return;
  int Kept = errno;
  ::close(FD);
  errno = Kept;
}

int FileHandle::release() { return std::exchange(FD, -1); }

/// Opens \p Name below \p Top, folder by folder, through no link.
static FileHandle walk(FileHandle Top, StringRef Name) {
  SmallVector<StringRef> Words = wordsOf(Name);
  if (Words.empty()) {
    errno = EXDEV;
    return FileHandle();
  }
  FileHandle In =
      enter(std::move(Top), ArrayRef(Words).drop_back(), /*Make=*/false);
  return !In ? FileHandle()
             : FileHandle(::openat(In.get(), Words.back().str().c_str(),
                                   ReadFlags | O_NOFOLLOW));
}

int openByWalking(const std::string &Folder, const std::string &Name, Links L) {
  std::string Rest = Name, Top = Folder;
  if (L == Links::Within) {
    // The name without links; another one may be put there meanwhile, and is
    // not followed below.
    Top = realPath(Folder);
    std::string Real = realPath(Folder + "/" + Name);
    if (!isBelow(Real, Top)) {
      errno = EXDEV;
      return -1;
    }
    Rest = Real.substr(Top.size());
    Rest.erase(0, Rest.find_first_not_of('/'));
  }
  return walk(FileHandle(::open(Top.c_str(), FolderFlags)), Rest).release();
}

/// By openat2 with \p Resolve; none where there is no such system call here.
static std::optional<int> openAt2(int Folder, const std::string &Name,
                                  uint64_t Resolve) {
  OpenHow How{uint64_t(ReadFlags), 0, Resolve | StayBeneath | NoMagicLinks};
  constexpr int Tries = 8; // EAGAIN: something was renamed meanwhile
  for (int I = 0; I < Tries; ++I) {
    long File = ::syscall(SYS_openat2, Folder, Name.c_str(), &How, sizeof How);
    if (File >= 0)
      return int(File);
    if (isMissing(errno))
      return std::nullopt;
    if (errno != EAGAIN && errno != EINTR)
      break;
  }
  return -1;
}

int openBeneath(const std::string &Folder, const std::string &Name, Links L) {
  FileHandle Top(::open(Folder.c_str(), FolderFlags));
  if (!Top)
    return -1;
  if (std::optional<int> File =
          openAt2(Top.get(), Name, L == Links::None ? NoLinks : 0))
    return *File;
  return openByWalking(Folder, Name, L);
}

FileHandle openBeneath(const FileHandle &Folder, const std::string &Name) {
  if (std::optional<int> File = openAt2(Folder.get(), Name, NoLinks))
    return FileHandle(*File);
  return walk(FileHandle(::fcntl(Folder.get(), F_DUPFD_CLOEXEC, 0)), Name);
}

FileHandle openOwn(const std::string &Path) {
  return FileHandle(::open(Path.c_str(), ReadFlags));
}

FileHandle openRealFolder(const std::string &Real) {
  FileHandle Top(::open("/", FolderFlags));
  if (StringRef(Real).trim('/').empty())
    return Top;
  SmallVector<StringRef> Words =
      wordsOf(StringRef(Real).drop_while([](char C) { return C == '/'; }));
  return Words.empty() ? FileHandle()
                       : enter(std::move(Top), Words, /*Make=*/false);
}

Expected<std::string> readBeneath(const std::string &Folder,
                                  const std::string &Name, Links L,
                                  uint64_t MostBytes) {
  FileHandle File(openBeneath(Folder, Name, L));
  if (!File)
    return failure(Folder + "/" + Name);
  struct stat Info;
  return contentOf(File.get(), Folder + "/" + Name, MostBytes, Info);
}

Expected<std::string> readBeneath(const FileHandle &Folder,
                                  const std::string &Name,
                                  const std::string &Path, uint64_t MostBytes) {
  FileHandle File = Folder ? openBeneath(Folder, Name) : FileHandle();
  if (!File)
    return failure(Path);
  struct stat Info;
  return contentOf(File.get(), Path, MostBytes, Info);
}

Expected<std::string> readRegular(const std::string &Path, uint64_t MostBytes) {
  FileHandle File = openOwn(Path);
  if (!File)
    return failure(Path);
  struct stat Info;
  return contentOf(File.get(), Path, MostBytes, Info);
}

std::optional<std::string> readRegularAt(int Folder, const std::string &Name,
                                         uint64_t MostBytes,
                                         struct stat *Info) {
  FileHandle File(::openat(Folder, Name.c_str(), ReadFlags | O_NOFOLLOW));
  if (!File)
    return std::nullopt;
  struct stat Own;
  return expectedToOptional(
      contentOf(File.get(), Name, MostBytes, Info ? *Info : Own));
}

Error putBeneath(const std::string &Folder, const std::string &Name,
                 StringRef Text) {
  std::string Path = Folder + "/" + Name;
  SmallVector<StringRef> Words = wordsOf(Name);
  if (Words.empty())
    return failure(Path, "leads out of its folder");
  FileHandle In = enter(FileHandle(::open(Folder.c_str(), FolderFlags)),
                        ArrayRef(Words).drop_back(), /*Make=*/true);
  if (!In)
    return failure(Path);
  std::string Last = Words.back().str(),
              Temporary =
                  "." + Last + ".clrewrite-" + std::to_string(::getpid());
  ::unlinkat(In.get(), Temporary.c_str(), 0);
  FileHandle File(::openat(In.get(), Temporary.c_str(),
                           O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           0666));
  if (File && writeAll(File.get(), Text) &&
      !::renameat(In.get(), Temporary.c_str(), In.get(), Last.c_str()))
    return Error::success();
  Error Why = failure(Path);
  if (File)
    ::unlinkat(In.get(), Temporary.c_str(), 0);
  return Why;
}

Error removeBeneath(const std::string &Folder, const std::string &Name) {
  FileHandle Top(::open(Folder.c_str(), FolderFlags));
  if (Top && removeAt(Top.get(), Name.c_str()))
    return Error::success();
  return failure("cannot remove " + Folder + "/" + Name);
}

} // namespace clrewrite
