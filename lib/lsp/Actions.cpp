// Code actions: an edit to apply, a suppression to add, or a page to read.
#include "lsp/Answers.h"
#include "pipeline/AddSuppressions.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::lsp {

bool wants(ArrayRef<std::string> Only, StringRef Kind) {
  return Only.empty() || any_of(Only, [&](StringRef Each) {
           // "source.fixAll" asks for what is below it as well.
           return Kind == Each || Kind.starts_with((Each + ".").str());
         });
}

static json::Object editing(const Known &D, json::Array Edits) {
  return json::Object{{"changes", json::Object{{D.Uri, std::move(Edits)}}}};
}

static json::Array toEdits(const Known &D, const Edits &List) {
  Positions Where(D.Text);
  json::Array Out;
  for (const Edit &E : List)
    Out.push_back(TextEdit{Where.range(E.Offset, E.end()), E.Text});
  return Out;
}

static json::Object quickFix(const Known &D, std::string Title, json::Array E,
                             bool Preferred) {
  return json::Object{{"title", json::fixUTF8(Title)},
                      {"kind", "quickfix"},
                      {"isPreferred", Preferred},
                      {"edit", editing(D, std::move(E))}};
}

json::Array allFixes(const Known &D) {
  return D.What.Fixed ? json::Array(editsBetween(D.Text, *D.What.Fixed))
                      : json::Array();
}

json::Array actions(const Known &D, const Range &Within,
                    ArrayRef<std::string> Only) {
  json::Array Out;
  const json::Array All = allFixes(D);
  auto Touched = [&](const ViewSite &S) {
    int Line = int(S.Line) - 1;
    return Within.start.line <= Line && Line <= Within.end.line;
  };
  for (const ViewSite &S : D.What.Sites) {
    if (!Touched(S) || !S.Pays || !wants(Only, "quickfix"))
      continue;
    // What stands under an #ifdef beside another edit has no place of its own.
    if (!S.Changes.empty())
      Out.push_back(quickFix(D, S.Title, toEdits(D, S.Changes), true));
    else if (!All.empty())
      Out.push_back(
          quickFix(D, S.Title + " (with all fixes of the file)", All, true));
    Out.push_back(quickFix(
        D, "Suppress " + S.Rewrite + " here",
        toEdits(D, pipeline::suppressionsFor(D.Text, {{S.Rewrite, S.Offset}})),
        false));
    Out.push_back(json::Object{
        {"title", "Explain " + S.Rewrite},
        {"kind", "quickfix"},
        {"command", json::Object{{"title", "Explain " + S.Rewrite},
                                 {"command", "clrewrite.explain"},
                                 {"arguments", json::Array{S.Rewrite}}}}});
  }
  if (wants(Only, FixAllKind) && !All.empty())
    Out.push_back(json::Object{{"title", "Apply all fixes that pay"},
                               {"kind", FixAllKind},
                               {"edit", editing(D, All)}});
  return Out;
}

} // namespace clrewrite::lsp
