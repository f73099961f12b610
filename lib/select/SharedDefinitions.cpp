// Definitions are found in the final text by their own texts, and compared with
// their names left out. The machine code has the last word.
#include "select/SharedDefinitions.h"
#include "source/LineScanner.h"
#include "source/Words.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <map>

using namespace llvm;

namespace clrewrite::select {
namespace {

/// A function that a step defines.
struct Definition {
  std::string Name, Text; ///< with its comment and the empty line behind it
  size_t Step;
};

/// The functions in \p E, an edit of step \p Step, each of which ends with a
/// brace that begins a line. None where they are not as many as it names.
std::vector<Definition> definitionsIn(const Edit &E, size_t Step) {
  std::vector<Definition> Out;
  StringRef Rest = E.Text;
  bool Ended = true;
  while (!Rest.empty()) {
    auto [Line, After] = Rest.split('\n');
    if (Ended && !Line.trim().empty()) {
      if (Out.size() == E.Defines.size())
        return {};
      Out.push_back({E.Defines[Out.size()], "", Step});
      Ended = false;
    }
    if (Out.empty())
      return {};
    Out.back().Text += Rest.take_front(Rest.size() - After.size());
    Ended |= Line.rtrim() == "}";
    Rest = After;
  }
  return Ended && Out.size() == E.Defines.size() ? Out
                                                 : std::vector<Definition>();
}

using Names = std::map<std::string, std::string, std::less<>>;

/// \p Line with other words for those in \p New.
std::string renamedLine(StringRef Line, const Names &New) {
  std::string Out;
  StringRef Rest = Line;
  for (StringRef Word : wordsIn(Line))
    if (auto It = New.find(Word); It != New.end()) {
      Out += Rest.take_front(size_t(Word.begin() - Rest.begin()));
      Out += It->second;
      Rest = Rest.drop_front(size_t(Word.end() - Rest.begin()));
    }
  Out += Rest;
  return Out;
}

/// \p Text with other words for those in \p New. Arguments stay below those in
/// the line of a call that begins it.
std::string renamed(StringRef Text, const Names &New) {
  std::string Out, OldColumn, NewColumn;
  while (!Text.empty()) {
    auto [Line, After] = Text.split('\n');
    StringRef Ending = Text.slice(Line.size(), Text.size() - After.size()),
              Rest = Line;
    if (!OldColumn.empty() && Rest.consume_front(OldColumn) &&
        !Rest.starts_with(" ")) {
      Out += NewColumn;
    } else {
      Rest = Line;
      OldColumn.clear();
      StringRef Indent = Line.take_while([](char C) { return isSpace(C); }),
                First = Line.drop_front(Indent.size()).take_while(isInWord);
      if (auto It = New.find(First); It != New.end()) {
        OldColumn = (Indent + std::string(First.size() + 1, ' ')).str();
        NewColumn = (Indent + std::string(It->second.size() + 1, ' ')).str();
      }
    }
    Out += renamedLine(Rest, New);
    Out += Ending;
    Text = After;
  }
  return Out;
}

/// What two definitions have in common that do the same: all but the name, and
/// how lines are broken for it.
std::string meaningOf(const Definition &D) {
  std::string Text = renamed(D.Text, {{D.Name, "@"}}), Out;
  bool Blank = false;
  for (char C : Text) {
    if (!isSpace(C))
      Out += C;
    else if (!Blank)
      Out += ' ';
    Blank = isSpace(C);
  }
  return Out;
}

/// The text of \p Line may be, or hide, a directive that LineScanner does not
/// see: one behind a comment, or spelled otherwise.
bool mayHideDirective(StringRef Line) {
  if (Line.drop_back(Line.ends_with("\r")).contains('\r'))
    return true; // a line's end as well
  StringRef Code = Line.contains("/*") || Line.contains("*/")
                       ? Line
                       : Line.split("//").first;
  return Code.contains('#') || Code.contains("%:") || Code.contains("?\?=") ||
         Code.contains("_Pragma");
}

/// Whatever has the end of \p Between compiled has its beginning compiled, and
/// none of \p Words means something else by then. False where that is not
/// plain to see.
bool leadsThrough(StringRef Between, const StringSet<> &Words) {
  LineScanner Scan;
  int Depth = 0;
  for (StringRef Line : split(Between, '\n')) {
    Scan.next(Line);
    StringRef Rest = Scan.directive(), Name = Rest.take_while(isInWord);
    if (Name.empty() && mayHideDirective(Line))
      return false;
    bool Otherwise = Name.starts_with("el");
    if (Name == "endif" || Otherwise)
      --Depth;
    if (Depth < 0 || Name == "include" ||
        (Name == "pragma" && Rest.contains("_macro")))
      return false;
    if (Name.starts_with("if") || Otherwise)
      ++Depth;
    StringRef Of = Rest.drop_front(Name.size()).ltrim().take_while(isInWord);
    if ((Name == "define" || Name == "undef") &&
        (Of.empty() || Words.contains(Of)))
      return false;
  }
  return true;
}

/// All kernels are the same code. A driver's binary has names in it, so that
/// its figures have to do.
bool isSameCode(const FiguresByTarget &A, const FiguresByTarget &B,
                ArrayRef<measure::Target> Targets) {
  auto same = [](const measure::KernelUsage &K, const measure::KernelUsage &N,
                 bool ByDriver) {
    return N.Kernel == K.Kernel && N.Problem == K.Problem &&
           toJSON(N.Figures) == toJSON(K.Figures) &&
           (ByDriver || N.CodeHash == K.CodeHash);
  };
  if (A.size() != B.size())
    return false;
  for (size_t I = 0; I < A.size(); ++I) {
    const std::vector<measure::KernelUsage> &Old = A[I].Kernels,
                                            &New = B[I].Kernels;
    if (A[I].Problem != B[I].Problem || Old.size() != New.size())
      return false;
    for (size_t K = 0; K < Old.size(); ++K)
      if (!same(Old[K], New[K], Targets[I].isDevice()))
        return false;
  }
  return true;
}

/// The steps of a variant with some definitions less.
class Sharing {
public:
  explicit Sharing(const Variant &V) : V(V) {
    for (auto [I, S] : enumerate(V.Steps))
      for (const Edit &E : S.Changes)
        if (!E.Defines.empty())
          for (Definition &D : definitionsIn(E, I))
            place(std::move(D));
  }

  /// False where each is another.
  bool find() {
    for (auto Later = ByPlace.begin(); Later != ByPlace.end(); ++Later) {
      StringSet<> Words;
      for (StringRef Word : wordsIn(Later->second.Text))
        Words.insert(Word);
      for (auto First = ByPlace.begin(); First != Later; ++First)
        if (!New.count(First->second.Name) &&
            meaningOf(First->second) == meaningOf(Later->second) &&
            leadsThrough(
                StringRef(V.Text.Text).slice(First->first, Later->first),
                Words)) {
          New[Later->second.Name] = First->second.Name;
          Gone.push_back(&*Later);
          Providers[Later->second.Step].insert(First->second.Step);
          break;
        }
    }
    return !New.empty();
  }

  std::string text() const {
    std::string Out = V.Text.Text;
    for (const auto *D : reverse(Gone))
      Out.erase(D->first, D->second.Text.size());
    return renamed(Out, New);
  }

  /// The same in what the steps change in the given text. None where that
  /// would not make text().
  std::optional<std::vector<Edits>> changes() const {
    std::vector<Edits> Out;
    for (const Step &S : V.Steps) {
      if (!S.What.Changes)
        return std::nullopt;
      Out.push_back(*S.What.Changes);
      for (Edit &E : Out.back())
        E = shared(std::move(E));
      llvm::erase_if(Out.back(), [](const Edit &E) {
        return !E.Defines.empty() && StringRef(E.Text).trim().empty();
      });
    }
    // An edit alone has to have what it calls.
    std::vector<Edits> Own = Out;
    for (const auto &[To, From] : Providers)
      for (size_t Each : From)
        copy_if(Own[Each], std::back_inserter(Out[To]),
                [](const Edit &E) { return !E.Defines.empty(); });
    Edits All;
    for (const Edits &Each : Out)
      append_range(All, Each);
    Expected<Source> Made = applyEdits(*V.Given, All);
    if (Made && Made->Text == text())
      return Out;
    consumeError(Made.takeError());
    return std::nullopt;
  }

private:
  const Variant &V;
  std::map<size_t, Definition> ByPlace; ///< in the text
  Names New;                            ///< of functions, by the old ones
  std::vector<const std::pair<const size_t, Definition> *> Gone;
  std::map<size_t, std::set<size_t>> Providers; ///< steps that have them

  void place(Definition D) {
    StringRef Text = V.Text.Text;
    size_t At = Text.find(D.Text);
    if (At != StringRef::npos && Text.find(D.Text, At + 1) == StringRef::npos)
      ByPlace.emplace(At, std::move(D));
  }

  Edit shared(Edit E) const {
    for (const auto *D : Gone)
      if (size_t At = E.Text.find(D->second.Text); At != std::string::npos)
        E.Text.erase(At, D->second.Text.size());
    E.Text = renamed(E.Text, New);
    E.Shared |= !E.Defines.empty();
    return E;
  }
};

} // namespace

void shareDefinitions(Searched &S, const Evaluator &Eval) {
  Variant &V = S.Best;
  Sharing Shared(V);
  if (!Shared.find())
    return;
  Source Text = V.Text;
  Text.Text = Shared.text();
  Eval.say("defining once what several edits call");
  if (!isSameCode(S.After, Eval.figures(Text, S.Kernels), Eval.Options.Targets))
    return;
  std::optional<std::vector<Edits>> Changes = Shared.changes();
  for (auto [I, Each] : enumerate(V.Steps))
    if (Changes)
      Each.What.Changes = std::move((*Changes)[I]);
    else
      Each.What.Changes.reset();
  V.Text = std::move(Text);
}

} // namespace clrewrite::select
