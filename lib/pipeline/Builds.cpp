// Sites and figures of a text that is built in several ways.
#include "pipeline/Builds.h"
#include "source/AddOnce.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::pipeline {

std::vector<measure::Target> targetsOf(ArrayRef<measure::Target> Targets,
                                       ArrayRef<Build> Builds) {
  std::vector<measure::Target> Out;
  for (size_t B = 0; B < Builds.size(); ++B)
    for (measure::Target T : Targets) {
      if (!Builds[B].Name.empty())
        T.Name += ", " + Builds[B].Name;
      T.Build = unsigned(B);
      Out.push_back(std::move(T));
    }
  return Out;
}

namespace {

template <typename T, typename Site>
const T *siteLike(ArrayRef<T> List, const Site &C) {
  auto It = find_if(List, [&](const T &Each) {
    return Each.Offset == C.Offset && Each.Rewrite == C.Rewrite &&
           Each.Function == C.Function;
  });
  return It == List.end() ? nullptr : &*It;
}

/// The preprocessor skips all that \p A replaces in a build with \p Skipped.
/// Insertions at the head of a function stand outside, and are of no effect.
bool isSkipped(const rewrite::Alternative &A, unsigned Offset,
               ArrayRef<std::pair<unsigned, unsigned>> Skipped) {
  auto Holds = [&](unsigned Begin, unsigned End) {
    return any_of(Skipped, [&](const std::pair<unsigned, unsigned> &R) {
      return Begin >= R.first && End <= R.second;
    });
  };
  return Holds(Offset, Offset) && all_of(A.Changes, [&](const Edit &E) {
           return E.Shared || Holds(E.Offset, E.end());
         });
}

/// Merges what one more build says into what the others do.
class Merge {
  rewrite::Findings &Into;
  const rewrite::Findings &More;
  const std::string &Name;

public:
  Merge(rewrite::Findings &Into, const rewrite::Findings &More,
        const std::string &Name)
      : Into(Into), More(More), Name(Name) {}

  /// \p Others skip the text of what only \p More has.
  void run(ArrayRef<const rewrite::Findings *> Others) {
    std::vector<rewrite::Candidate> Kept;
    for (rewrite::Candidate &C : Into.Candidates)
      keep(std::move(C), Kept);
    for (const rewrite::Candidate &C : More.Candidates)
      if (!siteLike<rewrite::Candidate>(Kept, C) &&
          !siteLike<rewrite::Declined>(Into.Declines, C))
        add(C, Others, Kept);
    for (const rewrite::Declined &D : More.Declines)
      if (!siteLike<rewrite::Declined>(Into.Declines, D))
        Into.Declines.push_back(D);
    Into.Candidates = std::move(Kept);
    addKernels();
    for (const rewrite::Warning &W : More.Warnings)
      if (none_of(Into.Warnings, [&](const rewrite::Warning &Other) {
            return Other.Line == W.Line && Other.Message == W.Message;
          }))
        Into.Warnings.push_back(W);
    llvm::sort(Into.Candidates, byPlace<rewrite::Candidate>);
    llvm::sort(Into.Declines, byPlace<rewrite::Declined>);
  }

private:
  template <typename T> static bool byPlace(const T &A, const T &B) {
    return std::tie(A.Offset, A.Rewrite, A.Function) <
           std::tie(B.Offset, B.Rewrite, B.Function);
  }

  void decline(const rewrite::Candidate &C, const std::string &Why) {
    Into.Declines.push_back(
        {C.Rewrite, C.Function, C.Kernels, C.Line, C.Offset, Why});
  }

  /// A site that the builds before have.
  void keep(rewrite::Candidate C, std::vector<rewrite::Candidate> &Kept) {
    if (siteLike<rewrite::Declined>(More.Declines, C))
      return; // Its reason comes with the declined sites of More.
    const rewrite::Candidate *Same =
        siteLike<rewrite::Candidate>(More.Candidates, C);
    llvm::erase_if(C.Alternatives, [&](rewrite::Alternative &A) {
      const rewrite::Alternative *Other = Same ? likeOf(A, *Same) : nullptr;
      if (Other && Other->Class > A.Class)
        // What only one build asks for is asked for.
        std::tie(A.Class, A.Note, A.Ulps) =
            std::tie(Other->Class, Other->Note, Other->Ulps);
      return !Other && !isSkipped(A, C.Offset, More.Skipped);
    });
    if (C.Alternatives.empty())
      return decline(C, "not possible in the build '" + Name + "'");
    if (Same)
      addOnce(C.Kernels, Same->Kernels);
    Kept.push_back(std::move(C));
  }

  static const rewrite::Alternative *likeOf(const rewrite::Alternative &A,
                                            const rewrite::Candidate &C) {
    auto It = find_if(C.Alternatives, [&](const rewrite::Alternative &Other) {
      return Other.Label == A.Label && Other.Changes == A.Changes &&
             Other.Launch == A.Launch;
    });
    return It == C.Alternatives.end() ? nullptr : &*It;
  }

  /// A site that no build before has.
  void add(rewrite::Candidate C, ArrayRef<const rewrite::Findings *> Others,
           std::vector<rewrite::Candidate> &Kept) {
    llvm::erase_if(C.Alternatives, [&](const rewrite::Alternative &A) {
      return any_of(Others, [&](const rewrite::Findings *F) {
        return !isSkipped(A, C.Offset, F->Skipped);
      });
    });
    if (C.Alternatives.empty())
      decline(C, "possible in the build '" + Name + "' only");
    else
      Kept.push_back(std::move(C));
  }

  void addKernels() {
    for (const rewrite::KernelInfo &K : More.Kernels) {
      auto Known = find_if(Into.Kernels, [&](const rewrite::KernelInfo &Other) {
        return Other.Name == K.Name;
      });
      if (Known == Into.Kernels.end()) {
        Into.Kernels.push_back(K);
        continue;
      }
      addOnce(Known->UninitialisedLines, K.UninitialisedLines);
      Known->Dimensions = std::max(Known->Dimensions, K.Dimensions);
      addInputsOf(*Known, K);
    }
    llvm::sort(Into.Kernels,
               [](const rewrite::KernelInfo &A, const rewrite::KernelInfo &B) {
                 return std::tie(A.Line, A.Name) < std::tie(B.Line, B.Name);
               });
  }
};

/// Notes what a first look at \p B tells.
void describe(Build &B, const Sight &Seen) {
  if (B.Seen || Seen.Failed)
    return;
  B.Seen = true;
  if (!Seen.Standard.empty())
    B.Options.push_back(Seen.Standard);
  B.AsForDevice = Seen.AsForDevice;
  B.Headers = Seen.Headers;
  for (const rewrite::KernelInfo &K : Seen.Found.Kernels)
    B.Kernels.push_back(K.Name);
}

} // namespace

namespace {

using Bytes = std::vector<std::pair<unsigned, unsigned>>;

/// What lies in a range of both.
Bytes inBoth(const Bytes &A, const Bytes &B) {
  Bytes Out;
  for (const auto &[Begin, End] : A)
    for (const auto &[OtherBegin, OtherEnd] : B)
      if (std::max(Begin, OtherBegin) < std::min(End, OtherEnd))
        Out.push_back({std::max(Begin, OtherBegin), std::min(End, OtherEnd)});
  return Out;
}

/// Where one of \p Builds declines what another would do, the reason says which
/// one that is.
void nameDecliners(rewrite::Findings &F, ArrayRef<rewrite::Findings> Each,
                   ArrayRef<Build> Builds) {
  auto IsSite = [](const auto &A, const auto &B) {
    return A.Offset == B.Offset && A.Rewrite == B.Rewrite &&
           A.Function == B.Function;
  };
  for (rewrite::Declined &D : F.Declines) {
    auto First = find_if(Each, [&](const rewrite::Findings &One) {
      return any_of(One.Declines, [&](const rewrite::Declined &Other) {
        return IsSite(D, Other) && D.Reason == Other.Reason;
      });
    });
    bool Possible = any_of(Each, [&](const rewrite::Findings &One) {
      return any_of(One.Candidates,
                    [&](const rewrite::Candidate &C) { return IsSite(D, C); });
    });
    if (First != Each.end() && Possible)
      D.Reason +=
          " (in the build '" + Builds[size_t(First - Each.begin())].Name + "')";
  }
}

} // namespace

Sight lookInAll(const Source &Text, MutableArrayRef<Build> Builds,
                unsigned Line,
                function_ref<Sight(const Source &, const Build &)> Look,
                function_ref<void(rewrite::Findings &)> Sift) {
  std::vector<rewrite::Findings> Each;
  Sight Out;
  for (Build &B : Builds) {
    Sight Seen = Look(whole(Text, B, Line), B);
    describe(B, Seen);
    if (Seen.Failed) {
      if (!B.Name.empty())
        Seen.Messages += "in the build '" + B.Name + "'\n";
      Seen.Errors = withinText(std::move(Seen.Errors), Text, B, Line);
      for (SourceError &E : Seen.Errors)
        E.Message += B.Name.empty() ? "" : " (in the build '" + B.Name + "')";
      return Seen;
    }
    addOnce(Out.AssemblyInHeaders, Seen.AssemblyInHeaders);
    Each.push_back(withinText(std::move(Seen.Found), Text, B, Line));
    Sift(Each.back());
  }
  Out.Found = Each.front();
  std::vector<const rewrite::Findings *> Before{&Each.front()};
  for (size_t I = 1; I < Each.size(); ++I) {
    Merge(Out.Found, Each[I], Builds[I].Name).run(Before);
    Before.push_back(&Each[I]);
    Out.Found.Skipped = inBoth(Out.Found.Skipped, Each[I].Skipped);
  }
  nameDecliners(Out.Found, Each, Builds);
  return Out;
}

std::vector<launch::Launch> timedIn(ArrayRef<Build> Builds) {
  std::vector<launch::Launch> List;
  for (const Build &B : Builds)
    for (const launch::Launch &L : B.Launches.Timed)
      if (!launch::launchOf(List, L.Kernel))
        List.push_back(L);
  return List;
}

std::vector<measure::Measurement>
BuildsMeter::measure(ArrayRef<measure::MeasureRequest> Requests) {
  std::vector<measure::MeasureRequest> Asked;
  std::vector<size_t> Of;
  std::vector<measure::Measurement> Out(Requests.size());
  for (size_t I = 0; I < Requests.size(); ++I) {
    measure::MeasureRequest R = Requests[I];
    const Build &B = Builds[R.On.Build];
    bool All = R.Kernels.empty();
    llvm::erase_if(R.Kernels, [&](const std::string &K) {
      return !is_contained(B.Kernels, K);
    });
    if (R.Kernels.empty() && !All)
      continue;
    R.What = whole(R.What, B, Line);
    R.Launches = B.Launches.Facts;
    for (const std::string &Kernel : B.Kernels)
      if (auto It = MadeUp.find({R.On.Name, R.On.Build, Kernel});
          It != MadeUp.end() && !R.Launches.count(Kernel))
        R.Launches[Kernel].MadeUp = It->second;
    Asked.push_back(std::move(R));
    Of.push_back(I);
  }
  static const std::vector<unsigned> None = {0};
  std::vector<measure::Measurement> Answers = Inner.measure(Asked);
  for (size_t I = 0; I < Answers.size(); ++I) {
    const measure::Target &On = Asked[I].On;
    for (const measure::KernelUsage &K : Answers[I].Kernels)
      if (K.measured())
        MadeUp.try_emplace({On.Name, On.Build, K.Kernel},
                           K.Figures.EstLaunch.value_or(None));
    Out[Of[I]] = std::move(Answers[I]);
  }
  return Out;
}

std::vector<measure::Timing>
BuildsMeter::time(ArrayRef<measure::TimeRequest> Requests) {
  std::vector<measure::TimeRequest> Asked;
  std::vector<size_t> Of;
  std::vector<measure::Timing> Out(Requests.size());
  for (size_t I = 0; I < Requests.size(); ++I) {
    measure::TimeRequest R = Requests[I];
    const Build &B = Builds[R.On.Build];
    const launch::Launch *Own =
        launch::launchOf(B.Launches.Timed, R.Shape.Kernel);
    if (!Own)
      continue;
    R.Shape = *Own;
    R.Before = whole(R.Before, B, Line);
    R.After = whole(R.After, B, Line);
    Asked.push_back(std::move(R));
    Of.push_back(I);
  }
  std::vector<measure::Timing> Answers = Inner.time(Asked);
  for (size_t I = 0; I < Answers.size(); ++I)
    Out[Of[I]] = std::move(Answers[I]);
  return Out;
}

std::optional<ChangedCode> changedCode(ArrayRef<measure::Measurement> Before,
                                       ArrayRef<measure::Measurement> After) {
  for (size_t T = 0; T < Before.size(); ++T)
    for (const measure::KernelUsage &K : Before[T].Kernels) {
      const measure::KernelUsage *New = After[T].find(K.Kernel);
      if (K.measured() && (!New || New->CodeHash != K.CodeHash))
        return ChangedCode{K.Kernel, T};
    }
  return std::nullopt;
}

} // namespace clrewrite::pipeline
