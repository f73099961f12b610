// A launch, of an option and of a comment.
#include "measure/Launch.h"
#include "Fuzz.h"

using namespace clrewrite;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef Text = textOf(Data, Size);
  drop(measure::parseLaunch(Text));
  drop(measure::parseLaunchComment("f", Text));
  drop(measure::parseBytes(Text));
  return 0;
}
