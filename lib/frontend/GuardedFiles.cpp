// A path is allowed where it lies in a folder of the source, of its repository
// or of an -I option, after links are followed.
#include "frontend/GuardedFiles.h"
#include "frontend/IncludeFolders.h"
#include "source/Beneath.h"
#include "source/RealPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clrewrite::frontend {

const char GuardedFiles::ID = 0;

static std::string absolute(StringRef Path) {
  SmallString<256> Out(Path);
  (void)sys::fs::make_absolute(Out);
  sys::path::remove_dots(Out);
  return Out.str().str();
}

static bool isIn(StringRef Path, ArrayRef<std::string> Folders) {
  return any_of(Folders, [&](const std::string &Folder) {
    return Path == Folder || isBelow(Path, Folder);
  });
}

GuardedFiles::GuardedFiles(StringRef Source, ArrayRef<std::string> Options,
                           StringRef Resources)
    : RTTIExtends(vfs::getRealFileSystem()), Source(Source.str()) {
  addOwn();
  Own.push_back(realPath(Resources));
  addNamed(Options);
}

void GuardedFiles::addOwn() {
  std::string Folder = folderOf(Source), Repository = repositoryOf(Source),
              Here = realPath(".");
  Own.push_back(Folder);
  // The other files of a home folder are not part of the program.
  if (!Repository.empty())
    Own.push_back(Repository);
  else if (!holdsHome(Here) && isBelow(Folder, Here))
    Own.push_back(Here);
  append_range(Own, readableFolders());
}

void GuardedFiles::addNamed(ArrayRef<std::string> Options) {
  for (const std::string &Folder : includeFolders(Options)) {
    Named.push_back(realPath(Folder));
    // A link in the repository's own folders is the repository's.
    if (!isIn(Named.back(), Own))
      NamedAs.push_back(absolute(Folder));
  }
}

bool GuardedFiles::mayShow(StringRef Path) const {
  return Path.empty() || Path.starts_with("<") || Path == Source ||
         isIn(realPath(Path), Own);
}

bool GuardedFiles::mayRead(const std::string &Path) const {
  std::string Real = realPath(Path);
  return Path == Source || isIn(Real, Own) || isIn(Real, Named) ||
         isIn(absolute(Path), NamedAs);
}

std::string GuardedFiles::refusal(const std::string &Path,
                                  const vfs::Status &S) const {
  if (S.getType() != sys::fs::file_type::regular_file)
    return Path + " is no regular file, so it is not read";
  if (S.getSize() > MostBytesRead)
    return Path + " has " + utostr(S.getSize()) +
           " bytes, more than the 64 MiB that are read";
  if (!mayRead(Path))
    return Path + " lies outside of " + Own.front() +
           (Own.size() > 2 ? " and " + Own[1] : "") +
           ", so it is not read; give -I " +
           sys::path::parent_path(Path).str() +
           " where the program is meant to have it";
  return "";
}

ErrorOr<vfs::Status> GuardedFiles::status(const Twine &Path) {
  ErrorOr<vfs::Status> S = ProxyFileSystem::status(Path);
  if (!S || S->isDirectory())
    return S;
  std::string Why = refusal(Path.str(), *S);
  if (Why.empty())
    return S;
  if (!is_contained(Refusals, Why))
    Refusals.push_back(std::move(Why));
  return std::make_error_code(std::errc::no_such_file_or_directory);
}

ErrorOr<std::unique_ptr<vfs::File>>
GuardedFiles::openFileForRead(const Twine &Path) {
  // Before it is opened: a pipe would wait for its other end.
  ErrorOr<vfs::Status> S = status(Path);
  if (!S)
    return S.getError();
  return ProxyFileSystem::openFileForRead(Path);
}

std::vector<std::string> GuardedFiles::takeRefusals() {
  return std::exchange(Refusals, {});
}

} // namespace clrewrite::frontend
