// The kernels of a report are compared with those of the baseline.
#include "report/Listing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace clrewrite::report {
namespace {

struct Figure {
  const char *Name;
  std::optional<double> (*Of)(const measure::Usage &);
  bool MoreIsBetter = false;
};

std::optional<double> asDouble(std::optional<unsigned> V) {
  return V ? std::optional<double>(*V) : std::nullopt;
}

const Figure Figures[] = {
    {"VGPRs", [](const measure::Usage &U) { return asDouble(U.Vgprs); }},
    {"AGPRs", [](const measure::Usage &U) { return asDouble(U.Agprs); }},
    {"SGPRs", [](const measure::Usage &U) { return asDouble(U.Sgprs); }},
    {"waves", [](const measure::Usage &U) { return asDouble(U.Occupancy); },
     true},
    {"spills", [](const measure::Usage &U) { return asDouble(allSpills(U)); }},
    {"scratch bytes",
     [](const measure::Usage &U) { return asDouble(U.ScratchBytes); }},
    {"LDS bytes", [](const measure::Usage &U) { return asDouble(U.LdsBytes); }},
    {"instructions",
     [](const measure::Usage &U) { return asDouble(U.Instructions); }},
    {"est. cycles", [](const measure::Usage &U) { return U.EstCycles; }},
};

/// Above 0 where the figure got worse; 0 where it did not, or is unknown on a
/// side.
double worsening(const Figure &F, const measure::Usage &Before,
                 const measure::Usage &After) {
  std::optional<double> A = F.Of(Before), B = F.Of(After);
  if (!A || !B)
    return 0;
  return F.MoreIsBetter ? *A - *B : *B - *A;
}

double worsening(StringRef Name, const measure::Usage &Before,
                 const measure::Usage &After) {
  for (const Figure &F : Figures)
    if (Name == F.Name)
      return worsening(F, Before, After);
  return 0;
}

std::string shown(std::optional<double> V) {
  if (!V)
    return "?";
  return formatv(*V == std::floor(*V) ? "{0:f0}" : "{0:f1}", *V);
}

/// "gfx906" of "gfx906, small": without the name of the build.
StringRef withoutBuild(StringRef Target) { return Target.split(", ").first; }

class Comparing {
public:
  Comparing(const Baseline &Old, const Report &R,
            function_ref<std::string(StringRef)> NameOf,
            function_ref<std::string(StringRef)> PathOf,
            function_ref<bool(const BaselineEntry &)> Vanished)
      : Old(Old), R(R), NameOf(NameOf), PathOf(PathOf), Vanished(Vanished) {
    for (const BaselineEntry &E : Old.Entries)
      Left.insert({E.key(), &E});
    Out.Now = emptyBaseline();
    if (Old.Llvm != Out.Now.Llvm || Old.Clrewrite != Out.Now.Clrewrite)
      Out.Against.Note =
          formatv("written by clrewrite {0} with LLVM {1}, this is {2} with "
                  "{3}: figures may move with the compiler",
                  Old.Clrewrite, Old.Llvm, Out.Now.Clrewrite, Out.Now.Llvm);
  }

  Compared run() {
    for (const FileReport &F : R.Files)
      note(F);
    for (const FileReport &F : R.Files)
      if (F.Problem.empty())
        file(F);
    for (const auto &Each : Left)
      without(*Each.second);
    // The note stays while anything in the file is another compiler's.
    if (Stays) {
      Out.Now.Clrewrite = Old.Clrewrite;
      Out.Now.Llvm = Old.Llvm;
    }
    llvm::sort(Out.Now.Entries,
               [](const BaselineEntry &A, const BaselineEntry &B) {
                 return A.key() < B.key();
               });
    llvm::sort(Out.Against.Rows,
               [](const BaselineRow &A, const BaselineRow &B) {
                 return std::tie(A.Path, A.Line, A.Kernel, A.Target) <
                        std::tie(B.Path, B.Line, B.Kernel, B.Target);
               });
    return std::move(Out);
  }

private:
  using Key = std::tuple<std::string, std::string, unsigned, std::string>;
  const Baseline &Old;
  const Report &R;
  function_ref<std::string(StringRef)> NameOf, PathOf;
  function_ref<bool(const BaselineEntry &)> Vanished;
  std::map<Key, const BaselineEntry *> Left; ///< not seen in the report
  std::set<Key> Done;
  Compared Out;

  /// The texts of a file, by the name that entries have for it.
  std::map<std::string, std::vector<const FileReport *>> Texts;
  std::map<std::string, std::string> Names; ///< by path
  /// The lines of the kernels of one name in all texts of a file.
  std::map<std::pair<std::string, std::string>, std::set<unsigned>> Lines;
  bool Stays = false; ///< an entry, as it was

  void note(const FileReport &F) {
    auto [Known, IsNew] = Names.insert({F.Path, ""});
    if (IsNew)
      Known->second = NameOf(F.Path);
    Texts[Known->second].push_back(&F);
    for (const rewrite::KernelInfo &K : F.Kernels)
      if (K.Line)
        Lines[{Known->second, K.Name}].insert(K.Line);
  }

  unsigned copyOf(const std::string &File, const rewrite::KernelInfo &K) const {
    auto Known = Lines.find({File, K.Name});
    if (!K.Line || Known == Lines.end())
      return 1;
    const std::set<unsigned> &All = Known->second;
    return unsigned(std::distance(All.begin(), All.find(K.Line))) + 1;
  }

  /// A kernel of another part of the program counts there.
  bool isElsewhere(const rewrite::KernelInfo &K) const {
    return !K.Line && any_of(R.Files, [&](const FileReport &F) {
      return F.Problem.empty() &&
             any_of(F.Kernels, [&](const rewrite::KernelInfo &Own) {
               return Own.Line && Own.Name == K.Name;
             });
    });
  }

  void file(const FileReport &F) {
    const std::string &File = Names.at(F.Path);
    for (const KernelRow &Row : kernelRows(F)) {
      const rewrite::KernelInfo &K = *Row.Kernel;
      if (isElsewhere(K))
        continue;
      BaselineEntry Now{File, K.Name, copyOf(File, K), Row.Target.str()};
      // A file may have been named twice.
      if (Done.insert(Now.key()).second)
        row(F, Row, std::move(Now));
    }
  }

  void row(const FileReport &F, const KernelRow &Row, BaselineEntry Now) {
    auto Known = Left.find(Now.key());
    const BaselineEntry *Was = Known == Left.end() ? nullptr : Known->second;
    if (Was)
      Left.erase(Known);
    BaselineRow New{F.Path, Row.Kernel->Line, Now.Kernel, Now.Target};
    if (Was)
      New.Before = Was->Figures;
    const measure::Usage *Given = F.Written ? Row.After : Row.Before;
    if (!Given && !Was)
      return; // as unknown as it was
    if (!Given) {
      New.What = Fate::Worse;
      New.Problem = Row.Problem;
      stay(*Was);
    } else {
      Now.Figures = *Given;
      // Round the figure as the file has it.
      if (std::optional<double> &Cycles = Now.Figures.EstCycles)
        Cycles = std::round(*Cycles * 10) / 10;
      New.After = Now.Figures;
      // Launches that are made up for two texts may be two.
      if (const auto &Here = Now.Figures.EstLaunch;
          Was && Was->Figures.EstLaunch && Here &&
          *Here != *Was->Figures.EstLaunch)
        New.Before->EstCycles = New.After->EstCycles = std::nullopt;
      New.What = Was ? fateOf(*New.Before, *New.After) : Fate::New;
      Out.Now.Entries.push_back(std::move(Now));
    }
    Out.Against.Rows.push_back(std::move(New));
  }

  void stay(const BaselineEntry &E) {
    Out.Now.Entries.push_back(E);
    Stays = true;
  }

  /// An entry whose kernel the report does not have.
  void without(const BaselineEntry &E) {
    const FileReport *Failed = nullptr;
    bool Measured = false;
    auto Known = Texts.find(E.File);
    if (Known != Texts.end())
      for (const FileReport *F : Known->second) {
        if (!F->Problem.empty())
          Failed = F;
        Measured |= any_of(F->Targets, [&](StringRef T) {
          return withoutBuild(T) == withoutBuild(E.Target);
        });
      }
    BaselineRow Row{PathOf(E.File), 0,          E.Kernel,
                    E.Target,       Fate::Gone, E.Figures};
    if (Failed && Measured && !Failed->NotBegun) {
      Row.What = Fate::Worse;
      Row.Problem = Failed->Problem;
    }
    bool Gone = Known != Texts.end() ? Measured && !Failed : Vanished(E);
    if (!Gone)
      stay(E);
    if (Gone || Row.What == Fate::Worse)
      Out.Against.Rows.push_back(std::move(Row));
    else
      ++Out.Against.NotCompared;
  }
};

/// Adds row number \p I of \p Rows.
void add(FigureSum &Sum, const Figure &F, ArrayRef<BaselineRow> Rows,
         size_t I) {
  if (!Rows[I].Before || !Rows[I].After)
    return;
  std::optional<double> A = F.Of(*Rows[I].Before), B = F.Of(*Rows[I].After);
  if (!A || !B)
    return;
  Sum.Before += *A;
  Sum.After += *B;
  if (*A == *B)
    return;
  Sum.AffectedBefore += *A;
  Sum.AffectedAfter += *B;
  bool Worse = worsening(F, *Rows[I].Before, *Rows[I].After) > 0;
  ++(Worse ? Sum.Hurt : Sum.Helped);
  if (Worse)
    Sum.Worst.push_back({I, *B - *A});
}

} // namespace

StringRef name(Fate F) {
  switch (F) {
  case Fate::Worse:
    return "regression";
  case Fate::Better:
    return "better";
  case Fate::Changed:
    return "changed";
  case Fate::Same:
    return "same";
  case Fate::New:
    return "new";
  case Fate::Gone:
    return "gone";
  }
  llvm_unreachable("all fates have a name");
}

Fate fateOf(const measure::Usage &Before, const measure::Usage &After) {
  bool Worse = false, Better = false;
  for (StringRef Name : {"waves", "spills", "scratch bytes"}) {
    double By = worsening(Name, Before, After);
    Worse |= By > 0;
    Better |= By < 0;
  }
  // Registers that buy a wave, or save a spill, are well spent.
  if (!Worse && !Better)
    for (StringRef Name : {"VGPRs", "AGPRs"}) {
      double By = worsening(Name, Before, After);
      Worse |= By > 0;
      Better |= By < 0;
    }
  if (Worse || Better)
    return Worse ? Fate::Worse : Fate::Better;
  return changes(Before, After).empty() ? Fate::Same : Fate::Changed;
}

std::string changes(const measure::Usage &Before, const measure::Usage &After) {
  std::vector<std::string> Out;
  for (const Figure &F : Figures) {
    std::optional<double> A = F.Of(Before), B = F.Of(After);
    if (A != B)
      Out.push_back(F.Name + (" " + shown(A) + " -> " + shown(B)));
  }
  return join(Out, ", ");
}

std::string BaselineRow::text() const {
  if (!Problem.empty())
    return "could be measured, and now not: " + Problem;
  return Before && After ? changes(*Before, *After) : "";
}

size_t BaselineReport::count(Fate F) const {
  return size_t(
      count_if(Rows, [&](const BaselineRow &Row) { return Row.What == F; }));
}

std::string BaselineReport::headline() const {
  auto One = [](size_t N, StringRef What) {
    return utostr(N) + " " + What.str();
  };
  size_t Worse = count(Fate::Worse);
  std::string Out = One(Worse, Worse == 1 ? "regression" : "regressions");
  for (auto [What, Text] : {std::pair(Fate::Better, "better"),
                            {Fate::Changed, "changed otherwise"},
                            {Fate::Same, "the same"},
                            {Fate::New, "new"},
                            {Fate::Gone, "gone"}})
    if (size_t N = count(What))
      Out += ", " + One(N, Text);
  return NotCompared ? Out + ", " + One(NotCompared, "not in this run") : Out;
}

std::vector<FigureSum> BaselineReport::sums() const {
  constexpr size_t Most = 5;
  std::vector<FigureSum> Out;
  for (const Figure &F : Figures) {
    FigureSum Sum{F.Name};
    for (size_t I = 0; I < Rows.size(); ++I)
      add(Sum, F, Rows, I);
    llvm::sort(Sum.Worst, [](const auto &A, const auto &B) {
      double ByA = std::abs(A.second), ByB = std::abs(B.second);
      return ByA != ByB ? ByA > ByB : A.first < B.first;
    });
    if (Sum.Worst.size() > Most)
      Sum.Worst.resize(Most);
    Out.push_back(std::move(Sum));
  }
  return Out;
}

Compared compare(const Baseline &Old, const Report &R,
                 function_ref<std::string(StringRef)> NameOf,
                 function_ref<std::string(StringRef)> PathOf,
                 function_ref<bool(const BaselineEntry &)> Vanished) {
  return Comparing(Old, R, NameOf, PathOf, Vanished).run();
}

} // namespace clrewrite::report
