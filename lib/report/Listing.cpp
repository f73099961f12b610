// The lists that the writers for other programs share are made of a report.
#include "report/Listing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace clrewrite::report {

void addSandbox(FileReport &F, const std::string &Sandbox) {
  SmallVector<StringRef> Known;
  StringRef(F.Sandbox).split(Known, "; ", -1, /*KeepEmpty=*/false);
  if (!Sandbox.empty() && !is_contained(Known, Sandbox))
    F.Sandbox += (F.Sandbox.empty() ? "" : "; ") + Sandbox;
}

std::vector<std::string> sandboxes(const Report &R) {
  std::vector<std::string> Out;
  for (const FileReport &F : R.Files)
    if (!F.Sandbox.empty() && !is_contained(Out, F.Sandbox))
      Out.push_back(F.Sandbox);
  return Out;
}

bool isToldElsewhere(const Report &R, const FileReport &F,
                     const rewrite::KernelInfo &K) {
  return !K.Line && !F.Result.changed() &&
         any_of(R.Files, [&](const FileReport &Other) {
           return any_of(Other.Kernels, [&](const rewrite::KernelInfo &Each) {
             return Each.Line && Each.Name == K.Name;
           });
         });
}

std::vector<const select::Outcome *> keptEdits(const FileReport &F) {
  std::vector<const select::Outcome *> Out;
  for (const select::Outcome &O : F.Result.Outcomes)
    if (O.Applied && F.Problem.empty())
      Out.push_back(&O);
  return Out;
}

static bool shareKernel(const select::Outcome &A, const select::Outcome &B) {
  if (A.Kernels.empty() && B.Kernels.empty())
    return true;
  return any_of(A.Kernels, [&](const std::string &K) {
    return is_contained(B.Kernels, K);
  });
}

std::vector<const select::Outcome *> measuredWith(const FileReport &F,
                                                  const select::Outcome &O) {
  std::vector<const select::Outcome *> Group = {&O};
  for (size_t I = 0; I < Group.size(); ++I)
    for (const select::Outcome *Other : keptEdits(F))
      if (!is_contained(Group, Other) && shareKernel(*Group[I], *Other))
        Group.push_back(Other);
  return Group;
}

Edits allChanges(ArrayRef<const select::Outcome *> Group) {
  Edits All;
  for (const select::Outcome *O : Group) {
    if (!O->Changes)
      return {};
    for (const Edit &E : *O->Changes)
      if (!(E.Shared && is_contained(All, E)))
        All.push_back(E);
  }
  llvm::sort(All, [](const Edit &A, const Edit &B) {
    return std::tuple(A.Offset, A.end()) < std::tuple(B.Offset, B.end());
  });
  return All;
}

std::string classOf(const select::Outcome &O) {
  return rewrite::name(O.Class).str() +
         (O.For.empty() ? "" : ", for " + join(O.For, " and ") + " alone");
}

std::string headline(const select::Outcome &O) {
  std::string Out =
      O.Rewrite + " [" + O.Alternative + "] (" + classOf(O) + "): " + O.Reason;
  return O.Note.empty() ? Out : Out + "; note: " + O.Note;
}

std::vector<std::string> deltaLines(ArrayRef<select::Delta> List) {
  std::vector<std::string> Out;
  for (const select::Delta &D : List)
    if (D.Before.measured() && D.After.measured())
      Out.push_back(D.Target + " " + D.Kernel + ": " +
                    describe(D.Before.Figures, D.After.Figures) +
                    (D.Time ? ", time " + measure::describe(*D.Time) : ""));
  return Out;
}

static KernelRow rowOf(const FileReport &F, const rewrite::KernelInfo &K,
                       size_t T) {
  const select::Selection &S = F.Result;
  const measure::Measurement &M = S.Before[T];
  KernelRow Row{&K, F.Targets[T], T};
  const measure::KernelUsage *B = M.find(K.Name), *A = S.After[T].find(K.Name);
  if (B && B->measured()) {
    Row.Before = &B->Figures;
    Row.After = A && A->measured() ? &A->Figures : Row.Before;
  } else if (B) {
    Row.Problem = B->Problem;
  } else {
    Row.Problem = M.Problem.empty() ? "not in the compiled module" : M.Problem;
  }
  if (T < S.Times.size())
    if (auto It = S.Times[T].find(K.Name); It != S.Times[T].end())
      Row.Timed = &It->second;
  return Row;
}

std::vector<KernelRow> kernelRows(const FileReport &F,
                                  const rewrite::KernelInfo &K) {
  std::vector<KernelRow> Out;
  bool Somewhere = any_of(F.Result.Before, [&](const measure::Measurement &M) {
    return M.find(K.Name) != nullptr;
  });
  for (size_t T = 0; T < F.Result.Before.size(); ++T) {
    const measure::Measurement &M = F.Result.Before[T];
    // Not every build of a text has every kernel.
    if (M.find(K.Name) || !M.Problem.empty() || !Somewhere)
      Out.push_back(rowOf(F, K, T));
  }
  return Out;
}

std::vector<KernelRow> kernelRows(const FileReport &F) {
  std::vector<KernelRow> Out;
  if (F.Problem.empty())
    for (const rewrite::KernelInfo &K : F.Kernels)
      append_range(Out, kernelRows(F, K));
  return Out;
}

std::vector<const SourceError *> ErrorList::newOf(const FileReport &F) {
  std::vector<const SourceError *> Out;
  for (const SourceError &E : F.Errors)
    if (Told.insert(describe(E)).second)
      Out.push_back(&E);
  return Out;
}

std::string problemOf(const FileReport &F) {
  StringRef Why = F.Problem;
  Why.consume_front(F.Path + ": ");
  if (F.Errors.empty())
    return Why.str();
  std::string Text = describe(F.Errors.front());
  StringRef Place = Text;
  Place.consume_front(F.Path + ":");
  return (Why + ": " + Place.ltrim()).str();
}

size_t fileCount(const Report &R) {
  std::set<StringRef> Paths;
  for (const FileReport &F : R.Files)
    Paths.insert(F.Path);
  return Paths.size();
}

std::optional<unsigned> allSpills(const measure::Usage &U) {
  if (!U.VgprSpills && !U.SgprSpills)
    return std::nullopt;
  return U.VgprSpills.value_or(0) + U.SgprSpills.value_or(0);
}

} // namespace clrewrite::report
