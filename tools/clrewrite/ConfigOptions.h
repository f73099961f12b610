// The configuration of each file of a run.
#pragma once

#include "config/Options.h"
#include "config/Resolve.h"
#include <map>
#include <set>

namespace clrewrite::cli {

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

/// Prints the settings that \p File gets; returns the exit code.
int showConfig(const std::string &File, Configs &All);

} // namespace clrewrite::cli
