// Views between two processes of the same program.
#include "lsp/View.h"
#include "source/JsonMembers.h"

using namespace llvm;

namespace clrewrite::lsp {

using json_members::fromJSON;
using json_members::toJSON;

template <typename Io> static bool mapMembers(Io &O, ViewNote &N) {
  return mapNumber(O, "severity", N.Severity) && O.map("line", N.Line) &&
         O.map("column", N.Column) && O.map("code", N.Code) &&
         O.map("message", N.Message) && O.map("related_line", N.RelatedLine) &&
         O.map("related", N.Related);
}

static json::Value toJSON(const ViewFigures &F) {
  json::Array Live;
  for (auto [Line, Count] : F.Live)
    Live.push_back(json::Array{Line, Count});
  return json::Object{{"target", F.Target},
                      {"problem", json::fixUTF8(F.Problem)},
                      {"now", measure::toJSON(F.Now)},
                      {"then", measure::toJSON(F.Then)},
                      {"live", std::move(Live)},
                      {"curves", F.Curves}};
}

static bool fromJSON(const json::Value &V, ViewFigures &F, json::Path P) {
  json::ObjectMapper O(V, P);
  std::vector<std::vector<unsigned>> Live;
  if (!O || !O.map("target", F.Target) || !O.map("problem", F.Problem) ||
      !O.map("now", F.Now) || !O.map("then", F.Then) || !O.map("live", Live))
    return false;
  for (const std::vector<unsigned> &Each : Live)
    if (Each.size() == 2)
      F.Live[Each[0]] = Each[1];
  if (const json::Value *Curves = V.getAsObject()->get("curves"))
    F.Curves = *Curves;
  return true;
}

template <typename Io> static bool mapMembers(Io &O, ViewKernel &K) {
  return O.map("name", K.Name) && O.map("line", K.Line) &&
         O.map("targets", K.Targets);
}

template <typename Io> static bool mapMembers(Io &O, ViewSite &S) {
  return O.map("rewrite", S.Rewrite) && O.map("line", S.Line) &&
         O.map("offset", S.Offset) && O.map("pays", S.Pays) &&
         O.map("fates", S.Fates) && O.map("title", S.Title) &&
         O.map("changes", S.Changes);
}

json::Value toJSON(const View &V) {
  return json::Object{{"notes", V.Notes},
                      {"kernels", V.Kernels},
                      {"sites", V.Sites},
                      {"fixed", V.Fixed ? json::Value(textOfBytes(*V.Fixed))
                                        : json::Value(nullptr)}};
}

bool fromJSON(const json::Value &V, View &Out, json::Path P) {
  json::ObjectMapper O(V, P);
  if (!O || !O.map("notes", Out.Notes) || !O.map("kernels", Out.Kernels) ||
      !O.map("sites", Out.Sites) || !O.map("fixed", Out.Fixed))
    return false;
  if (Out.Fixed)
    Out.Fixed = bytesOfText(*Out.Fixed);
  return true;
}

} // namespace clrewrite::lsp
