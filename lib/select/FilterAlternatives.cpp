// The filter for the alternatives of a site.
#include "select/FilterAlternatives.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::select {

bool filterAlternatives(rewrite::Candidate &C,
                        function_ref<bool(const Edit &)> Unwanted) {
  llvm::erase_if(C.Alternatives, [&](rewrite::Alternative &A) {
    if (C.Separable)
      llvm::erase_if(A.Changes, Unwanted);
    return any_of(A.Changes, Unwanted) ||
           all_of(A.Changes, [](const Edit &E) { return E.Shared; });
  });
  return !C.Alternatives.empty();
}

} // namespace clrewrite::select
