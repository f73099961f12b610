// The setups of a run: settings, meters and devices for each unit. Units with
// the same settings share meters and devices.
#pragma once

#include "run/Meters.h"
#include "run/Run.h"
#include "run/Settings.h"

namespace clrewrite::run {

class Setups {
public:
  /// \p Common has what is the same for all units. The references must
  /// outlive this.
  Setups(const config::Options &O, pipeline::PipelineOptions Common,
         Configs &All, World &W)
      : O(O), Common(std::move(Common)), All(All), W(W) {}

  /// The setup of \p U, whose builds are set by the option sets of \p File.
  /// What stands around its text in a program stays.
  const pipeline::Setup *of(pipeline::Unit &U, const std::string &File);
  /// The setup of \p U, whose builds stay as they were watched.
  const pipeline::Setup *ofCaptured(const pipeline::Unit &U);

  /// Adds to the times how often compilers ran.
  void countCompilations() const;

private:
  /// Meters of some targets, which are resolved.
  struct Measuring {
    Meters Open;
    std::unique_ptr<measure::Meter> Joined;
    std::vector<measure::Target> Targets;
  };

  const config::Options &O;
  pipeline::PipelineOptions Common;
  Configs &All;
  World &W;
  std::map<std::string, pipeline::Setup> BySettings;
  std::map<std::string, Measuring> ByTargets;
  std::map<std::string, std::optional<verify::LazyDevice>> Verifying;
  std::map<std::string, std::function<double()>> Ends; ///< by budget
  std::set<std::string> Told;

  llvm::Error setBuilds(pipeline::Unit &U, const config::Config &C);
  const pipeline::Setup *withSettings(config::Config C);
  llvm::Error prepare(pipeline::Setup &S, const config::Config &C);
  llvm::Expected<Measuring *> measuring(const config::Config &C,
                                        const pipeline::PipelineOptions &P);
  const pipeline::Setup *failed(const config::Config &C,
                                const std::string &Problem);
};

} // namespace clrewrite::run
