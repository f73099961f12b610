// What is rewritten as one text: a file or a part of one, and every way in
// which its host builds it.
#pragma once

#include "measure/Meter.h"
#include "pipeline/Launches.h"
#include "rewrite/Candidate.h"
#include "source/SourceError.h"

namespace clrewrite::pipeline {

/// One way in which a host builds a text.
struct Build {
  /// Tells it from others of the same text in reports; empty where there is
  /// but one.
  std::string Name;
  /// For the front end, as parseBuildOptions gives them.
  std::vector<std::string> Options;
  /// For drivers, as the host gives them.
  std::string DeviceOptions;
  /// What the host puts before and behind the text.
  std::string Before = {}, After = {};
  /// How the host launches its kernels, where it was watched; then other
  /// launches don't count.
  std::optional<std::vector<RecordedLaunch>> Recorded = std::nullopt;

  /// Builds of one program that a host makes of several texts have the same
  /// number, from 1; 0 for a build of one text alone.
  size_t Program = 0;

  // What the first look at it tells.
  bool Seen = false;
  bool AsForDevice = false; ///< as of Sight
  FileLaunches Launches = {};
  /// As of Source.
  std::string Headers = {};
  std::vector<std::string> Kernels = {};
};

/// The bytes of a file that are the text; its end is exclusive.
struct Part {
  size_t Begin = 0, End = 0;
  /// What the text must not hold, since it would end there.
  std::string Closing = {};
  /// It stands there as in an ordinary string literal (escaped).
  bool Escaped = false;
};

struct Unit {
  /// The file.
  std::string Path;
  /// None: the whole file.
  std::optional<Part> Within;
  /// One at least.
  std::vector<Build> Builds;
  /// The file is a copy of what the host made itself: there is nothing to
  /// write to.
  bool HostMade = false;
  /// By its name a header or a host program, and without a kernel: that it does
  /// not parse by itself is no failure.
  bool Incomplete = false;
  /// By how much earlier changes have moved Within: reports count as the file
  /// was given.
  long MovedBytes = 0, MovedLines = 0;
  /// What is taken for the file's bytes; nothing is written then. A run with
  /// PipelineOptions::Fix puts its edits in.
  std::optional<std::string> Text = std::nullopt;
  /// In a shard of a run: where its report stands among those of all shards,
  /// and where it does if others include the file.
  std::optional<size_t> Place = std::nullopt, PlaceBehind = std::nullopt;
  /// The real path of the folder that was walked when the file was found; empty
  /// where it was named. It is read beneath that.
  std::string Folder = {};
};

/// A #line directive for what follows \p Before: line \p Line of \p Path. Empty
/// where none can stand.
std::string lineMarker(llvm::StringRef Before, llvm::StringRef Path,
                       unsigned Line);

/// \p Text, to be built as \p B does it, and with the driver's options that the
/// text has of its own. \p Line is where it starts in its
/// file, 1-based: for diagnostics of parts that don't start there.
Source whole(const Source &Text, const Build &B, unsigned Line = 1);

/// A text as its builds have it, and the targets.
struct BuiltText {
  const Source &Given;
  llvm::ArrayRef<Build> Builds;
  unsigned Line;                           ///< where it starts in its file
  llvm::ArrayRef<measure::Target> Targets; ///< all of them, for each build

  Source as(const Build &B) const { return whole(Given, B, Line); }
};

/// Adapts \p Other to the change of the text of \p Changed from \p Before to
/// \p After: builds of the same program, and, where it was \p Written, what
/// follows in the same file.
void noteChange(Unit &Other, const Unit &Changed, llvm::StringRef Before,
                llvm::StringRef After, bool Written);

/// \p F, found in whole(\p Text, \p B, \p Line), as of \p Text: offsets and
/// lines count from its start. Sites and edits outside it are left out, but for
/// insertions before it, which move to its start; kernels outside it stay, with
/// line 0, since they may call what is in it.
rewrite::Findings withinText(rewrite::Findings F, const Source &Text,
                             const Build &B, unsigned Line = 1);

/// \p Errors of whole(\p Text, \p B, \p Line), with SourceError::LineOfText
/// as of \p Text: 0 for what stands outside, without a line where that is in
/// the same file.
std::vector<SourceError> withinText(std::vector<SourceError> Errors,
                                    const Source &Text, const Build &B,
                                    unsigned Line = 1);

} // namespace clrewrite::pipeline
