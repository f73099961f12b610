// The first allowed alternative of every site is applied, round after round,
// until a round leaves no fewer sites than the one before. A round applies one
// edit per function, because the names that an edit introduces are only known
// to be unused in the text that it was made for.
#include "select/ApplyAll.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace clrewrite::select {
namespace {

class Applier {
public:
  Applier(Variant From, const Finder &Find, const Evaluator &Eval,
          std::vector<Outcome> &Rejected)
      : Now(std::move(From)), Find(Find), Eval(Eval), Rejected(Rejected) {}

  Variant run() {
    for (size_t Left = SIZE_MAX; Now.Found.Candidates.size() < Left;) {
      Left = Now.Found.Candidates.size();
      std::vector<Step> New = nextOfEachFunction();
      if (New.empty())
        break;
      Expected<Variant> Next = with(New);
      if (Next) {
        Now = std::move(*Next);
        continue;
      }
      consumeError(Next.takeError());
      takeAlone(std::move(New));
      Left = SIZE_MAX;
    }
    return std::move(Now);
  }

private:
  Variant Now;
  const Finder &Find;
  const Evaluator &Eval;
  std::vector<Outcome> &Rejected;
  /// Sites whose edits can't be made, by rewrite and given offset.
  std::set<std::pair<std::string, unsigned>> Broken;

  /// Now with \p New; an error where that does not parse, or is doubted.
  Expected<Variant> with(std::vector<Step> New) const {
    std::set<std::string> Kernels;
    for (const Step &S : New)
      Kernels.insert(S.What.Kernels.begin(), S.What.Kernels.end());
    Expected<Variant> Next = Now.with(std::move(New), Find);
    if (!Next)
      return createStringError("its result does not parse; please report it: " +
                               toString(Next.takeError()));
    std::string Why;
    if (Eval.Options.WhyDoubted)
      Why = Eval.Options.WhyDoubted(
          Next->version(),
          std::vector<std::string>(Kernels.begin(), Kernels.end()));
    if (!Why.empty())
      return createStringError("legal, but " + Why);
    return Next;
  }

  /// The next site of each function, where none of them overlap.
  std::vector<Step> nextOfEachFunction() {
    bool First = Now.Steps.empty();
    std::vector<Step> New;
    std::set<std::string> Functions;
    for (const rewrite::Candidate &C : Now.Found.Candidates) {
      const auto *Alternative = firstAllowed(C, First);
      if (!Alternative || Broken.count({C.Rewrite, Now.givenOffset(C)}) ||
          !Functions.insert(C.Function).second ||
          any_of(New, [&](const Step &S) {
            return overlap(S.Changes, Alternative->Changes);
          }))
        continue;
      Step S{Now.outcomeOf(C, *Alternative),
             Eval.Options.styled(Now.Text.Text, Alternative->Changes)};
      S.What.Applied = true;
      S.What.Reason = "legal; not measured";
      New.push_back(std::move(S));
    }
    return New;
  }

  /// After steps that can't be made together: the first that can be made alone,
  /// and those before it are rejected for good.
  void takeAlone(std::vector<Step> New) {
    for (Step &S : New) {
      Outcome What = S.What;
      std::vector<Step> One;
      One.push_back(std::move(S));
      Expected<Variant> Next = with(std::move(One));
      if (Next) {
        Now = std::move(*Next);
        return;
      }
      What.Applied = false;
      What.Reason = toString(Next.takeError());
      Broken.insert({What.Rewrite, What.Offset});
      Rejected.push_back(std::move(What));
    }
  }

  const rewrite::Alternative *firstAllowed(const rewrite::Candidate &C,
                                           bool Report) {
    for (const rewrite::Alternative &A : C.Alternatives)
      if (Eval.allowed(C, A))
        return &A;
    for (const rewrite::Alternative &A : C.Alternatives)
      if (Report && Eval.named(A)) {
        Outcome O = Now.outcomeOf(C, A);
        O.Reason = Eval.onlyUnsafe(C, A).Sentence;
        O.Left = WhyNot::Withheld;
        Rejected.push_back(std::move(O));
      }
    return nullptr;
  }
};

} // namespace

Variant applyAll(Variant From, const Finder &Find, const Evaluator &Eval,
                 std::vector<Outcome> &Rejected) {
  return Applier(std::move(From), Find, Eval, Rejected).run();
}

} // namespace clrewrite::select
