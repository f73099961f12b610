// A back end at work in child processes, since compilers crash and hang.
#pragma once

#include "measure/Backend.h"
#include "measure/CompileRequest.h"
#include "process/Workers.h"
#include <map>

namespace clrewrite::measure {

/// What a process answered.
template <typename T> struct Answer {
  /// Its Problem says why there is none.
  T Value;
  /// Another run would get the same: the process did not crash, and was not
  /// ended for its time or its memory, which depend on what else is running.
  bool Lasting = true;
};

class BackendProcesses {
public:
  BackendProcesses(std::unique_ptr<Backend> With, process::ChildLimits Limits);

  const Backend &backend() const { return *With; }

  /// The figures of each of \p Requests, in order, several at once; with what
  /// the steps of occupancy tell.
  std::vector<Answer<Measurement>>
  measure(llvm::ArrayRef<MeasureRequest> Requests);
  Answer<PressureReport> pressure(const MeasureRequest &Request);
  Answer<WorkReport> work(const MeasureRequest &Request);

private:
  /// A processor, and the lanes of a wave.
  using StepsKey = std::pair<std::string, unsigned>;

  std::unique_ptr<Backend> With;
  process::Workers Children;
  std::map<StepsKey, OccupancySteps> Steps;

  llvm::Error load(llvm::ArrayRef<MeasureRequest> Requests);
  void explain(const MeasureRequest &Request, Measurement &Into);
  template <typename T> Answer<T> one(const CompileRequest &R);
};

} // namespace clrewrite::measure
