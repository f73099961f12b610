// Diagnostics, code lenses, inlay hints and hovers are made from the last
// report on a document.
#include "lsp/Answers.h"
#include "lsp/Figures.h"
#include "rewrite/Registry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace clrewrite::lsp {

json::Array diagnostics(const Known &D) {
  Positions Where(D.Text);
  json::Array Out;
  for (const ViewNote &N : D.What.Notes) {
    Range R = Where.line(N.Line);
    if (N.Line && N.Column) {
      Range Start = Where.line(N.Line);
      size_t Line = Where.offset({int(N.Line) - 1, 0});
      R = {Where.at(Line + N.Column - 1), Start.end};
      if (R.end < R.start)
        R.end = R.start;
    }
    json::Object One{{"range", toJSON(R)},
                     {"severity", int(N.Severity)},
                     {"source", "clrewrite"},
                     {"message", N.Message}};
    if (!N.Code.empty())
      One["code"] = N.Code;
    if (N.RelatedLine)
      One["relatedInformation"] = json::Array{json::Object{
          {"location",
           json::Object{{"uri", D.Uri},
                        {"range", toJSON(Where.line(N.RelatedLine))}}},
          {"message", N.Related}}};
    Out.push_back(std::move(One));
  }
  return Out;
}

json::Array lenses(const Known &D) {
  Positions Where(D.Text);
  json::Array Out;
  for (const ViewKernel &K : D.What.Kernels)
    for (const ViewFigures &F : K.Targets)
      Out.push_back(json::Object{
          {"range", toJSON(Where.line(K.Line))},
          {"command",
           json::Object{{"title", lensText(F)},
                        {"command", "clrewrite.figures"},
                        {"arguments", json::Array{D.Uri, K.Name}}}}});
  return Out;
}

static json::Object hint(Position At, std::string Label, StringRef Tip) {
  json::Object Out{{"position", toJSON(At)},
                   {"label", std::move(Label)},
                   {"paddingLeft", true}};
  if (!Tip.empty())
    Out["tooltip"] = Tip.str();
  return Out;
}

/// By line: the most that any target keeps alive there, and a line for each.
static std::map<unsigned, std::pair<unsigned, std::string>>
liveByLine(const View &V) {
  std::map<unsigned, std::pair<unsigned, std::string>> Out;
  for (const ViewKernel &K : V.Kernels)
    for (const ViewFigures &F : K.Targets)
      for (auto [Line, Count] : F.Live) {
        auto &[Most, Tip] = Out[Line];
        Most = std::max(Most, Count);
        Tip += (Tip.empty() ? "" : "\n") + F.Target + " " + K.Name + ": " +
               utostr(Count);
      }
  return Out;
}

json::Array hints(const Known &D, HintChoice Wanted, const Range &Within) {
  Positions Where(D.Text);
  auto Inside = [&](const Position &P) {
    return Within.start <= P && P <= Within.end;
  };
  json::Array Out;
  if (Wanted.Kernels)
    for (const ViewKernel &K : D.What.Kernels)
      for (const ViewFigures &F : K.Targets)
        if (Position End = Where.line(K.Line).end; Inside(End))
          Out.push_back(hint(End, lensText(F), ""));
  if (Wanted.Lines)
    for (const auto &[Line, Live] : liveByLine(D.What))
      if (Position End = Where.line(Line).end; Inside(End))
        Out.push_back(hint(End, utostr(Live.first) + " live", Live.second));
  return Out;
}

static StringRef pageOf(StringRef Rewrite) {
  for (auto [R, Page] : zip(rewrite::allRewrites(), rewrite::rewritePages()))
    if (R->Name == Rewrite)
      return Page;
  return "";
}

json::Value hover(const Known &D, const Position &At, StringRef Kind) {
  std::vector<std::string> Parts;
  unsigned Line = unsigned(At.line) + 1;
  for (const ViewKernel &K : D.What.Kernels)
    if (K.Line == Line)
      Parts.push_back(figuresTable(K));
  std::set<StringRef> Explained;
  for (const ViewSite &S : D.What.Sites)
    if (S.Line == Line) {
      std::string Part = "**" + S.Rewrite + "**\n";
      for (const std::string &Fate : S.Fates)
        Part += "\n- " + Fate;
      Parts.push_back(std::move(Part));
      Explained.insert(S.Rewrite);
    }
  for (StringRef Rewrite : Explained)
    Parts.push_back(pageOf(Rewrite).str());
  if (Parts.empty())
    return nullptr;
  return json::Object{
      {"contents",
       json::Object{{"kind", Kind},
                    {"value", json::fixUTF8(join(Parts, "\n\n---\n\n"))}}},
      {"range", toJSON(Positions(D.Text).line(Line))}};
}

} // namespace clrewrite::lsp
