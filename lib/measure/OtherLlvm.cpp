// Asking clrewrite-compile-NN, and reading what it answers.
#include "measure/OtherLlvm.h"
#include "measure/Backend.h"
#include "measure/CompileRequest.h"
#include "source/BoundedJson.h"
#include "source/Installed.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace clrewrite::measure {

/// The program bounds each compilation itself, in time and in memory.
static constexpr process::ChildLimits OneThatLasts{/*Seconds=*/7 * 24 * 60 * 60,
                                                   /*Parallel=*/1,
                                                   /*Memory=*/0};

std::string programWithLlvm(unsigned Major) {
  std::string Name = ("clrewrite-compile-" + Twine(Major)).str();
  if (auto Beside = sys::findProgramByName(Name, {programFolder()}))
    return *Beside;
  if (std::string Packed = installed(Name); !Packed.empty())
    return Packed;
  if (auto OnPath = sys::findProgramByName(Name))
    return *OnPath;
  return "";
}

Expected<std::vector<Target>> parseTargets(StringRef Name) {
  std::vector<std::string> Names;
  auto [Gpu, Version] = Name.split('@');
  if (Version != "all" || Name.starts_with("device"))
    Names = {Name.str()};
  else
    for (unsigned Major = OldestLlvm; Major <= NewestLlvm; ++Major)
      if (Major == LLVM_VERSION_MAJOR || !programWithLlvm(Major).empty())
        Names.push_back((Gpu + "@" + Twine(Major)).str());
  std::vector<Target> Out;
  for (const std::string &Each : Names) {
    Expected<Target> T = parseTarget(Each);
    if (!T)
      return T.takeError();
    Out.push_back(std::move(*T));
  }
  return std::move(Out);
}

OtherLlvm::OtherLlvm(std::string Given, const BackendSettings &Settings)
    : Program(std::move(Given)), Settings(Settings),
      Process({Program, "--serve"}, OneThatLasts) {}

/// The answer to \p List, which is its member \p What of the question.
Expected<json::Value> OtherLlvm::ask(StringRef What, json::Array List) {
  json::Object Question{{"device_libs", textOfBytes(Settings.LibraryDir)},
                        {"seconds", Settings.Limits.Seconds},
                        {"parallel", Settings.Limits.Parallel},
                        {"memory", Settings.Limits.Memory},
                        {What, std::move(List)}};
  std::string Text = jsonText(std::move(Question));
  process::ChildResult Result = Process.run(Text).front();
  if (Result.Status != process::ChildResult::Done)
    return createStringError(Program + " " + Result.Problem);
  Expected<json::Value> Told = parseJson(Result.Output, LargeJson);
  if (Told && Told->getAsObject())
    return Told;
  consumeError(Told.takeError());
  return createStringError(Program + " answers what this clrewrite does not "
                                     "expect: build both of one source");
}

Error OtherLlvm::greet(ArrayRef<Target> Targets) {
  json::Array Names;
  for (const Target &T : Targets)
    Names.push_back(textOfBytes(T.Name));
  Expected<json::Value> Told = ask("targets", std::move(Names));
  if (!Told)
    return Told.takeError();
  Version = Told->getAsObject()->getString("llvm").value_or("").str();
  const json::Array *List = Told->getAsObject()->getArray("targets");
  if (!List || List->size() != Targets.size())
    return createStringError(Program + " knows no targets");
  for (auto [T, Each] : zip(Targets, *List)) {
    json::Path::Root Root;
    json::ObjectMapper O(Each, Root);
    std::string Problem;
    if (!O || !mapBytes(O, "problem", Problem) ||
        !mapBytes(O, "files", Files[T.Name]))
      return createStringError(Program + " knows nothing of " + T.Name);
    if (!Problem.empty())
      return createStringError("target '" + T.Name + "': " + Problem);
  }
  return Error::success();
}

Expected<std::unique_ptr<OtherLlvm>>
OtherLlvm::open(unsigned Major, ArrayRef<Target> Targets,
                const BackendSettings &Settings, std::string Program) {
  if (Program.empty())
    return createStringError(
        "target '%s': clrewrite-compile-%u is neither installed nor on PATH; "
        "install the package of that name, or build it of clrewrite's source "
        "by LLVM=%u ./dev helper",
        Targets.front().Name.c_str(), Major, Major);
  std::unique_ptr<OtherLlvm> Out(new OtherLlvm(std::move(Program), Settings));
  if (Error E = Out->greet(Targets))
    return std::move(E);
  if (StringRef(Out->Version).split('.').first != std::to_string(Major))
    return createStringError(Out->Program + " compiles with LLVM " +
                             Out->Version);
  return std::move(Out);
}

std::vector<std::string> OtherLlvm::files(const Target &On) const {
  std::vector<std::string> Out{Program};
  auto Of = Files.find(On.Name);
  if (Of != Files.end())
    append_range(Out, Of->second);
  return Out;
}

template <typename T>
std::vector<Answer<T>> OtherLlvm::answers(ArrayRef<MeasureRequest> Requests,
                                          int Wanted) {
  json::Array List;
  for (const MeasureRequest &R : Requests)
    List.push_back(toJSON(CompileRequest{R, CompileRequest::Sort(Wanted)}));
  Expected<json::Value> Told = ask("requests", std::move(List));
  std::string Problem = Told ? "" : toString(Told.takeError());
  const json::Array *Each =
      Problem.empty() ? Told->getAsObject()->getArray("answers") : nullptr;
  std::vector<Answer<T>> Out(Requests.size());
  for (size_t I = 0; I < Out.size(); ++I) {
    json::Path::Root Root;
    if (Each && I < Each->size())
      if (json::ObjectMapper O((*Each)[I], Root);
          O && O.map("value", Out[I].Value) && O.map("lasting", Out[I].Lasting))
        continue;
    Out[I] = {};
    Out[I].Lasting = false;
    Out[I].Value.Problem =
        Problem.empty() ? Program + " sent no result" : Problem;
  }
  return Out;
}

std::vector<Answer<Measurement>>
OtherLlvm::measure(ArrayRef<MeasureRequest> Requests) {
  return answers<Measurement>(Requests, CompileRequest::Figures);
}

Answer<PressureReport> OtherLlvm::pressure(const MeasureRequest &Request) {
  return answers<PressureReport>(Request, CompileRequest::Pressure).front();
}

Answer<WorkReport> OtherLlvm::work(const MeasureRequest &Request) {
  return answers<WorkReport>(Request, CompileRequest::Work).front();
}

} // namespace clrewrite::measure
