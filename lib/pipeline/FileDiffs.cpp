// One diff a file. A C++ file may hold several texts, each with a report of its
// own: a diff of each would not apply behind the others.
//
// Behind the @@ of a hunk, where other diffs name the function and patch and
// git apply read nothing, stand its edits and what each gained.
#include "pipeline/FileDiffs.h"
#include "frontend/RawStrings.h"
#include "pipeline/Diff.h"
#include "pipeline/DiffNames.h"
#include "report/Hunks.h"
#include "report/Listing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace clrewrite::pipeline {

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
        std::string Gains = join(report::deltaLines(*O), "; ");
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

Expected<std::string> showDiffs(report::Report &R, ArrayRef<Unit> Units) {
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
    if (!Diff)
      return Diff.takeError();
    std::string Text = withHeads(*Diff, Changes, R);
    for (size_t Each : Changes)
      R.Files[Each].Diff = Text;
  }
  return Names.folder();
}

} // namespace clrewrite::pipeline
