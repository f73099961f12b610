// The meter that compiles, with back ends of this program and with programs
// that have another LLVM, in child processes; and remembers what they told.
#pragma once

#include "cache/DiskCache.h"
#include "measure/BackendProcesses.h"
#include "measure/OtherLlvm.h"

namespace clrewrite::measure {

class OfflineMeter : public Meter {
public:
  /// Requests for families that are not among \p Backends fail. \p Disk keeps
  /// results from run to run; null for not.
  OfflineMeter(std::vector<std::unique_ptr<Backend>> Backends,
               process::ChildLimits Limits,
               const cache::DiskCache *Disk = nullptr);
  ~OfflineMeter() override;

  /// Has \p With compile for the targets whose Llvm is \p Major.
  void add(unsigned Major, std::unique_ptr<OtherLlvm> With);

  std::vector<Measurement>
  measure(llvm::ArrayRef<MeasureRequest> Requests) override;
  std::vector<PressureReport>
  pressure(llvm::ArrayRef<MeasureRequest> Requests) override;
  WorkReport work(const MeasureRequest &Request) override;

  /// How many compilations ran, and how many requests the cache answered.
  unsigned compilations() const { return Compilations; }
  unsigned cacheHits() const { return CacheHits; }

private:
  std::map<const TargetFamily *, BackendProcesses> ByFamily;
  std::map<unsigned, std::unique_ptr<OtherLlvm>> ByLlvm;
  const cache::DiskCache *Disk;
  unsigned AtOnce; ///< processes
  std::map<std::string, Measurement> Cache;
  unsigned Compilations = 0, CacheHits = 0;
  /// Files and targets of which some kernel has the compiler crash, or take too
  /// long: a kernel that is asked for by itself is compiled without the others
  /// there, in all versions.
  std::set<std::string> Troubled;

  Compilers *compilersFor(const Target &On);
  cache::CacheKey diskKey(llvm::StringRef Sort, const MeasureRequest &Request);
  template <typename T>
  std::optional<T> fromDisk(llvm::StringRef Sort,
                            const MeasureRequest &Request);
  template <typename T>
  void toDisk(llvm::StringRef Sort, const MeasureRequest &Request,
              const Answer<T> &A);
  std::vector<Answer<Measurement>>
  compile(llvm::ArrayRef<MeasureRequest> Requests);
  bool standsAlone(const MeasureRequest &Request) const;
  void separately(const MeasureRequest &Request, Answer<Measurement> &Into);
  PressureReport countLive(const MeasureRequest &Request);
};

} // namespace clrewrite::measure
