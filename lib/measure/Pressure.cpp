// Register pressure is written as JSON and read again, since a child process
// computes it.
#include "measure/Pressure.h"
#include "source/JsonMembers.h"

using namespace llvm;

namespace clrewrite::measure {

unsigned Pressure::worstLine() const {
  unsigned Worst = 0, Most = 0;
  for (const auto &[Line, Live] : Lines)
    if (Live > Most) {
      Worst = Line;
      Most = Live;
    }
  return Worst;
}

json::Value toJSON(const Pressure &P) {
  json::Array Lines;
  for (const auto &[Line, Live] : P.Lines)
    Lines.push_back(json::Object{{"line", Line}, {"live", Live}});
  return json::Object{{"boundary", P.Boundary},
                      {"source_order", P.SourceOrder},
                      {"scheduled", P.Scheduled},
                      {"allocated", P.Allocated},
                      {"lines", std::move(Lines)}};
}

namespace {
struct LineEntry {
  unsigned Line = 0, Live = 0;
};
bool fromJSON(const json::Value &V, LineEntry &L, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("line", L.Line) && O.map("live", L.Live);
}
} // namespace

bool fromJSON(const json::Value &V, Pressure &P, json::Path Path) {
  json::ObjectMapper O(V, Path);
  std::vector<LineEntry> Lines;
  if (!O || !O.map("boundary", P.Boundary) ||
      !O.map("source_order", P.SourceOrder) ||
      !O.map("scheduled", P.Scheduled) || !O.map("allocated", P.Allocated) ||
      !O.map("lines", Lines))
    return false;
  P.Lines.clear();
  for (const LineEntry &L : Lines)
    P.Lines[L.Line] = L.Live;
  return true;
}

template <typename Io> static bool mapMembers(Io &O, KernelPressure &K) {
  return O.map("kernel", K.Kernel) && O.map("problem", K.Problem) &&
         O.map("live", K.Live) && O.map("code", K.CodeHash);
}

json::Value toJSON(const KernelPressure &K) { return written(K); }
bool fromJSON(const json::Value &V, KernelPressure &K, json::Path P) {
  return readInto(K, V, P);
}

} // namespace clrewrite::measure
