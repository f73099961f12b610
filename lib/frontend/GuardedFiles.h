// The files that Clang may read for a source: #include, #embed and -include of
// a repository's texts must not reach the user's other files, nor devices.
#pragma once

#include "source/Beneath.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <string>
#include <vector>

namespace clrewrite::frontend {

/// The real file system, of which only regular files of at most 64 MiB can be
/// read, and those only
/// - in the source's own folder or the repository that it stands in; without a
///   repository, in the working folder where the source is below that,
/// - in folders that -I and -isystem name, and among Clang's own headers,
/// - in the folders of CLREWRITE_READABLE, which git-clrewrite sets: the tree
///   that its copy's links lead to.
///
/// A file is opened beneath the folder that allows it, through no link
/// (source/Beneath.h), and read from the handle that was looked at: whoever
/// changes the tree meanwhile has no other file read in its place.
class GuardedFiles
    : public llvm::RTTIExtends<GuardedFiles, llvm::vfs::ProxyFileSystem> {
public:
  static const char ID;

  GuardedFiles(llvm::StringRef Source, llvm::ArrayRef<std::string> Options,
               llvm::StringRef Resources);

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &Path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &Path) override;

  /// Whether \p Path is one of the source's own surroundings, or Clang's: its
  /// lines may be shown. What -I alone allows is read and not shown.
  bool mayShow(llvm::StringRef Path) const;

  /// Whether \p Path lies in one of the folders above.
  bool mayRead(const std::string &Path) const;

  /// Where a file is that may be read: a name below the real path of a folder;
  /// no folder where the user named it.
  struct Place {
    std::string Folder, Name;
  };
  /// That of \p Path; none where it may not be read.
  std::optional<Place> placeOf(const std::string &Path) const;
  /// Opens what stands at \p At by now; errno says why it can't.
  FileHandle open(const Place &At);

  /// Why files were not read since this was last asked.
  std::vector<std::string> takeRefusals();

private:
  std::string Source;
  std::vector<std::string> Own;     ///< real paths of folders
  std::vector<std::string> Named;   ///< by -I, with links followed
  std::vector<std::string> NamedAs; ///< the same, absolute, as they were given
  std::vector<std::string> Refusals;
  std::map<std::string, FileHandle> Folders; ///< that are open, by real path

  void addOwn();
  void addNamed(llvm::ArrayRef<std::string> Options);
  /// Whether \p Path goes down from a folder that the user named, links of
  /// which are the user's own.
  bool isNamed(const std::string &Path) const;
  std::string outside(const std::string &Path) const;
  std::error_code refuse(std::string Why);
};

} // namespace clrewrite::frontend
