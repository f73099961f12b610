// The report as workflow commands of GitHub Actions, which shows each beside
// its line: an error a file that failed or a kernel that got worse, a warning
// an edit that is left, a notice an edit that was made, or a piece of advice.
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

static void command(raw_ostream &OS, StringRef Level, StringRef Path,
                    unsigned Line, StringRef Title, StringRef Text) {
  OS << "::" << Level << " file=" << escaped(Path, true);
  if (Line)
    OS << ",line=" << Line;
  OS << ",title=" << escaped(Title, true) << "::" << escaped(Text, false)
     << "\n";
}

/// What got worse, and in a notice what all came to.
static void baseline(const BaselineReport &B, raw_ostream &OS) {
  for (const BaselineRow &Row : B.Rows)
    if (Row.What == Fate::Worse)
      command(OS, "error", Row.Path, Row.Line, "clrewrite: regression",
              Row.Kernel + " on " + Row.Target + ": " + Row.text());
  command(OS, "notice", B.Path, 0, "clrewrite: baseline",
          B.headline() + (B.Note.empty() ? "" : "\n" + B.Note));
}

void writeGitHub(const Report &R, raw_ostream &OS) {
  for (const FileReport &F : R.Files) {
    if (!F.Problem.empty()) {
      command(OS, "error", F.Path, 0, "clrewrite", F.Problem);
      continue;
    }
    for (const Warning &W : F.Warnings)
      command(OS, "warning", F.Path, W.Line, "clrewrite", W.Message);
    for (const Outcome *O : keptEdits(F)) {
      std::string Text = headline(*O);
      for (const std::string &Line : deltaLines(*O))
        Text += "\n" + Line;
      command(OS, F.Written ? "notice" : "warning", F.Path, O->Line,
              "clrewrite: " + O->Rewrite, Text);
    }
    for (const Advice &A : F.Advised)
      command(OS, "notice", F.Path, A.Line, "clrewrite: " + A.Name, A.Message);
  }
  if (R.Against)
    baseline(*R.Against, OS);
}

} // namespace clrewrite
