// The report as JSON; docs/report.schema.json describes it.
#include "report/CurveData.h"
#include "report/Listing.h"
#include <cmath>

using namespace llvm;

namespace clrewrite::report {

/// The kernel that an entry names: the one it stands in or, for a helper
/// function, all that reach it.
static std::string kernelName(ArrayRef<std::string> Kernels) {
  std::string Out;
  for (const std::string &K : Kernels)
    Out += (Out.empty() ? "" : ", ") + K;
  return Out;
}

static json::Value figures(const measure::Measurement &M,
                           const std::string &Kernel) {
  const measure::KernelUsage *K = M.find(Kernel);
  return measure::toJSON(K && K->measured() ? K->Figures : measure::Usage());
}

static json::Value problem(const measure::Measurement &M,
                           const std::string &Kernel) {
  if (const measure::KernelUsage *K = M.find(Kernel))
    return K->measured() ? json::Value(nullptr) : json::fixUTF8(K->Problem);
  return json::fixUTF8(M.Problem.empty() ? "not in the compiled module"
                                         : M.Problem);
}

/// The kernel's time on target number \p T, null where it has none; or, with
/// \p Why, the reason that it has none.
static json::Value time(const select::Selection &S, size_t T,
                        const std::string &Kernel, bool Why) {
  if (T >= S.Times.size())
    return nullptr;
  auto It = S.Times[T].find(Kernel);
  if (It == S.Times[T].end())
    return nullptr;
  if (!Why)
    return It->second.Time;
  if (It->second.Problem.empty())
    return nullptr;
  return json::fixUTF8(It->second.Problem);
}

static json::Value verification(const KernelEvidence *E) {
  if (!E)
    return nullptr;
  json::Object Out{{"verdict", verify::name(E->Verdict)},
                   {"evidence", json::fixUTF8(E->Evidence)},
                   {"proved", E->Proved}};
  if (E->Reached)
    Out["coverage"] = verify::toJSON(*E->Reached);
  return Out;
}

/// Null where nobody asked, or nothing is known.
static json::Value live(const FileReport &F, size_t T,
                        const std::string &Kernel) {
  const measure::KernelPressure *K =
      T < F.Live.size() ? F.Live[T].find(Kernel) : nullptr;
  if (!K || !K->Problem.empty())
    return nullptr;
  json::Value Out = measure::toJSON(K->Live);
  unsigned Worst = K->Live.worstLine();
  Out.getAsObject()->insert(
      {"worst_line", Worst ? json::Value(Worst) : json::Value(nullptr)});
  return Out;
}

/// Null where nobody asked.
static const measure::OccupancyCurves *curves(const FileReport &F, size_t T,
                                              const std::string &Kernel) {
  if (T >= F.Curves.size())
    return nullptr;
  auto It = F.Curves[T].find(Kernel);
  return It == F.Curves[T].end() ? nullptr : &It->second;
}

static json::Array kernels(const FileReport &F) {
  json::Array Out;
  const select::Selection &S = F.Result;
  for (const rewrite::KernelInfo &K : F.Kernels) {
    json::Array Targets;
    for (size_t T = 0; T < S.Before.size(); ++T) {
      json::Object Target{{"target", F.Targets[T]},
                          {"before", figures(S.Before[T], K.Name)},
                          {"after", figures(S.After[T], K.Name)},
                          {"problem", problem(S.Before[T], K.Name)},
                          {"live_vgprs", live(F, T, K.Name)},
                          {"time", time(S, T, K.Name, /*Why=*/false)},
                          {"time_problem", time(S, T, K.Name, /*Why=*/true)}};
      if (const measure::OccupancyCurves *C = curves(F, T, K.Name))
        Target["occupancy_curves"] = occupancyOf(*C);
      Targets.push_back(std::move(Target));
    }
    Out.push_back(
        json::Object{{"name", K.Name},
                     {"line", K.Line},
                     {"targets", std::move(Targets)},
                     {"verification", verification(evidenceFor(F, K.Name))}});
  }
  return Out;
}

json::Array deltas(ArrayRef<select::Delta> List) {
  json::Array Out;
  for (const select::Delta &D : List)
    Out.push_back(json::Object{{"kernel", D.Kernel},
                               {"target", D.Target},
                               {"before", measure::toJSON(D.Before.Figures)},
                               {"after", measure::toJSON(D.After.Figures)},
                               {"time", D.Time}});
  return Out;
}

static json::Array rewrites(const FileReport &F) {
  json::Array Out;
  for (const select::Outcome &O : F.Result.Outcomes) {
    json::Object One{
        {"rewrite", O.Rewrite},
        {"alternative", O.Alternative},
        {"safety", rewrite::name(O.Class)},
        {"kernel", kernelName(O.Kernels)},
        {"line", O.Line},
        {"offset", O.Offset},
        {"applied", O.Applied},
        {"reason", json::fixUTF8(O.Reason)},
        {"note", O.Note.empty() ? json::Value(nullptr) : json::Value(O.Note)},
        {"ulps", O.Ulps},
        {"launch", O.Launch},
        {"deltas", deltas(O.Deltas)}};
    if (!O.For.empty())
      One["for_targets"] = json::Array(O.For);
    Out.push_back(std::move(One));
  }
  for (const rewrite::Declined &D : F.Result.Declines)
    Out.push_back(json::Object{{"rewrite", D.Rewrite},
                               {"alternative", nullptr},
                               {"safety", nullptr},
                               {"kernel", kernelName(D.Kernels)},
                               {"line", D.Line},
                               {"offset", D.Offset},
                               {"applied", false},
                               {"reason", "declined: " + D.Reason},
                               {"note", nullptr},
                               {"ulps", nullptr},
                               {"launch", nullptr},
                               {"deltas", json::Array()}});
  return Out;
}

static json::Array buildOptions(const FileReport &F) {
  json::Array Out;
  for (const select::BuildChoice &C : F.BuildChoices)
    Out.push_back(json::Object{
        {"target", C.Target},
        {"option", C.Option.Text},
        {"safety", rewrite::name(C.Option.Class)},
        {"kept", C.Kept},
        {"reason", json::fixUTF8(C.Reason)},
        {"verification",
         C.Verdict.empty()
             ? json::Value(nullptr)
             : json::Object{{"verdict", C.Verdict},
                            {"evidence", json::fixUTF8(C.Evidence)}}},
        {"deltas", deltas(C.Deltas)}});
  return Out;
}

static json::Object sum(const BaselineReport &B, const FigureSum &S) {
  json::Array Worst;
  for (auto [Row, By] : S.Worst)
    Worst.push_back(json::Object{{"path", json::fixUTF8(B.Rows[Row].Path)},
                                 {"kernel", B.Rows[Row].Kernel},
                                 {"target", B.Rows[Row].Target},
                                 {"difference", By}});
  return json::Object{{"figure", S.Name},
                      {"before", S.Before},
                      {"after", S.After},
                      {"affected_before", S.AffectedBefore},
                      {"affected_after", S.AffectedAfter},
                      {"helped", S.Helped},
                      {"hurt", S.Hurt},
                      {"worst", std::move(Worst)}};
}

static json::Value baseline(const std::optional<BaselineReport> &B) {
  if (!B)
    return nullptr;
  json::Array Kernels, Sums;
  for (const BaselineRow &Row : B->Rows)
    Kernels.push_back(json::Object{{"path", json::fixUTF8(Row.Path)},
                                   {"line", Row.Line},
                                   {"kernel", Row.Kernel},
                                   {"target", Row.Target},
                                   {"state", name(Row.What)},
                                   {"text", json::fixUTF8(Row.text())},
                                   {"before", Row.Before},
                                   {"after", Row.After}});
  for (const FigureSum &S : B->sums())
    Sums.push_back(sum(*B, S));
  auto Text = [](const std::string &T) {
    return T.empty() ? json::Value(nullptr) : json::Value(json::fixUTF8(T));
  };
  return json::Object{
      {"path", json::fixUTF8(B->Path)}, {"regressions", B->count(Fate::Worse)},
      {"not_compared", B->NotCompared}, {"written", B->Written},
      {"note", Text(B->Note)},          {"kernels", std::move(Kernels)},
      {"sums", std::move(Sums)},        {"diff", Text(B->Diff)}};
}

static json::Array errors(const FileReport &F) {
  auto Number = [](unsigned N) {
    return N ? json::Value(N) : json::Value(nullptr);
  };
  json::Array Out;
  for (const SourceError &E : F.Errors)
    Out.push_back(json::Object{{"path", json::fixUTF8(E.Path)},
                               {"line", Number(E.Line)},
                               {"column", Number(E.Column)},
                               {"message", json::fixUTF8(E.Message)}});
  return Out;
}

void writeJson(const Report &R, raw_ostream &OS) {
  json::Array Files;
  for (const FileReport &F : R.Files) {
    json::Array Warnings;
    for (const rewrite::Warning &W : F.Warnings)
      Warnings.push_back(json::Object{{"line", W.Line},
                                      {"kernel", W.Kernel},
                                      {"message", json::fixUTF8(W.Message)}});
    json::Array Advised;
    for (const advice::Advice &A : F.Advised)
      Advised.push_back(advice::toJSON(A));
    json::Array Skipped;
    for (LineRange L : F.Skipped)
      Skipped.push_back(json::Array{L.First, L.Last});
    Files.push_back(json::Object{
        {"path", json::fixUTF8(F.Path)},
        {"problem", F.Problem.empty() ? json::Value(nullptr)
                                      : json::Value(json::fixUTF8(F.Problem))},
        {"errors", errors(F)},
        {"written", F.Written},
        {"kernels", kernels(F)},
        {"rewrites", rewrites(F)},
        {"warnings", std::move(Warnings)},
        {"advice", std::move(Advised)},
        {"skipped", std::move(Skipped)}});
    json::Object &Last = *Files.back().getAsObject();
    if (F.Place)
      Last["place"] = *F.Place;
    if (R.Timed)
      Last["milliseconds"] = std::llround(F.Seconds * 1e3);
    if (!F.Sandbox.empty())
      Last["sandbox"] = json::fixUTF8(F.Sandbox);
    if (!F.BuildChoices.empty())
      Last["build_options"] = buildOptions(F);
    json::Array Unseen;
    for (const std::string &What : F.Unseen)
      Unseen.push_back(json::fixUTF8(What));
    if (!Unseen.empty())
      Last["unseen"] = std::move(Unseen);
  }
  json::Object Top{{"schema", 1},
                   {"files", std::move(Files)},
                   {"baseline", baseline(R.Against)}};
  if (R.Shard)
    Top["shard"] = toJSON(*R.Shard);
  json::OStream Writer(OS, 2);
  Writer.value(std::move(Top));
  OS << "\n";
}

} // namespace clrewrite::report
