// What kernels needed night after night, in an SQLite database: which of them
// got worse, and since when.
//
// Figures are kept where they differ from the night before, so that a night in
// which nothing changed takes a line.
#pragma once

#include "report/Report.h"
#include <memory>

struct sqlite3;

namespace clrewrite::history {

/// A run that was added.
struct Night {
  int64_t Number = 0; ///< from 1, in the order of adding
  std::string Date, Commit, Compiler, Driver;
};

/// A kernel on a target that needs more than it did.
struct Decline {
  std::string Path, Kernel, Target;
  unsigned Copy = 1; ///< as of report::BaselineEntry
  /// Its figures before it got worse, and those of the last night; none where
  /// it can't be measured any more, and Problem says why.
  measure::Usage Before;
  std::optional<measure::Usage> Now = std::nullopt;
  std::string Problem = {};
  size_t Since = 0; ///< index of the night in which it got worse

  /// What differs: "VGPRs 24 -> 37".
  std::string text() const;
};

/// The figures of a kernel on a target, which changed since it is known.
struct Course {
  std::string Path, Kernel, Target;
  unsigned Copy = 1;
  bool IsWorse = false; ///< than it was
  /// From the night of that index on, until the next one: none where it was
  /// not there, or could not be measured.
  std::vector<std::pair<size_t, std::optional<measure::Usage>>> Figures;
};

/// All that is told of a database.
struct Summary {
  std::vector<Night> Nights;
  size_t Kernels = 0; ///< of the last night, with their targets
  /// Those that are worse than they were, the latest first.
  std::vector<Decline> Worse;
  /// Those that are worse first.
  std::vector<Course> Courses;

  size_t worseSinceLast() const;
  /// How the night number \p I differs from the one before: "commit a -> b".
  std::string changesOf(size_t I) const;
};

class Database {
public:
  /// Opens the database \p Path; with \p Create makes it where it is not there.
  static llvm::Expected<Database> open(const std::string &Path, bool Create);

  /// Adds the figures of \p Document, a report as JSON that was read from \p
  /// Path, as the night \p N: all of them or, on an error, none.
  llvm::Error add(const Night &N, llvm::StringRef Path,
                  const llvm::json::Value &Document);

  llvm::Expected<Summary> summary() const;

private:
  struct Close {
    void operator()(sqlite3 *DB) const;
  };
  std::unique_ptr<sqlite3, Close> DB;
};

/// What git bisect run is told of a commit.
enum class Bisected { AsGood, Worse, Unknown };

/// How the kernels named \p Kernel that \p S tells as worse are in \p Document,
/// a report as JSON: worse where one of them is, by the figures that it had
/// before it got worse. Each is told on \p OS; where the report has the
/// kernel's GPU with several LLVMs, with each of them, and the newest counts.
/// Fails where no such kernel is worse.
llvm::Expected<Bisected> bisected(const Summary &S, llvm::StringRef Kernel,
                                  const llvm::json::Value &Document,
                                  llvm::raw_ostream &OS);

/// For people.
void writeText(const Summary &S, llvm::raw_ostream &OS);
/// A page for a browser, which needs nothing else: the same, the nights, and
/// curves of the kernels whose figures changed.
void writePage(const Summary &S, llvm::raw_ostream &OS);

} // namespace clrewrite::history
