// The files that Clang may read for a source: #include, #embed and -include of
// a repository's texts must not reach the user's other files, nor devices.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
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

  /// Why files were not read since this was last asked.
  std::vector<std::string> takeRefusals();

private:
  std::string Source;
  std::vector<std::string> Own;     ///< real paths of folders
  std::vector<std::string> Named;   ///< by -I, with links followed
  std::vector<std::string> NamedAs; ///< the same, absolute, as they were given
  std::vector<std::string> Refusals;

  void addOwn();
  void addNamed(llvm::ArrayRef<std::string> Options);
  /// Why \p Path, which has \p S, is not read; empty where it is.
  std::string refusal(const std::string &Path,
                      const llvm::vfs::Status &S) const;
};

} // namespace clrewrite::frontend
