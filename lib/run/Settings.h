// From what the user says, by options and configurations, to what the pipeline
// is told for a file.
#pragma once

#include "config/Options.h"
#include "pipeline/Pipeline.h"

namespace clrewrite::run {

/// The builds of a file for which \p C is resolved: one for each option set, or
/// a plain one. \p Ignored gets the options that only a driver knows.
llvm::Expected<std::vector<pipeline::Build>>
buildsOf(const config::Config &C, std::vector<std::string> *Ignored = nullptr);

/// Sets targets, rewrites, the criterion, grants, launches and limits in \p P
/// from \p C, which must be resolved and have all defaults. \p P says whether
/// anything is measured. The clock that ends a search is not set.
llvm::Error applyTo(pipeline::PipelineOptions &P, const config::Config &C);

/// What \p O says instead of a configuration, with the build options that
/// follow "--".
llvm::Expected<config::Config> givenSettings(const config::Options &O);

/// What only the options say and no configuration, but for what a run adds.
llvm::Expected<pipeline::PipelineOptions>
commonOptions(const config::Options &O);

/// All that a file gets for which \p C is resolved: \p Common, and what \p C
/// says.
llvm::Expected<pipeline::PipelineOptions>
pipelineOptions(const config::Options &O, pipeline::PipelineOptions Common,
                const config::Config &C);

/// Finds configurations, and puts what the command line says over them.
class Configs {
public:
  struct Found {
    /// The configuration with defaults and the command line, not yet resolved
    /// for a file.
    config::Config Merged;
    /// What is wrong with it, which the user has been told; empty where nothing
    /// is.
    std::string Problem;
  };

  /// \p O chooses the files; \p Given is put over what they say.
  Configs(const config::Options &O, config::Config Defaults,
          config::Config Given)
      : O(O), Defaults(std::move(Defaults)), Given(std::move(Given)) {}

  /// The configuration for \p File, which need not exist.
  const Found &of(const std::string &File);
  /// The configuration of the current folder.
  const Found &ofHere() { return of("any"); }

private:
  const config::Options &O;
  config::Config Defaults, Given;
  std::map<std::string, Found> ByPath;     ///< of the configuration
  std::map<std::string, std::string> Near; ///< its path, by a file's folder
  std::set<std::string> Told;              ///< notes
};

} // namespace clrewrite::run
