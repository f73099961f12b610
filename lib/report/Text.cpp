// The report for people: one line per kernel and target, one block per edit.
#include "report/Listing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/WithColor.h"
#include <map>
#include <set>

using namespace llvm;

namespace clrewrite::report {

const KernelEvidence *evidenceFor(const FileReport &F, StringRef Kernel) {
  auto It = find_if(
      F.Verified, [&](const KernelEvidence &E) { return E.Kernel == Kernel; });
  return It == F.Verified.end() ? nullptr : &*It;
}

namespace {

constexpr size_t FewDeclined = 5;
constexpr size_t FewRanges = 5;
/// How many alternatives of one fate a line names.
constexpr size_t MostLabels = 4;

std::string number(std::optional<unsigned> V) { return V ? utostr(*V) : "?"; }

/// "37 -> 24", or "37" where nothing changed.
std::string change(std::optional<unsigned> A, std::optional<unsigned> B) {
  return A == B ? number(A) : number(A) + " -> " + number(B);
}

std::string cycles(const measure::Usage &A, const measure::Usage &B) {
  auto one = [](std::optional<double> Cycles) {
    return Cycles ? formatv("{0:f0}", *Cycles).str() : std::string("?");
  };
  measure::EstimatePair Est = measure::comparable(A, B);
  std::string From = one(Est.Before), To = one(Est.After);
  std::string Out = (From == To ? From : From + " -> " + To) + " cycles (" +
                    B.EstBound.value_or("?");
  if (Est.Assumed)
    return Out + Est.basis().str() + ")";
  const measure::Usage &Less = A.isCounted() ? B : A;
  if (Less.EstFrom == "made up")
    return Out + ")"; // The report in JSON has the launch.
  if (Less.EstFrom)
    Out += ", " + *Less.EstFrom;
  if (Less.EstWhy)
    Out += ": " + *Less.EstWhy;
  return Out + ")";
}

std::string withLds(std::string Out, const measure::Usage &A,
                    const measure::Usage &B) {
  if (A.LdsBytes.value_or(0) || B.LdsBytes.value_or(0))
    Out += ", LDS " + change(A.LdsBytes, B.LdsBytes) + " B";
  return Out;
}

/// A kernel's time for the end of its line.
std::string timeOf(const measure::Timing &T, bool Changed) {
  if (!T.Time)
    return ", not timed: " + T.Problem;
  if (Changed)
    return ", time " + measure::describe(*T.Time);
  return formatv(", time {0:f1} us", T.Time->BeforeNs / 1000).str();
}

/// The figures of a kernel, before and after, on one line.
std::string figures(const measure::Usage &A, const measure::Usage &B) {
  if (!A.Vgprs && !A.Occupancy)
    return withLds("no register figures from this driver", A, B);
  std::string Word = measure::registersWord(B).str();
  std::string Out = Word + " " + change(A.Vgprs, B.Vgprs);
  if (A.Agprs.value_or(0) || B.Agprs.value_or(0))
    Out += ", AGPRs " + change(A.Agprs, B.Agprs);
  // Only AMD has scalar registers, or shows its stack.
  bool Scalar = A.Sgprs || B.Sgprs, Vliw = A.StackEntries || B.StackEntries;
  if (Scalar)
    Out += ", SGPRs " + change(A.Sgprs, B.Sgprs);
  if (Vliw)
    Out += ", stack entries " + change(A.StackEntries, B.StackEntries);
  if (unsigned From = allSpills(A).value_or(0), To = allSpills(B).value_or(0);
      From || To)
    Out += ", spills " + change(From, To);
  if (A.ScratchBytes.value_or(0) || B.ScratchBytes.value_or(0))
    Out += ", scratch " + change(A.ScratchBytes, B.ScratchBytes) + " B";
  Out = withLds(std::move(Out), A, B);
  if (A.Occupancy || B.Occupancy)
    Out += ", occupancy " + change(A.Occupancy, B.Occupancy) + " of " +
           number(B.OccupancyMax) + " " + measure::wavesWord(B).str() +
           (Scalar || Vliw ? "/SIMD" : "/SM");
  if (B.Limiter && *B.Limiter != "none")
    Out += " (limited by " + (*B.Limiter == "VGPRs" ? Word : *B.Limiter) +
           (B.VgprsToNextStep
                ? ", next step " + utostr(*B.VgprsToNextStep) + " fewer"
                : "") +
           ")";
  if (A.EstCycles || B.EstCycles)
    return Out + ", est. " + cycles(A, B);
  return Vliw ? Out + ", static figures only (no estimate)" : Out;
}

} // namespace

std::string describe(const measure::Usage &Before,
                     const measure::Usage &After) {
  return figures(Before, After);
}

namespace {

class TextWriter {
public:
  TextWriter(const Report &R, raw_ostream &OS, bool Colour, bool All)
      : R(R), OS(OS), Colour(Colour), All(All) {}

  void run() {
    for (const FileReport &F : R.Files)
      file(F);
    if (R.Files.size() > 1)
      totals();
    sandbox();
    if (R.Against)
      writeBaseline(*R.Against, OS, Colour);
    if (const KernelEvidence *E = unverified())
      OS << "not verified: " << E->Evidence << "\n";
  }

private:
  const Report &R;
  raw_ostream &OS;
  bool Colour, All;

  /// One of all kernels of the run, none of which is verified for want of a
  /// device: then that is said once, at the end.
  const KernelEvidence *unverified() const {
    const KernelEvidence *Any = nullptr;
    for (const FileReport &F : R.Files)
      for (const KernelEvidence &E : F.Verified) {
        if (!E.NoDevice)
          return nullptr;
        Any = &E;
      }
    return Any;
  }

  /// What precedes the evidence for a verdict of that name.
  static StringRef heading(StringRef Verdict) {
    return Verdict == "same"            ? "verified: "
           : Verdict == "within-spread" ? "compared: "
                                        : "not verified: ";
  }

  void mark(StringRef Text, raw_ostream::Colors C) {
    WithColor(OS, C, false, false,
              Colour ? ColorMode::Enable : ColorMode::Disable)
        << Text;
  }

  /// The sandbox of the kernels that ran, once for each device program.
  void sandbox() {
    for (const std::string &Each : sandboxes(R))
      OS << SandboxWords << Each << "\n";
  }

  void file(const FileReport &F) {
    if (!F.Problem.empty())
      return; // Its message went to stderr.
    if (F.Kernels.empty())
      OS << F.Path << ": no kernels\n";
    whatToDo(F);
    for (const rewrite::KernelInfo &K : F.Kernels)
      kernel(F, K);
    for (const rewrite::Warning &W : F.Warnings) {
      OS << place(F, W.Line) << ": ";
      mark("warning: ", raw_ostream::MAGENTA);
      OS << W.Message << "\n";
    }
    skipped(F);
    for (const std::string &What : F.Unseen)
      OS << F.Path << ": " << UnseenWords << What << "\n";
    for (const select::Outcome &O : F.Result.Outcomes)
      if (O.Applied)
        applied(F, O);
    byTarget(F);
    if (F.Result.changed() && (F.HostMade || F.Written))
      OS << F.Path << ": "
         << (F.HostMade ? "made by the host program, so no file is edited"
                        : "written")
         << "\n";
    for (const select::BuildChoice &C : F.BuildChoices)
      buildChoice(F, C);
    declined(F);
    for (const advice::Advice &A : F.Advised) {
      OS << place(F, A.Line) << ": ";
      mark("advice ", raw_ostream::CYAN);
      OS << A.Name << ": " << A.Message << "\n";
    }
  }

  /// The first line on a file: what to do about it. A file that is written, or
  /// can't be, is told behind its edits.
  void whatToDo(const FileReport &F) {
    size_t Edits = edits(F);
    if (F.Result.changed() && !F.HostMade && !F.Written) {
      bool One = Edits <= 1;
      OS << F.Path << ": ";
      if (Edits) // they may stand with another file of the program
        OS << Edits << (One ? " edit " : " edits ")
           << (!R.Unmeasured ? (One ? "pays" : "pay")
                             : (One ? "is legal" : "are legal"))
           << "; ";
      OS << "--fix writes " << (One ? "it" : "them")
         << (!F.Diff.empty() ? ""
             : One           ? ", --diff shows it"
                             : ", --diff shows them")
         << "\n";
    } else if (!F.Result.changed() && !reasons(F).empty()) {
      OS << F.Path << ": stays as it is, for the reasons below\n";
    }
  }

  static size_t edits(const FileReport &F) {
    return count_if(F.Result.Outcomes,
                    [](const select::Outcome &O) { return O.Applied; });
  }

  /// Code that no edit was looked for in.
  void skipped(const FileReport &F) {
    size_t Named = All ? F.Skipped.size() : FewRanges;
    std::vector<std::string> Ranges;
    for (LineRange L : ArrayRef(F.Skipped).take_front(Named))
      Ranges.push_back(L.First == L.Last
                           ? utostr(L.First)
                           : utostr(L.First) + "-" + utostr(L.Last));
    if (Ranges.empty())
      return;
    bool One = F.Skipped.size() == 1 && F.Skipped[0].First == F.Skipped[0].Last;
    OS << F.Path << (One ? ": line " : ": lines ") << join(Ranges, ", ");
    if (Ranges.size() < F.Skipped.size())
      OS << " and others (--verbose lists them)";
    OS << (One ? " is" : " are") << " not looked at in any build (#if)\n";
  }

  /// A kernel of another part of the program has no line here.
  static std::string place(const FileReport &F, unsigned Line) {
    return Line ? formatv("{0}:{1}", F.Path, Line).str() : F.Path;
  }

  void kernel(const FileReport &F, const rewrite::KernelInfo &K) {
    const KernelEvidence *E = evidenceFor(F, K.Name);
    if (E && unverified())
      E = nullptr;
    if ((R.Unmeasured && !E) || isToldElsewhere(R, F, K))
      return;
    OS << place(F, K.Line) << ": kernel " << K.Name << "\n";
    size_t Width = 0;
    for (const std::string &T : F.Targets)
      Width = std::max(Width, T.size());
    for (const KernelRow &Row : kernelRows(F, K))
      OS << "  " << left_justify(Row.Target, unsigned(Width) + 2)
         << (Row.Before ? figures(*Row.Before, *Row.After) : Row.Problem)
         << (Row.Timed ? timeOf(*Row.Timed, F.Result.changed()) : "") << "\n";
    writePressure(F, K, F.Targets, OS);
    if (E)
      OS << "  " << heading(verify::name(E->Verdict)) << E->Evidence << "\n";
  }

  void applied(const FileReport &F, const select::Outcome &O) {
    OS << F.Path << ':' << O.Line << ": ";
    mark(F.Written      ? "applied "
         : R.Unmeasured ? "legal: "
                        : "pays: ",
         raw_ostream::GREEN);
    OS << O.Rewrite << " [" << O.Alternative << "] (" << classOf(O)
       << "): " << O.Reason << "\n";
    // The delta of a single edit is shown by the kernel's lines already.
    if (edits(F) > 1)
      for (const std::string &Line : deltaLines(O.Deltas))
        OS << "  " << Line << "\n";
    if (!O.Note.empty())
      OS << "  note: " << O.Note << "\n";
  }

  /// Which edit is for which target, where there are others than those that an
  /// edit is for.
  void byTarget(const FileReport &F) {
    constexpr unsigned Spaces = 2;
    std::vector<const select::Outcome *> Kept = keptEdits(F);
    if (none_of(Kept, [&](const select::Outcome *O) {
          return !O->For.empty() && O->For.size() < F.Targets.size();
        }))
      return;
    std::vector<std::string> Names;
    size_t Width = 0;
    for (const select::Outcome *O : Kept) {
      Names.push_back(utostr(O->Line) + ": " + O->Rewrite + " [" +
                      O->Alternative + "]");
      Width = std::max(Width, Names.back().size());
    }
    auto Row = [&](std::string Line, function_ref<StringRef(StringRef)> Of) {
      size_t End = Width;
      for (const std::string &T : F.Targets) {
        Line.resize(End + Spaces, ' ');
        Line += Of(T);
        End += Spaces + T.size();
      }
      OS << "  " << Line << "\n";
    };
    OS << F.Path << ": edits by target\n";
    Row("", [](StringRef T) { return T; });
    for (auto [O, Name] : zip(Kept, Names))
      Row(Name, [Whose = &O->For](StringRef T) {
        return Whose->empty() || is_contained(*Whose, T) ? "yes" : "-";
      });
  }

  /// A build option that is kept; one that is not where all are asked for.
  void buildChoice(const FileReport &F, const select::BuildChoice &C) {
    if (!C.Kept) {
      if (All)
        OS << F.Path << ": left alone " << C.Option.Text << " on " << C.Target
           << ": " << C.Reason << "\n";
      return;
    }
    OS << F.Path << ": ";
    mark("pays: ", raw_ostream::GREEN);
    OS << C.sentence() << "\n";
    for (const std::string &Line : deltaLines(C.Deltas))
      OS << "  " << Line << "\n";
    if (!C.Evidence.empty())
      OS << "  " << heading(C.Verdict) << C.Evidence << "\n";
  }

  /// The line for alternatives of one site and one fate.
  static std::string leftAlone(const FileReport &F,
                               ArrayRef<const select::Outcome *> List) {
    std::string Labels;
    size_t Named = List.size() > MostLabels ? MostLabels - 1 : List.size();
    for (const select::Outcome *O : List.take_front(Named))
      Labels += (Labels.empty() ? "" : ", ") + O->Alternative;
    if (Named < List.size())
      Labels += " and " + utostr(List.size() - Named) + " more";
    const select::Outcome &O = *List.front();
    return formatv("{0}:{1}: left alone {2} [{3}]: {4}", F.Path, O.Line,
                   O.Rewrite, Labels, O.Reason);
  }

  /// What alternatives of one site ask for that were not tried: a line for
  /// each note.
  static std::string notesOf(ArrayRef<const select::Outcome *> List) {
    std::map<std::string, std::string> Labels; // by note
    for (const select::Outcome *O : List)
      if (O->Left == select::WhyNot::Withheld && !O->Note.empty()) {
        std::string &Of = Labels[O->Note];
        Of += (Of.empty() ? "" : ", ") + O->Alternative;
      }
    std::string Out;
    for (const auto &[Note, Of] : Labels)
      Out += "\n  " + (Labels.size() > 1 ? Of : "note") + ": " + Note;
    return Out;
  }

  /// Sites that stay as they are: declined by a condition, or not paying. Of a
  /// site's alternatives the first stands for all, and sites of kernels that
  /// have nothing to gain, or are suppressed, go unmentioned, unless all are
  /// asked for. What may not be applied is summed up in a line.
  std::vector<std::string> reasons(const FileReport &F) const {
    std::vector<std::string> Lines;
    std::vector<std::vector<const select::Outcome *>> Fates;
    std::set<std::pair<std::string, unsigned>> Seen = appliedAt(F);
    for (const select::Outcome &O : F.Result.Outcomes) {
      bool Idle =
          is_contained({select::WhyNot::NothingToGain,
                        select::WhyNot::NotNeeded, select::WhyNot::Withheld,
                        select::WhyNot::ForTargets, select::WhyNot::ForWaves},
                       O.Left);
      if (O.Applied ||
          (!All && (Idle || !Seen.insert({O.Rewrite, O.Offset}).second)))
        continue;
      auto Fate = find_if(Fates, [&](const auto &List) {
        const select::Outcome &First = *List.front();
        return First.Rewrite == O.Rewrite && First.Offset == O.Offset &&
               First.Reason == O.Reason;
      });
      if (Fate == Fates.end())
        Fates.push_back({&O});
      else
        Fate->push_back(&O);
    }
    for (const auto &List : Fates) {
      Lines.push_back(leftAlone(F, List));
      if (All)
        Lines.back() += notesOf(List);
    }
    for (const rewrite::Declined &D : F.Result.Declines)
      if (All || !D.Suppressed)
        Lines.push_back(formatv("{0}:{1}: declined {2}: {3}", F.Path, D.Line,
                                D.Rewrite, D.Reason)
                            .str());
    return Lines;
  }

  /// The rewrites and offsets of the edits that were made.
  static std::set<std::pair<std::string, unsigned>>
  appliedAt(const FileReport &F) {
    std::set<std::pair<std::string, unsigned>> Out;
    for (const select::Outcome &O : F.Result.Outcomes)
      if (O.Applied)
        Out.insert({O.Rewrite, O.Offset});
    return Out;
  }

  /// The first of these reasons, and what was not tried.
  void declined(const FileReport &F) {
    std::vector<std::string> Lines = reasons(F);
    size_t Shown = All ? Lines.size() : std::min(Lines.size(), FewDeclined);
    for (size_t I = 0; I < Shown; ++I)
      OS << Lines[I] << "\n";
    if (Shown < Lines.size())
      OS << F.Path << ": " << Lines.size() - Shown
         << " more sites left alone or declined (--verbose lists them)\n";
    if (All)
      return;
    // Sites of what was not tried, by the sort of the reason and by rewrite.
    std::map<select::WhyNot::Sort, std::map<std::string, std::set<unsigned>>>
        Untried;
    std::set<std::pair<std::string, unsigned>> Done = appliedAt(F);
    for (const select::Outcome &O : F.Result.Outcomes) {
      // What needs a grant as well is told of by that.
      bool Barred = O.Left == select::WhyNot::NothingToGain &&
                    O.Class != rewrite::Safety::Exact;
      if (!Barred && !Done.count({O.Rewrite, O.Offset}))
        Untried[O.Left][O.Rewrite].insert(O.Offset);
    }
    untried(F, Untried[select::WhyNot::NothingToGain], "--objective=estimate",
            "there are no more waves to gain on any target");
    untried(F, Untried[select::WhyNot::Withheld], "--unsafe-fixes or a grant",
            "--verbose lists what each assumes");
    untried(F, Untried[select::WhyNot::ForTargets],
            "--variants or --only-target",
            "on GPUs that no target names they are often slower");
    untried(F, Untried[select::WhyNot::ForWaves],
            "--objective=occupancy, or time on a device,",
            "on NVIDIA's GPUs they are often slower");
  }

  /// Announces what was not tried for want of \p Option: sites by rewrite.
  void untried(const FileReport &F,
               const std::map<std::string, std::set<unsigned>> &Sites,
               StringRef Option, StringRef Why) {
    size_t Sum = 0;
    for (const auto &Each : Sites)
      Sum += Each.second.size();
    if (Sum)
      OS << F.Path << ": " << Sum
         << (Sum == 1 ? " edit needs " : " edits need ") << Option
         << " to be tried: "
         << join(map_range(Sites, [](const auto &Each) { return Each.first; }),
                 ", ")
         << " (" << Why << ")\n";
  }

  void totals() {
    size_t Failed = 0, NotBegun = 0, Kernels = 0, Edits = 0, Declined = 0;
    // Kernels that stand in no text of their program count once.
    std::set<std::string> Placed, Others;
    size_t Files = fileCount(R);
    for (const FileReport &F : R.Files) {
      Failed += !F.Problem.empty() && !F.NotBegun;
      NotBegun += F.NotBegun;
      for (const rewrite::KernelInfo &K : F.Kernels) {
        Kernels += K.Line != 0;
        (K.Line ? Placed : Others).insert(K.Name);
      }
      Edits += edits(F);
      Declined += F.Result.Declines.size();
    }
    Kernels += count_if(
        Others, [&](const std::string &Name) { return !Placed.count(Name); });
    OS << Files << (Files == 1 ? " file, " : " files, ") << Failed
       << " failed, ";
    if (NotBegun)
      OS << NotBegun << " not looked at, ";
    OS << Kernels << " kernels, " << Edits
       << (R.Unmeasured ? " legal edits, " : " edits that pay, ") << Declined
       << " sites declined\n";
  }
};

} // namespace

void writeText(const Report &R, raw_ostream &OS, bool Colour,
               bool AllDeclined) {
  TextWriter(R, OS, Colour, AllDeclined).run();
}

} // namespace clrewrite::report
