// A launch, of an option and of a comment.
#include "launch/Launch.h"
#include "Fuzz.h"

using namespace clrewrite;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  llvm::StringRef Text = textOf(Data, Size);
  drop(launch::parseLaunch(Text));
  drop(launch::parseLaunchComment("f", Text));
  drop(launch::parseBytes(Text));
  return 0;
}
