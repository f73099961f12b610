// Comparing the data that two captures recorded.
#include "pipeline/CompareRuns.h"
#include "launch/Launch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::pipeline {

/// Launches of one kernel and shape, which both runs have.
static std::string shapeOf(const capture::Capture &C,
                           const capture::CapturedLaunch &L) {
  std::string Key =
      C.Kernels[L.Kernel].Name + " " + launch::sizesText(L.Global) + ":" +
      launch::sizesText(L.Local) + "+" + launch::sizesText(L.Offset);
  for (const capture::CapturedArgument &A : L.Arguments)
    Key += " " + utostr(unsigned(A.Kind)) + "," + utostr(A.Size.value_or(0)) +
           "," + toHex(A.Value);
  return Key;
}

std::string differingBytes(const RunBytes &Own, const RunBytes &New) {
  Expected<std::string> A = Own.Run->blob(Own.Data->After);
  Expected<std::string> B = New.Run->blob(New.Data->After);
  if (!A || !B || A->size() != B->size()) {
    consumeError(A.takeError());
    consumeError(B.takeError());
    return "";
  }
  size_t First = A->size(), Count = 0;
  for (size_t I = 0; I < A->size(); ++I)
    if ((*A)[I] != (*B)[I]) {
      First = std::min(First, I);
      ++Count;
    }
  return formatv("{0} of {1} bytes, the first at {2}", Count, A->size(), First);
}

bool differsWhereSteady(const RunBytes &Own, const RunBytes &New,
                        ArrayRef<RunBytes> More) {
  // Where the bytes before a launch are not known, it wrote them all.
  bool Known = !Own.Data->Before.empty() && !New.Data->Before.empty();
  std::vector<std::pair<const capture::Capture *, capture::BlobHash>> Blobs{
      {Own.Run, Own.Data->After}, {New.Run, New.Data->After}};
  if (Known)
    Blobs.insert(Blobs.end(),
                 {{Own.Run, Own.Data->Before}, {New.Run, New.Data->Before}});
  size_t FirstOfMore = Blobs.size();
  for (const RunBytes &R : More)
    Blobs.push_back({R.Run, R.Data->After});
  std::vector<std::string> Texts;
  for (const auto &[Run, Hash] : Blobs) {
    Expected<std::string> Bytes = Run->blob(Hash);
    if (!Bytes) {
      consumeError(Bytes.takeError());
      return true;
    }
    Texts.push_back(std::move(*Bytes));
    if (Texts.back().size() != Texts.front().size())
      return true;
  }
  for (size_t I = 0; I < Texts[0].size(); ++I) {
    if (Texts[0][I] == Texts[1][I])
      continue;
    bool Written =
        !Known || Texts[0][I] != Texts[2][I] || Texts[1][I] != Texts[3][I];
    if (Written &&
        all_of(ArrayRef(Texts).drop_front(FirstOfMore),
               [&](const std::string &Text) { return Text[I] == Texts[0][I]; }))
      return true;
  }
  return false;
}

namespace {

struct LaunchPair {
  const capture::Capture &A, &B;
  const capture::CapturedLaunch &One, &Other;
  std::string Key; ///< what both runs call it
};

} // namespace

static const capture::CapturedData *
likeOf(const capture::CapturedData &D, const capture::CapturedLaunch &Other) {
  auto It = find_if(Other.Data, [&](const capture::CapturedData &E) {
    return E.Sample == D.Sample && E.Argument == D.Argument &&
           (E.Argument || E.Size == D.Size);
  });
  return It == Other.Data.end() ? nullptr : &*It;
}

static void compareLaunch(const LaunchPair &P, RunComparison &Out) {
  bool FoundOther = any_of(P.One.Data, [&](const capture::CapturedData &D) {
    const capture::CapturedData *E = likeOf(D, P.Other);
    return E && E->Before != D.Before;
  });
  for (const capture::CapturedData &D : P.One.Data) {
    const capture::CapturedData *Same = likeOf(D, P.Other);
    std::string What =
        "kernel " + P.A.Kernels[P.One.Kernel].Name +
        (D.Argument ? ", argument " + utostr(*D.Argument) : ", SVM memory");
    if (!Same || D.After.empty() || Same->After.empty()) {
      Out.Notes.push_back(What + ": not compared" +
                          (D.Unreadable.empty() ? "" : ": " + D.Unreadable));
      continue;
    }
    std::string Object =
        formatv("{0} {1} {2} {3}", P.Key, D.Sample,
                D.Argument ? int(*D.Argument) : -1, D.Argument ? 0 : D.Mem);
    if (D.After == Same->After ||
        !differsWhereSteady({&P.A, &D}, {&P.B, Same}, {}))
      ++Out.Same;
    else
      Out.Unlike[Object] = {What, &D, Same, FoundOther};
  }
}

RunComparison compareRuns(const capture::Capture &A,
                          const capture::Capture &B) {
  RunComparison Out;
  std::map<std::string, std::vector<const capture::CapturedLaunch *>> Others;
  for (const capture::CapturedLaunch &L : B.Launches)
    Others[shapeOf(B, L)].push_back(&L);
  std::map<std::string, size_t> Next;
  for (const capture::CapturedLaunch &L : A.Launches) {
    std::string Key = shapeOf(A, L);
    auto &List = Others[Key];
    size_t At = Next[Key]++;
    if (At >= List.size())
      Out.Notes.push_back("a launch of kernel " + A.Kernels[L.Kernel].Name +
                          " has none like it with the rewritten kernels");
    else
      compareLaunch({A, B, L, *List[At], Key + " #" + utostr(At)}, Out);
  }
  return Out;
}

} // namespace clrewrite::pipeline
