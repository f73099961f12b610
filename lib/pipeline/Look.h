// One look at a source, in a child process: parse it and find the sites.
#pragma once

#include "cache/DiskCache.h"
#include "frontend/Missing.h"
#include "frontend/Parse.h"
#include "process/Workers.h"
#include "rewrite/Find.h"
#include "source/SourceError.h"

namespace clrewrite::pipeline {

/// What a look gave.
struct Sight {
  /// The source does not parse, or the front end crashed. Then Messages says
  /// why, for the user to read.
  bool Failed = false;
  std::string Messages;
  /// The first of the errors in Messages, without a Path where the compiler
  /// names none.
  std::vector<SourceError> Errors = {};
  rewrite::Findings Found;
  /// The -cl-std= that was used, where the options chose none.
  std::string Standard;
  /// It parses as for the processor of a device (measure::deviceArchOf) alone.
  bool AsForDevice = false;
  /// Headers with assembly, and where: "a.h, line 3, 7".
  std::vector<std::string> AssemblyInHeaders = {};
  /// For Source::Headers.
  std::string Headers;
  /// Where it failed: what the source lacks.
  frontend::Missing Missing = {};
};

/// Parses \p S and finds the sites of \p Rewrites. Without a -cl-std= option
/// OpenCL C 1.2 is tried first, as drivers do, then 3.0 and 2.0; if none
/// parses, the messages are of the one with the fewest errors. What parses is
/// kept in \p Cache, if there is one, until a header that it includes changes.
Sight look(const Source &S, const frontend::Arch &A,
           llvm::ArrayRef<const rewrite::Rewrite *> Rewrites, bool Colour,
           const process::ChildLimits &Limits, const cache::DiskCache *Cache);

/// The same by one of \p Lookers, which answer as lookHere() does, for more
/// looks than one. \p What is what rewrite::find is told.
Sight look(const Source &S, const frontend::Arch &A,
           llvm::ArrayRef<const rewrite::Rewrite *> Rewrites,
           const rewrite::Known &What, bool Colour, process::Workers &Lookers,
           const cache::DiskCache *Cache);
std::string lookHere(llvm::StringRef Asked);

} // namespace clrewrite::pipeline
