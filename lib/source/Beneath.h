// Opening what a path names that comes from a repository: a capture's files,
// configurations that are found by walking up, headers that a text includes,
// sources that are found in a folder.
//
// Somebody else made the tree, so a name in it may hold "..", or be a link, a
// device or a pipe. Whatever reads or writes by such a name does it here, with
// a folder that the user trusts and a name that must stay below it: by openat2
// with RESOLVE_BENEATH where the kernel has it (Linux 5.6), else folder by
// folder with O_NOFOLLOW.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <sys/stat.h>

namespace clrewrite {

/// The most that is read of a file, unless its reader says otherwise.
inline constexpr uint64_t MostBytesRead = 64ull << 20;

/// A file descriptor that closes itself; errno stays as it was.
class FileHandle {
public:
  explicit FileHandle(int FD = -1) : FD(FD) {}
  FileHandle(FileHandle &&O) : FD(O.release()) {}
  FileHandle &operator=(FileHandle &&O);
  ~FileHandle();
  int get() const { return FD; }
  explicit operator bool() const { return FD >= 0; }
  int release();

private:
  int FD;
};

/// Which symbolic links a name below a folder may go through.
enum class Links {
  None,   ///< a link is an error
  Within, ///< those that stay below the folder
};

/// Opens \p Name below the folder \p Folder for reading; a failure is -1, with
/// errno set. It does not wait for a pipe's other end.
int openBeneath(const std::string &Folder, const std::string &Name, Links L);

/// The same below a folder that is open, through no link.
FileHandle openBeneath(const FileHandle &Folder, const std::string &Name);

/// Opens for reading what the user's own \p Path names, wherever links lead; a
/// failure has none, with errno set. It does not wait for a pipe's other end.
FileHandle openOwn(const std::string &Path);

/// The same without openat2; openBeneath falls back to it.
int openByWalking(const std::string &Folder, const std::string &Name, Links L);

/// The folder whose real path \p Real was: none where a link has taken the
/// place of one on the way.
FileHandle openRealFolder(const std::string &Real);

/// The bytes of the regular file \p Name below \p Folder.
llvm::Expected<std::string> readBeneath(const std::string &Folder,
                                        const std::string &Name, Links L,
                                        uint64_t MostBytes = MostBytesRead);

/// The same below a folder that is open, through no link. Errors name \p Path.
llvm::Expected<std::string> readBeneath(const FileHandle &Folder,
                                        const std::string &Name,
                                        const std::string &Path,
                                        uint64_t MostBytes = MostBytesRead);

/// The bytes of the regular file that the user's own \p Path names, wherever
/// links lead.
llvm::Expected<std::string> readRegular(const std::string &Path,
                                        uint64_t MostBytes = MostBytesRead);

/// The bytes of the regular file \p Name in the folder \p Folder, of at most
/// \p MostBytes; none for a link, a device, a pipe, a folder, a larger file,
/// or what can't be read. Never waits. \p Info is what fstat says of what was
/// read.
std::optional<std::string> readRegularAt(int Folder, const std::string &Name,
                                         uint64_t MostBytes,
                                         struct stat *Info = nullptr);

/// Makes \p Text the content of \p Name below \p Folder in one step, and the
/// folders that \p Name has. A link in the place of a folder is an error; one
/// in the place of the file is replaced, and what it names is left alone.
llvm::Error putBeneath(const std::string &Folder, const std::string &Name,
                       llvm::StringRef Text);

/// Removes \p Name, one word, from \p Folder, with all that is in it. Links are
/// removed, never entered. That there is none is no error.
llvm::Error removeBeneath(const std::string &Folder, const std::string &Name);

} // namespace clrewrite
