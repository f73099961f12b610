// The report as Markdown, for a comment on a pull request: a table of kernels
// by target, one of edits, and the files that failed.
#include "report/Listing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::report {
namespace {

/// Text that stands for itself, in a cell of a table too.
std::string asMarkdown(StringRef Given) {
  std::string Out, Text = json::fixUTF8(Given);
  for (char C : Text)
    if (C == '\n' || C == '\r')
      Out += ' ';
    else if (C == '<')
      Out += "&lt;";
    else if (C == '&')
      Out += "&amp;";
    else
      Out +=
          (StringRef("\\`*_|[]~#").contains(C) ? "\\" : "") + std::string(1, C);
  return Out;
}

/// The text as code, where Markdown can write it so.
std::string code(StringRef Text) {
  if (Text.find_first_of("`|\\\r\n") != StringRef::npos)
    return asMarkdown(Text);
  return "`" + json::fixUTF8(Text) + "`";
}

std::string place(const FileReport &F, unsigned Line) {
  return code(Line ? F.Path + ":" + utostr(Line) : F.Path);
}

std::string where(const SourceError &E) {
  return E.Path + (E.Line ? ":" + utostr(E.Line) : "") +
         (E.Line && E.Column ? ":" + utostr(E.Column) : "");
}

std::string change(const std::string &A, const std::string &B) {
  if (A == B)
    return A;
  return (A.empty() ? "?" : A) + " → **" + (B.empty() ? "?" : B) + "**";
}

std::string change(std::optional<unsigned> A, std::optional<unsigned> B) {
  return change(A ? utostr(*A) : "", B ? utostr(*B) : "");
}

std::string cycles(const measure::Usage &U) {
  return U.EstCycles ? formatv("{0:f0}", *U.EstCycles).str() : "";
}

std::string occupancy(const measure::Usage &A, const measure::Usage &B) {
  std::string Out = change(A.Occupancy, B.Occupancy);
  return B.OccupancyMax ? Out + " of " + utostr(*B.OccupancyMax) : Out;
}

void kernels(const Report &R, raw_ostream &OS) {
  bool Head = false;
  for (const FileReport &F : R.Files)
    for (const KernelRow &Row : kernelRows(F)) {
      if (!Head)
        OS << "| kernel | target | VGPRs | spills | occupancy | est. cycles | "
              "time |\n|---|---|---:|---:|---:|---:|---:|\n";
      Head = true;
      OS << "| " << code(Row.Kernel->Name) << " (" << place(F, Row.Kernel->Line)
         << ") | " << asMarkdown(Row.Target) << " | ";
      if (!Row.Before) {
        OS << asMarkdown(Row.Problem) << " | | | | |\n";
        continue;
      }
      const measure::Usage &A = *Row.Before, &B = *Row.After;
      OS << change(A.Vgprs, B.Vgprs) << " | "
         << change(allSpills(A), allSpills(B)) << " | " << occupancy(A, B)
         << " | " << change(cycles(A), cycles(B)) << " | "
         << (Row.time() ? asMarkdown(measure::describe(*Row.time())) : "")
         << " |\n";
    }
  if (Head)
    OS << "\n";
}

void edits(const Report &R, raw_ostream &OS) {
  bool Head = false;
  for (const FileReport &F : R.Files)
    for (const select::Outcome *O : keptEdits(F)) {
      if (!Head)
        OS << "| edit | where | safety | state | why |\n|---|---|---|---|---|"
              "\n";
      Head = true;
      OS << "| " << code(O->Rewrite) << " " << asMarkdown("[" + O->Alternative)
         << "\\] | " << place(F, O->Line) << " | " << rewrite::name(O->Class)
         << " | " << (F.Written ? "applied" : "left") << " | "
         << asMarkdown(O->Reason +
                       (O->Note.empty() ? "" : "; note: " + O->Note));
      // The gain of the edit alone, where there are others.
      if (keptEdits(F).size() > 1)
        for (const std::string &Line : deltaLines(O->Deltas))
          OS << "<br>" << asMarkdown(Line);
      OS << " |\n";
    }
  if (Head)
    OS << "\n";
}

std::string cell(const std::optional<measure::Usage> &A,
                 const std::optional<measure::Usage> &B,
                 std::optional<unsigned> (*Of)(const measure::Usage &)) {
  auto Text = [&](const std::optional<measure::Usage> &U) {
    std::optional<unsigned> V = U ? Of(*U) : std::nullopt;
    return V ? utostr(*V) : std::string();
  };
  if (A && B)
    return change(Text(A), Text(B));
  return Text(A ? A : B);
}

/// What is not as the baseline has it; a kernel that is new or gone has one
/// side.
void baselineRows(const BaselineReport &B, raw_ostream &OS) {
  OS << "| kernel | target | | VGPRs | spills | scratch | occupancy | what "
        "changed |\n|---|---|---|---:|---:|---:|---:|---|\n";
  for (const BaselineRow &Row : B.Rows) {
    if (Row.What == Fate::Same)
      continue;
    StringRef Mark = Row.What == Fate::Worse ? "**" : "";
    OS << "| " << code(Row.Kernel) << " ("
       << code(Row.Line ? Row.Path + ":" + utostr(Row.Line) : Row.Path)
       << ") | " << asMarkdown(Row.Target) << " | " << Mark << name(Row.What)
       << Mark;
    for (auto *Of : {+[](const measure::Usage &U) { return U.Vgprs; },
                     +[](const measure::Usage &U) { return allSpills(U); },
                     +[](const measure::Usage &U) { return U.ScratchBytes; },
                     +[](const measure::Usage &U) { return U.Occupancy; }})
      OS << " | " << cell(Row.Before, Row.After, Of);
    OS << " | " << asMarkdown(Row.text()) << " |\n";
  }
  OS << "\n";
}

void baselineSums(const BaselineReport &B, raw_ostream &OS) {
  bool Head = false;
  for (const FigureSum &S : B.sums()) {
    if (!S.changed())
      continue;
    if (!Head)
      OS << "| sum | all | affected | helped | hurt |\n|---|---:|---:|---:|"
            "---:|\n";
    Head = true;
    OS << formatv("| {0} | {1:f0} → {2:f0} | {3:f0} → {4:f0} | {5} | {6} |\n",
                  S.Name, S.Before, S.After, S.AffectedBefore, S.AffectedAfter,
                  S.Helped, S.Hurt);
  }
  if (Head)
    OS << "\n";
}

void baselineSection(const BaselineReport &B, raw_ostream &OS) {
  OS << "Against " << code(B.Path) << ": " << B.headline()
     << (B.Written ? "; it was written again" : "") << "\n\n";
  if (!B.Note.empty())
    OS << asMarkdown(B.Note) << "\n\n";
  if (B.count(Fate::Same) != B.Rows.size())
    baselineRows(B, OS);
  baselineSums(B, OS);
  if (!B.Diff.empty())
    OS << "```diff\n" << B.Diff << "```\n\n";
}

/// The kernels that ran on a device, and what confined them.
void notes(const Report &R, raw_ostream &OS) {
  std::string Text;
  raw_string_ostream List(Text);
  for (const FileReport &F : R.Files)
    for (const std::string &What : F.Unseen)
      List << "- " << place(F, 0) << ": " << UnseenWords << asMarkdown(What)
           << "\n";
  for (const std::string &Each : sandboxes(R))
    List << "- " << SandboxWords << asMarkdown(Each) << "\n";
  if (!Text.empty())
    OS << Text << "\n";
}

} // namespace

void writeMarkdown(const Report &R, raw_ostream &OS) {
  kernels(R, OS);
  edits(R, OS);
  bool Failed = false;
  ErrorList Errors;
  for (const FileReport &F : R.Files)
    if (!F.Problem.empty()) {
      StringRef Why = F.Problem;
      Why.consume_front(F.Path + ": ");
      OS << "- " << place(F, 0) << ": " << asMarkdown(Why) << "\n";
      for (const SourceError *E : Errors.newOf(F))
        OS << "  - " << code(where(*E)) << ": " << asMarkdown(E->Message)
           << "\n";
      Failed = true;
    }
  if (Failed)
    OS << "\n";
  notes(R, OS);
  if (R.Against)
    baselineSection(*R.Against, OS);
  size_t Kernels = 0, Left = 0, Applied = 0;
  for (const FileReport &F : R.Files) {
    Kernels += F.Kernels.size();
    (F.Written ? Applied : Left) += keptEdits(F).size();
  }
  OS << fileCount(R) << (fileCount(R) == 1 ? " file, " : " files, ") << Kernels
     << (Kernels == 1 ? " kernel; " : " kernels; ")
     << (R.Unmeasured ? "legal edits: " : "edits that pay: ") << Left
     << " left, " << Applied << " applied\n";
}

} // namespace clrewrite::report
