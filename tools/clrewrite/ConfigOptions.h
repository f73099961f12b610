// The configuration of each file of a run.
#pragma once

#include "config/Resolve.h"
#include <map>
#include <set>

namespace clrewrite::cli {

/// What is wrong with the options that choose a configuration; empty where
/// nothing is.
std::string badConfigOption();

/// --show-config was given.
bool wantsToShowConfig();

/// Finds configurations, and puts what the command line says over them.
class Configs {
public:
  struct Found {
    /// With defaults and the command line; not yet resolved for a file.
    config::Config Merged;
    /// What is wrong with it, which the user has been told; empty where nothing
    /// is.
    std::string Problem;
  };

  Configs(config::Config Defaults, config::Config CommandLine)
      : Defaults(std::move(Defaults)), CommandLine(std::move(CommandLine)) {}

  /// That of \p File, which need not exist.
  const Found &of(const std::string &File);
  /// That of the current folder.
  const Found &ofHere() { return of("any"); }

private:
  config::Config Defaults, CommandLine;
  std::map<std::string, Found> ByPath;     ///< of the configuration
  std::map<std::string, std::string> Near; ///< its path, by a file's folder
  std::set<std::string> Told;              ///< notes
};

/// Prints the settings that \p File gets; returns the exit code.
int showConfig(const std::string &File, Configs &All);

} // namespace clrewrite::cli
