// What each unit of a run is worked on with: units with the same settings share
// meters and devices.
#pragma once

#include "ConfigOptions.h"
#include "Meters.h"
#include "Printing.h"

namespace clrewrite {

class Setups {
public:
  /// \p Common has what is the same for all units. With \p OnlyMeasure no
  /// rewrite is tried. The references must outlive this.
  Setups(PipelineOptions Common, Configs &All, bool OnlyMeasure,
         const char *Argv0, PhaseTimes &Times)
      : Common(std::move(Common)), All(All), OnlyMeasure(OnlyMeasure),
        Argv0(Argv0), Times(Times) {}

  /// The setup of \p U, whose builds are set by its option sets.
  const Setup *of(Unit &U);
  /// The setup of \p U, whose builds stay as they were watched.
  const Setup *ofCaptured(const Unit &U);

  /// Adds to the times how often compilers ran.
  void countCompilations() const;

private:
  /// Meters of some targets, which are resolved.
  struct Measuring {
    Meters Open;
    std::unique_ptr<Meter> Joined;
    std::vector<Target> Targets;
  };

  PipelineOptions Common;
  Configs &All;
  bool OnlyMeasure;
  const char *Argv0;
  PhaseTimes &Times;
  std::map<std::string, Setup> BySettings;
  std::map<std::string, Measuring> ByTargets;
  std::map<std::string, std::optional<LazyDevice>> Verifying;
  std::map<std::string, std::function<bool()>> Ends; ///< by budget
  std::set<std::string> Told;

  llvm::Error setBuilds(Unit &U, const Config &C);
  const Setup *withSettings(Config C);
  llvm::Error prepare(Setup &S, const Config &C);
  llvm::Expected<Measuring *> measuring(const Config &C,
                                        const PipelineOptions &P);
  const Setup *failed(const Config &C, const std::string &Problem);
};

} // namespace clrewrite
