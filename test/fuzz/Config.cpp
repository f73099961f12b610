// A configuration, .clrewrite.yaml.
#include "config/Config.h"
#include "Fuzz.h"

using namespace clrewrite;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  drop(config::readConfig("/p/.clrewrite.yaml", textOf(Data, Size)));
  return 0;
}
