// A configuration is resolved for one file: the option sets and launches that
// name the file are chosen, and the options of the run are set.
#pragma once

#include "config/Config.h"
#include "pipeline/Pipeline.h"

namespace clrewrite::config {

/// The values of all options that nobody sets.
Config defaultConfig();

/// \p C with only those option sets and launches that are for \p File.
Config resolvedFor(Config C, llvm::StringRef File);

/// \p C leaves \p File alone.
bool excludes(const Config &C, llvm::StringRef File);

/// The builds of a file for which \p C is resolved: one for each option
/// set, or a plain one. \p Ignored gets the options that only a driver knows.
llvm::Expected<std::vector<pipeline::Build>>
buildsOf(const Config &C, std::vector<std::string> &Ignored);

/// Sets targets, rewrites, the criterion, grants, launches and limits in \p P
/// from \p C, which must be resolved and have all defaults. \p P says whether
/// anything is measured. The clock that ends a search is not set.
llvm::Error applyTo(pipeline::PipelineOptions &P, const Config &C);

/// \p Word so that splitBuildOptions gives it back.
std::string quotedOption(llvm::StringRef Word);

/// \p Text, build options, with what -I, -isystem and -include name relative to
/// \p Folder made absolute; what -include names only where it is there.
std::string rebasedOptions(const std::string &Text, llvm::StringRef Folder);

} // namespace clrewrite::config
