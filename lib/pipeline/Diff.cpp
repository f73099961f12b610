// Unified diffs, by the system's diff program.
#include "pipeline/Diff.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
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
  StringRef Relative = sys::path::relative_path(Path);
  std::string LabelOld = ("a/" + Relative).str();
  std::string LabelNew = ("b/" + Relative).str();
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
