// Writing comments that suppress what would be edited.
//
// What pays less was left alone beside what pays more; with that suppressed it
// may pay itself. So the text with its comments is searched again, until
// nothing is left that pays.
#include "pipeline/AddSuppressions.h"
#include "frontend/Suppressions.h"
#include "pipeline/Builds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clrewrite::pipeline {
namespace {

/// The comments of one line.
struct LineComment {
  size_t Start = 0;
  std::map<unsigned, std::set<std::string>> Rules; ///< by their site's offset

  std::string all() const {
    std::set<std::string> Names;
    for (const auto &[Offset, Some] : Rules)
      Names.insert(Some.begin(), Some.end());
    return join(Names, ",");
  }
};

/// The line's own ending, or where it has none the commonest.
StringRef endingOf(StringRef Text, size_t Start) {
  size_t End = Text.find('\n', Start);
  if (End == StringRef::npos)
    return lineEnding(Text);
  return End > Start && Text[End - 1] == '\r' ? "\r\n" : "\n";
}

} // namespace

Edits suppressionsFor(StringRef Text, const std::set<UnwantedSite> &Sites) {
  std::map<unsigned, LineComment> Lines;
  for (const UnwantedSite &S : Sites) {
    StringRef Before = Text.take_front(S.Offset);
    LineComment &L = Lines[unsigned(Before.count('\n')) + 1];
    L.Start = Before.rfind('\n') + 1; // 0 where there is none
    L.Rules[S.Offset].insert(S.Rewrite);
  }
  frontend::Suppressions Has = frontend::suppressionsIn(Text);
  Edits Out;
  for (const auto &[Number, L] : Lines) {
    auto Old = find_if(Has.List, [N = Number](const frontend::Suppression &S) {
      return S.ofLine() && S.Target == N && !S.Rules.empty();
    });
    StringRef Line = Text.substr(L.Start);
    StringRef Indent = Line.take_until([](char C) { return !isSpace(C); });
    if (Old != Has.List.end())
      Out.push_back({unsigned(Old->RulesEnd), 0, "," + L.all()});
    else if (frontend::takesCommentLine(Text, L.Start))
      Out.push_back({unsigned(L.Start), 0,
                     (Indent + "// NOCLREWRITENEXTLINE(" + L.all() + ")" +
                      endingOf(Text, L.Start))
                         .str()});
    else
      for (const auto &[Offset, Rules] : L.Rules)
        Out.push_back(
            {Offset, 0, "/* NOCLREWRITE(" + join(Rules, ",") + ") */ "});
  }
  return inOrder(Out);
}

namespace {

/// The applied edits that stand in the given text; the others are made of
/// what those insert.
std::set<UnwantedSite> sitesOf(const select::Selection &Chosen,
                               const rewrite::Findings &Found) {
  std::set<UnwantedSite> Out;
  auto IsAt = [](const auto &List, const select::Outcome &O) {
    return any_of(List, [&](const auto &Site) {
      return Site.Offset == O.Offset && Site.Rewrite == O.Rewrite;
    });
  };
  for (const select::Outcome &O : Chosen.Outcomes)
    if (O.Applied && (IsAt(Found.Candidates, O) || IsAt(Found.Declines, O)))
      Out.insert({O.Rewrite, O.Offset});
  return Out;
}

} // namespace

Expected<Suppressed> addSuppressions(Source Text, rewrite::Findings Found,
                                     select::Selection Chosen,
                                     std::optional<Ranges> Within,
                                     const select::Finder &Find,
                                     const Chooser &Choose) {
  std::vector<measure::Measurement> Before = Chosen.Before;
  unsigned Added = 0;
  while (Chosen.changed()) {
    std::set<UnwantedSite> Sites = sitesOf(Chosen, Found);
    Edits New = suppressionsFor(Text.Text, Sites);
    if (New.empty())
      return createStringError("an edit that pays has no place where a "
                               "suppression could stand");
    for (const Edit &E : reverse(New))
      Text.Text.insert(E.Offset, E.Text);
    if (Within)
      moveAlong(*Within, New);
    Added += unsigned(Sites.size());
    Expected<rewrite::Findings> Again = Find(Text);
    if (!Again)
      return Again.takeError();
    Found = std::move(*Again);
    Expected<select::Selection> Next = Choose(Text, Found, Within);
    if (!Next)
      return Next.takeError();
    Chosen = std::move(*Next);
    if (std::optional<ChangedCode> C = changedCode(Before, Chosen.Before))
      return createStringError(
          "suppressions would change the code of kernel " + C->Kernel +
          ", which perhaps uses __LINE__; write them by hand");
  }
  return Suppressed{std::move(Text), std::move(Chosen), Added};
}

} // namespace clrewrite::pipeline
