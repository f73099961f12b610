// The search: it finds which of all legal edits pay.
//
// Kernels that share no function are searched one after another, each by a beam
// search (BeamSearch.h): edits are tried and measured, and the text that
// results is parsed and searched again, until nothing pays. At last, each edit
// that was kept is taken out in turn (Prune.h). An edit that the gain does not
// need is dropped; for each of the others, the difference that its absence
// makes is its own delta. The states of the search are texts.
#pragma once

#include "select/EditName.h"
#include "select/Judge.h"
#include "source/Ranges.h"
#include <chrono>
#include <map>

namespace clrewrite::select {

/// Parses a source and finds the sites; an error stops the work on this file.
using Finder = std::function<llvm::Expected<rewrite::Findings>(const Source &)>;

/// An option of clBuildProgram that is tried beside those of the host.
struct BuildOption {
  std::string Text;
  rewrite::Safety Class = rewrite::Safety::Exact;
  /// NVIDIA's driver alone knows it.
  bool NvidiaOnly = false;
};

struct SelectOptions {
  std::vector<measure::Target> Targets;
  /// Where all targets are devices: the processor of one of them, whose
  /// estimate tells in which order trials are timed. It is no target: it judges
  /// nothing.
  std::optional<measure::Target> Guide = std::nullopt;
  /// One GPU for each family that no target is of. It gains nothing that
  /// counts, but by its estimate it may refuse what the targets would pay for,
  /// where no clock decides: a source is shared by the GPUs that it runs on.
  std::vector<measure::Target> Bystanders = {};
  Criterion JudgedBy;
  /// The GPUs that are spared rewrites which are often slower there
  /// (oftenSlower in Record.h) where no clock decides: bystanders, and under
  /// Objective::Auto, by which nobody asks for waves at any price, targets.
  std::vector<measure::Target> spared() const;
  /// How kernels are launched on devices, for times; at most one per kernel.
  std::vector<launch::Launch> Launches;
  /// Tried once the edits are chosen (BuildChoice.h).
  std::vector<BuildOption> BuildOptions = {};
  /// Apply edits that are not exact as well, and those that are demoted.
  bool Unsafe = false;
  /// Granted edits are applied whatever their class. Demoted ones are not
  /// applied, even where they are exact or granted.
  std::vector<EditName> Granted = {}, Demoted = {};
  /// Where the original's results differ from run to run, exact edits are timed
  /// whose results are no further apart.
  bool AllowVarying = false;
  /// Apply every legal edit, the first allowed alternative of each site,
  /// without measuring.
  bool NoMeasure = false;
  /// Only alternatives of this label; empty for all.
  std::string OnlyAlternative;
  /// How many texts the drivers of the targets build side by side at most.
  unsigned BuildsAtOnce = 1;
  /// Parts of the given text: edits keep to them, but for shared insertions,
  /// and sites elsewhere are not reported.
  std::optional<Ranges> Within = std::nullopt;
  /// How many alternatives are tried for each kernel that could gain; what pays
  /// among them is kept. A count, not a time, so that the result is the same on
  /// every machine. 0 is no limit.
  unsigned Budget = 0;
  /// How many times the budget a kernel gets; 1 where none is given. Kernels of
  /// more weight are searched first.
  std::map<std::string, double> Weights;
  /// Edits that do not suit all GPUs are looked for as well, for the targets
  /// of each family that has a macro of its own (OwnEdits.h).
  bool Variants = false;
  /// Not empty: only compilers that define this macro (Shelter.h) will read
  /// what the search finds, but for edits that the others see no change in, so
  /// that edits which can't be kept from the others are not tried.
  std::string Apart = {};
  /// Finds sites as the compilers for these targets read a text; null where all
  /// read it as the Finder of the search does.
  std::function<Finder(llvm::ArrayRef<measure::Target>)> FinderFor = nullptr;
  /// Asked between compilations: true ends the search with the best so far.
  std::function<bool()> Stop;
  /// How many compilations run at a time; 0 where nobody says. The clock is
  /// looked at between so many.
  unsigned Jobs = 0;
  /// When it stops at the latest; kernels share the time until then by weight.
  std::chrono::steady_clock::time_point Latest =
      std::chrono::steady_clock::time_point::max();
  /// Nothing else is to be searched in the time that this text leaves.
  bool NothingWaits = false;
  /// A build option may be kept that pays, whether or not it can be verified.
  bool OptionsStand = true;
  bool interrupted() const { return Stop && Stop(); }
  bool stopped() const {
    return interrupted() || std::chrono::steady_clock::now() >= Latest;
  }
  /// Called before longer steps, for a line of progress.
  std::function<void(const std::string &)> Progress;
  /// Why some of the kernels may do something else in the version than in the
  /// given text; empty where none does. Asked of what pays, which is only kept
  /// where nothing is said. Null: nobody asks.
  std::function<std::string(const struct Version &,
                            llvm::ArrayRef<std::string> Kernels)>
      WhyDoubted = nullptr;
  /// Edits of a text in the style of the user's project: other blanks in what
  /// they insert. Null: as they are.
  std::function<Edits(llvm::StringRef Text, Edits List)> InStyle = nullptr;
  Edits styled(llvm::StringRef Text, Edits List) const {
    return InStyle ? InStyle(Text, std::move(List)) : std::move(List);
  }
};

/// The outcome of one alternative of one site.
struct Outcome {
  std::string Rewrite, Alternative;
  rewrite::Safety Class = rewrite::Safety::Exact;
  std::string Note;
  std::string Remark;           ///< as of the alternative
  bool Explains = false;        ///< as of the alternative
  std::optional<unsigned> Ulps; ///< as of the alternative
  /// How its kernels must be launched, as of the alternative.
  std::optional<launch::LaunchChange> Launch = std::nullopt;
  std::vector<rewrite::ParameterPair> Apart = {}; ///< as of the alternative
  std::vector<std::string> Kernels;
  /// The targets whose compilers alone read it, by name; empty where all do.
  std::vector<std::string> For = {};
  /// 1-based, in the text as it was given.
  unsigned Line = 0;
  unsigned Offset = 0; ///< bytes, in the text as it was given
  bool Applied = false;
  /// The sentence says why it was applied, or why not; then Left is its sort.
  std::string Reason;
  WhyNot::Sort Left = WhyNot::Other;
  std::vector<Delta> Deltas;
  /// The edits of an alternative that was applied, in offsets of the given
  /// text; none where it edits text that another one inserted.
  std::optional<Edits> Changes = std::nullopt;
};

/// By kernel, how its launches differ from those of the given text.
using LaunchChanges = std::map<std::string, launch::LaunchChange>;

/// Adds what an edit of \p Kernels asks for. False where it can't be done
/// beside what is asked for already; then nothing is added.
bool addChange(LaunchChanges &Into, llvm::ArrayRef<std::string> Kernels,
               const std::optional<launch::LaunchChange> &Launch);

/// A text that is timed.
struct Version {
  const Source &Text;
  LaunchChanges Launches = {};
  /// It may leave other results than the version before it.
  bool MayDiffer = false;
  /// Some edit that leads to it is not exact.
  bool Inexact = false;
};

/// One text that the search tried.
struct SearchNote {
  unsigned Round = 0; ///< 1-based, of the search of its kernels
  /// The edits that it builds on, and those that it adds.
  std::vector<Outcome> From, Tried;
  bool Pays = false;
  std::string Reason;
};

struct Selection {
  /// The source with the kept edits; the given one where there are none.
  Source Result;
  std::vector<Outcome> Outcomes;
  std::vector<rewrite::Declined> Declines;
  /// The figures by target, in the order of the options; empty with NoMeasure.
  std::vector<measure::Measurement> Before, After;
  /// The times by target, then kernel: the given source against the result,
  /// where the target is a device and the kernel's launch is known.
  std::vector<std::map<std::string, measure::Timing>> Times;
  /// How many alternatives were not tried because the budget was spent.
  unsigned NotTried = 0;
  /// All that was tried, in order.
  std::vector<SearchNote> Log;

  bool changed() const;
  /// How the kernels of Result are launched.
  LaunchChanges launches() const;
};

/// Searches from \p S, whose findings are \p First.
llvm::Expected<Selection> select(const Source &S,
                                 const rewrite::Findings &First,
                                 const Finder &Find, measure::Meter &M,
                                 const SelectOptions &Options);

} // namespace clrewrite::select
