// Reading the file of a plan.
#include "pipeline/PlanFile.h"
#include "source/File.h"

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

} // namespace clrewrite::pipeline
