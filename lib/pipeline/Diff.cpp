// Unified diffs, by the system's diff program.
#include "pipeline/Diff.h"
#include "source/Beneath.h"
#include "source/File.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
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
  std::optional<std::string> text() const {
    return expectedToOptional(readRegular(Name, 8 * MostBytesRead));
  }

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
                                  StringRef After) {
  if (Before == After)
    return "";
  ErrorOr<std::string> Program = sys::findProgramByName("diff");
  if (!Program)
    return createStringError("no diff program on PATH (Debian: diffutils)");
  FileInMemory Old(Before), New(After), Out("");
  for (const FileInMemory *Each : {&Old, &New, &Out})
    if (Error E = Each->problem())
      return std::move(E);
  std::string LabelOld = label("a", Path), LabelNew = label("b", Path);
  std::optional<StringRef> Redirects[] = {std::nullopt, Out.name(),
                                          std::nullopt};
  int Status =
      sys::ExecuteAndWait(*Program,
                          {*Program, "-u", "--label", LabelOld, "--label",
                           LabelNew, Old.name(), New.name()},
                          std::nullopt, Redirects);
  std::optional<std::string> Text = Out.text();
  if (Status != 1 || !Text)
    return createStringError("diff ended with status " + Twine(Status));
  return std::move(*Text);
}

} // namespace clrewrite::pipeline
