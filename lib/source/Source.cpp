// Source: applying edits, hashing.
#include "source/Source.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace clrewrite {

Expected<Source> applyEdits(const Source &S, ArrayRef<Edit> List) {
  Expected<std::string> Text = applyEdits(StringRef(S.Text), List);
  if (!Text)
    return Text.takeError();
  Source Out = S;
  Out.Text = std::move(*Text);
  return Out;
}

uint64_t hash(const Source &S) {
  std::string All = S.Path;
  for (const std::string &O : S.Options)
    All.append(1, '\0').append(O);
  All.append(1, '\0').append(S.DeviceOptions);
  All.append(1, '\0').append(S.Text);
  return xxh3_64bits(All);
}

} // namespace clrewrite
