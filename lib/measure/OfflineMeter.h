// The meter that compiles with LLVM's own back ends, in child processes.
#pragma once

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
  /// The back ends have loaded their built-in libraries, so that every child
  /// inherits them. One may be missing where no request needs it.
  OfflineMeter(std::optional<Amdgcn> Amd, ChildLimits Limits,
               std::optional<Nvptx> Nvidia = std::nullopt);
  ~OfflineMeter() override;

  std::vector<Measurement>
  measure(llvm::ArrayRef<MeasureRequest> Requests) override;

  /// How many compilations ran, and how many requests the cache answered.
  unsigned compilations() const { return Compilations; }
  unsigned cacheHits() const { return CacheHits; }

private:
  std::optional<Amdgcn> Amd;
  std::optional<Nvptx> Nvidia;
  ChildLimits Limits;
  std::map<std::string, Measurement> Cache;
  std::map<std::string, OccupancyCurve> Curves; ///< by processor
  unsigned Compilations = 0, CacheHits = 0;

  Measurement compileHere(const MeasureRequest &Request) const;
  std::vector<Measurement> compile(llvm::ArrayRef<MeasureRequest> Requests);
  void separately(const MeasureRequest &Request, Measurement &Into);
};

} // namespace clrewrite
