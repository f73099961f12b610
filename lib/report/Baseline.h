// The baseline: what kernels needed when somebody was content with it, in a
// file beside the sources, to compare later runs with.
//
// The file is JSON with a line for each kernel and target, sorted: so git shows
// what changed, and merges what was added in different places. The list ends
// with {}, so that every line before it ends alike. What a run has no figures
// for stays as it is: other files, other targets, kernels that can't be
// measured here.
#pragma once

#include "measure/Usage.h"
#include "report/Shard.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <tuple>

namespace clrewrite::report {

struct Report;

/// A kernel on a target.
struct BaselineEntry {
  /// Relative to the baseline's folder, with forward slashes.
  std::string File;
  std::string Kernel;
  /// Counts kernels of one name in a file, from 1: a C++ file may have several
  /// texts.
  unsigned Copy = 1;
  std::string Target;
  measure::Usage Figures = {};

  auto key() const { return std::tie(File, Kernel, Copy, Target); }
};

struct Baseline {
  /// The program that measured, since figures change with the compiler.
  std::string Clrewrite, Llvm;
  /// The entries by key.
  std::vector<BaselineEntry> Entries;
  /// The file is of one shard, and has its kernels alone.
  std::optional<ShardMark> Shard = std::nullopt;
};

/// A baseline without entries, made by this program.
Baseline emptyBaseline();

/// The text of the file.
std::string toText(const Baseline &B);

/// Reads \p Text. Errors name \p Path, the line and what to do.
llvm::Expected<Baseline> readBaseline(llvm::StringRef Path,
                                      llvm::StringRef Text);

/// How a kernel on a target differs from the baseline.
enum class Fate { Worse, Better, Changed, Same, New, Gone };

/// "regression", "better", "changed", "same", "new", "gone".
llvm::StringRef name(Fate F);

/// Worse: fewer waves, more spills, more scratch; or more registers that buy
/// nothing of these. Better: not worse, and one of these for the better.
/// Changed: other figures.
Fate fateOf(const measure::Usage &Before, const measure::Usage &After);

/// "VGPRs 24 -> 37, occupancy 10 -> 6": the figures that differ.
std::string changes(const measure::Usage &Before, const measure::Usage &After);

struct BaselineRow {
  /// The place as the report has it; line 0 where it is not known.
  std::string Path;
  unsigned Line = 0;
  std::string Kernel, Target;
  Fate What = Fate::Same;
  std::optional<measure::Usage> Before = std::nullopt, After = std::nullopt;
  /// Why there are no figures now, although there were.
  std::string Problem = {};

  /// The figures that differ, or Problem.
  std::string text() const;
};

/// A figure over all kernels that both sides have, a target each.
struct FigureSum {
  const char *Name = "";
  double Before = 0, After = 0;
  /// The same, of those in which it differs.
  double AffectedBefore = 0, AffectedAfter = 0;
  unsigned Helped = 0, Hurt = 0;
  /// The five that got worse most, as numbers of rows with the difference.
  std::vector<std::pair<size_t, double>> Worst = {};

  bool changed() const { return Helped || Hurt; }
};

struct BaselineReport {
  /// The file, as the user gave it.
  std::string Path;
  /// The rows by file and line.
  std::vector<BaselineRow> Rows = {};
  /// Entries of other files and targets.
  size_t NotCompared = 0;
  /// A note for the user, such as another compiler.
  std::string Note = {};
  /// The file now holds this run's figures.
  bool Written = false;
  /// Unified diff of the file, to this run's figures; empty unless asked for.
  std::string Diff = {};

  size_t count(Fate F) const;
  bool regressed() const { return count(Fate::Worse); }
  /// "3 compared: 1 regression, ...".
  std::string headline() const;
  std::vector<FigureSum> sums() const;
};

struct Compared {
  BaselineReport Against;
  /// The baseline with this run's figures.
  Baseline Now;
};

/// Compares \p R with \p Old. \p NameOf gives a path as entries have it,
/// \p PathOf the other way; \p Vanished tells whether the kernel of an entry is
/// gone whose file \p R does not have.
Compared compare(const Baseline &Old, const Report &R,
                 llvm::function_ref<std::string(llvm::StringRef)> NameOf,
                 llvm::function_ref<std::string(llvm::StringRef)> PathOf,
                 llvm::function_ref<bool(const BaselineEntry &)> Vanished);

} // namespace clrewrite::report
