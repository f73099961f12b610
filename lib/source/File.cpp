// Reading the user's files, and replacing them atomically.
#include "source/File.h"
#include "source/Beneath.h"
#include "source/RealPaths.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

using namespace llvm;

namespace clrewrite {

static constexpr uint64_t MaxBytes = 64ull << 20;

static Error failure(StringRef Path, const Twine &Why) {
  return createStringError(Twine(Path) + ": " + Why);
}

static Error failure(StringRef Path, std::error_code EC) {
  return failure(Path, StringRef(EC.message()).lower());
}

static Error checkSize(StringRef Path, uint64_t Bytes) {
  if (Bytes <= MaxBytes)
    return Error::success();
  return failure(Path,
                 Twine(Bytes) + " bytes, more than the 64 MiB that are read");
}

Error checkText(StringRef Path, StringRef Text) {
  if (size_t Nul = Text.find('\0'); Nul != StringRef::npos)
    return failure(Path,
                   "not a text file (NUL byte at offset " + Twine(Nul) + ")");
  return checkSize(Path, Text.size());
}

/// The bytes of what \p Path names by now; see readText.
static Expected<std::string> bytesOf(StringRef Path, StringRef Within) {
  if (Within.empty())
    return readRegular(Path.str(), MaxBytes);
  std::string Real = realPath(Path);
  if (!isBelow(Real, Within))
    return failure(Path, "leads out of " + Within + ", so it is not read");
  StringRef Name = StringRef(Real).drop_front(Within.size());
  return readBeneath(openRealFolder(Within.str()), Name.ltrim('/').str(),
                     Path.str(), MaxBytes);
}

Expected<std::string> readText(StringRef Path, StringRef Within) {
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(Path, Status))
    return failure(Path, EC);
  if (sys::fs::is_directory(Status))
    return failure(Path, "is a directory; name the .cl files in it");
  if (Status.type() == sys::fs::file_type::character_file ||
      Status.type() == sys::fs::file_type::block_file)
    return failure(Path, "is a device, not a file");
  // To open one waits until somebody writes to it.
  if (Status.type() == sys::fs::file_type::fifo_file)
    return failure(Path, "is a pipe, not a file; give its text on standard "
                         "input, as -");
  if (Status.type() == sys::fs::file_type::socket_file)
    return failure(Path, "is a socket, not a file");
  if (Error E = checkSize(Path, Status.getSize()))
    return std::move(E);
  // It may be another file by now.
  Expected<std::string> Text = bytesOf(Path, Within);
  if (!Text)
    return Text.takeError();
  if (Error E = checkText(Path, *Text))
    return std::move(E);
  return Text;
}

Expected<std::string> readReal(StringRef Real) {
  Expected<std::string> Text = readBeneath(
      openRealFolder("/"), Real.ltrim('/').str(), Real.str(), MaxBytes);
  if (!Text)
    return Text.takeError();
  if (Error E = checkText(Real, *Text))
    return std::move(E);
  return Text;
}

Error checkWritable(StringRef Path) {
  struct stat Info;
  if (::stat(Path.str().c_str(), &Info))
    return failure(Path, std::error_code(errno, std::generic_category()));
  if (!S_ISREG(Info.st_mode))
    return failure(Path, "is not a regular file, so it can't be replaced");
  if (!(Info.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)))
    return failure(Path, "is read-only; left as it is (chmod u+w to allow)");
  if (Info.st_nlink > 1)
    return failure(Path, "has " + Twine(Info.st_nlink) +
                             " hard links, of which replacing it would leave "
                             "the others behind; left as it is");
  if (::access(Path.str().c_str(), W_OK))
    return failure(Path, std::error_code(errno, std::generic_category()));
  return Error::success();
}

namespace {

/// Holds Ctrl-C and SIGTERM back: LLVM's handler removes the temporary file on
/// them, although the run goes on.
class HoldInterrupt {
public:
  HoldInterrupt() {
    sigset_t Interrupt;
    ::sigemptyset(&Interrupt);
    for (int Signal : {SIGINT, SIGTERM})
      ::sigaddset(&Interrupt, Signal);
    ::pthread_sigmask(SIG_BLOCK, &Interrupt, &Old);
  }
  ~HoldInterrupt() { ::pthread_sigmask(SIG_SETMASK, &Old, nullptr); }

private:
  sigset_t Old;
};

} // namespace

bool writeAll(int FD, StringRef Text) {
  return writeAll(Text, [FD](StringRef Rest) {
    return ::write(FD, Rest.data(), Rest.size());
  });
}

bool writeAll(StringRef Text, function_ref<ssize_t(StringRef)> Put) {
  while (!Text.empty()) {
    ssize_t N = Put(Text);
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      return false;
    Text = Text.drop_front(size_t(N));
  }
  return true;
}

namespace {

/// A new file beside \p Name in the folder \p In, which goes away again unless
/// it takes that name.
class NewFile {
public:
  NewFile(const FileHandle &In, const std::string &Folder, std::string Name)
      : In(In), Name(std::move(Name)) {
    constexpr int Tries = 100;
    for (int I = 0; I < Tries && !File; ++I) {
      Own = this->Name + ".clrewrite-" + std::to_string(::getpid()) + "-" +
            std::to_string(I);
      File = FileHandle(
          ::openat(In.get(), Own.c_str(),
                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
      if (!File && errno != EEXIST)
        break;
    }
    Path = Folder + "/" + Own;
    if (File)
      sys::RemoveFileOnSignal(Path);
  }
  ~NewFile() {
    if (File && IsThere)
      ::unlinkat(In.get(), Own.c_str(), 0);
    if (File)
      sys::DontRemoveFileOnSignal(Path);
  }

  /// False with errno set on failure.
  bool fill(StringRef Text, function_ref<bool(int)> Prepare) {
    return File && writeAll(File.get(), Text) && ::fsync(File.get()) == 0 &&
           Prepare(File.get());
  }
  bool takeName() {
    IsThere = ::renameat(In.get(), Own.c_str(), In.get(), Name.c_str()) != 0;
    return !IsThere;
  }
  /// Both take each other's name.
  bool exchange() {
    constexpr unsigned Exchange = 2; // RENAME_EXCHANGE
    return ::syscall(SYS_renameat2, In.get(), Own.c_str(), In.get(),
                     Name.c_str(), Exchange) == 0;
  }
  /// What has its own name now.
  std::optional<std::string> text() const {
    return readRegularAt(In.get(), Own, MaxBytes);
  }
  void keep() { IsThere = false; }
  const std::string &path() const { return Path; }

private:
  const FileHandle &In;
  std::string Name, Own, Path;
  FileHandle File;
  bool IsThere = true;
};

} // namespace

static Error systemFailure(StringRef Path) {
  return failure(Path, std::error_code(errno, std::generic_category()));
}

/// Makes \p Text the content of \p Real, a real path, in one step;
/// \p Prepare gives the new file its mode and owner. Messages name \p Path.
/// Unless \p Old is null, that must stand there in the moment of the change.
static Error moveInto(StringRef Path, const std::string &Real, StringRef Text,
                      function_ref<bool(int)> Prepare,
                      const std::string *Old = nullptr) {
  HoldInterrupt Hold;
  std::string Folder = sys::path::parent_path(Real).str();
  FileHandle In = openRealFolder(Folder);
  if (!In)
    return systemFailure(Path);
  NewFile New(In, Folder, sys::path::filename(Real).str());
  if (!New.fill(Text, Prepare))
    return systemFailure(Path);
  bool Exchanged = Old && New.exchange();
  // Not every file system can do it, nor every container.
  bool Can =
      Exchanged || (errno != EINVAL && errno != ENOSYS && errno != EPERM);
  if (Old && Can && !Exchanged)
    return systemFailure(Path);
  if (!Exchanged)
    return New.takeName() ? Error::success() : systemFailure(Path);
  if (New.text() == *Old)
    return Error::success();
  // Somebody was faster, and gets it back; should he have been so twice, both
  // stay.
  if (!New.exchange() || New.text() != Text) {
    New.keep();
    return failure(Path, "changed while it was written; " + New.path() +
                             " holds what stood there");
  }
  return failure(Path, "changed while it was measured, left as it is; run "
                       "again");
}

/// Gives \p File the attributes of \p Real that are the user's own, and the
/// list of who may read and write it. Labels and signatures are of a text, not
/// of its name. False with errno set on failure.
static bool copyAttributes(const std::string &Real, int File) {
  constexpr size_t Most = 64 << 10; // of all names, and of a value: xattr(7)
  std::string Names(Most, '\0'), Value(Most, '\0');
  ssize_t Size = ::llistxattr(Real.c_str(), Names.data(), Most);
  SmallVector<StringRef> Each;
  StringRef(Names.data(), size_t(std::max<ssize_t>(Size, 0)))
      .split(Each, '\0', -1, /*KeepEmpty=*/false);
  return all_of(Each, [&](StringRef Name) {
    if (!Name.starts_with("user.") && Name != "system.posix_acl_access")
      return true;
    ssize_t Bytes = ::lgetxattr(Real.c_str(), Name.data(), Value.data(), Most);
    return Bytes >= 0 &&
           ::fsetxattr(File, Name.data(), Value.data(), size_t(Bytes), 0) == 0;
  });
}

static Error replace(StringRef Path, const std::string &Real, StringRef Text,
                     const std::string *Old) {
  struct stat Info;
  if (::stat(Real.c_str(), &Info))
    return systemFailure(Path);
  return moveInto(
      Path, Real, Text,
      [&](int FD) {
        // Only root may give a file away; for others a failure here is no
        // error. The mode comes last: a new owner takes the set-id bits away,
        // and so may the list of who may read it.
        if (::fchown(FD, Info.st_uid, Info.st_gid))
          errno = 0;
        return copyAttributes(Real, FD) &&
               ::fchmod(FD, Info.st_mode & 07777) == 0;
      },
      Old);
}

Error replaceText(StringRef Path, StringRef Text) {
  if (Error E = checkWritable(Path))
    return E;
  SmallString<256> Real;
  if (std::error_code EC = sys::fs::real_path(Path, Real))
    return failure(Path, EC);
  return replace(Path, Real.str().str(), Text, nullptr);
}

Error exchangeText(StringRef Path, const std::string &Real,
                   const std::string &Old, StringRef New) {
  if (Error E = checkWritable(Real))
    return E;
  return replace(Path, Real, New, &Old);
}

/// Fails where a folder of \p Path is a link of a repository's, or of one below
/// the working folder, that leads out of it: what is written then goes where
/// nobody said.
static Error checkFolders(StringRef Path) {
  SmallString<256> Absolute(Path);
  (void)sys::fs::make_absolute(Absolute);
  StringRef Parent = sys::path::parent_path(Absolute);
  SmallString<256> At, Home;
  if (sys::path::home_directory(At))
    Home = realPath(At);
  At.clear();
  for (auto It = sys::path::begin(Parent), End = sys::path::end(Parent);
       It != End; ++It) {
    std::string Holder = realPath(At.empty() ? StringRef("/") : At.str());
    sys::path::append(At, *It);
    if (!sys::fs::is_symlink_file(At))
      continue;
    std::string Real = realPath(At), Here = realPath("."),
                Root = repositoryOf(Holder + "/any");
    if (Root.empty() && (Holder == Here || isBelow(Holder, Here)))
      Root = Here;
    if (Root.empty() || Root == "/" || Root == Home || Real == Root ||
        isBelow(Real, Root))
      continue;
    return failure(Path, Twine(At) + " is a link that leads out of " + Root +
                             " to " + Real +
                             ", which is not written through; name that "
                             "folder itself");
  }
  return Error::success();
}

/// Fails where \p Path is a link to a file: a repository may have one in the
/// place of a report, to a file of the user's.
static Error checkNoLink(StringRef Path) {
  SmallString<256> Absolute(Path);
  (void)sys::fs::make_absolute(Absolute);
  if (!sys::fs::is_symlink_file(Path) || Absolute.starts_with("/dev/"))
    return Error::success();
  SmallString<256> Real;
  if (!sys::fs::real_path(Path, Real) && !sys::fs::is_regular_file(Real))
    return Error::success();
  return failure(Path, "is a link" +
                           (Real.empty() ? "" : Twine(" to ") + Real) +
                           ", which is not written through; remove it, or name "
                           "the file itself");
}

Error putText(StringRef Path, StringRef Text) {
  if (Error E = checkNoLink(Path))
    return E;
  if (Error E = checkFolders(Path))
    return E;
  sys::fs::file_status Status;
  std::error_code EC = sys::fs::status(Path, Status);
  if (EC == std::errc::no_such_file_or_directory)
    return moveInto(
        Path, folderOf(Path) + "/" + sys::path::filename(Path).str(), Text,
        [](int FD) { return ::fchmod(FD, 0666 & ~sys::fs::getUmask()) == 0; });
  if (EC)
    return failure(Path, EC);
  if (sys::fs::is_directory(Status))
    return failure(Path, "is a directory");
  if (sys::fs::is_regular_file(Status))
    return replaceText(Path, Text);
  int FD = ::open(Path.str().c_str(), O_WRONLY | O_CLOEXEC);
  bool Ok = FD >= 0 && writeAll(FD, Text);
  EC = std::error_code(errno, std::generic_category());
  if (FD >= 0)
    ::close(FD);
  return Ok ? Error::success() : failure(Path, EC);
}

Error putInFolders(StringRef Path, StringRef Text) {
  StringRef Folder = sys::path::parent_path(Path);
  if (std::error_code EC = sys::fs::create_directories(Folder))
    return failure(Folder, EC);
  return putText(Path, Text);
}

} // namespace clrewrite
