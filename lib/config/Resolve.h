// From a configuration to a run: what it amounts to for one file.
#pragma once

#include "config/Config.h"
#include "pipeline/Pipeline.h"

namespace clrewrite::config {

/// What holds where nothing is said.
Config defaultConfig();

/// \p C with those of its option sets and launches alone that are for \p File.
Config resolvedFor(Config C, llvm::StringRef File);

/// \p C leaves \p File alone.
bool excludes(const Config &C, llvm::StringRef File);

/// The ways to build a file for which \p C is resolved: one for each option
/// set, or a plain one. \p Ignored gets the options that only a driver knows.
llvm::Expected<std::vector<pipeline::Build>>
buildsOf(const Config &C, std::vector<std::string> &Ignored);

/// Sets in \p P what \p C, resolved and with all defaults, says: targets,
/// rewrites, the gate, grants, launches, limits. \p P says whether anything is
/// measured. What ends a search in time is not set.
llvm::Error applyTo(pipeline::PipelineOptions &P, const Config &C);

/// \p Word so that splitBuildOptions gives it back.
std::string quotedOption(llvm::StringRef Word);

/// \p Text, build options, with what -I, -isystem and -include name relative to
/// \p Folder made absolute; what -include names only where it is there.
std::string rebasedOptions(const std::string &Text, llvm::StringRef Folder);

} // namespace clrewrite::config
