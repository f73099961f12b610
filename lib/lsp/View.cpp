// From a report to what an editor shows of it.
#include "lsp/View.h"
#include "report/CurveData.h"
#include "report/Listing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::lsp {
namespace {

std::vector<ViewNote> problemsOf(const report::FileReport &F) {
  std::vector<ViewNote> Out;
  for (const SourceError &E : F.Errors)
    if (E.LineOfText)
      Out.push_back({ViewNote::Error, E.Line, E.Column, "", E.Message, 0, ""});
    else // in a header: it is no place of this text
      Out.push_back({ViewNote::Error, 0, 0, "", describe(E), 0, ""});
  if (Out.empty() && !F.Problem.empty())
    Out.push_back({ViewNote::Error, 0, 0, "", F.Problem, 0, ""});
  for (const rewrite::Warning &W : F.Warnings)
    Out.push_back({ViewNote::Warning, W.Line, 0, "", W.Message, 0, ""});
  return Out;
}

unsigned columnOf(StringRef Text, unsigned Offset) {
  size_t Start = Text.take_front(Offset).rfind('\n') + 1; // npos + 1: 0
  return Offset - unsigned(Start) + 1;
}

const rewrite::KernelInfo *kernelOf(const report::FileReport &F,
                                    const select::Outcome &O) {
  for (const rewrite::KernelInfo &K : F.Kernels)
    if (is_contained(O.Kernels, K.Name) && K.Line)
      return &K;
  return nullptr;
}

ViewNote paying(const report::FileReport &F, const select::Outcome &O) {
  ViewNote N{ViewNote::Information,
             O.Line,
             columnOf(F.Given, O.Offset),
             O.Rewrite,
             report::headline(O),
             0,
             ""};
  for (const std::string &Line : report::deltaLines(O.Deltas))
    N.Message += "\n" + Line;
  if (const rewrite::KernelInfo *K = kernelOf(F, O)) {
    N.RelatedLine = K->Line;
    N.Related = "kernel " + K->Name;
  }
  return N;
}

ViewFigures figuresOf(const report::FileReport &F,
                      const report::KernelRow &Row) {
  ViewFigures Out;
  Out.Target = Row.Target.str();
  Out.Problem = Row.Problem;
  if (Row.Before) {
    Out.Now = *Row.Before;
    Out.Then = *Row.After;
  }
  auto At = find(F.Targets, Row.Target);
  size_t T = size_t(At - F.Targets.begin());
  if (T < F.Live.size())
    if (const measure::KernelPressure *P = F.Live[T].find(Row.Kernel->Name))
      Out.Live = P->Live.Lines;
  if (T < F.Curves.size())
    if (auto C = F.Curves[T].find(Row.Kernel->Name); C != F.Curves[T].end())
      Out.Curves = report::occupancyOf(C->second);
  return Out;
}

ViewSite &siteAt(View &V, const std::string &Rewrite, unsigned Line,
                 unsigned Offset) {
  auto Same = [&](const ViewSite &S) {
    return S.Rewrite == Rewrite && S.Offset == Offset;
  };
  if (auto It = find_if(V.Sites, Same); It != V.Sites.end())
    return *It;
  ViewSite S;
  S.Rewrite = Rewrite;
  S.Line = Line;
  S.Offset = Offset;
  V.Sites.push_back(std::move(S));
  return V.Sites.back();
}

/// Where nobody can apply it alone, those that it goes with are named.
void addFix(ViewSite &S, const report::FileReport &F,
            const select::Outcome &O) {
  std::vector<const select::Outcome *> Group = report::measuredWith(F, O);
  S.Pays = true;
  S.Changes = report::allChanges(Group);
  S.Title = O.Rewrite + " [" + O.Alternative + "]: " + O.Reason;
  if (Group.size() > 1)
    S.Title += " (with " + utostr(Group.size() - 1) + " more of " +
               join(O.Kernels, ", ") + ")";
}

void addSites(View &V, const report::FileReport &F) {
  for (const select::Outcome &O : F.Result.Outcomes) {
    ViewSite &S = siteAt(V, O.Rewrite, O.Line, O.Offset);
    S.Fates.push_back((O.Applied ? "pays: " : "left alone: ") +
                      report::headline(O));
    if (O.Applied)
      addFix(S, F, O);
  }
  for (const rewrite::Declined &D : F.Result.Declines)
    siteAt(V, D.Rewrite, D.Line, D.Offset)
        .Fates.push_back("declined: " + D.Reason);
}

} // namespace

View viewOf(const report::Report &R) {
  View V;
  for (const report::FileReport &F : R.Files) {
    append_range(V.Notes, problemsOf(F));
    for (const select::Outcome *O : report::keptEdits(F))
      V.Notes.push_back(paying(F, *O));
    if (!F.Problem.empty())
      continue;
    for (const rewrite::KernelInfo &K : F.Kernels) {
      if (!K.Line)
        continue; // of another part of the program
      V.Kernels.push_back({K.Name, K.Line, {}});
      for (const report::KernelRow &Row : report::kernelRows(F, K))
        V.Kernels.back().Targets.push_back(figuresOf(F, Row));
    }
    addSites(V, F);
  }
  return V;
}

} // namespace clrewrite::lsp
