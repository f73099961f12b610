// The command line's work on one text in memory, for whoever embeds it.
#pragma once

#include "pipeline/InputUnits.h"
#include "report/Progress.h"
#include "report/Report.h"

namespace clrewrite::cli {

struct TextRun {
  /// Without the program's name and files: as on the command line.
  std::vector<std::string> Options;
  /// What would follow --.
  std::vector<std::string> BuildOptions = {};
  pipeline::StdinText Text;
  /// Look for rewrites, and make the text with all that pay; else measure only.
  bool Fix = false;
  /// Find out the occupancy curves, too.
  bool Curves = false;
  /// Measure only this kernel; empty: all.
  std::string Kernel = {};
  std::function<void(const report::ProgressNote &)> Progress;
  /// Called once with the report and, where nothing failed, the text with what
  /// pays. Not called where the options don't work; stderr says why.
  std::function<void(const report::Report &,
                     const std::optional<std::string> &)>
      Done;
};

/// Runs it in this process, whose options it sets: once a process.
void runOnText(const TextRun &Run, const char *Argv0);

} // namespace clrewrite::cli
