// Unified diffs, by the system's diff program.
#include "pipeline/Diff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace clrewrite {

/// A temporary file with \p Text; its name in \p Path.
static Error spill(StringRef Text, SmallString<128> &Path) {
  int FD;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("clrewrite", "cl", FD, Path))
    return createStringError("cannot make a temporary file: " + EC.message());
  raw_fd_ostream OS(FD, /*shouldClose=*/true);
  OS << Text;
  return Error::success();
}

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
  SmallString<128> Old, New, Out;
  if (Error E = spill(Before, Old))
    return E;
  FileRemover RemoveOld(Old);
  if (Error E = spill(After, New))
    return E;
  FileRemover RemoveNew(New);
  if (Error E = spill("", Out))
    return E;
  FileRemover RemoveOut(Out);
  std::string LabelOld = label("a", Path), LabelNew = label("b", Path);
  std::optional<StringRef> Redirects[] = {std::nullopt, StringRef(Out),
                                          std::nullopt};
  int Status = sys::ExecuteAndWait(
      *Program,
      {*Program, "-u", "--label", LabelOld, "--label", LabelNew, Old, New},
      std::nullopt, Redirects);
  auto Text = MemoryBuffer::getFile(Out);
  if (Status != 1 || !Text)
    return createStringError("diff ended with status " + Twine(Status));
  return (*Text)->getBuffer().str();
}

} // namespace clrewrite
