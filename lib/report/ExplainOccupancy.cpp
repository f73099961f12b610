// What limits the waves of each kernel, for --explain-occupancy: the fields of
// llvm-calc-occupancy, before and after.
#include "measure/TargetFamily.h"
#include "measure/occupancy/OccupancyLimits.h"
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
  Version(const measure::Target &On, const measure::Usage &U,
          const measure::OccupancyNeeds &Needs,
          const measure::OccupancyLimits &Waves)
      : On(On), Terms(On.Family->terms()), U(U), Needs(Needs), Waves(Waves) {}

  void write(StringRef Title, raw_ostream &OS) const {
    OS << "  " << Title << ": occupancy "
       << (isHeldDown() ? *U.Occupancy : Waves.All) << " of " << Waves.Max
       << " " << Terms.Waves << "/" << Terms.ShortUnit << ", limited by "
       << join(limiters(), ", ") << "\n";
    line(OS, registers(), vgprs(), Waves.ByVgprs);
    if (U.Sgprs)
      line(OS, "SGPRs", amount(*U.Sgprs, U.SgprsAllocated), Waves.BySgprs);
    line(OS, "LDS", utostr(Needs.LdsBytes) + " B a work-group", Waves.ByLds);
    line(OS, "work-group", group(), Waves.ByWorkGroup);
    OS << "    next step    " << nextStep() << "\n";
  }

private:
  const measure::Target &On;
  measure::OccupancyTerms Terms;
  const measure::Usage &U;
  const measure::OccupancyNeeds &Needs;
  const measure::OccupancyLimits &Waves;

  /// By something that is none of these.
  bool isHeldDown() const { return U.Limiter == "attribute"; }

  StringRef registers() const { return Terms.Registers; }

  static void line(raw_ostream &OS, StringRef Name, StringRef Amount,
                   unsigned Alone) {
    OS << formatv("    {0,-12} {1,-28} alone: {2}\n", Name, Amount, Alone);
  }

  static std::string amount(unsigned Used, std::optional<unsigned> Allocated) {
    return utostr(Used) +
           (Allocated ? ", allocated " + utostr(*Allocated) : "");
  }

  std::string vgprs() const {
    std::string Used = utostr(Needs.Vgprs);
    if (Needs.Agprs)
      Used += " and AGPRs " + utostr(Needs.Agprs);
    return Used +
           (U.VgprsAllocated ? ", allocated " + utostr(*U.VgprsAllocated) : "");
  }

  std::string group() const {
    if (Needs.GroupMin == Needs.GroupMax)
      return utostr(Needs.GroupMax) + " work-items";
    return "up to " + utostr(Needs.GroupMax) + " work-items";
  }

  bool limits(unsigned Alone) const {
    return Alone == Waves.All && Alone < Waves.Max;
  }

  /// By LDS also counts what the work-groups give by themselves.
  bool ldsLimits() const {
    return limits(Waves.ByLds) && Waves.ByLds < Waves.ByWorkGroup;
  }

  std::vector<std::string> limiters() const {
    if (isHeldDown())
      return {"the attribute amdgpu_waves_per_eu"};
    std::vector<std::string> Out;
    if (limits(Waves.ByVgprs))
      Out.push_back(registers().str());
    if (limits(Waves.BySgprs))
      Out.push_back("SGPRs");
    if (ldsLimits())
      Out.push_back("LDS");
    if (limits(Waves.ByWorkGroup))
      Out.push_back("work-group size");
    if (Out.empty())
      Out.push_back(Waves.All < Waves.Max ? "all of them together" : "none");
    return Out;
  }

  /// What has to fall, all of it, for more waves, and how many there are then.
  std::string nextStep() const {
    if (isHeldDown())
      return "another value of that attribute";
    if (Waves.All >= Waves.Max)
      return "none: this is the most";
    measure::OccupancyNeeds Then = Needs;
    std::vector<std::string> Less;
    auto lower = [&](unsigned measure::OccupancyNeeds::*What, bool Limits,
                     StringRef Name) {
      if (!Limits)
        return true;
      std::optional<unsigned> To =
          measure::nextBelow(On, Needs, What, Waves.All);
      if (!To)
        return false;
      unsigned By = Needs.*What - *To;
      StringRef Word = Name;
      if (By == 1 && Word.ends_with("s"))
        Word = Word.drop_back();
      Less.push_back(utostr(By) + " " + Word.str());
      Then.*What = *To;
      return true;
    };
    if (!lower(&measure::OccupancyNeeds::Vgprs, limits(Waves.ByVgprs),
               registers()) ||
        !lower(&measure::OccupancyNeeds::Sgprs, limits(Waves.BySgprs),
               "SGPRs") ||
        !lower(&measure::OccupancyNeeds::LdsBytes, ldsLimits(), "B of LDS") ||
        limits(Waves.ByWorkGroup) || Less.empty())
      return limits(Waves.ByWorkGroup) ? "another work-group size"
                                       : "none by one resource alone";
    std::vector<unsigned> More = measure::wavesFor(On, Then);
    return join(Less, " and ") + " fewer" +
           (More.empty() ? ""
                         : ": " + utostr(More.front()) +
                               (" " + Terms.Waves).str());
  }
};

std::optional<unsigned> groupOf(ArrayRef<measure::Launch> Launches,
                                StringRef Kernel) {
  for (const measure::Launch &L : Launches)
    if (L.Kernel == Kernel && !L.Local.empty()) {
      uint64_t Items = 1;
      for (uint64_t Each : L.Local)
        Items *= Each;
      return unsigned(Items);
    }
  return std::nullopt;
}

/// What a version gives on \p On; empty where nothing is known.
std::string told(const measure::Target &On, const measure::Usage &U,
                 StringRef Title, std::optional<unsigned> Group) {
  measure::OccupancyNeeds Needs = measure::needsOf(U, Group);
  std::vector<measure::OccupancyLimits> Waves =
      measure::occupancyLimits(On, Needs);
  std::string Text;
  raw_string_ostream OS(Text);
  if (!Waves.empty() && U.Vgprs)
    Version(On, U, Needs, Waves.front()).write(Title, OS);
  return Text;
}

} // namespace

void writeOccupancy(const Report &R, ArrayRef<measure::Launch> Launches,
                    raw_ostream &OS) {
  for (const FileReport &F : R.Files)
    for (const KernelRow &Row : kernelRows(F)) {
      if (!Row.Before)
        continue;
      OS << F.Path << ":" << Row.Kernel->Line << ": kernel " << Row.Kernel->Name
         << " on " << Row.Target;
      // "gfx906, small" is a build of its own.
      Expected<measure::Target> On =
          measure::parseTarget(Row.Target.split(", ").first);
      bool Known = bool(On) && !On->isDevice();
      if (!On)
        consumeError(On.takeError());
      if (!Known) {
        OS << ": not told, as only its driver knows\n";
        continue;
      }
      if (Row.Before->WaveSize)
        OS << ", "
           << On->Family->terms().Waves
           << " of " << *Row.Before->WaveSize;
      OS << "\n";
      std::optional<unsigned> Group = groupOf(Launches, Row.Kernel->Name);
      std::string Before = told(*On, *Row.Before, "before", Group);
      std::string After = told(*On, *Row.After, "after", Group);
      bool Same = StringRef(Before).split(':').second ==
                  StringRef(After).split(':').second;
      OS << (Same ? told(*On, *Row.Before, "now", Group) : Before + After);
    }
}

} // namespace clrewrite::report
