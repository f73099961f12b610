// A baseline, and what is written of it again.
#include "report/Baseline.h"
#include "Fuzz.h"
#include "llvm/Support/ErrorHandling.h"

using namespace clrewrite;
using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Expected<report::Baseline> B =
      report::readBaseline("b.json", textOf(Data, Size));
  if (!B) {
    consumeError(B.takeError());
    return 0;
  }
  if (Expected<report::Baseline> Again =
          report::readBaseline("b.json", report::toText(*B)))
    return 0;
  else
    report_fatal_error(Again.takeError());
}
