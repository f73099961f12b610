// A plan has the new text of each program, and those of its kernels that an
// edit touches.
#include "pipeline/Planning.h"
#include "source/File.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace clrewrite::pipeline {

Expected<plan::Plan> readPlanFile(StringRef Path) {
  Expected<std::string> Text = readText(Path);
  if (!Text)
    return Text.takeError();
  std::string Why;
  std::optional<plan::Plan> P = plan::readPlan(*Text, Why);
  if (!P)
    return createStringError(Path + ": " + Why);
  return std::move(*P);
}

namespace {

/// What the kept edits of a program are about.
struct Kept {
  std::set<std::string> Kernels;
  /// Those that share variables of the program with other launches: in a second
  /// program they would have variables of their own.
  std::set<std::string> WithState;
  /// How kernels are launched with them, which the layer sees to.
  select::LaunchChanges Launches;
  /// One of them asks the host for something else.
  bool Contract = false;
};

std::map<capture::BlobHash, Kept> keptOf(const CapturedUnits &Found,
                                         const report::Report &R) {
  std::map<capture::BlobHash, Kept> Out;
  for (const auto &[U, F] : zip(Found.Units, R.Files)) {
    std::set<capture::BlobHash> Programs;
    for (const Build &B : U.Builds)
      Programs.insert(Found.Programs[B.Program - 1]);
    for (const capture::BlobHash &Hash : Programs)
      for (const select::Outcome &O : F.Result.Outcomes) {
        if (!O.Applied || !F.Problem.empty())
          continue;
        Kept &K = Out[Hash];
        for (const rewrite::KernelInfo &Info : F.Kernels)
          if (Info.KeepsState)
            K.WithState.insert(Info.Name);
        K.Kernels.insert(O.Kernels.begin(), O.Kernels.end());
        K.Contract |= O.Class == rewrite::Safety::Contract && !O.Launch;
        K.Contract |= !select::addChange(K.Launches, O.Kernels, O.Launch);
      }
  }
  return Out;
}

/// Why the program \p Hash with the new text \p Text can't be planned; empty
/// where it can.
std::string whyNot(const CapturedUnits &Found, const capture::BlobHash &Hash,
                   const std::string &Text, const Kept &K) {
  if (Found.Rewritten.count(Hash))
    return "its files hold edits of an earlier run, which may ask the host for "
           "something; restore them first";
  if (K.Contract)
    return "an edit asks for a change of the host program";
  if (!plan::isUtf8(Text))
    return "its text is not UTF-8";
  return "";
}

/// The kernel \p Name, launched as its edits need it. Sizes that can't be
/// divided are left to the program's own kernel, so that none is rounded up.
plan::Kernel planned(const std::string &Name,
                     const select::LaunchChanges &Launches) {
  plan::Kernel Out{Name, Name};
  if (auto Change = Launches.find(Name); Change != Launches.end()) {
    Out.Divide = Change->second.Factors;
    Out.Local = Change->second.Local;
  }
  return Out;
}

} // namespace

plan::Plan planOf(const capture::Capture &C, const CapturedUnits &Found,
                  const report::Report &R, std::vector<std::string> &Notes) {
  plan::Plan Out;
  std::map<capture::BlobHash, Kept> All = keptOf(Found, R);
  std::map<capture::BlobHash, std::string> Texts = rewrittenTexts(Found, R);
  for (auto It = Texts.begin(); It != Texts.end();) {
    std::string Why = whyNot(Found, It->first, It->second, All[It->first]);
    if (!Why.empty())
      Notes.push_back("program " + It->first.substr(0, 8) +
                      " is not in the plan: " + Why);
    for (const std::string &Name : All[It->first].WithState)
      if (All[It->first].Kernels.count(Name))
        Notes.push_back("kernel " + Name +
                        " is not in the plan: it uses a variable of the "
                        "program's that outlives a launch");
    It = Why.empty() ? std::next(It) : Texts.erase(It);
  }
  std::set<std::vector<std::string>> Done;
  for (const auto &[Index, B] : enumerate(C.Builds)) {
    if (!B.Program || B.Step != capture::CapturedBuild::Build)
      continue;
    const capture::BlobHash &Hash = C.Programs[*B.Program].Hash;
    auto New = Texts.find(Hash);
    if (New == Texts.end())
      continue;
    std::vector<plan::Kernel> Kernels;
    for (const std::string &Name : All[Hash].Kernels)
      if (!All[Hash].WithState.count(Name) &&
          any_of(C.Kernels, [&, At = Index](const capture::CapturedKernel &K) {
            return K.Build == At && K.Name == Name;
          }))
        Kernels.push_back(planned(Name, All[Hash].Launches));
    for (const capture::CapturedBuild::Result &On : B.Results) {
      const capture::CapturedDevice &D = C.Devices[On.Device];
      if (On.Status == "success" && !Kernels.empty() &&
          Done.insert({Hash, B.Options, D.Name, D.Driver}).second)
        Out.Programs.push_back({Hash, B.Options, D.Name, D.Driver, New->second,
                                B.Options, Kernels});
    }
  }
  return Out;
}

} // namespace clrewrite::pipeline
