// The meter that asks OpenCL drivers, through the device program.
#pragma once

#include "measure/Meter.h"
#include "opencl/DeviceClient.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>
#include <functional>
#include <limits>

namespace clrewrite::measure {

/// The figures of the member "usage" of a `build` answer. Scratch is AMD's
/// private segment, NVIDIA's stack frame (which holds what is spilled), or
/// Intel's private memory and spills; what the driver can't tell is unknown. \p
/// Arch ("sm_90a") gives NVIDIA's occupancy; empty where it is not known.
Usage deviceUsage(const llvm::json::Object &Figures, llvm::StringRef Arch);

/// Builds and runs on one or several devices behind one channel. A driver that
/// crashes, hangs or vanishes costs the job a line; after three such jobs in a
/// row no more are sent.
///
/// With more channels to the same devices, several texts are built side by
/// side. A text is timed on the channel that has built it, and launches wait
/// for each other in the device program. To load a driver and fill the buffers
/// of a launch takes seconds on a channel: a new one does that in a thread,
/// with the jobs that the first has done, and takes part once it is over.
class DeviceMeter : public Meter {
public:
  using Start = std::function<std::unique_ptr<opencl::DeviceChannel>()>;

  /// Starts \p Channels - 1 more by \p More, which may give null, once there is
  /// something to build side by side and a launch was timed, unless that needs
  /// more than \p MostBytes of device memory.
  explicit DeviceMeter(
      opencl::DeviceChannel &Channel, unsigned Channels = 1,
      Start More = nullptr,
      uint64_t MostBytes = std::numeric_limits<uint64_t>::max())
      : Channel(Channel), More(std::move(More)), Channels(Channels),
        MostBytes(MostBytes) {}
  ~DeviceMeter() override;

  /// How many texts it is worth asking for at once.
  unsigned atOnce() const { return Channels; }

  std::vector<Measurement>
  measure(llvm::ArrayRef<MeasureRequest> Requests) override;
  std::vector<Timing> time(llvm::ArrayRef<TimeRequest> Requests) override;

private:
  /// What a build told: figures, and each kernel's parameters.
  struct Built {
    Measurement Figures;
    std::map<std::string, llvm::json::Array> Parameters;
    size_t Home = 0; ///< the channel that has built it
  };

  /// A channel beside the first, and the thread that makes it ready and then
  /// has it build. The thread stays, since a process that it starts ends with
  /// it (process/Forked.h).
  struct Other {
    std::unique_ptr<opencl::DeviceChannel> Channel;
    std::atomic<bool> Ready = false;
    llvm::DefaultThreadPool Thread{llvm::hardware_concurrency(1)};
  };

  opencl::DeviceChannel &Channel;
  Start More;
  unsigned Channels;
  uint64_t MostBytes;
  std::vector<std::unique_ptr<Other>> Others; ///< channels 1 and up
  /// The first build and the first launch that worked: what others are timed
  /// against.
  std::optional<llvm::json::Object> FirstBuild, FirstRun;
  std::map<std::string, Built> Builds; ///< by source and device
  size_t Next = 0;                     ///< turns of the channels
  unsigned FailuresInARow = 0;
  std::string LastFailure;

  opencl::DeviceAnswer call(llvm::json::Object Job, size_t On = 0);
  void startOthers();
  void buildTogether(llvm::ArrayRef<MeasureRequest> Requests);
  static Built read(const opencl::DeviceAnswer &A);
  const Built &build(const Source &S, const Target &On);
  Timing timeOne(const TimeRequest &Request);
  std::string whyDifferent(llvm::json::Object Job, bool MayVary, size_t On);
};

} // namespace clrewrite::measure
