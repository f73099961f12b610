// The sites that stay as they are, on the HTML page: folded up, with the
// reasons.
#include "report/HtmlParts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;

namespace clrewrite::report {
namespace {

/// Sites of one rewrite and one reason.
struct Group {
  std::string Rewrite, Reason;
  std::set<unsigned> Lines = {};
  std::set<std::string> Labels = {}, Notes = {};
};

using Groups = std::vector<Group>;

Group &groupOf(Groups &List, const std::string &Rewrite,
               const std::string &Reason) {
  auto It = find_if(List, [&](const Group &F) {
    return F.Rewrite == Rewrite && F.Reason == Reason;
  });
  if (It != List.end())
    return *It;
  List.push_back({Rewrite, Reason});
  return List.back();
}

std::string linesOf(const Group &F) {
  return join(map_range(F.Lines, [](unsigned L) { return utostr(L); }), ", ");
}

void fold(Markup &M, const std::string &What, const Groups &List) {
  if (List.empty())
    return;
  size_t Sites = 0;
  for (const Group &F : List)
    Sites += F.Lines.size();
  Element Fold(M, "details");
  M.leaf("summary",
         What + ": " + utostr(Sites) + (Sites == 1 ? " site" : " sites"));
  Element Table(M, "table", {{"role", "table"}});
  {
    Element Head(M, "thead", {{"role", "rowgroup"}});
    Element Row(M, "tr", {{"role", "row"}});
    for (StringRef Name : {"rewrite", "lines", "why"})
      M.leaf("th", Name, {{"scope", "col"}, {"role", "columnheader"}});
  }
  Element Body(M, "tbody", {{"role", "rowgroup"}});
  for (const Group &F : List) {
    Element Row(M, "tr", {{"role", "row"}});
    {
      Element Name(M, "th", {{"scope", "row"}, {"role", "rowheader"}});
      M.leaf("code", F.Rewrite);
      if (!F.Labels.empty())
        M.text(" [" + join(F.Labels, ", ") + "]");
    }
    {
      Cell Data(M, "lines", "text");
      M.text(linesOf(F));
    }
    Cell Data(M, "why", "text");
    M.text(F.Reason);
    for (const std::string &Note : F.Notes) {
      M.text("; ");
      M.leaf("small", Note);
    }
  }
}

} // namespace

void writeLeftAlone(Markup &M, const FileReport &F) {
  Groups Left, Declined;
  for (const select::Outcome &O : F.Result.Outcomes)
    if (!O.Applied) {
      Group &Each = groupOf(Left, O.Rewrite, O.Reason);
      Each.Lines.insert(O.Line);
      Each.Labels.insert(O.Alternative);
      if (!O.Note.empty())
        Each.Notes.insert(O.Note);
    }
  for (const clrewrite::rewrite::Declined &D : F.Result.Declines)
    groupOf(Declined, D.Rewrite, D.Reason).Lines.insert(D.Line);
  fold(M, "Left alone", Left);
  fold(M, "Declined", Declined);
}

} // namespace clrewrite::report
