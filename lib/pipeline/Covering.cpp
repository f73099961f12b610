// An original is parsed and instrumented in a child.
#include "pipeline/Covering.h"
#include "cover/Instrument.h"
#include "frontend/BuildOptions.h"
#include "frontend/Parse.h"
#include "measure/TargetFamily.h"
#include "pipeline/Proving.h"
#include "process/Child.h"
#include "source/BoundedJson.h"

using namespace llvm;

namespace clrewrite::pipeline {

static verify::Instrumented problem(std::string Why) {
  verify::Instrumented None;
  None.Problem = std::move(Why);
  return None;
}

static verify::Instrumented instrumented(Source S, const std::string &Standard,
                                         const std::string &Kernel) {
  Expected<std::vector<std::string>> Options =
      frontend::parseBuildOptions(S.Options);
  if (!Options)
    return problem(toString(Options.takeError()));
  S.Options = std::move(*Options);
  if (!Standard.empty())
    S.Options.push_back(Standard);
  verify::Instrumented Out = problem("the original does not parse here");
  frontend::parse(S, measure::archOf({}), /*Colour=*/false,
                  [&](clang::ASTContext &Context, const frontend::Diagnosis &) {
                    Out = cover::instrument(Context, Kernel);
                  });
  return Out;
}

/// Gives the copy of a source that notes which branches of \p Kernel are taken.
static std::function<verify::Instrumented(const Source &)>
instrumenter(std::string Standard, std::string Kernel) {
  return [=](const Source &S) {
    auto work = [&] {
      return formatv("{0}", verify::toJSON(instrumented(S, Standard, Kernel)))
          .str();
    };
    process::ChildResult Result =
        process::runInChildren({work}, {/*Seconds=*/10, 1, 4096}).front();
    if (Result.Status != process::ChildResult::Done)
      return problem("the front end " + Result.Problem);
    verify::Instrumented Out;
    json::Path::Root Root;
    if (fromJSON(jsonOrNull(Result.Output), Out, Root))
      return Out;
    return problem("the front end sent no result");
  };
}

void cover(verify::VerifyOptions &How, const std::string &Standard,
           const rewrite::KernelInfo &Kernel) {
  How.Instrument = instrumenter(Standard, Kernel.Name);
  How.Reach = [=, Given = How](const Source &S, const verify::Instrumented &I,
                               const std::vector<unsigned> &Branches) {
    return shapesOf(
        launchesThatTake(Branches, S, I, Standard, Kernel.Name, Given), Kernel);
  };
}

} // namespace clrewrite::pipeline
