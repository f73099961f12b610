// A child for each piece of work: workers that answer one request each.
#include "process/Child.h"
#include "process/Workers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Threading.h"

using namespace llvm;

namespace clrewrite::process {

unsigned ChildLimits::atOnce() const {
  unsigned Here = hardware_concurrency().compute_thread_count();
  return std::max(1u, Parallel ? Parallel : Here);
}

std::vector<ChildResult>
runInChildren(ArrayRef<std::function<std::string()>> Work,
              const ChildLimits &Limits) {
  std::vector<std::string> Numbers;
  for (size_t I = 0; I < Work.size(); ++I)
    Numbers.push_back(utostr(I));
  auto Answer = [Work](StringRef Number) {
    size_t I = 0;
    Number.getAsInteger(10, I);
    return Work[I]();
  };
  return Workers(Answer, Limits, /*MostRequests=*/1).run(Numbers);
}

} // namespace clrewrite::process
