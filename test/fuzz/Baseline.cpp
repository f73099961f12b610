// A baseline, and what is written of it again.
#include "report/Baseline.h"
#include "Fuzz.h"
#include "llvm/Support/ErrorHandling.h"

using namespace clrewrite;
using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Expected<Baseline> B = readBaseline("b.json", textOf(Data, Size));
  if (!B) {
    consumeError(B.takeError());
    return 0;
  }
  if (Expected<Baseline> Again = readBaseline("b.json", toText(*B)))
    return 0;
  else
    report_fatal_error(Again.takeError());
}
