// Figures are written in words, as Markdown.
#include "lsp/Figures.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::lsp {

static constexpr const char *Between = " \u00b7 ";

static std::string counted(unsigned N, StringRef What) {
  return utostr(N) + " " + What.str() + (N == 1 ? "" : "s");
}

/// ": most alive in line 42 (31)"; empty where nothing is known.
static std::string worstLine(const ViewFigures &F) {
  auto Most = F.Live.begin();
  for (auto It = F.Live.begin(); It != F.Live.end(); ++It)
    if (It->second > Most->second)
      Most = It;
  if (Most == F.Live.end())
    return "";
  return formatv("most alive in line {0} ({1})", Most->first, Most->second);
}

std::string lensText(const ViewFigures &F) {
  if (!F.Problem.empty())
    return "not measured: " + F.Problem + " (" + F.Target + ")";
  const measure::Usage &U = F.Now;
  std::vector<std::string> Parts;
  if (U.Vgprs)
    Parts.push_back((U.StackEntries ? "GPR " : "VGPR ") + utostr(*U.Vgprs));
  if (U.Agprs.value_or(0))
    Parts.push_back("AGPR " + utostr(*U.Agprs));
  if (U.Occupancy && U.OccupancyMax)
    Parts.push_back(formatv("{0} of {1} waves", *U.Occupancy, *U.OccupancyMax));
  if (U.VgprSpills.value_or(0))
    Parts.push_back(counted(*U.VgprSpills, "VGPR") + " spilled");
  if (U.SgprSpills.value_or(0))
    Parts.push_back(counted(*U.SgprSpills, "SGPR") + " spilled");
  if (U.ScratchBytes.value_or(0))
    Parts.push_back(utostr(*U.ScratchBytes) + " B of scratch");
  if (U.Vgprs && U.VgprsToNextStep)
    Parts.push_back("next step at " + utostr(*U.Vgprs - *U.VgprsToNextStep));
  else if (U.Limiter && *U.Limiter != "none")
    Parts.push_back("limited by " + *U.Limiter);
  if (std::string Worst = worstLine(F); !Worst.empty())
    Parts.push_back(std::move(Worst));
  if (Parts.empty())
    Parts.push_back("no figures");
  return join(Parts, Between) + " (" + F.Target + ")";
}

static std::string cell(std::optional<unsigned> Now,
                        std::optional<unsigned> Then) {
  auto One = [](std::optional<unsigned> V) {
    return V ? utostr(*V) : std::string("?");
  };
  return Now == Then ? One(Now) : One(Now) + " \u2192 " + One(Then);
}

static std::string estimate(const measure::Usage &Now,
                            const measure::Usage &Then) {
  if (!Now.EstCycles)
    return "?";
  measure::EstimatePair Est = measure::comparable(Now, Then);
  std::string Out = formatv("{0:f0}", Est.Before.value_or(*Now.EstCycles));
  if (Est.After && Est.Before && *Est.After != *Est.Before)
    Out += formatv(" \u2192 {0:f0}", *Est.After);
  return Out + " (" + Then.EstBound.value_or("?") + ")";
}

/// Of \p Text in a cell of a Markdown table.
static std::string escaped(StringRef Text) {
  std::string Out;
  for (char C : Text)
    Out += C == '|' ? "\\|" : C == '\n' ? " " : std::string(1, C);
  return Out;
}

std::string figuresTable(const ViewKernel &K) {
  std::string Out = "**kernel " + K.Name +
                    "**\n\n| target | VGPRs | SGPRs | spills | scratch | LDS | "
                    "waves | limited by | estimate |\n"
                    "|---|---|---|---|---|---|---|---|---|\n";
  for (const ViewFigures &F : K.Targets) {
    const measure::Usage &A = F.Now, &B = F.Then;
    if (!F.Problem.empty()) {
      Out += "| " + F.Target + " | " + escaped(F.Problem) + " ||||||||\n";
      continue;
    }
    std::string Limit = escaped(B.Limiter.value_or("?"));
    if (B.VgprsToNextStep)
      Limit += formatv(", next step {0} fewer", *B.VgprsToNextStep);
    Out += formatv("| {0} | {1} | {2} | {3} | {4} | {5} | {6} of {7} | {8} | "
                   "{9} |\n",
                   F.Target, cell(A.Vgprs, B.Vgprs), cell(A.Sgprs, B.Sgprs),
                   cell(A.VgprSpills, B.VgprSpills),
                   cell(A.ScratchBytes, B.ScratchBytes),
                   cell(A.LdsBytes, B.LdsBytes), cell(A.Occupancy, B.Occupancy),
                   cell(B.OccupancyMax, B.OccupancyMax), Limit, estimate(A, B));
  }
  return Out;
}

} // namespace clrewrite::lsp
