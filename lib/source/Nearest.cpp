// The nearest name is the one with the smallest edit distance.
#include "source/Nearest.h"

using namespace llvm;

namespace clrewrite {

StringRef nearest(StringRef Name, ArrayRef<StringRef> List, unsigned Most) {
  StringRef Best;
  unsigned Least = Most + 1;
  for (StringRef S : List)
    if (unsigned D = Name.edit_distance(S, /*AllowReplacements=*/true, Least);
        D < Least) {
      Least = D;
      Best = S;
    }
  return Best;
}

} // namespace clrewrite
