// The soft limit is changed, the hard one stays.
#include "source/OpenFiles.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/ErrorHandling.h"

namespace clrewrite {

rlim_t FileLimit::usual() {
  static const rlim_t Once = [] {
    rlimit Limit = {};
    ::getrlimit(RLIMIT_NOFILE, &Limit);
    return Limit.rlim_cur;
  }();
  return Once;
}

/// Returns the limit that there was.
static rlim_t limitTo(rlim_t Most) {
  rlimit Limit = {};
  bool Done = ::getrlimit(RLIMIT_NOFILE, &Limit) == 0;
  const rlim_t Before = Limit.rlim_cur;
#if !LLVM_ADDRESS_SANITIZER_BUILD
  Limit.rlim_cur = Most;
  Done = Done && ::setrlimit(RLIMIT_NOFILE, &Limit) == 0;
#endif
  if (!Done)
    llvm::report_fatal_error("cannot limit how many files may be open");
  return Before;
}

FileLimit::FileLimit(rlim_t Most) {
  usual(); // before anything changes it
  Before = limitTo(Most);
}

FileLimit::~FileLimit() { limitTo(Before); }

} // namespace clrewrite
