// The report as workflow commands of GitHub Actions, which shows each beside
// its line: an error a line that does not parse, a file that failed or a kernel
// that got worse, a warning an edit that is left, a notice an edit that was
// made, or a piece of advice.
#include "report/Listing.h"
#include "source/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::report {

/// A command ends with its line, so that line ends in its text are escaped;
/// and in what stands before the text, what parts its properties.
static std::string escaped(StringRef Given, bool Property) {
  std::string Out, Text = printable(json::fixUTF8(Given), /*KeepLines=*/true);
  for (char C : Text)
    if (C == '%' || C == '\r' || C == '\n' ||
        (Property && (C == ':' || C == ',')))
      Out += "%" + utohexstr(unsigned(C), /*LowerCase=*/false, /*Width=*/2);
    else
      Out += C;
  return Out;
}

/// From 1; 0 where unknown.
struct Place {
  unsigned Line = 0, Column = 0;
};

static void command(raw_ostream &OS, StringRef Level, StringRef Path, Place At,
                    StringRef Title, StringRef Text) {
  OS << "::" << Level << " file=" << escaped(Path, true);
  if (At.Line)
    OS << ",line=" << At.Line;
  if (At.Line && At.Column)
    OS << ",col=" << At.Column;
  OS << ",title=" << escaped(Title, true) << "::" << escaped(Text, false)
     << "\n";
}

/// The figures that got worse, and in a notice the sum of the run.
static void baseline(const BaselineReport &B, raw_ostream &OS) {
  for (const BaselineRow &Row : B.Rows)
    if (Row.What == Fate::Worse)
      command(OS, "error", Row.Path, {Row.Line}, "clrewrite: regression",
              Row.Kernel + " on " + Row.Target + ": " + Row.text());
  command(OS, "notice", B.Path, {}, "clrewrite: baseline",
          B.headline() + (B.Note.empty() ? "" : "\n" + B.Note));
}

/// An annotation an error; of the whole file where none stands in it.
static void failed(const FileReport &F, ArrayRef<const SourceError *> Errors,
                   raw_ostream &OS) {
  if (none_of(F.Errors,
              [&](const SourceError &E) { return E.Path == F.Path && E.Line; }))
    command(OS, "error", F.Path, {}, "clrewrite",
            F.Errors.empty() ? F.Problem : problemOf(F));
  for (const SourceError *E : Errors)
    if (E->Line)
      command(OS, "error", E->Path, {E->Line, E->Column},
              "clrewrite: " + F.Problem, E->Message);
}

void writeGitHub(const Report &R, raw_ostream &OS) {
  ErrorList Errors;
  for (const FileReport &F : R.Files) {
    if (!F.Problem.empty()) {
      failed(F, Errors.newOf(F), OS);
      continue;
    }
    for (const rewrite::Warning &W : F.Warnings)
      command(OS, "warning", F.Path, {W.Line}, "clrewrite", W.Message);
    for (const select::Outcome *O : keptEdits(F)) {
      std::string Text = headline(*O);
      for (const std::string &Line : deltaLines(O->Deltas))
        Text += "\n" + Line;
      command(OS, F.Written ? "notice" : "warning", F.Path, {O->Line},
              "clrewrite: " + O->Rewrite, Text);
    }
    for (const advice::Advice &A : F.Advised)
      command(OS, "notice", F.Path, {A.Line}, "clrewrite: " + A.Name,
              A.Message);
  }
  if (R.Against)
    baseline(*R.Against, OS);
}

} // namespace clrewrite::report
