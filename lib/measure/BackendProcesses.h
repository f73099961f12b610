// A back end at work in child processes, since compilers crash and hang.
#pragma once

#include "measure/Backend.h"
#include "measure/CompileRequest.h"
#include "measure/Compilers.h"
#include "process/Workers.h"
#include <map>

namespace clrewrite::measure {

class BackendProcesses : public Compilers {
public:
  BackendProcesses(std::unique_ptr<Backend> With, process::ChildLimits Limits);

  std::vector<std::string> files(const Target &On) const override {
    return With->files(On.Cpu);
  }
  void begin(llvm::ArrayRef<MeasureRequest> Requests, unsigned AtOnce) override;
  std::vector<Answer<Measurement>>
  measure(llvm::ArrayRef<MeasureRequest> Requests) override;
  Answer<PressureReport> pressure(const MeasureRequest &Request) override;
  Answer<WorkReport> work(const MeasureRequest &Request) override;

private:
  /// A processor, and the lanes of a wave.
  using StepsKey = std::pair<std::string, unsigned>;

  std::unique_ptr<Backend> With;
  process::Workers Children;
  std::map<StepsKey, OccupancySteps> Steps;
  unsigned AtOnce;
  /// What begin() has given to the processes: the steps that they are asked for
  /// before the figures, or why nothing.
  struct Begun {
    std::vector<StepsKey> Steps;
    std::string Problem;
  };
  std::optional<Begun> Now;

  llvm::Error load(llvm::ArrayRef<MeasureRequest> Requests);
  void explain(const MeasureRequest &Request, Measurement &Into);
  template <typename T> Answer<T> one(const CompileRequest &R);
};

} // namespace clrewrite::measure
