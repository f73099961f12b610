// Files, folders, kernels within C++, and programs of several texts.
#include "pipeline/InputUnits.h"
#include "frontend/HostKernels.h"
#include "process/Program.h"
#include "source/File.h"
#include "source/Lines.h"
#include "source/RealPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include <unistd.h>

using namespace llvm;

namespace clrewrite::pipeline {

namespace {

/// A text of a program. What is no unit is built with the others, but not
/// rewritten.
struct ProgramText {
  std::string Path;
  std::string Text;
  unsigned Line = 1; ///< where it starts in its file
  std::optional<Unit> Rewritten = std::nullopt;
};

} // namespace

/// The units of \p Texts, each between the others as the host concatenates
/// them. Their builds get the number \p Program.
static std::vector<Unit> joinedUnits(std::vector<ProgramText> Texts,
                                     size_t Program) {
  std::string All;
  std::vector<size_t> Begins;
  for (const ProgramText &T : Texts) {
    All += lineMarker(All, T.Path, T.Line);
    Begins.push_back(All.size());
    All += T.Text;
  }
  std::vector<Unit> Out;
  for (auto [T, Begin] : zip(Texts, Begins)) {
    if (!T.Rewritten)
      continue;
    for (Build &B : T.Rewritten->Builds) {
      B.Before = All.substr(0, Begin);
      B.After = All.substr(Begin + T.Text.size());
      B.Program = Program;
    }
    Out.push_back(std::move(*T.Rewritten));
  }
  return Out;
}

namespace {

/// The texts of \p Path: itself, or its raw string literals.
std::vector<ProgramText> textsOf(const std::string &Path,
                                 const std::string &Text, const Build &How) {
  std::vector<ProgramText> Out;
  for (const auto &Pieces : frontend::rawTextsIn(Text))
    for (const frontend::LiteralPiece &P : Pieces) {
      Out.push_back({Path, frontend::textOf(P, Text), lineAt(Text, P.Begin)});
      if (P.isRaw())
        Out.back().Rewritten = {Path, Part{P.Begin, P.End, P.Closing}, {How}};
    }
  if (Out.empty())
    Out.push_back({Path, Text, 1, Unit{Path, std::nullopt, {How}}});
  return Out;
}

/// Headers are looked up beside each of \p Paths.
void lookBeside(ArrayRef<std::string> Paths, Build &How) {
  for (const std::string &Path : Paths) {
    StringRef Folder = sys::path::parent_path(Path);
    std::string Option = ("-I" + (Folder.empty() ? "." : Folder)).str();
    if (!is_contained(How.Options, Option))
      How.Options.push_back(std::move(Option));
  }
}

} // namespace

Expected<std::vector<Unit>> programUnits(ArrayRef<std::string> Paths) {
  Build Own;
  lookBeside(Paths, Own);
  std::vector<ProgramText> Texts;
  for (const std::string &Path : Paths) {
    if (sys::fs::is_directory(Path))
      return createStringError(Path + ": --program takes files, in the order "
                                      "in which the host puts them together");
    if (sortOf(Path) == FileSort::Host)
      return createStringError(
          Path + ": --program takes files of OpenCL C; what a host program "
                 "puts together of its strings, clrewrite capture tells");
    Expected<std::string> Text = readText(Path);
    if (!Text)
      return Text.takeError();
    append_range(Texts, textsOf(Path, *Text, Own));
  }
  if (any_of(Paths, [&](const std::string &P) { return count(Paths, P) > 1; }))
    return createStringError("--program: a file is given twice; its edits "
                             "would have two places");
  return joinedUnits(std::move(Texts), 1);
}

FileSort sortOf(StringRef Path) {
  std::string Extension = sys::path::extension(Path).lower();
  if (is_contained({".cl", ".clcpp", ".opencl", ".ocl"}, Extension))
    return FileSort::OpenCL;
  if (Extension == ".clh")
    return FileSort::Header;
  return is_contained({".c", ".cc", ".cpp", ".cxx", ".c++", ".h", ".hh", ".hpp",
                       ".hxx", ".inl", ".inc"},
                      Extension)
             ? FileSort::Host
             : FileSort::Other;
}

bool isHostProgram(StringRef Path) {
  return sys::path::extension(Path).lower().find("c") == 1 &&
         sortOf(Path) == FileSort::Host;
}

static std::string below(StringRef Folder, StringRef Name) {
  SmallString<256> Path(Folder);
  sys::path::append(Path, Name);
  sys::path::remove_dots(Path);
  // Nobody whom it is handed to may take it for an option.
  return (Path.starts_with("-") ? "./" : "") + Path.str().str();
}

/// For a git that only looks: nothing that a repository's own settings name is
/// run, in it or in a bare repository within another one, and nothing fetched.
static const char *const QuietGit[] = {
    "-c", "core.fsmonitor=false",         "-c", "core.hooksPath=/dev/null",
    "-c", "safe.bareRepository=explicit", "-c", "protocol.allow=never"};

/// The environment for that.
static std::vector<std::string> quietEnvironment() {
  std::vector<std::string> Out;
  for (char **Each = environ; *Each; ++Each)
    if (StringRef Word = *Each; !Word.starts_with("GIT_OPTIONAL_LOCKS=") &&
                                !Word.starts_with("GIT_ALLOW_PROTOCOL="))
      Out.push_back(Word.str());
  Out.push_back("GIT_OPTIONAL_LOCKS=0");
  Out.push_back("GIT_ALLOW_PROTOCOL="); // protocol.ext.allow has no say then
  return Out;
}

std::vector<std::string> filesBelow(StringRef Folder) {
  std::vector<std::string> Out;
  std::error_code Code;
  for (sys::fs::recursive_directory_iterator
           It(Folder, Code, /*follow_symlinks=*/false),
       End;
       It != End && !Code; It.increment(Code)) {
    if (sys::path::filename(It->path()).starts_with("."))
      It.no_push();
    else if (It->type() == sys::fs::file_type::regular_file)
      Out.push_back(below("", It->path()));
  }
  return Out;
}

namespace {

class Collector {
public:
  Collector(std::vector<std::string> &Notes,
            const std::function<bool(const std::string &)> &Excluded,
            unsigned GitSeconds)
      : Notes(Notes), Excluded(Excluded), GitSeconds(GitSeconds) {}

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
    if (sortOf(Path) == FileSort::Other)
      return add(Path);
    Expected<std::string> Text = readText(Path, Walked);
    if (Text)
      return addText(Path, *Text, Named);
    if (Named) {
      consumeError(Text.takeError());
      add(Path); // its run says why
    } else {
      Notes.push_back(toString(Text.takeError()) + ", so it is left out");
    }
  }

  void addText(const std::string &Path, StringRef Text, bool Named) {
    FileSort S = sortOf(Path);
    if (S == FileSort::Other)
      S = FileSort::OpenCL;
    frontend::HostKernels Found;
    if (Text.contains("kernel") &&
        (S != FileSort::OpenCL || Text.contains("R\"")))
      Found = frontend::hostKernelsIn(Text);
    for (const auto &Pieces : Found.Raw)
      addRaw(Path, Text, Pieces);
    if (S == FileSort::Host)
      noteOthers(Path, Text, Found.Others);
    if (!Found.Raw.empty())
      return;
    if (S == FileSort::OpenCL) {
      // What C++ includes as a string may be a part without a kernel.
      bool OnlyString =
          Text.contains("R\"") && !frontend::rawTextsIn(Text).empty();
      if (frontend::holdsKernel(Text) || (Named && !OnlyString))
        add(Path);
      else if (Named)
        Notes.push_back(Path + ": no kernel in it, so nothing is looked at");
      else
        Parts.push_back(Path);
      return;
    }
    auto Code = find_if(Found.Others, [](const frontend::KernelPlace &P) {
      return P.Where == frontend::KernelPlace::Code;
    });
    bool HasCode = Code != Found.Others.end();
    // Other languages, too, have headers with "kernel void" in them.
    bool IsProgram =
        HasCode &&
        (S == FileSort::Header ||
         (StringRef(Code->Name).starts_with("__") && !isHostProgram(Path)));
    if (IsProgram || (Named && (HasCode || Found.Others.empty()))) {
      add(Path);
      Units.back().Incomplete = !HasCode;
    }
  }

  void addStdin(const StdinText &Stdin) {
    if (Excluded && Excluded(Stdin.Name))
      return;
    size_t Before = Units.size();
    // An editor sends whatever it shows, host programs too.
    addText(Stdin.Name, Stdin.Text,
            sortOf(Stdin.Name) == FileSort::OpenCL ||
                sortOf(Stdin.Name) == FileSort::Other);
    for (Unit &U : MutableArrayRef(Units).drop_front(Before))
      U.Text = Stdin.Text;
  }

  /// False where no file in it holds a kernel.
  bool addFolder(const std::string &Path) {
    std::vector<std::string> Files;
    if (!listedByGit(Path, Files))
      Files = filesBelow(Path);
    auto seen = [&] {
      return Units.size() + Notes.size() + Literals.size() + LeftOut;
    };
    size_t Before = seen();
    Walked = realPath(Path);
    llvm::sort(Files);
    Files.erase(llvm::unique(Files), Files.end()); // git has conflicts thrice
    for (const std::string &File : Files)
      if (sortOf(File) != FileSort::Other)
        addFile(File, /*Named=*/false);
    bool Any = seen() > Before;
    if (Any)
      noteParts(Path);
    Parts.clear();
    Walked.clear();
    return Any;
  }

  /// Tells where kernels are that are not edited; of many in one line.
  void noteLiterals() {
    constexpr size_t MostTold = 4, MostNamed = 3;
    if (Literals.size() <= MostTold) {
      for (const auto &[Place, Note] : Literals)
        Notes.push_back(Note);
      return;
    }
    std::string Places;
    for (const auto &[Place, Note] : ArrayRef(Literals).take_front(MostNamed))
      Places += (Places.empty() ? "" : ", ") + Place;
    Notes.push_back(std::to_string(Literals.size()) +
                    " kernels in string literals that are not raw, or in "
                    "arguments of macros, are not edited: " +
                    Places +
                    " and others; make them raw string literals, "
                    "R\"CLC(...)CLC\", or run the program under "
                    "clrewrite capture");
  }

private:
  /// Where kernels are that are not edited, and what is to be said of each.
  std::vector<std::pair<std::string, std::string>> Literals;
  std::vector<std::string> &Notes;
  const std::function<bool(const std::string &)> &Excluded;
  unsigned GitSeconds;
  /// Files of OpenCL C without a kernel in the folder that is walked.
  std::vector<std::string> Parts;
  size_t LeftOut = 0; ///< excluded files
  std::string Walked; ///< as of Unit::Folder
  size_t Programs = 0;

  void add(const std::string &Path, std::optional<Part> Within = std::nullopt) {
    Units.push_back({Path, std::move(Within), {Build()}});
    Units.back().Folder = Walked;
  }

  void noteParts(const std::string &Folder) {
    constexpr size_t MostNamed = 3;
    if (Parts.empty())
      return;
    bool One = Parts.size() == 1;
    size_t Named = std::min(Parts.size(), MostNamed);
    Notes.push_back(
        Folder + ": " + std::to_string(Parts.size()) +
        (One ? " file of OpenCL C without a kernel is"
             : " files of OpenCL C without a kernel are") +
        " not looked at: " + join(ArrayRef(Parts).take_front(Named), ", ") +
        (Named < Parts.size()
             ? " and " + std::to_string(Parts.size() - Named) + " more"
             : ""));
  }

  /// Braces that are edited in would be fields of the format.
  static bool isTemplate(StringRef Text) {
    static const Regex Doubled("\\)[ \t\r\n]*\\{\\{");
    return Doubled.match(Text);
  }

  /// Literals side by side are one program.
  void addRaw(const std::string &Path, StringRef Text,
              ArrayRef<frontend::LiteralPiece> Pieces) {
    if (any_of(Pieces, [&](const frontend::LiteralPiece &P) {
          return isTemplate(Text.slice(P.Begin, P.End));
        })) {
      Notes.push_back(
          Path + ":" + std::to_string(lineAt(Text, Pieces[0].Begin)) +
          ": a kernel in a text with {{, which a format function fills in, so "
          "it is not edited; run the program under clrewrite capture");
      return;
    }
    if (Pieces.size() == 1)
      return add(Path, Part{Pieces[0].Begin, Pieces[0].End, Pieces[0].Closing});
    std::vector<ProgramText> Texts;
    for (const frontend::LiteralPiece &P : Pieces) {
      Texts.push_back({Path, frontend::textOf(P, Text), lineAt(Text, P.Begin)});
      if (P.isRaw()) {
        Texts.back().Rewritten = {
            Path, Part{P.Begin, P.End, P.Closing}, {Build()}};
        Texts.back().Rewritten->Folder = Walked;
      }
    }
    append_range(Units, joinedUnits(std::move(Texts), ++Programs));
  }

  void noteOthers(const std::string &Path, StringRef Text,
                  ArrayRef<frontend::KernelPlace> Places) {
    for (const frontend::KernelPlace &P : Places) {
      if (P.Where == frontend::KernelPlace::Code)
        continue;
      std::string What = P.Where == frontend::KernelPlace::MacroArgument
                             ? "the argument of " + P.Name
                         : P.Pieces > 1 ? "adjacent string literals"
                                        : "an ordinary string literal";
      const std::string Place =
          Path + ":" + std::to_string(lineAt(Text, P.Offset));
      Literals.push_back({Place, Place + ": a kernel in " + What +
                                     ", which is not edited: make it a raw "
                                     "string literal, R\"CLC(...)CLC\", or run "
                                     "the program under clrewrite capture"});
    }
  }

  /// What git does not ignore; false where it says nothing, or ignores all:
  /// then the folder was named in spite of that. A pipe in the place of one of
  /// git's own files would keep it waiting for ever.
  bool listedByGit(StringRef Folder, std::vector<std::string> &Files) {
    ErrorOr<std::string> Git = sys::findProgramByName("git");
    if (!Git)
      return false;
    std::vector<std::string> Words{*Git};
    Words.insert(Words.end(), std::begin(QuietGit), std::end(QuietGit));
    Words.insert(Words.end(), {"-C", Folder.str(), "ls-files", "-z", "--cached",
                               "--others", "--exclude-standard"});
    process::ProgramResult Ran =
        process::runProgram(Words, {GitSeconds}, quietEnvironment());
    if (Ran.Status == process::ChildResult::TimedOut)
      Notes.push_back(Folder.str() + ": git ls-files took longer than " +
                      std::to_string(GitSeconds) +
                      " s, so files that git ignores are looked at as well");
    if (Ran.Status != process::ChildResult::Done)
      return false;
    // A link, or a folder that became one, may lead out of the tree.
    std::string Top = realPath(Folder);
    SmallVector<StringRef> Names;
    StringRef(Ran.Output).split(Names, '\0', -1, /*KeepEmpty=*/false);
    for (StringRef Name : Names)
      if (std::string Path = below(Folder, Name);
          !Name.starts_with(".") && !Name.contains("/.") &&
          sys::fs::is_regular_file(Path) && isBelow(realPath(Path), Top))
        Files.push_back(std::move(Path));
    return !Files.empty();
  }
};

} // namespace

Expected<std::vector<Unit>>
inputUnits(ArrayRef<std::string> Paths, std::vector<std::string> &Notes,
           const std::optional<StdinText> &Stdin,
           const std::function<bool(const std::string &)> &Excluded,
           unsigned GitSeconds) {
  Collector All(Notes, Excluded, GitSeconds);
  std::vector<std::string> Empty;
  for (const std::string &Path : Paths)
    if (Path == "-" && Stdin)
      All.addStdin(*Stdin);
    else if (!sys::fs::is_directory(Path))
      All.addFile(Path, /*Named=*/true);
    else if (!All.addFolder(Path))
      Empty.push_back(Path + ": no file in this folder holds a kernel");
  if (!Empty.empty() && Empty.size() == Paths.size())
    return createStringError(
        join(Empty, "; ") +
        ". Kernels are looked for in files .cl, .clcpp, .clh, .ocl and "
        ".opencl, and in raw strings, R\"CLC(...)CLC\", of C and C++. Where a "
        "program gets them otherwise, try: clrewrite capture -- PROGRAM");
  All.noteLiterals();
  append_range(Notes, Empty);
  return std::move(All.Units);
}

} // namespace clrewrite::pipeline
