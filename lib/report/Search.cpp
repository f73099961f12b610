// The report for --explain-search: each text that the search tried, and what
// came of it.
#include "report/Report.h"
#include "source/AddOnce.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::report {

static std::string labels(ArrayRef<select::Outcome> List) {
  std::vector<std::string> Out;
  for (const select::Outcome &O : List)
    Out.push_back(O.Rewrite + " [" + O.Alternative + "] in line " +
                  utostr(O.Line));
  return join(Out, " and ");
}

/// The kernels that a note is about.
static std::string kernelsOf(const select::SearchNote &N) {
  std::vector<std::string> Out;
  for (const select::Outcome &O : N.Tried)
    addOnce(Out, O.Kernels);
  return join(Out, ", ");
}

void writeSearch(const Report &R, raw_ostream &OS) {
  for (const FileReport &F : R.Files) {
    std::string Where;
    for (const select::SearchNote &N : F.Result.Log) {
      std::string Place = F.Path + ": search of " + kernelsOf(N) + ", round " +
                          utostr(N.Round) +
                          (N.From.empty() ? "" : ", after " + labels(N.From));
      if (Place != Where)
        OS << Place << "\n";
      Where = Place;
      OS << "  " << labels(N.Tried) << ": " << (N.Pays ? "pays: " : "")
         << N.Reason << "\n";
    }
    for (const select::Outcome &O : F.Result.Outcomes)
      if (O.Applied)
        OS << F.Path << ": kept: " << labels(O) << ": " << O.Reason << "\n";
      else if (O.Left == select::WhyNot::TakenOut)
        OS << F.Path << ": taken out again: " << labels(O) << ": " << O.Reason
           << "\n";
      else if (O.Left == select::WhyNot::BelowLive)
        OS << F.Path << ": not tried: " << labels(O) << ": " << O.Reason
           << "\n";
  }
}

} // namespace clrewrite::report
