// Sources are edited, hashed, and carried to other processes as JSON.
#include "source/Source.h"
#include "source/JsonMembers.h"
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

template <typename Io> static bool mapMembers(Io &O, Source &S) {
  return mapBytes(O, "path", S.Path) && mapBytes(O, "text", S.Text) &&
         mapBytes(O, "options", S.Options) &&
         mapBytes(O, "device_options", S.DeviceOptions) &&
         mapBytes(O, "headers", S.Headers);
}

json::Value toJSON(const Source &S) { return written(S); }
bool fromJSON(const json::Value &V, Source &S, json::Path P) {
  return readInto(S, V, P);
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
