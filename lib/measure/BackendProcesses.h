// A back end at work in child processes, since compilers crash and hang.
#pragma once

#include "measure/Backend.h"
#include "measure/CompileRequest.h"
#include "measure/Compilers.h"
#include "process/Workers.h"

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
  std::unique_ptr<Backend> With;
  process::Workers Children;
  unsigned AtOnce;
  /// Between begin() and measure(): why nothing could be given to the
  /// processes, or empty.
  std::optional<std::string> Begun;

  llvm::Error load(llvm::ArrayRef<MeasureRequest> Requests);
  template <typename T> Answer<T> one(const CompileRequest &R);
};

} // namespace clrewrite::measure
