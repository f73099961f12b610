// The meter that compiles with LLVM's own back ends, in child processes.
#pragma once

#include "cache/DiskCache.h"
#include "measure/Amdgcn.h"
#include "measure/Meter.h"
#include "measure/Nvptx.h"
#include "process/Child.h"
#include <map>

namespace clrewrite {

/// How Clang is set up to look for sites: for the first of \p Targets that is
/// no device (a device's compiler is not ours), else for a common GPU.
Arch archOf(llvm::ArrayRef<Target> Targets);

class OfflineMeter : public Meter {
public:
  /// One of the back ends may be missing where no request needs it. \p Disk
  /// keeps results from run to run; null for not.
  OfflineMeter(std::optional<Amdgcn> Amd, ChildLimits Limits,
               std::optional<Nvptx> Nvidia = std::nullopt,
               const DiskCache *Disk = nullptr);
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
  ChildLimits Limits;
  const DiskCache *Disk;
  std::map<std::string, Measurement> Cache;
  std::map<std::string, OccupancyCurve> Curves; ///< by processor
  unsigned Compilations = 0, CacheHits = 0;

  CacheKey diskKey(llvm::StringRef Sort, const MeasureRequest &Request) const;
  std::optional<Measurement> fromDisk(const MeasureRequest &Request) const;
  PressureReport countLive(const MeasureRequest &Request);
  llvm::Error load(llvm::ArrayRef<MeasureRequest> Requests);
  Measurement compileHere(const MeasureRequest &Request) const;
  std::vector<Measurement> compile(llvm::ArrayRef<MeasureRequest> Requests);
  void separately(const MeasureRequest &Request, Measurement &Into);
};

} // namespace clrewrite
