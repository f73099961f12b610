// Advice is ordered by place, and carried as JSON.
#include "advice/Advice.h"
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

json::Value toJSON(const Advice &A) {
  return json::Object{{"name", A.Name},
                      {"function", A.Function},
                      {"kernels", json::Array(A.Kernels)},
                      {"line", A.Line},
                      {"offset", A.Offset},
                      {"message", json::fixUTF8(A.Message)}};
}

bool fromJSON(const json::Value &V, Advice &A, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("name", A.Name) && O.map("function", A.Function) &&
         O.map("kernels", A.Kernels) && O.map("line", A.Line) &&
         O.map("offset", A.Offset) && O.map("message", A.Message);
}

} // namespace clrewrite::advice
