// Unified diffs, by the system's diff program, one a file. A C++ file may hold
// several texts, each with a report of its own: a diff of each would not apply
// after the others.
//
// After the @@ of a hunk, where other diffs name the function and patch and
// git apply read nothing, stand its edits and what each gained.
#include "pipeline/Diff.h"
#include "frontend/RawStrings.h"
#include "process/Program.h"
#include "report/Hunks.h"
#include "report/Listing.h"
#include "source/Beneath.h"
#include "source/File.h"
#include "source/RealPaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include <cerrno>
#include <sys/mman.h>

using namespace llvm;

namespace clrewrite::pipeline {

namespace {

/// A file in memory, which takes no room in a temporary folder that may be full
/// or gone. The diff program inherits it.
class FileInMemory {
public:
  explicit FileInMemory(StringRef Text)
      : Handle(::memfd_create("clrewrite", 0)),
        Name("/proc/self/fd/" + std::to_string(Handle.get())),
        Whole(Handle && writeAll(Handle.get(), Text)), Reason(errno) {}

  /// What hinders; success where all of the text is there.
  Error problem() const {
    return Whole ? Error::success()
                 : createStringError(
                       "no diff: cannot hold a text in memory: " +
                       std::error_code(Reason, std::generic_category())
                           .message());
  }
  StringRef name() const { return Name; }

private:
  FileHandle Handle;
  std::string Name;
  bool Whole;
  int Reason;
};

} // namespace

/// A path as patch and git apply read it: a tab ends a name with spaces, and
/// one with other separators is quoted as in C.
static std::string label(StringRef Side, StringRef Path) {
  SmallString<128> Name = sys::path::relative_path(Path);
  sys::path::remove_dots(Name);
  std::string Text = (Side + "/" + Name).str();
  bool Quote = any_of(Text, [](char C) {
    return C == '"' || C == '\\' || (C >= 0 && C < ' ');
  });
  if (!Quote)
    return Text + (StringRef(Text).contains(' ') ? "\t" : "");
  std::string Quoted = "\"";
  for (unsigned char C : Text)
    if (C == '"' || C == '\\')
      Quoted += {'\\', char(C)};
    else if (C < ' ')
      Quoted += formatv("\\{0}{1}{2}", C >> 6, C >> 3 & 7, C & 7).str();
    else
      Quoted += char(C);
  return Quoted + '"';
}

Expected<std::string> unifiedDiff(StringRef Path, StringRef Before,
                                  StringRef After,
                                  const process::ChildLimits &Limits) {
  if (Before == After)
    return "";
  ErrorOr<std::string> Program = sys::findProgramByName("diff");
  if (!Program)
    return createStringError("no diff program on PATH (Debian: diffutils)");
  FileInMemory Old(Before), New(After);
  for (const FileInMemory *Each : {&Old, &New})
    if (Error E = Each->problem())
      return std::move(E);
  process::ProgramResult Ran = process::runProgram(
      {*Program, "-u", "--label", label("a", Path), "--label", label("b", Path),
       Old.name().str(), New.name().str()},
      Limits);
  constexpr int Differ = 1;
  if (Ran.ExitStatus == Differ && !Ran.Output.empty())
    return std::move(Ran.Output);
  return createStringError(
      Path + ": its diff is left out: diff " +
      (Ran.Problem.empty() ? "printed nothing" : Ran.Problem));
}

namespace {

/// Names for the diffs of a run. Neither patch nor git apply takes a path with
/// "..", so where one is needed, all names count from a folder further up.
class DiffNames {
public:
  /// \p Paths, as given, are all that have a diff.
  explicit DiffNames(llvm::ArrayRef<std::string> Paths);

  std::string of(llvm::StringRef Path) const;
  /// Where the names count from: "" for the working folder, or "..", "../..".
  std::string folder() const;

private:
  /// How many folders up, and what leads from there to the working folder.
  size_t Up = 0;
  std::string Down;
};

} // namespace

static bool goesUp(StringRef Path) {
  return is_contained(make_range(sys::path::begin(Path), sys::path::end(Path)),
                      StringRef(".."));
}

static std::string realFile(StringRef Path) {
  SmallString<256> Out(folderOf(Path));
  sys::path::append(Out, sys::path::filename(Path));
  return Out.str().str();
}

DiffNames::DiffNames(ArrayRef<std::string> Paths) {
  std::string Here = realPath(".");
  StringRef Top = Here;
  for (const std::string &Path : Paths)
    if (goesUp(Path))
      while (!isBelow(realFile(Path), Top) && Top != "/") {
        Top = sys::path::parent_path(Top);
        ++Up;
      }
  Down = StringRef(Here).substr(Top.size()).ltrim('/').str();
}

std::string DiffNames::of(StringRef Path) const {
  SmallString<256> Out(Down);
  if (!goesUp(Path)) {
    if (sys::path::is_absolute(Path))
      return Path.str();
    sys::path::append(Out, Path);
    return Out.str().str();
  }
  std::string Top = realPath("."), Real = realFile(Path);
  Top.resize(Top.size() - Down.size());
  StringRef Rest = Real;
  Rest.consume_front(StringRef(Top).rtrim('/'));
  return Rest.ltrim('/').str();
}

std::string DiffNames::folder() const {
  std::string Out;
  for (size_t I = 0; I < Up; ++I)
    Out += Out.empty() ? ".." : "/..";
  return Out;
}

/// The reports of one file that change it, in the order of their texts.
static std::vector<size_t> changesOf(const std::string &Path,
                                     const report::Report &R,
                                     ArrayRef<Unit> Units) {
  std::vector<size_t> List;
  for (size_t I = 0; I < R.Files.size(); ++I)
    if (R.Files[I].Path == Path && R.Files[I].Problem.empty() &&
        R.Files[I].Result.changed())
      List.push_back(I);
  stable_sort(List, [&](size_t A, size_t B) {
    return Units[A].Within.value_or(Part()).Begin <
           Units[B].Within.value_or(Part()).Begin;
  });
  return List;
}

/// The file with all of \p Changes. A file that was named twice has the same
/// ones twice: the first of those that overlap counts.
static std::string withAll(ArrayRef<size_t> Changes, const report::Report &R,
                           ArrayRef<Unit> Units) {
  const std::string &Given = R.Files[Changes.front()].Given;
  std::string Out;
  size_t Done = 0;
  for (size_t I : Changes) {
    Part P = Units[I].Within.value_or(Part{0, Given.size()});
    if (P.Begin < Done)
      continue;
    const std::string &Text = R.Files[I].Result.Result.Text;
    Out += Given.substr(Done, P.Begin - Done);
    Out += P.Escaped ? frontend::escaped(Text) : Text;
    Done = P.End;
  }
  return Out + Given.substr(Done);
}

static std::string headOf(unsigned First, unsigned Last,
                          ArrayRef<size_t> Changes, const report::Report &R) {
  std::vector<std::string> Edits;
  for (size_t I : Changes)
    for (const select::Outcome *O : report::keptEdits(R.Files[I]))
      if (report::touches(*O, R.Files[I].Given, First, Last)) {
        std::string Gains = join(report::deltaLines(O->Deltas), "; ");
        Edits.push_back(O->Rewrite + " [" + O->Alternative + "]" +
                        (Gains.empty() ? "" : ": ") + Gains);
      }
  return join(Edits, " | ");
}

static std::string withHeads(StringRef Diff, ArrayRef<size_t> Changes,
                             const report::Report &R) {
  static const Regex Hunk("^@@ -([0-9]+)(,([0-9]+))? .* @@$");
  std::string Out;
  SmallVector<StringRef> Lines, Found;
  Diff.split(Lines, '\n');
  for (StringRef Line : Lines) {
    Out += Line;
    if (Hunk.match(Line, &Found)) {
      unsigned First = 0, Count = 1;
      Found[1].getAsInteger(10, First);
      Found[3].getAsInteger(10, Count);
      std::string Head = headOf(First, First + Count - 1, Changes, R);
      Out += (Head.empty() ? "" : " ") + Head;
    }
    Out += '\n';
  }
  Out.pop_back(); // split() sees another line behind the last
  return Out;
}

Error showDiffs(report::Report &R, ArrayRef<Unit> Units, std::string &From) {
  Error LeftOut = Error::success();
  std::vector<std::string> Changed;
  for (const report::FileReport &F : R.Files)
    if (!changesOf(F.Path, R, Units).empty())
      Changed.push_back(F.Path);
  DiffNames Names(Changed);
  for (size_t I = 0; I < R.Files.size(); ++I) {
    report::FileReport &F = R.Files[I];
    std::vector<size_t> Changes = changesOf(F.Path, R, Units);
    if (Changes.empty() || Changes.front() != I)
      continue;
    Expected<std::string> Diff =
        unifiedDiff(Names.of(F.Path), F.Given, withAll(Changes, R, Units));
    if (!Diff) {
      LeftOut = joinErrors(std::move(LeftOut), Diff.takeError());
      continue;
    }
    std::string Text = withHeads(*Diff, Changes, R);
    for (size_t Each : Changes)
      R.Files[Each].Diff = Text;
  }
  From = Names.folder();
  return LeftOut;
}

} // namespace clrewrite::pipeline
