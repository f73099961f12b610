// A path is allowed where it lies in a folder of the source, of its repository
// or of an -I option, after links are followed.
#include "frontend/GuardedFiles.h"
#include "frontend/IncludeFolders.h"
#include "source/OpenFiles.h"
#include "source/RealPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
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
  FilesAgain ForTheHome; // which /etc/passwd names where HOME does not
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

bool GuardedFiles::isNamed(const std::string &Path) const {
  std::string Whole = absolute(Path);
  return any_of(NamedAs, [&](StringRef Folder) {
    StringRef Rest = Whole;
    if (!Rest.consume_front(Folder) ||
        !(Rest.empty() || Rest.starts_with("/") || Folder.ends_with("/")))
      return false;
    return !is_contained(
        make_range(sys::path::begin(Rest), sys::path::end(Rest)), "..");
  });
}

std::optional<GuardedFiles::Place>
GuardedFiles::placeOf(const std::string &Path) const {
  if (Path == Source)
    return Place{"", Path};
  // The outermost folder, since those within it are not the user's alone.
  std::string Real = realPath(Path);
  StringRef Folder;
  for (const std::vector<std::string> *List : {&Own, &Named})
    for (StringRef Each : *List)
      if (isBelow(Real, Each) &&
          (Folder.empty() || Each.size() < Folder.size()))
        Folder = Each;
  if (!Folder.empty())
    return Place{Folder.str(), StringRef(Real)
                                   .drop_front(Folder.size())
                                   .drop_while([](char C) { return C == '/'; })
                                   .str()};
  if (isNamed(Path))
    return Place{"", Path};
  return std::nullopt;
}

bool GuardedFiles::mayRead(const std::string &Path) const {
  return placeOf(Path).has_value();
}

FileHandle GuardedFiles::open(const Place &At) {
  FilesAgain ForThis;
  if (At.Folder.empty())
    return openOwn(At.Name);
  auto [It, New] = Folders.try_emplace(At.Folder);
  if (New)
    It->second = openRealFolder(At.Folder);
  return It->second ? openBeneath(It->second, At.Name) : FileHandle();
}

/// Why what \p S tells of \p Path is not read; empty where it may be.
static std::string refusalOf(const std::string &Path, const vfs::Status &S) {
  if (S.getType() != sys::fs::file_type::regular_file)
    return Path + " is no regular file, so it is not read";
  if (S.getSize() > MostBytesRead)
    return Path + " has " + utostr(S.getSize()) +
           " bytes, more than the 64 MiB that are read";
  return "";
}

std::string GuardedFiles::outside(const std::string &Path) const {
  return Path + " lies outside of " + Own.front() +
         (Own.size() > 2 ? " and " + Own[1] : "") +
         ", so it is not read; give -I " + sys::path::parent_path(Path).str() +
         " where the program is meant to have it";
}

std::error_code GuardedFiles::refuse(std::string Why) {
  if (!is_contained(Refusals, Why))
    Refusals.push_back(std::move(Why));
  return std::make_error_code(std::errc::no_such_file_or_directory);
}

ErrorOr<vfs::Status> GuardedFiles::status(const Twine &Given) {
  ErrorOr<vfs::Status> S = ProxyFileSystem::status(Given);
  if (!S || S->isDirectory())
    return S;
  const std::string Path = Given.str();
  std::string Why = refusalOf(Path, *S);
  if (Why.empty() && !mayRead(Path))
    Why = outside(Path);
  if (Why.empty())
    return S;
  return refuse(std::move(Why));
}

namespace {

/// A regular file that is open.
class OpenFile : public vfs::File {
public:
  OpenFile(FileHandle Handle, vfs::Status S)
      : Handle(std::move(Handle)), Seen(std::move(S)) {}

  ErrorOr<vfs::Status> status() override { return Seen; }
  ErrorOr<std::unique_ptr<MemoryBuffer>>
  getBuffer(const Twine &Name, int64_t, bool NullTerminated, bool) override {
    // Copied, since it may become shorter while it is read.
    return MemoryBuffer::getOpenFile(Handle.get(), Name, Seen.getSize(),
                                     NullTerminated, /*IsVolatile=*/true);
  }
  std::error_code close() override {
    Handle = FileHandle();
    return {};
  }

private:
  FileHandle Handle;
  vfs::Status Seen;
};

} // namespace

ErrorOr<std::unique_ptr<vfs::File>>
GuardedFiles::openFileForRead(const Twine &Given) {
  const std::string Path = Given.str();
  std::optional<Place> At = placeOf(Path);
  if (!At) {
    ErrorOr<vfs::Status> S = status(Path); // says why
    return S ? refuse(outside(Path)) : S.getError();
  }
  FileHandle File = open(*At);
  if (!File && (errno == ELOOP || errno == EXDEV))
    return refuse(Path + " became a link meanwhile, so it is not read");
  sys::fs::file_status Status;
  if (!File)
    return std::error_code(errno, std::generic_category());
  if (std::error_code Code = sys::fs::status(File.get(), Status))
    return Code;
  vfs::Status S = vfs::Status::copyWithNewName(Status, Path);
  if (S.isDirectory())
    return std::make_error_code(std::errc::is_a_directory);
  if (std::string Why = refusalOf(Path, S); !Why.empty())
    return refuse(std::move(Why));
  return std::make_unique<OpenFile>(std::move(File), std::move(S));
}

std::vector<std::string> GuardedFiles::takeRefusals() {
  return std::exchange(Refusals, {});
}

} // namespace clrewrite::frontend
