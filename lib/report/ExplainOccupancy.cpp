// What limits the waves of each kernel, for --explain-occupancy: the fields of
// llvm-calc-occupancy, before and after. The accounts are in the report; this
// puts them into words.
#include "report/Listing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace clrewrite::report {
namespace {

/// The waves of one version of a kernel on one target.
class Version {
public:
  Version(const measure::OccupancyAccount &A, const measure::Usage &U,
          const measure::OccupancyTerms &Terms)
      : A(A), U(U), Terms(Terms) {}

  void write(StringRef Title, raw_ostream &OS) const {
    OS << "  " << Title << ": occupancy "
       << (measure::isHeldDown(U) ? *U.Occupancy : A.Waves.All) << " of "
       << A.Waves.Max << " " << Terms.Waves << "/" << Terms.ShortUnit
       << ", limited by " << join(limiters(), ", ") << "\n";
    line(OS, Terms.Registers, vgprs(), A.Waves.ByVgprs);
    if (U.Sgprs)
      line(OS, "SGPRs", amount(*U.Sgprs, U.SgprsAllocated), A.Waves.BySgprs);
    line(OS, "LDS", utostr(A.Needs.LdsBytes) + " B a work-group",
         A.Waves.ByLds);
    line(OS, "work-group", group(), A.Waves.ByWorkGroup);
    OS << "    next step    " << nextStep() << "\n";
  }

private:
  const measure::OccupancyAccount &A;
  const measure::Usage &U;
  const measure::OccupancyTerms &Terms;

  static void line(raw_ostream &OS, StringRef Name, StringRef Amount,
                   unsigned Alone) {
    OS << formatv("    {0,-12} {1,-28} alone: {2}\n", Name, Amount, Alone);
  }

  static std::string amount(unsigned Used, std::optional<unsigned> Allocated) {
    return utostr(Used) +
           (Allocated ? ", allocated " + utostr(*Allocated) : "");
  }

  std::string vgprs() const {
    std::string Used = utostr(A.Needs.Vgprs);
    if (A.Needs.Agprs)
      Used += " and AGPRs " + utostr(A.Needs.Agprs);
    return Used +
           (U.VgprsAllocated ? ", allocated " + utostr(*U.VgprsAllocated) : "");
  }

  std::string group() const {
    if (A.Needs.GroupMin == A.Needs.GroupMax)
      return utostr(A.Needs.GroupMax) + " work-items";
    return "up to " + utostr(A.Needs.GroupMax) + " work-items";
  }

  std::vector<std::string> limiters() const {
    if (measure::isHeldDown(U))
      return {"the attribute amdgpu_waves_per_eu"};
    std::vector<std::string> Out;
    if (A.limits(A.Waves.ByVgprs))
      Out.push_back(Terms.Registers.str());
    if (A.limits(A.Waves.BySgprs))
      Out.push_back("SGPRs");
    if (A.ldsLimits())
      Out.push_back("LDS");
    if (A.limits(A.Waves.ByWorkGroup))
      Out.push_back("work-group size");
    if (Out.empty())
      Out.push_back(A.Waves.All < A.Waves.Max ? "all of them together"
                                              : "none");
    return Out;
  }

  std::string nextStep() const {
    using measure::NextStep;
    switch (A.Next.What) {
    case NextStep::None:
      return "none: this is the most";
    case NextStep::Attribute:
      return "another value of that attribute";
    case NextStep::GroupSize:
      return "another work-group size";
    case NextStep::NotAlone:
      return "none by one resource alone";
    case NextStep::Fewer:
      break;
    }
    std::vector<std::string> Less;
    for (auto [By, Name] : {std::pair(A.Next.Vgprs, Terms.Registers),
                            {A.Next.Sgprs, "SGPRs"},
                            {A.Next.LdsBytes, "B of LDS"}}) {
      StringRef Word = Name;
      if (By == 1 && Word.ends_with("s"))
        Word = Word.drop_back();
      if (By)
        Less.push_back((utostr(By) + " " + Word).str());
    }
    std::string Out = join(Less, " and ") + " fewer";
    if (A.Next.Waves)
      Out += (": " + utostr(*A.Next.Waves) + " " + Terms.Waves).str();
    return Out;
  }
};

/// The sentence on a version; empty where nothing is known.
std::string told(const std::optional<measure::OccupancyAccount> &A,
                 const measure::Usage &U, const measure::OccupancyTerms &Terms,
                 StringRef Title) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (A)
    Version(*A, U, Terms).write(Title, OS);
  return Text;
}

} // namespace

void writeOccupancy(const Report &R, raw_ostream &OS) {
  for (const FileReport &F : R.Files)
    for (const KernelRow &Row : kernelRows(F)) {
      if (!Row.Before || Row.TargetIndex >= F.Accounts.size())
        continue;
      const measure::TargetAccounts &On = F.Accounts[Row.TargetIndex];
      OS << F.Path << ":" << Row.Kernel->Line << ": kernel " << Row.Kernel->Name
         << " on " << Row.Target;
      if (!On.Known) {
        OS << ": not told, as only its driver knows\n";
        continue;
      }
      if (Row.Before->WaveSize)
        OS << ", " << On.Terms.Waves << " of " << *Row.Before->WaveSize;
      OS << "\n";
      auto Both = On.Kernels.find(Row.Kernel->Name);
      if (Both == On.Kernels.end())
        continue;
      const auto &[A, B] = Both->second;
      std::string Before = told(A, *Row.Before, On.Terms, "before");
      std::string After = told(B, *Row.After, On.Terms, "after");
      bool Same = StringRef(Before).split(':').second ==
                  StringRef(After).split(':').second;
      OS << (Same ? told(A, *Row.Before, On.Terms, "now") : Before + After);
    }
}

} // namespace clrewrite::report
