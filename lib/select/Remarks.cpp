// A remark goes behind the lines that an edit adds, or on a line of its own
// above a statement that it makes of another; where they stand in the end is
// followed through the edits that were made after it. A shelter's first line
// has a comment, which the remark goes on with.
#include "select/Remarks.h"
#include "select/Record.h"
#include "source/Shelter.h"

using namespace llvm;

namespace clrewrite::select {
namespace {

/// All that was applied in round \p Number, in order.
Edits round(const Variant &V, unsigned Number) {
  Edits All;
  for (const Step &S : V.Steps)
    if (S.Round == Number)
      All.insert(All.end(), S.Changes.begin(), S.Changes.end());
  return inOrder(All);
}

/// How much of \p Added, the text of an edit, stands before its remark.
size_t beforeRemark(StringRef Added) {
  return endOfShelterComment(Added).value_or(Added.rtrim().size());
}

/// Where byte \p Inside of the text of \p E, a change of \p S, stands in the
/// text of \p V, as far as no later edit has taken it out.
long placeOf(const Edit &E, size_t Inside, const Step &S, const Variant &V) {
  long At = long(E.Offset) + long(Inside);
  for (const Edit &Before : round(V, S.Round)) {
    if (Before.Offset >= E.Offset)
      break;
    At += long(Before.Text.size()) - long(Before.Length);
  }
  for (unsigned R = S.Round + 1; R <= V.Steps.back().Round; ++R) {
    long Shift = 0;
    for (const Edit &Later : round(V, R)) {
      if (long(Later.Offset) >= At)
        break;
      Shift += long(Later.Text.size()) - long(Later.Length);
    }
    At += Shift;
  }
  return At;
}

/// Where a remark goes, in a text and in that of its edit, and what stands
/// around its words.
struct Spot {
  unsigned At;
  size_t Inside;
  std::string Begin, End = "";
};

/// The spot for the remark on \p E, a change of \p S, behind its lines in the
/// text of \p V. None where they are not there any more, or something follows
/// on the line.
std::optional<Spot> behind(const Edit &E, const Step &S, const Variant &V) {
  StringRef Own = StringRef(E.Text).take_front(beforeRemark(E.Text));
  long At = placeOf(E, Own.size(), S, V);
  StringRef Text = V.Text.Text, Last = Own.drop_front(Own.rfind('\n') + 1);
  if (Own.empty() || At < 0 || size_t(At) > Text.size() ||
      !Text.take_front(size_t(At)).ends_with(Last))
    return std::nullopt;
  StringRef Rest = Text.drop_front(size_t(At));
  if (!Rest.empty() && Rest.front() != '\n' && Rest.front() != '\r')
    return std::nullopt;
  return Spot{unsigned(At), Own.size(),
              endOfShelterComment(E.Text) ? "" : " // clrewrite"};
}

/// The same on a line of its own above a statement that \p E makes of another.
/// None where it begins within a line, or is one line only.
std::optional<Spot> above(const Edit &E, const Step &S, const Variant &V) {
  auto [First, Others] = StringRef(E.Text).split('\n');
  long At = placeOf(E, 0, S, V);
  StringRef Text = V.Text.Text;
  if (!E.Length || Others.empty() || Others.ends_with("\n") || At < 0 ||
      size_t(At) > Text.size() ||
      !Text.drop_front(size_t(At)).starts_with(First))
    return std::nullopt;
  StringRef Before = Text.take_front(size_t(At)),
            Indent = Before.drop_front(Before.rfind('\n') + 1);
  if (!Indent.trim(" \t").empty() || goesOn(Before.drop_back(Indent.size())))
    return std::nullopt;
  // A line of comment that begins with our name is an instruction to us.
  return Spot{unsigned(At), 0, "// by clrewrite", ("\n" + Indent).str()};
}

std::optional<Spot> spotFor(const Edit &E, const Step &S, const Variant &V) {
  if (E.Shared || !E.Defines.empty())
    return std::nullopt;
  std::optional<Spot> Out = above(E, S, V);
  return Out ? Out : behind(E, S, V);
}

/// A line of a text is no longer, where a comment can be broken.
constexpr size_t LineLength = 80;

/// What is said of an edit: why it is there, what it gains, or both.
struct Words {
  std::string Why, Gain;

  /// \p Between the two.
  std::string joined(const std::string &Between) const {
    return Why + (Why.empty() || Gain.empty() ? "" : Between) + Gain;
  }
};

Words wordsOf(const Outcome &O, const Evaluator &Eval) {
  std::string Gain = gainInWords(
      O.Deltas, estimateTells(O.Rewrite) ? Eval.Judge.estimatedToo(O.Kernels)
                                         : Eval.Judge.criterionFor(O.Kernels));
  return {Gain.empty() || O.Explains ? O.Remark : "", Gain};
}

/// The comment of \p What at \p Found: over two lines where it is long and
/// stands alone.
std::string commentAt(const Spot &Found, const Words &What) {
  const std::string Line = Found.Begin + ": " + What.joined(": ");
  StringRef Indent = StringRef(Found.End).ltrim('\n');
  bool Fits = Found.End.empty() || Indent.size() + Line.size() <= LineLength;
  return (Fits ? Line
               : Found.Begin + ": " +
                     What.joined(":\n" + Indent.str() + "// ")) +
         Found.End;
}

} // namespace

std::vector<Remark> remarksOn(const Variant &V, const Evaluator &Eval,
                              function_ref<bool(const Step &)> Which) {
  std::vector<Remark> Out;
  for (const Step &S : V.Steps) {
    Edits Own = inOrder(S.Changes);
    if (!Which(S) || Own.empty())
      continue;
    // Behind the blanks that it begins with, on the first line that differs.
    size_t Blank =
        Own.front().Text.size() - StringRef(Own.front().Text).ltrim().size();
    if (Blank == Own.front().Text.size())
      Blank = 0;
    long At = placeOf(Own.front(), Blank, S, V);
    Out.push_back(
        {size_t(std::max(At, 0L)), wordsOf(S.What, Eval).joined(": ")});
  }
  return Out;
}

Edits addRemarks(Variant &V, const Evaluator &Eval) {
  Edits Remarks;
  for (Step &S : V.Steps) {
    const Outcome &O = S.What;
    if (O.Remark.empty())
      continue;
    const Words What = wordsOf(O, Eval);
    for (size_t I = 0; I < S.Changes.size(); ++I)
      if (std::optional<Spot> Found = spotFor(S.Changes[I], S, V)) {
        std::string Comment = commentAt(*Found, What);
        Remarks.push_back({Found->At, 0, Comment});
        if (S.OfGiven)
          (*S.OfGiven)[I].Text.insert(Found->Inside, Comment);
        break;
      }
  }
  V.Text = cantFail(applyEdits(V.Text, Remarks));
  return Remarks;
}

} // namespace clrewrite::select
