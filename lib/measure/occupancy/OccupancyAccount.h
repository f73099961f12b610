// An account of a kernel's occupancy: what limits its waves, and what it would
// take to have more.
#pragma once

#include "measure/occupancy/OccupancyLimits.h"

namespace clrewrite::measure {

/// What has to fall, all of it, for more waves.
struct NextStep {
  enum Kind {
    None,      ///< it has the most already
    Attribute, ///< another value of amdgpu_waves_per_eu
    GroupSize, ///< another work-group
    NotAlone,  ///< no resource by itself
    Fewer,     ///< what follows
  } What = None;
  /// How much less of each; 0 for what does not limit.
  unsigned Vgprs = 0, Sgprs = 0, LdsBytes = 0;
  /// How many waves there are then; nullopt where that could not be found out.
  std::optional<unsigned> Waves = {};
};

/// One version of a kernel on a target.
struct OccupancyAccount {
  OccupancyNeeds Needs;
  OccupancyLimits Waves;
  NextStep Next;

  /// \p Alone, one of Waves, keeps the kernel below the most.
  bool limits(unsigned Alone) const {
    return Alone == Waves.All && Alone < Waves.Max;
  }
  /// ByLds also counts what the work-groups give by themselves.
  bool ldsLimits() const {
    return limits(Waves.ByLds) && Waves.ByLds < Waves.ByWorkGroup;
  }
};

/// The waves are held down by an attribute of the kernel, and by none of the
/// resources that accounts are about.
bool isHeldDown(const Usage &U);

/// The account of a kernel of these figures on \p On. \p GroupSize is as
/// needsOf() has it. Compiles empty kernels, in child processes, where the
/// family of \p On can't tell otherwise; nullopt where nothing is known.
std::optional<OccupancyAccount> accountFor(const Target &On, const Usage &U,
                                           std::optional<unsigned> GroupSize,
                                           process::ChildLimits Limits = {});

/// All kernels of a text on one target, for a report.
struct TargetAccounts {
  /// Nothing is known of kernels on a device.
  bool Known = false;
  OccupancyTerms Terms;
  /// By kernel, before and after its edits.
  std::map<std::string, std::pair<std::optional<OccupancyAccount>,
                                  std::optional<OccupancyAccount>>>
      Kernels;
};

} // namespace clrewrite::measure
