// The mode --add-suppressions.
#include "AddSuppressions.h"
#include "CommonOptions.h"
#include "llvm/ADT/MapVector.h"

using namespace llvm;

namespace clrewrite::cli {

static cl::opt<bool>
    Add("add-suppressions",
        cl::desc("Write comments into the files that suppress the edits that "
                 "pay"),
        cl::cat(Modes));

bool addsSuppressions() { return Add; }

void writeAdded(const report::Report &R, raw_ostream &OS) {
  MapVector<StringRef, unsigned> Files; // one may hold several texts
  unsigned All = 0;
  for (const report::FileReport &F : R.Files)
    if (F.Written) {
      Files[F.Path] += F.Suppressed;
      All += F.Suppressed;
    }
  auto Count = [](unsigned N) {
    return Twine(N).str() + (N == 1 ? " suppression" : " suppressions");
  };
  for (const auto &[Path, N] : Files)
    OS << Path << ": " << Count(N) << " added\n";
  OS << Count(All) << " added in " << Files.size()
     << (Files.size() == 1 ? " file\n" : " files\n");
}

} // namespace clrewrite::cli
