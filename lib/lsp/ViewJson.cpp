// Views between two processes of the same program.
#include "lsp/View.h"
#include "source/BoundedJson.h"

using namespace llvm;

namespace clrewrite::lsp {

static json::Value toJSON(const ViewNote &N) {
  return json::Object{{"severity", int(N.Severity)},
                      {"line", N.Line},
                      {"column", N.Column},
                      {"code", N.Code},
                      {"message", json::fixUTF8(N.Message)},
                      {"related_line", N.RelatedLine},
                      {"related", N.Related}};
}

static bool fromJSON(const json::Value &V, ViewNote &N, json::Path P) {
  json::ObjectMapper O(V, P);
  int Severity = 0;
  bool Ok = O && O.map("severity", Severity) && O.map("line", N.Line) &&
            O.map("column", N.Column) && O.map("code", N.Code) &&
            O.map("message", N.Message) &&
            O.map("related_line", N.RelatedLine) && O.map("related", N.Related);
  N.Severity = ViewNote::Kind(Severity);
  return Ok;
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

static json::Value toJSON(const ViewKernel &K) {
  json::Array Targets;
  for (const ViewFigures &F : K.Targets)
    Targets.push_back(toJSON(F));
  return json::Object{
      {"name", K.Name}, {"line", K.Line}, {"targets", std::move(Targets)}};
}

static bool fromJSON(const json::Value &V, ViewKernel &K, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("name", K.Name) && O.map("line", K.Line) &&
         O.map("targets", K.Targets);
}

static json::Value toJSON(const ViewSite &S) {
  json::Array Fates, Changes;
  for (const std::string &Fate : S.Fates)
    Fates.push_back(json::fixUTF8(Fate));
  for (const Edit &E : S.Changes)
    Changes.push_back(toJSON(E));
  return json::Object{
      {"rewrite", S.Rewrite},         {"line", S.Line},
      {"offset", S.Offset},           {"pays", S.Pays},
      {"fates", std::move(Fates)},    {"title", json::fixUTF8(S.Title)},
      {"changes", std::move(Changes)}};
}

static bool fromJSON(const json::Value &V, ViewSite &S, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("rewrite", S.Rewrite) && O.map("line", S.Line) &&
         O.map("offset", S.Offset) && O.map("pays", S.Pays) &&
         O.map("fates", S.Fates) && O.map("title", S.Title) &&
         O.map("changes", S.Changes);
}

template <typename T> static json::Array arrayOf(const std::vector<T> &List) {
  json::Array Out;
  for (const T &Each : List)
    Out.push_back(toJSON(Each));
  return Out;
}

json::Value toJSON(const View &V) {
  return json::Object{{"notes", arrayOf(V.Notes)},
                      {"kernels", arrayOf(V.Kernels)},
                      {"sites", arrayOf(V.Sites)},
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
