// A plan has the new text of each program, those of its kernels that an edit
// touches or a build option makes faster, and that option.
#include "pipeline/Planning.h"
#include "source/File.h"
#include "source/Options.h"
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

plan::Plan withoutKernels(plan::Plan P, const std::set<std::string> &Names) {
  for (plan::Program &Each : P.Programs)
    erase_if(Each.Kernels,
             [&](const plan::Kernel &K) { return Names.count(K.Name) != 0; });
  erase_if(P.Programs,
           [](const plan::Program &Each) { return Each.Kernels.empty(); });
  return P;
}

namespace {

/// What is kept of a program: edits, and build options by device.
struct Kept {
  /// Those that an edit touches.
  std::set<std::string> Kernels;
  /// What each of its texts and builds is to be built with; "" for no more than
  /// the host passes.
  std::map<std::string, std::set<std::string>> Options;
  /// Those that are faster so.
  std::map<std::string, std::set<std::string>> WithOption;
  /// Those that share variables of the program with other launches: in a second
  /// program they would have variables of their own.
  std::set<std::string> WithState;
  /// How kernels are launched with them, which the layer sees to.
  select::LaunchChanges Launches;
  /// By kernel, which of its arguments must be buffers apart.
  std::map<std::string, std::set<plan::ArgumentPair>> Apart;
  /// One of them asks the host for something else.
  bool Contract = false;
};

/// Adds the edits of \p F to what is kept of a program of it.
void addEdits(const report::FileReport &F, Kept &K) {
  for (const select::Outcome &O : F.Result.Outcomes)
    if (O.Applied) {
      K.Kernels.insert(O.Kernels.begin(), O.Kernels.end());
      K.Contract |= O.Class == rewrite::Safety::Contract && !O.Launch;
      K.Contract |= !select::addChange(K.Launches, O.Kernels, O.Launch);
      for (const std::string &Kernel : O.Kernels)
        K.Apart[Kernel].insert(O.Apart.begin(), O.Apart.end());
    }
  for (const rewrite::KernelInfo &Info : F.Kernels)
    if (Info.KeepsState)
      K.WithState.insert(Info.Name);
}

/// Adds the build options of \p F, one of the builds \p Builds of a program.
void addOptions(const report::FileReport &F, const std::set<unsigned> &Builds,
                Kept &K) {
  std::map<std::pair<std::string, unsigned>, std::string> ByBuild;
  for (const select::BuildChoice &C : F.BuildChoices) {
    if (!Builds.count(C.Build))
      continue;
    std::string &Option = ByBuild[{C.Device, C.Build}];
    if (!C.Kept)
      continue;
    Option = C.Option.Text;
    for (const select::Delta &D : C.Deltas)
      if (D.Time)
        K.WithOption[C.Device].insert(D.Kernel);
  }
  for (const auto &[Where, Option] : ByBuild)
    K.Options[Where.first].insert(Option);
}

std::map<capture::BlobHash, Kept> keptOf(const CapturedUnits &Found,
                                         const report::Report &R) {
  std::map<capture::BlobHash, Kept> Out;
  for (const auto &[U, F] : zip(Found.Units, R.Files)) {
    std::map<capture::BlobHash, std::set<unsigned>> Builds; // by program
    for (const auto &[I, B] : enumerate(U.Builds))
      Builds[Found.Programs[B.Program - 1]].insert(unsigned(I));
    if (F.Problem.empty())
      for (const auto &[Hash, Numbers] : Builds) {
        addEdits(F, Out[Hash]);
        addOptions(F, Numbers, Out[Hash]);
      }
  }
  return Out;
}

/// The texts that a plan is about, new or not, by the names of the programs'
/// own ones.
std::map<capture::BlobHash, std::string> textsOf(const CapturedUnits &Found,
                                                 const report::Report &R) {
  std::map<capture::BlobHash, std::string> Out = rewrittenTexts(Found, R);
  for (const auto &[U, F] : zip(Found.Units, R.Files))
    for (const select::BuildChoice &C : F.BuildChoices)
      if (const Build &B = U.Builds[C.Build]; C.Kept && F.Problem.empty())
        Out.try_emplace(Found.Programs[B.Program - 1],
                        B.Before + F.Result.Result.Text + B.After);
  return Out;
}

/// The option that \p K is built with on \p Device; "" where there is none, or
/// its texts and builds do not agree.
std::string optionOn(const Kept &K, const std::string &Device) {
  auto It = K.Options.find(Device);
  return It != K.Options.end() && It->second.size() == 1 ? *It->second.begin()
                                                         : "";
}

/// The kernels that the plan has of \p K on \p Device.
std::set<std::string> kernelsOn(const Kept &K, const std::string &Device) {
  std::set<std::string> Out = K.Kernels;
  if (!optionOn(K, Device).empty()) {
    const std::set<std::string> &More = K.WithOption.at(Device);
    Out.insert(More.begin(), More.end());
  }
  for (const std::string &Name : K.WithState)
    Out.erase(Name);
  return Out;
}

/// What the user should know of kernels and options that \p K has and the plan
/// has not.
void noteLeftOut(const std::string &Hash, const Kept &K,
                 std::vector<std::string> &Notes) {
  for (const auto &[Device, Options] : K.Options)
    if (Options.size() > 1)
      Notes.push_back("program " + Hash.substr(0, 8) + " is built on " +
                      Device +
                      " with the host's options alone: its texts or builds do "
                      "not agree on one more");
  std::set<std::string> Wanted = K.Kernels;
  for (const auto &[Device, Names] : K.WithOption)
    Wanted.insert(Names.begin(), Names.end());
  for (const std::string &Name : K.WithState)
    if (Wanted.count(Name))
      Notes.push_back("kernel " + Name +
                      " is not in the plan: it uses a variable of the "
                      "program's that outlives a launch");
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
plan::Kernel planned(const std::string &Name, const Kept &K) {
  plan::Kernel Out{Name, Name};
  if (auto Change = K.Launches.find(Name); Change != K.Launches.end()) {
    Out.Divide = Change->second.Factors;
    Out.Local = Change->second.Local;
  }
  if (auto Pairs = K.Apart.find(Name); Pairs != K.Apart.end())
    Out.When.Apart.assign(Pairs->second.begin(), Pairs->second.end());
  return Out;
}

/// The step that ends with what a host launches, if step \p Index of \p C is
/// one that the layer builds a plan's text in the place of: a build, or what
/// compiles the only part of a program that is linked without options.
std::optional<size_t> lastStepOf(const capture::Capture &C, size_t Index) {
  using Step = capture::CapturedBuild;
  const Step &B = C.Builds[Index];
  if (B.Step == Step::Build)
    return Index;
  if (B.Step == Step::Compile && B.Headers.empty())
    for (const auto &[I, L] : enumerate(C.Builds))
      if (L.Step == Step::Link && L.Inputs.size() == 1 &&
          L.Inputs[0].Build == Index && StringRef(L.Options).trim().empty())
        return I;
  return std::nullopt;
}

} // namespace

plan::Plan planOf(const capture::Capture &C, const CapturedUnits &Found,
                  const report::Report &R, std::vector<std::string> &Notes) {
  plan::Plan Out;
  std::map<capture::BlobHash, Kept> All = keptOf(Found, R);
  std::map<capture::BlobHash, std::string> Texts = textsOf(Found, R);
  for (auto It = Texts.begin(); It != Texts.end();) {
    std::string Why = whyNot(Found, It->first, It->second, All[It->first]);
    if (!Why.empty())
      Notes.push_back("program " + It->first.substr(0, 8) +
                      " is not in the plan: " + Why);
    noteLeftOut(It->first, All[It->first], Notes);
    It = Why.empty() ? std::next(It) : Texts.erase(It);
  }
  std::set<std::vector<std::string>> Done;
  for (const auto &[Index, B] : enumerate(C.Builds)) {
    std::optional<size_t> Last = lastStepOf(C, Index);
    if (!B.Program || !Last)
      continue;
    const capture::BlobHash &Hash = C.Programs[*B.Program].Hash;
    auto New = Texts.find(Hash);
    if (New == Texts.end())
      continue;
    const Kept &K = All[Hash];
    for (const capture::CapturedBuild::Result &On : B.Results) {
      const capture::CapturedDevice &D = C.Devices[On.Device];
      std::string Option = optionOn(K, D.Name);
      std::vector<plan::Kernel> Kernels;
      for (const std::string &Name : kernelsOn(K, D.Name))
        if (any_of(C.Kernels, [&](const capture::CapturedKernel &Made) {
              return Made.Build == Last && Made.Name == Name;
            }))
          Kernels.push_back(planned(Name, K));
      if (On.Status == "success" && !Kernels.empty() &&
          Done.insert({Hash, B.Options, D.Name, D.Driver}).second)
        Out.Programs.push_back({Hash, B.Options, D.Name, D.Driver, New->second,
                                withOptions(B.Options, Option), Kernels});
    }
  }
  return Out;
}

} // namespace clrewrite::pipeline
