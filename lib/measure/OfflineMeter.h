// The meter that compiles with LLVM's own back ends, in child processes.
#pragma once

#include "cache/DiskCache.h"
#include "measure/amdgcn/Amdgcn.h"
#include "measure/Meter.h"
#include "measure/nvptx/Nvptx.h"
#include "measure/occupancy/Occupancy.h"
#include "measure/r600/R600.h"
#include "process/Workers.h"
#include <map>

namespace clrewrite::measure {

/// How Clang is set up to look for sites: for the first of \p Targets that is
/// no device (a device's compiler is not ours), else for a common GPU.
frontend::Arch archOf(llvm::ArrayRef<Target> Targets);

class OfflineMeter : public Meter {
public:
  /// One of the back ends may be missing where no request needs it. \p Disk
  /// keeps results from run to run; null for not.
  OfflineMeter(std::optional<Amdgcn> Amd, process::ChildLimits Limits,
               std::optional<Nvptx> Nvidia = std::nullopt,
               const cache::DiskCache *Disk = nullptr,
               std::optional<R600> Old = std::nullopt);
  ~OfflineMeter() override;

  std::vector<Measurement>
  measure(llvm::ArrayRef<MeasureRequest> Requests) override;
  std::vector<PressureReport>
  pressure(llvm::ArrayRef<MeasureRequest> Requests) override;

  /// What the work-items of \p Request's kernels do, counted in a child.
  WorkReport work(const MeasureRequest &Request,
                  const ScalarArguments &Arguments);

  /// How many compilations ran, and how many requests the cache answered.
  unsigned compilations() const { return Compilations; }
  unsigned cacheHits() const { return CacheHits; }

private:
  std::optional<Amdgcn> Amd;
  std::optional<Nvptx> Nvidia;
  std::optional<R600> Old; ///< AMD's GPUs before GCN
  process::ChildLimits Limits;
  const cache::DiskCache *Disk;
  std::map<std::string, Measurement> Cache;
  /// By processor and lanes a wave.
  std::map<std::pair<std::string, unsigned>, OccupancySteps> Steps;
  unsigned Compilations = 0, CacheHits = 0;
  /// What compiles for AMD's GPUs from GCN on; none before the first request.
  std::optional<process::Workers> AmdWorkers;

  cache::CacheKey diskKey(llvm::StringRef Sort,
                          const MeasureRequest &Request) const;
  std::optional<Measurement> fromDisk(const MeasureRequest &Request) const;
  PressureReport countLive(const MeasureRequest &Request);
  std::vector<std::string> filesFor(const Target &On) const;
  llvm::Error load(llvm::ArrayRef<MeasureRequest> Requests);
  std::string answer(llvm::StringRef Asked) const;
  std::vector<process::ChildResult>
  askAmd(llvm::ArrayRef<std::string> Questions);
  Measurement compileHere(const MeasureRequest &Request) const;
  std::vector<Measurement> compile(llvm::ArrayRef<MeasureRequest> Requests);
  void explain(const MeasureRequest &Request, Measurement &Into);
  void separately(const MeasureRequest &Request, Measurement &Into);
};

} // namespace clrewrite::measure
