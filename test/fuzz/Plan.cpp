// A plan, and what is written of it again.
#include "plan/Plan.h"
#include "Fuzz.h"
#include "llvm/Support/ErrorHandling.h"

using namespace clrewrite;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::string Why;
  std::optional<plan::Plan> P = plan::readPlan(textOf(Data, Size), Why);
  if (P.has_value() == !Why.empty())
    llvm::report_fatal_error("a plan is read, or there is a reason");
  if (P && !plan::readPlan(plan::writePlan(*P, "0"), Why))
    llvm::report_fatal_error(llvm::StringRef(Why));
  return 0;
}
