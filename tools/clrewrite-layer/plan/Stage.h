// The plan (docs/plans.md) as a stage of its own, right above the driver: what
// captures stands above it and sees the program's own kernels alone.
//
// A program that the plan knows is built a second time from the plan's text
// when the first of its planned kernels is made. Each such kernel gets mirrors,
// which are kernels of the second program, and every argument goes to it and to
// them. A launch takes the first mirror whose conditions hold.
//
// As everywhere in the layer, no lock is held while the driver is called. What
// a kernel object holds needs none: OpenCL lets two threads neither set
// arguments of one kernel at a time nor set one while it is launched.
#pragma once

#include "../Handles.h"
#include "plan/Plan.h"
#include <CL/cl_icd.h>
#include <map>
#include <optional>
#include <set>

namespace clrewrite::layer::planned {

/// The driver's functions.
extern cl_icd_dispatch Driver;

/// What became of a launch of a planned kernel.
enum class Fate {
  Taken,
  Argument,
  Apart,
  Multiple,
  Local,
  Offset,
  Device,
  OwnLimits,
  RefusedArgument,
  RefusedLaunch,
  Extension
};
inline constexpr size_t FateCount = size_t(Fate::Extension) + 1;

/// Where the bytes of a buffer lie: in which allocation, and from which place
/// to which, the end not included.
struct Extent {
  uint64_t Allocation;
  size_t Begin, End;
};

/// Whether no byte is in both.
bool isApart(const Extent &A, const Extent &B);

/// How many launches of one kernel of the plan had each fate.
struct Counts {
  std::array<std::atomic<uint64_t>, FateCount> Of = {};

  void add(Fate F) { Of[size_t(F)].fetch_add(1, std::memory_order_relaxed); }
};

/// The text of the plan, built beside a program for some of its devices; null
/// where that failed.
struct Built {
  const plan::Program *From;
  std::vector<cl_device_id> Devices;
  cl_program Handle = nullptr;

  Built(const plan::Program *From, std::vector<cl_device_id> Devices)
      : From(From), Devices(std::move(Devices)) {}
  Built(const Built &) = delete;
  ~Built() {
    if (Handle)
      Driver.clReleaseProgram(Handle);
  }
};

/// The options that a host passes for each device of a program.
class DeviceOptions {
  std::optional<std::string> OfAll;
  std::map<cl_device_id, std::string> OfOne;

public:
  void set(cl_uint Count, const cl_device_id *Devices, const char *Options);
  /// None where a host has passed none for \p D.
  std::optional<std::string> of(cl_device_id D) const;
};

/// A program of the host's whose text the plan knows.
struct Program {
  std::string Hash;
  std::mutex Lock; // of what follows
  /// With which it was built last, or compiled; of a linked program, its only
  /// part.
  DeviceOptions Options;
  /// It was compiled, and the plan's text can be built in the place of it.
  bool Compiled = false;
  std::vector<std::shared_ptr<Built>> Made;
};

struct ReleaseKernel {
  void operator()(cl_kernel K) const { Driver.clReleaseKernel(K); }
};
using OwnedKernel =
    std::unique_ptr<std::remove_pointer_t<cl_kernel>, ReleaseKernel>;

/// What is known of a kernel of the planned text and of its arguments.
struct MirrorFacts {
  const plan::Kernel *Plan = nullptr;
  std::shared_ptr<Built> Of;
  Counts *Count = nullptr;
  /// The launch's sizes or the build's options are not the program's own, so
  /// that the driver may accept what it would have refused.
  bool Differs = false;
  /// By argument, and at the end for clSetKernelExecInfo: the driver took it
  /// for the program's own kernel and not for this one.
  std::vector<bool> Refused;
  unsigned RefusedCount = 0;
  /// By condition of the plan's on an argument, and by pair of buffers that
  /// must be apart.
  std::vector<bool> Holds, AreApart;
  unsigned HoldCount = 0, ApartCount = 0;
  /// By argument: where the buffer lies, where that is known; empty where the
  /// plan asks for none to be apart.
  std::vector<std::shared_ptr<const Extent>> Extents;

  void prepare(size_t Arguments);
  void tookArgument(cl_uint Index, cl_int Code);
  void compare(cl_uint Index, size_t Size, const void *Value);
};

struct Mirror : MirrorFacts {
  OwnedKernel Handle;
};

/// What a launch of the program's own kernel must keep to on a device.
struct Limits {
  cl_device_id Device;
  size_t MostItems = 0;
  std::array<size_t, 3> MostSizes = {}, Required = {};
};

/// A kernel object of the host's that has mirrors.
struct Kernel {
  std::vector<Mirror> Mirrors;
  /// Those of each device that the program was built for.
  std::vector<Limits> Devices;

  /// The driver took \p Local of the own kernel on \p D, though it had told of
  /// lower limits, as NVIDIA's does. Several threads may launch one kernel.
  void accept(cl_device_id D, const std::array<size_t, 3> &Local) {
    std::lock_guard<std::mutex> Guard(Lock);
    Accepted.insert({D, Local});
  }
  bool hasAccepted(cl_device_id D, const std::array<size_t, 3> &Local) const {
    std::lock_guard<std::mutex> Guard(Lock);
    return Accepted.count({D, Local}) != 0;
  }

private:
  mutable std::mutex Lock;
  std::set<std::pair<cl_device_id, std::array<size_t, 3>>> Accepted;
};

struct Stage {
  plan::Plan Plan;
  HandleTable<Program> Programs;
  HandleTable<Kernel> Kernels;
  /// Of those buffers of which it is known.
  HandleTable<const Extent> Extents;
  /// By the program's hash and the kernel's name, for all that the plan has.
  std::map<std::pair<std::string, std::string>, Counts> Launches;
  /// The program may set arguments in a way that is not seen here.
  std::atomic<bool> Off{false};
  /// How long the plan's programs took to build.
  std::atomic<uint64_t> BuildNs{0};

  std::mutex Lock; // of what follows
  std::set<std::string> Told;
  /// The hashes of those programs of the plan that the run has made.
  std::set<std::string> Met;
};

/// The stage; null where there is no plan.
Stage *stage();

/// Reads the plan. Where it can't be read, that is told and there is no stage.
void readStage(const char *Path);

/// Puts the stage's functions into the table in place of the driver's.
void wrapAll(cl_icd_dispatch &Table);

/// Says once on stderr why something of the plan is not used; \p More comes
/// behind it and may be another each time.
void tell(const std::string &What, const std::string &More = "");
void tellOfProgram(const std::string &Hash, const std::string &Why,
                   const std::string &More = "");

/// Says on stderr how many launches took the plan and why others did not.
void reportLaunches();

/// The mirrors of a kernel \p Name that was just made of \p P, and enters them.
void addMirrors(cl_program P, cl_kernel Own, const std::string &Name);

// Each puts its functions into the table where the driver has them.
void wrapPrograms(cl_icd_dispatch &Table);
void wrapKernels(cl_icd_dispatch &Table);
void wrapLaunches(cl_icd_dispatch &Table);
void wrapMemory(cl_icd_dispatch &Table);

} // namespace clrewrite::layer::planned
