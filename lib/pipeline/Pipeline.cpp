// All texts of a run, one after the other.
#include "pipeline/Job.h"
#include "pipeline/Look.h"

using namespace llvm;

namespace clrewrite::pipeline {

/// The report on a unit that can't be worked on.
static report::FileReport refused(const Unit &U, const Setup &S) {
  report::FileReport F;
  F.Path = U.Path;
  F.Problem = S.Problem;
  S.Options.Tell("clrewrite: error: " + U.Path +
                 ": left as it is, since its settings don't work\n");
  return F;
}

bool isInterrupted(const Setup &S) {
  return S.Options.Interrupted && S.Options.Interrupted();
}

report::FileReport notBegun(const Unit &U) {
  report::FileReport F;
  F.Path = U.Path;
  F.Problem = "not looked at: the run was interrupted";
  F.NotBegun = true;
  return F;
}

report::Report run(MutableArrayRef<Unit> Units,
                   ArrayRef<const Setup *> Setups) {
  report::Report R;
  std::set<std::string> Told;
  std::map<unsigned, process::Workers>
      Lookers; // by the seconds that they may take
  for (size_t I = 0; I < Units.size(); ++I) {
    const Setup &S = *Setups[I];
    if (isInterrupted(S)) {
      R.Files.push_back(notBegun(Units[I]));
      continue;
    }
    if (!S.Problem.empty()) {
      R.Files.push_back(refused(Units[I], S));
      continue;
    }
    R.Unmeasured |= S.Options.Search.NoMeasure;
    const process::ChildLimits &Limits = S.Options.Limits;
    process::Workers &Look =
        Lookers.try_emplace(Limits.Seconds, lookHere, Limits).first->second;
    Done Each =
        work(Units[I], *S.Measures, Look, S.Options, I + 1, Units.size(), Told);
    R.Files.push_back(std::move(Each.Report));
    if (Units[I].Text && R.Files.back().Written)
      for (Unit &Other : Units)
        if (Other.Text && Other.Path == Units[I].Path)
          Other.Text = Each.Written;
    const select::Selection &Chosen = R.Files.back().Result;
    if (R.Files.back().Problem.empty() &&
        (Chosen.changed() || R.Files.back().Suppressed))
      for (size_t J = 0; J < Units.size(); ++J)
        if (J != I)
          noteChange(Units[J], Units[I], Each.Given, Chosen.Result.Text,
                     R.Files.back().Written);
  }
  return R;
}

} // namespace clrewrite::pipeline
