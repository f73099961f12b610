// Advice is ordered by place, and carried as JSON.
#include "advice/Advice.h"
#include "source/JsonMembers.h"
#include <tuple>

using namespace llvm;

namespace clrewrite::advice {

static auto keyOf(const Advice &A) {
  return std::tie(A.Offset, A.Name, A.Function, A.Message);
}

bool operator<(const Advice &A, const Advice &B) { return keyOf(A) < keyOf(B); }
bool operator==(const Advice &A, const Advice &B) {
  return keyOf(A) == keyOf(B);
}

template <typename Io> static bool mapMembers(Io &O, Advice &A) {
  return O.map("name", A.Name) && O.map("function", A.Function) &&
         O.map("kernels", A.Kernels) && O.map("line", A.Line) &&
         O.map("offset", A.Offset) && O.map("message", A.Message);
}

json::Value toJSON(const Advice &A) { return written(A); }
bool fromJSON(const json::Value &V, Advice &A, json::Path P) {
  return readInto(A, V, P);
}

} // namespace clrewrite::advice
