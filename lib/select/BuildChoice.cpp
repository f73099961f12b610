// Options are tried one after another, each against the same text without it.
#include "select/BuildChoice.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace clrewrite::select {

static constexpr StringLiteral LimitPrefix = "-cl-nv-maxrregcount=";

/// Registers that a work-item may have. From 32 on these are the steps at which
/// NVIDIA's GPUs hold fewer warps, down to three a scheduler. Those that lie
/// far apart come first, since a budget may end.
static constexpr unsigned Limits[] = {128, 80,  32, 48, 64, 24,
                                      96,  168, 40, 56, 72};

/// Options of the specification that change rounding.
static constexpr StringLiteral Approximate[] = {
    "-cl-mad-enable", "-cl-denorms-are-zero", "-cl-fast-relaxed-math"};

/// The registers that the option \p Text allows a work-item; 0: it limits none.
static unsigned mostRegisters(StringRef Text) {
  unsigned Limit = 0;
  return Text.consume_front(LimitPrefix) && !Text.getAsInteger(10, Limit)
             ? Limit
             : 0;
}

static BuildOption limitOf(unsigned Registers) {
  return {(LimitPrefix + Twine(Registers)).str(), rewrite::Safety::Exact,
          /*NvidiaOnly=*/true};
}

Expected<std::vector<BuildOption>>
buildOptionsNamed(ArrayRef<std::string> Words) {
  std::vector<BuildOption> Out;
  for (StringRef Word : Words) {
    unsigned Limit = mostRegisters(Word);
    if (Word == NoBuildOptions)
      Out.clear();
    else if (Word == RegisterLimits)
      append_range(Out, map_range(Limits, limitOf));
    else if (is_contained(Approximate, Word))
      Out.push_back({Word.str(), rewrite::Safety::Approximate});
    else if (Limit >= 16 && Limit <= 255)
      Out.push_back(limitOf(Limit));
    else
      return createStringError(
          "'" + Word + "' is no build option to try; " + RegisterLimits + ", " +
          NoBuildOptions + ", " + LimitPrefix + "N (16 to 255), " +
          join(ArrayRef(Approximate), ", ") + " are known");
  }
  return Out;
}

double BuildChoice::speedup() const {
  auto Timed =
      count_if(Deltas, [](const Delta &D) { return D.Time.has_value(); });
  return Timed ? std::exp2(timeGained(Deltas) / double(Timed)) : 1;
}

std::string BuildChoice::sentence() const {
  return formatv("build with {0} on {1}: {2:f2}x; the host must pass the "
                 "option, since no edit of the source can",
                 Option.Text, Target, speedup());
}

static bool takes(const measure::Target &T, const BuildOption &O) {
  return T.isDevice() && (T.TakesNvidiaOptions || !O.NvidiaOnly);
}

bool triesBuildOptions(const SelectOptions &Options) {
  bool ByTime =
      is_contained({Objective::Time, Objective::Auto}, Options.JudgedBy.Goal);
  return ByTime && !Options.NoMeasure && !Options.Launches.empty() &&
         any_of(Options.Targets, [&](const measure::Target &T) {
           return any_of(Options.BuildOptions,
                         [&](const BuildOption &O) { return takes(T, O); });
         });
}

Evaluator::Kept keptForBuilds(const SelectOptions &Options, unsigned Versions) {
  constexpr double Most = 0.25;
  if (!triesBuildOptions(Options))
    return {};
  return {Most, Versions * unsigned(Options.BuildOptions.size())};
}

/// What comes of \p O on the one target of \p Eval. \p Before are the figures
/// of \p Of.
static BuildChoice tryOne(const BuildOption &O, const Version &Of,
                          const FiguresByTarget &Before,
                          ArrayRef<std::string> Kernels,
                          const Evaluator &Eval) {
  const measure::Target &T = Eval.Options.Targets.front();
  Source Text = Of.Text;
  Text.DeviceOptions = O.Text;
  Version With{Text, Of.Launches, O.Class == rewrite::Safety::Approximate,
               O.Class != rewrite::Safety::Exact};
  BuildChoice C{O, T.Name, T.Model, T.Build};
  C.Deltas = Eval.deltas(Before, Eval.figures(Text, Kernels), Kernels);
  Verdict V = Eval.Judge.judged(C.Deltas, Kernels, Of, With,
                                Eval.Judge.criterionFor(Kernels));
  StringRef Reason = V.Reason;
  Reason.consume_front(T.Name + ": "); // there is no other
  C.Reason = Reason.str();
  C.Pays = V.Pays && C.speedup() > 1;
  if (V.Pays && !C.Pays)
    C.Reason = "one kernel is faster, but not all of them together";
  return C;
}

/// Why no limit changes \p Kernels on the one target of \p Eval: each has more
/// registers than the least one allows. Empty where one may.
static std::string whyNoLimit(const Version &Of, ArrayRef<std::string> Kernels,
                              const Evaluator &Eval) {
  const BuildOption *Least = nullptr;
  for (const BuildOption &O : Eval.Options.BuildOptions)
    if (mostRegisters(O.Text) &&
        (!Least || mostRegisters(O.Text) < mostRegisters(Least->Text)))
      Least = &O;
  if (!Least || Eval.stopped())
    return "";
  Source Text = Of.Text;
  Text.DeviceOptions = Least->Text;
  const FiguresByTarget With = Eval.figures(Text, Kernels);
  std::string Out;
  for (const std::string &Name : Kernels) {
    const measure::KernelUsage *K = With.front().find(Name);
    if (!K || K->Figures.Vgprs.value_or(0) <= mostRegisters(Least->Text))
      return "";
    Out = formatv("the driver takes no limit for these kernels: with {0} {1} "
                  "has {2} registers, as it does where the source has "
                  "reqd_work_group_size",
                  Least->Text, Name, *K->Figures.Vgprs);
  }
  return Out;
}

std::vector<BuildChoice> tryBuildOptions(const Version &Of,
                                         ArrayRef<std::string> Kernels,
                                         measure::Meter &M,
                                         const SelectOptions &Options) {
  std::vector<BuildChoice> Out;
  for (const measure::Target &T : Options.Targets) {
    SelectOptions Here = Options;
    Here.Targets = {T};
    Evaluator Eval(M, Here);
    if (!triesBuildOptions(Here) || !Eval.Judge.canTime(Kernels))
      continue;
    FiguresByTarget Before = Eval.figures(Of.Text, Kernels);
    const std::string NoLimit =
        T.TakesNvidiaOptions ? whyNoLimit(Of, Kernels, Eval) : "";
    for (const BuildOption &O : Options.BuildOptions) {
      if (!takes(T, O))
        continue;
      if (mostRegisters(O.Text) && !NoLimit.empty()) {
        Out.push_back({O, T.Name, T.Model, T.Build, /*Tried=*/true,
                       /*Pays=*/false, /*Kept=*/false, NoLimit});
        continue;
      }
      Eval.say("trying " + O.Text);
      if (Eval.stopped())
        Out.push_back({O, T.Name, T.Model, T.Build, /*Tried=*/false,
                       /*Pays=*/false, /*Kept=*/false,
                       "not tried: the time for the search was over"});
      else
        Out.push_back(tryOne(O, Of, Before, Kernels, Eval));
    }
  }
  llvm::stable_sort(Out, [](const BuildChoice &A, const BuildChoice &B) {
    return std::pair(A.Pays, A.speedup()) > std::pair(B.Pays, B.speedup());
  });
  return Out;
}

bool isFasterBuilt(const Version &Plainer, const Version &Best,
                   ArrayRef<std::string> Kernels, measure::Meter &M,
                   const SelectOptions &Options) {
  SelectOptions Exact = Options;
  llvm::erase_if(Exact.BuildOptions, [](const BuildOption &O) {
    return O.Class != rewrite::Safety::Exact;
  });
  if (count_if(Exact.Targets,
               [](const measure::Target &T) { return T.isDevice(); }) != 1 ||
      !triesBuildOptions(Exact))
    return false;
  bool TriedAll = true;
  auto built = [&](const Version &V) {
    std::vector<BuildChoice> Tried = tryBuildOptions(V, Kernels, M, Exact);
    TriedAll &= all_of(Tried, [](const BuildChoice &C) { return C.Tried; });
    Source Text = V.Text;
    if (!Tried.empty() && Tried.front().Pays)
      Text.DeviceOptions = Tried.front().Option.Text;
    return Text;
  };
  const Source New = built(Plainer);
  if (!TriedAll || New.DeviceOptions == Plainer.Text.DeviceOptions)
    return false;
  const Source Old = built(Best);
  if (!TriedAll)
    return false;
  Evaluator Eval(M, Exact);
  std::vector<Delta> Deltas = Eval.deltas(Eval.figures(Old, Kernels),
                                          Eval.figures(New, Kernels), Kernels);
  return Eval.Judge
      .judged(Deltas, Kernels, {Old, Best.Launches}, {New, Plainer.Launches},
              Eval.Judge.criterionFor(Kernels))
      .Pays;
}

} // namespace clrewrite::select
