// One diff a file. A C++ file may hold several texts, each with a report of its
// own: a diff of each would not apply behind the others.
#include "pipeline/FileDiffs.h"
#include "frontend/RawStrings.h"
#include "pipeline/Diff.h"

using namespace llvm;

namespace clrewrite {

/// The reports of one file that change it, in the order of their texts.
static std::vector<size_t> changesOf(const std::string &Path, const Report &R,
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
static std::string withAll(ArrayRef<size_t> Changes, const Report &R,
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
    Out += P.Escaped ? escaped(Text) : Text;
    Done = P.End;
  }
  return Out + Given.substr(Done);
}

Error showDiffs(Report &R, ArrayRef<Unit> Units) {
  for (size_t I = 0; I < R.Files.size(); ++I) {
    FileReport &F = R.Files[I];
    std::vector<size_t> Changes = changesOf(F.Path, R, Units);
    if (Changes.empty() || Changes.front() != I)
      continue;
    Expected<std::string> Diff =
        unifiedDiff(F.Path, F.Given, withAll(Changes, R, Units));
    if (!Diff)
      return Diff.takeError();
    for (size_t Each : Changes)
      R.Files[Each].Diff = *Diff;
  }
  return Error::success();
}

} // namespace clrewrite
