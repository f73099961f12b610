// Looking for advice, a child process a build.
#include "pipeline/Advising.h"
#include "frontend/Parse.h"
#include "measure/TargetFamily.h"
#include "measure/estimate/Estimate.h"
#include "source/BoundedJson.h"
#include "source/Lines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::pipeline {

/// Scratch memory of a lane that spilled registers don't account for, at 4
/// bytes each.
static unsigned scratchOf(const measure::Usage &U) {
  unsigned Spilled = 4 * (U.VgprSpills.value_or(0) + U.SgprSpills.value_or(0));
  unsigned All = U.ScratchBytes.value_or(0);
  return All > Spilled ? All - Spilled : 0;
}

/// What finders are told of build number \p Number.
static advice::AdviceFacts factsOf(size_t Number, const Build &B,
                                   ArrayRef<measure::Target> Targets,
                                   ArrayRef<measure::Measurement> Measured) {
  advice::AdviceFacts Facts;
  for (size_t T = 0; T < Targets.size(); ++T) {
    const measure::Target &On = Targets[T];
    if (On.Build != Number || On.isDevice())
      continue;
    Facts.Waves.push_back({On.Name, measure::gpuModel(On.Cpu).WaveLanes});
    if (T >= Measured.size())
      continue;
    for (const measure::KernelUsage &K : Measured[T].Kernels)
      if (K.measured())
        Facts.Scratches.push_back({K.Kernel, On.Name, scratchOf(K.Figures)});
  }
  for (const launch::Launch &L : B.Launches.Timed)
    Facts.Groups.push_back({L.Kernel, L.Local});
  return Facts;
}

namespace {

/// What a child sends: the advice for one build.
std::string advise(const Source &S, const frontend::Arch &A,
                   ArrayRef<const advice::AdviceSort *> Sorts,
                   const advice::AdviceFacts &Facts) {
  json::Array List;
  frontend::Diagnosis D = frontend::parse(
      S, A, /*Colour=*/false,
      [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
        for (const advice::Advice &A :
             advice::findAdvice(Context, Sorts, Facts))
          List.push_back(advice::toJSON(A));
      });
  std::string Text;
  raw_string_ostream OS(Text);
  OS << json::Value(
      json::Object{{"advice", std::move(List)}, {"errors", D.Errors}});
  return Text;
}

Expected<std::vector<advice::Advice>> received(const process::ChildResult &R,
                                               StringRef Path) {
  if (R.Status != process::ChildResult::Done)
    return createStringError(Path + ": no advice: the front end " + R.Problem);
  std::vector<advice::Advice> Out;
  unsigned Errors = 0;
  json::Path::Root Root;
  Expected<json::Value> V = parseJson(R.Output);
  if (!V)
    return V.takeError();
  json::ObjectMapper O(*V, Root);
  if (!O || !O.map("advice", Out) || !O.map("errors", Errors) || Errors)
    return createStringError(Path + ": no advice: it does not parse");
  return Out;
}

} // namespace

Expected<std::vector<advice::Advice>>
adviceFor(const BuiltText &Text, ArrayRef<measure::Measurement> Measured,
          ArrayRef<const advice::AdviceSort *> Sorts,
          const process::ChildLimits &Limits) {
  const Source &Given = Text.Given;
  ArrayRef<Build> Builds = Text.Builds;
  frontend::Arch Common = measure::archOf(Text.Targets);
  std::optional<frontend::Arch> Device = measure::deviceArchOf(Text.Targets);
  std::vector<advice::AdviceFacts> Facts;
  std::vector<std::function<std::string()>> Work;
  std::vector<Source> Wholes;
  for (const Build &B : Builds)
    Wholes.push_back(Text.as(B));
  for (size_t I = 0; I < Builds.size(); ++I)
    Facts.push_back(factsOf(I, Builds[I], Text.Targets, Measured));
  for (size_t I = 0; I < Builds.size(); ++I)
    Work.push_back([&, I] {
      return advise(Wholes[I],
                    Builds[I].AsForDevice && Device ? *Device : Common, Sorts,
                    Facts[I]);
    });
  std::vector<process::ChildResult> Results =
      process::runInChildren(Work, Limits);
  std::vector<advice::Advice> Out;
  for (size_t I = 0; I < Builds.size(); ++I) {
    Expected<std::vector<advice::Advice>> Each =
        received(Results[I], Given.Path);
    if (!Each)
      return Each.takeError();
    // What the host puts before the text comes first in the whole.
    size_t Ahead =
        Wholes[I].Text.size() - Given.Text.size() - Builds[I].After.size();
    for (advice::Advice &Note : *Each) {
      if (Note.Offset < Ahead || Note.Offset >= Ahead + Given.Text.size())
        continue;
      Note.Offset -= unsigned(Ahead);
      Note.Line = lineAt(Given.Text, Note.Offset);
      Out.push_back(std::move(Note));
    }
  }
  llvm::sort(Out);
  Out.erase(llvm::unique(Out), Out.end());
  return Out;
}

} // namespace clrewrite::pipeline
