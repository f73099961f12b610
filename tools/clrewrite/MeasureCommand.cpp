// clrewrite measure: the figures of kernels that people edit by hand.
#include "Commands.h"

namespace clrewrite::cli {

int measureCommand(int Argc, char **Argv) {
  return runTool(Argc, Argv, /*OnlyMeasure=*/true);
}

} // namespace clrewrite::cli
