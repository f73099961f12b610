// Files, folders, and kernels within C++.
#include "pipeline/InputUnits.h"
#include "frontend/RawStrings.h"
#include "source/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace clrewrite {
namespace {

enum class Sort { Other, OpenCL, Header, Host };

Sort sortOf(StringRef Path) {
  return StringSwitch<Sort>(sys::path::extension(Path).lower())
      .Cases({".cl", ".opencl", ".ocl"}, Sort::OpenCL)
      .Case(".clh", Sort::Header)
      .Cases({".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx",
              ".inl"},
             Sort::Host)
      .Default(Sort::Other);
}

bool holdsKernel(StringRef Text) {
  static const Regex Kernel("(^|[^A-Za-z0-9_])(__)?kernel[ \t\r\n]+"
                            "(__attribute__|void)");
  return Kernel.match(Text);
}

class Collector {
public:
  Collector(std::vector<std::string> &Notes,
            const std::function<bool(const std::string &)> &Excluded)
      : Notes(Notes), Excluded(Excluded) {}

  std::vector<Unit> Units;

  /// \p Named: the user gave this file, no folder did.
  void addFile(const std::string &Path, bool Named) {
    if (Excluded && Excluded(Path)) {
      if (Named)
        Notes.push_back(Path + ": left alone, since its configuration "
                               "excludes it");
      ++LeftOut;
      return;
    }
    if (sortOf(Path) == Sort::Other)
      return add(Path);
    Expected<std::string> Text = readText(Path);
    if (Text)
      return addText(Path, *Text, Named);
    consumeError(Text.takeError());
    if (Named)
      add(Path); // its run says why
  }

  void addText(const std::string &Path, StringRef Text, bool Named) {
    Sort S = sortOf(Path);
    bool Any = false;
    if (S == Sort::Host || Text.contains("R\""))
      for (RawString &Raw : rawStringsIn(Text))
        if (holdsKernel(Text.slice(Raw.Begin, Raw.End))) {
          add(Path, Part{Raw.Begin, Raw.End, Raw.Closing});
          Any = true;
        }
    if (Any)
      return;
    if (S != Sort::Host) {
      if (Named || holdsKernel(Text)) {
        add(Path);
        Units.back().Incomplete = S == Sort::Header && !holdsKernel(Text);
      }
      return;
    }
    // A header of OpenCL C, or a host program.
    if (Text.contains("\"") && holdsKernel(Text))
      Notes.push_back(Path +
                      ": no raw string literal with a kernel, so nothing is "
                      "looked at; kernels in ordinary string literals or "
                      "macros are rewritten with clrewrite capture");
    else if (Named) {
      add(Path);
      Units.back().Incomplete = !holdsKernel(Text);
    }
  }

  void addStdin(const StdinText &Stdin) {
    if (Excluded && Excluded(Stdin.Name))
      return;
    size_t Before = Units.size();
    // An editor sends whatever it shows, host programs too.
    addText(Stdin.Name, Stdin.Text, sortOf(Stdin.Name) != Sort::Host);
    for (Unit &U : MutableArrayRef(Units).drop_front(Before))
      U.Text = Stdin.Text;
  }

  Error addFolder(const std::string &Path) {
    size_t Before = Units.size() + Notes.size() + LeftOut;
    std::vector<std::string> Files;
    if (!listedByGit(Path, Files))
      walk(Path, Files);
    llvm::sort(Files);
    for (const std::string &File : Files)
      if (sortOf(File) != Sort::Other)
        addFile(File, /*Named=*/false);
    if (Units.size() + Notes.size() + LeftOut == Before)
      return createStringError(Path +
                               ": no file in this folder holds a kernel");
    return Error::success();
  }

private:
  std::vector<std::string> &Notes;
  const std::function<bool(const std::string &)> &Excluded;
  size_t LeftOut = 0; ///< excluded files

  void add(const std::string &Path, std::optional<Part> Within = std::nullopt) {
    Units.push_back({Path, std::move(Within), {Build()}});
  }

  static std::string below(StringRef Folder, StringRef Name) {
    SmallString<256> Path(Folder);
    sys::path::append(Path, Name);
    sys::path::remove_dots(Path);
    return Path.str().str();
  }

  /// What git does not ignore; false where it says nothing.
  static bool listedByGit(StringRef Folder, std::vector<std::string> &Files) {
    ErrorOr<std::string> Git = sys::findProgramByName("git");
    SmallString<128> List;
    if (!Git || sys::fs::createTemporaryFile("clrewrite", "list", List))
      return false;
    FileRemover Remove(List);
    std::optional<StringRef> Redirects[] = {StringRef(), StringRef(List),
                                            StringRef()};
    if (sys::ExecuteAndWait(*Git,
                            {*Git, "-C", Folder, "ls-files", "-z", "--cached",
                             "--others", "--exclude-standard"},
                            std::nullopt, Redirects))
      return false;
    auto Text = MemoryBuffer::getFile(List);
    if (!Text)
      return false;
    SmallVector<StringRef> Names;
    (*Text)->getBuffer().split(Names, '\0', -1, /*KeepEmpty=*/false);
    for (StringRef Name : Names)
      if (std::string Path = below(Folder, Name);
          !Name.starts_with(".") && !Name.contains("/.") &&
          sys::fs::is_regular_file(Path) && !is_contained(Files, Path))
        Files.push_back(std::move(Path));
    return true;
  }

  static void walk(StringRef Folder, std::vector<std::string> &Files) {
    std::error_code Code;
    for (sys::fs::recursive_directory_iterator
             It(Folder, Code, /*follow_symlinks=*/false),
         End;
         It != End && !Code; It.increment(Code)) {
      if (sys::path::filename(It->path()).starts_with("."))
        It.no_push();
      else if (It->type() == sys::fs::file_type::regular_file)
        Files.push_back(below("", It->path()));
    }
  }
};

} // namespace

Expected<std::vector<Unit>>
inputUnits(ArrayRef<std::string> Paths, std::vector<std::string> &Notes,
           const std::optional<StdinText> &Stdin,
           const std::function<bool(const std::string &)> &Excluded) {
  Collector All(Notes, Excluded);
  for (const std::string &Path : Paths)
    if (Path == "-" && Stdin)
      All.addStdin(*Stdin);
    else if (!sys::fs::is_directory(Path))
      All.addFile(Path, /*Named=*/true);
    else if (Error E = All.addFolder(Path))
      return std::move(E);
  return std::move(All.Units);
}

} // namespace clrewrite
