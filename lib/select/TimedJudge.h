// The judge that also has the device run what must be judged by its time, and
// otherwise asks the GPUs that no target stands for.
#pragma once

#include "select/Select.h"

namespace clrewrite::select {

/// A verdict that stands but for what the bystanders say of the change, and for
/// doubts.
struct Pending {
  Verdict &Judged;
  Version Before, After;
  std::vector<std::string> Kernels; ///< that the change is of
};

class TimedJudge {
public:
  TimedJudge(measure::Meter &M, const SelectOptions &Options)
      : M(M), Options(Options) {}

  /// The criterion for a change of \p Kernels: Auto becomes Time where there is
  /// a device and one of them has a launch, else Occupancy.
  Criterion criterionFor(llvm::ArrayRef<std::string> Kernels) const;

  /// The same, but under Auto an estimate that falls by 5 % is a gain as well,
  /// where no clock decides, on GPUs of which it was held against one: for
  /// edits of rewrites of which the estimate can tell (estimateTells in
  /// Record.h).
  Criterion estimatedToo(llvm::ArrayRef<std::string> Kernels) const;

  /// At least one of \p Kernels has a launch.
  bool canTime(llvm::ArrayRef<std::string> Kernels) const;

  /// Times \p Before against \p After for each of \p List whose target is a
  /// device, whose kernel has a launch, and that could be measured.
  void addTimes(std::vector<Delta> &List, const Version &Before,
                const Version &After) const;

  /// The verdict where the driver of each device makes the same binary of both
  /// versions, and the host launches \p Kernels alike: no clock can tell them
  /// apart. None where one may.
  std::optional<Verdict> folded(llvm::ArrayRef<std::string> Kernels,
                                const Version &Before,
                                const Version &After) const;

  /// Judges \p List, of a change of \p Kernels from \p Before to \p After.
  /// What is folded is not timed. Times that pay are taken a second time, and
  /// those count: of many variants the luckiest would otherwise win.
  Verdict judged(std::vector<Delta> &List, llvm::ArrayRef<std::string> Kernels,
                 const Version &Before, const Version &After,
                 const Criterion &By) const;

  /// Refuses those of \p List that pay but would cost time on a bystander
  /// (SelectOptions::Bystanders), or are doubted. Where a clock decides, no
  /// bystander is asked.
  void askOthers(llvm::ArrayRef<Pending> List) const;

private:
  void askBystanders(llvm::ArrayRef<Pending> List) const;
  measure::Meter &M;
  const SelectOptions &Options;
};

} // namespace clrewrite::select
