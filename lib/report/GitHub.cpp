// The report as workflow commands of GitHub Actions, which shows each beside
// its line: an error a file that failed, a warning an edit that is left, a
// notice an edit that was made.
#include "report/Listing.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite {

/// A command ends with its line, so that line ends in its text are escaped;
/// and in what stands before the text, what parts its properties.
static std::string escaped(StringRef Text, bool Property) {
  std::string Out;
  for (char C : Text)
    if (C == '%' || C == '\r' || C == '\n' ||
        (Property && (C == ':' || C == ',')))
      Out += "%" + utohexstr(unsigned(C), /*LowerCase=*/false, /*Width=*/2);
    else
      Out += C;
  return Out;
}

static void command(raw_ostream &OS, StringRef Level, const FileReport &F,
                    unsigned Line, StringRef Title, StringRef Text) {
  OS << "::" << Level << " file=" << escaped(F.Path, true);
  if (Line)
    OS << ",line=" << Line;
  OS << ",title=" << escaped(Title, true) << "::" << escaped(Text, false)
     << "\n";
}

void writeGitHub(const Report &R, raw_ostream &OS) {
  for (const FileReport &F : R.Files) {
    if (!F.Problem.empty()) {
      command(OS, "error", F, 0, "clrewrite", F.Problem);
      continue;
    }
    for (const Warning &W : F.Warnings)
      command(OS, "warning", F, W.Line, "clrewrite", W.Message);
    for (const Outcome *O : keptEdits(F)) {
      std::string Text = headline(*O);
      for (const std::string &Line : deltaLines(*O))
        Text += "\n" + Line;
      command(OS, F.Written ? "notice" : "warning", F, O->Line,
              "clrewrite: " + O->Rewrite, Text);
    }
  }
}

} // namespace clrewrite
