// What the probe found, for people and for programs.
#include "instrument/Probe.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace clrewrite::instrument {

static std::string waves(const ProbeFigures &F) {
  if (!F.Waves)
    return "fewer waves (the driver does not tell how many)";
  return formatv("{0} of {1} waves a compute unit", *F.Waves,
                 F.MostWaves.value_or(0));
}

/// Why \p S takes longer than the steps before it, or what it is else.
static std::string causeOf(const ProbeStep &S) {
  const ProbeFigures &F = S.Figures;
  switch (S.Cause) {
  case ProbeCause::Flat:
    return "flat";
  case ProbeCause::LostOccupancy:
    return "lost occupancy: " + waves(F) + ", nothing spilled";
  case ProbeCause::Spilling:
    return formatv("spilling: {0} bytes a work-item{1}", *F.SpillBytes,
                   F.Waves ? ", " + waves(F) : "");
  case ProbeCause::FreeSpills:
    return formatv("spills {0} bytes a work-item, but is no slower",
                   *F.SpillBytes);
  case ProbeCause::Unclear:
    return "time alone can't tell lost occupancy from spilling";
  case ProbeCause::Other:
    return F.Waves ? "though nothing spilled and as many waves: another "
                     "cause (the size of the code?)"
                   : "though nothing spilled; the driver does not tell "
                     "waves";
  case ProbeCause::NotMeasured:
    return S.Problem;
  }
  return "";
}

std::string explain(const ProbeStep &S) {
  return (S.Cause == ProbeCause::Unclear ? "slower; "
          : S.Cause == ProbeCause::Other ? "slower, "
                                         : "") +
         causeOf(S);
}

double unsteadiness(const ProbeResult &R) {
  double Most = 1;
  for (const ProbeStep &S : R.Steps)
    if (S.Problem.empty() && S.Ns > 0)
      Most = std::max(Most, S.MedianNs / S.Ns);
  return Most;
}

static std::string orDash(std::optional<unsigned> N) {
  return N ? std::to_string(*N) : "-";
}

static std::string wavesCell(const ProbeFigures &F) {
  return F.Waves ? formatv("{0}/{1}", *F.Waves, F.MostWaves.value_or(0)).str()
                 : "-";
}

/// Three significant digits, in a unit that suits.
static std::string duration(double Ns) {
  const char *Unit = "ns";
  for (const char *Larger : {"us", "ms", "s"})
    if (Ns >= 1000) {
      Ns /= 1000;
      Unit = Larger;
    }
  return formatv(Ns < 10    ? "{0:F2} {1}"
                 : Ns < 100 ? "{0:F1} {1}"
                            : "{0:F0} {1}",
                 Ns, Unit);
}

/// The edges in words.
static void writeFindings(const ProbeResult &R, raw_ostream &OS) {
  auto stepOf = [&](unsigned Variables) {
    for (const ProbeStep &S : R.Steps)
      if (S.Variables == Variables)
        return &S;
    return static_cast<const ProbeStep *>(nullptr);
  };
  std::optional<unsigned> Most; // registers that were had without spilling
  for (const ProbeStep &S : R.Steps)
    if (S.Problem.empty() && S.Figures.SpillBytes == 0u && S.Figures.Registers)
      Most = std::max(Most.value_or(0), *S.Figures.Registers);
  if (R.Slower) {
    OS << formatv("slower from {0} variables on (flat up to {1}): {2}\n",
                  R.Slower->At, R.Slower->Below,
                  causeOf(*stepOf(R.Slower->At)));
  } else {
    unsigned Largest = 0;
    for (const ProbeStep &S : R.Steps)
      if (S.Problem.empty())
        Largest = S.Variables;
    OS << formatv("flat up to {0} variables, the most that were tried\n",
                  Largest);
  }
  if (R.Spills)
    OS << formatv("spilling from {0} variables on (none up to {1})\n",
                  R.Spills->At, R.Spills->Below);
  if (Most)
    OS << formatv("a work-item has at least {0} registers (the most that a "
                  "kernel here had without spilling)\n",
                  *Most);
  else if (unsigned Fit = R.Slower ? R.Slower->Below : 0)
    OS << formatv("the driver tells no registers; at least {0} variables of 32 "
                  "bits cost a work-item nothing\n",
                  Fit);
}

void writeProbeText(const ProbeResult &R, const DeviceFacts &D,
                    raw_ostream &OS) {
  OS << deviceLine(D) << "\n"
     << formatv("{0} work-items in groups of {1}, {2} turns; least of {3} "
                "launches\n\n",
                R.Items, R.Group, R.Turns, R.Repeat)
     << "variables  registers  spilled   waves    build  time/variable  "
        "ratio\n";
  for (const ProbeStep &S : R.Steps) {
    OS << formatv("{0,9}", S.Variables);
    if (!S.Problem.empty()) {
      OS << "  " << S.Problem << "\n";
      continue;
    }
    OS << formatv("  {0,9}  {1,7}  {2,6}  {3,5:F1} s  {4,13}  {5,5:F2}  {6}\n",
                  orDash(S.Figures.Registers), orDash(S.Figures.SpillBytes),
                  wavesCell(S.Figures), S.BuildSeconds,
                  duration(S.nsPerVariable()), S.Ratio, explain(S));
  }
  OS << "\n";
  writeFindings(R, OS);
  if (double Most = unsteadiness(R); Most > Unsteady)
    OS << formatv("times vary (a median is {0:F1} times the least): something "
                  "else may use the device, try again when it is idle\n",
                  Most);
  if (!R.Stopped.empty())
    OS << "ended early: " << R.Stopped << "\n";
}

static StringRef nameOf(ProbeCause C) {
  static constexpr StringLiteral Names[] = {
      "flat",    "lost-occupancy", "spilling",    "spills-without-cost",
      "unclear", "other",          "not-measured"};
  return Names[size_t(C)];
}

static json::Value edgeJson(const std::optional<ProbeEdge> &E) {
  if (!E)
    return nullptr;
  return json::Object{{"below", E->Below}, {"at", E->At}};
}

static json::Object stepJson(const ProbeStep &S) {
  bool Known = S.Problem.empty();
  auto ifKnown = [&](double N) {
    return Known ? json::Value(N) : json::Value(nullptr);
  };
  return json::Object{
      {"variables", S.Variables},
      {"min_ns", ifKnown(S.Ns)},
      {"median_ns", ifKnown(S.MedianNs)},
      {"ns_per_variable", ifKnown(S.nsPerVariable())},
      {"ratio", ifKnown(S.Ratio)},
      {"against", S.Against ? json::Value(S.Against) : json::Value(nullptr)},
      {"build_s", S.BuildSeconds},
      {"registers", S.Figures.Registers},
      {"spill_bytes", S.Figures.SpillBytes},
      {"waves", S.Figures.Waves},
      {"waves_max", S.Figures.MostWaves},
      {"cause", nameOf(S.Cause)},
      {"explanation", json::fixUTF8(explain(S))}};
}

void writeProbeJson(const ProbeResult &R, const DeviceFacts &D,
                    raw_ostream &OS) {
  json::Array Steps;
  for (const ProbeStep &S : R.Steps)
    Steps.push_back(stepJson(S));
  json::Object Document{
      {"schema", 1},
      {"kind", "probe"},
      {"device", deviceJson(D)},
      {"work_items", R.Items},
      {"work_group", R.Group},
      {"turns", R.Turns},
      {"repeat", R.Repeat},
      {"steps", std::move(Steps)},
      {"slower", edgeJson(R.Slower)},
      {"spills", edgeJson(R.Spills)},
      {"stopped", R.Stopped.empty() ? json::Value(nullptr)
                                    : json::Value(json::fixUTF8(R.Stopped))}};
  OS << formatv("{0:2}\n", json::Value(std::move(Document)));
}

} // namespace clrewrite::instrument
