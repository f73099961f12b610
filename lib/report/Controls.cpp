// A report for those who obey control characters: terminals, logs.
#include "report/Report.h"
#include "source/Printable.h"

using namespace llvm;

namespace clrewrite::report {
namespace {

void name(std::string &Text) { Text = printable(Text); }
void text(std::string &Text) { Text = printable(Text, /*KeepLines=*/true); }

void outcome(select::Outcome &O) {
  text(O.Reason);
  text(O.Note);
}

void file(FileReport &F) {
  name(F.Path);
  for (std::string &Target : F.Targets)
    name(Target);
  text(F.Problem);
  for (SourceError &E : F.Errors) {
    name(E.Path);
    text(E.Message);
  }
  for (rewrite::Warning &W : F.Warnings)
    text(W.Message);
  for (select::Outcome &O : F.Result.Outcomes)
    outcome(O);
  for (rewrite::Declined &D : F.Result.Declines)
    text(D.Reason);
  for (select::SearchNote &N : F.Result.Log) {
    text(N.Reason);
    for (std::vector<select::Outcome> *List : {&N.From, &N.Tried})
      for (select::Outcome &O : *List)
        outcome(O);
  }
  for (KernelEvidence &E : F.Verified)
    text(E.Evidence);
  for (advice::Advice &A : F.Advised)
    text(A.Message);
  name(F.Sandbox);
  for (std::string &What : F.Unseen)
    name(What);
}

} // namespace

Report withoutControls(Report R) {
  for (FileReport &F : R.Files)
    file(F);
  if (R.Against) {
    name(R.Against->Path);
    text(R.Against->Note);
    for (BaselineRow &Row : R.Against->Rows) {
      name(Row.Path);
      name(Row.Kernel);
      name(Row.Target);
      text(Row.Problem);
    }
  }
  return R;
}

} // namespace clrewrite::report
