// A thread for each machine of a farm.
#include "measure/device/FarmMeter.h"
#include "measure/Shares.h"
#include "llvm/Support/ThreadPool.h"
#include <chrono>

using namespace llvm;

namespace clrewrite::measure {
namespace {

/// Waits where another process uses a device longer than the device program
/// itself waits for it: on a farm many runs share a GPU.
class PatientChannel : public opencl::DeviceChannel {
  std::unique_ptr<opencl::DeviceChannel> Inner;
  static constexpr std::chrono::minutes Longest{10};

public:
  explicit PatientChannel(std::unique_ptr<opencl::DeviceChannel> Inner)
      : Inner(std::move(Inner)) {}

  opencl::DeviceAnswer call(json::Object Job) override {
    auto Until = std::chrono::steady_clock::now() + Longest;
    while (true) {
      opencl::DeviceAnswer A = Inner->call(Job);
      if (A.Status != opencl::DeviceAnswer::Refused ||
          A.Body.getString("name") != "BUSY" ||
          std::chrono::steady_clock::now() >= Until)
        return A;
    }
  }
};

} // namespace

struct FarmMeter::Machine {
  std::unique_ptr<opencl::DeviceChannel> Channel;
  std::unique_ptr<DeviceMeter> Meter;
  std::map<unsigned, Reference> References; ///< by device
  /// It has one thread, which stays: a process that it starts ends with it
  /// (process/Forked.h).
  DefaultThreadPool Thread{hardware_concurrency(1)};

  explicit Machine(std::unique_ptr<opencl::DeviceChannel> Inner)
      : Channel(std::make_unique<PatientChannel>(std::move(Inner))),
        Meter(std::make_unique<DeviceMeter>(*Channel)) {}
  ~Machine() {
    // The device program ends where it was started, before the thread does.
    Thread.async([this] {
      Meter.reset();
      Channel.reset();
    });
    Thread.wait();
  }

  std::vector<Timing> time(ArrayRef<TimeRequest> Requests) {
    std::map<unsigned, Target> Used;
    for (const TimeRequest &R : Requests)
      Used.emplace(R.On.Device, R.On);
    for (const auto &[Device, On] : Used)
      if (!References.count(Device))
        References[Device].check(*Channel, On);
    std::vector<Timing> Out = Meter->time(Requests);
    for (const auto &[Device, On] : Used)
      if (std::string Why = References[Device].check(*Channel, On);
          !Why.empty())
        for (auto [R, T] : zip(Requests, Out))
          if (R.On.Device == Device && T.Time) {
            T.Time.reset();
            T.Problem = Why;
          }
    return Out;
  }
};

FarmMeter::FarmMeter() = default;
FarmMeter::~FarmMeter() = default;

void FarmMeter::add(const std::string &Host,
                    std::unique_ptr<opencl::DeviceChannel> Channel) {
  Machines[Host] = std::make_unique<Machine>(std::move(Channel));
}

opencl::DeviceChannel *FarmMeter::channelOf(const std::string &Host) const {
  auto It = Machines.find(Host);
  return It == Machines.end() ? nullptr : It->second->Channel.get();
}

/// Has each machine do its requests, all machines at the same time.
template <typename Request, typename Result, typename Work>
std::vector<Result> FarmMeter::together(ArrayRef<Request> Requests,
                                        const Result &Nobody, Work Do) {
  auto Shares = sharesOf<Machine>(Requests, [&](size_t, const Request &R) {
    auto It = Machines.find(R.On.Host);
    return It == Machines.end() ? nullptr : It->second.get();
  });
  std::vector<std::vector<Result>> Answers(Shares.size());
  for (auto [Each, Into] : zip(Shares, Answers))
    Each.first->Thread.async([M = Each.first,
                              Mine = ArrayRef(Each.second.Requests),
                              &Told = Into, &Do] { Told = Do(*M, Mine); });
  std::vector<Result> Out(Requests.size(), Nobody);
  for (auto [Each, Answer] : zip(Shares, Answers)) {
    Each.first->Thread.wait();
    Each.second.put(std::move(Answer), Out);
  }
  return Out;
}

std::vector<Measurement> FarmMeter::measure(ArrayRef<MeasureRequest> Requests) {
  Measurement Nobody;
  Nobody.Problem = "nothing measures there";
  return together(Requests, Nobody, [](Machine &M, ArrayRef<MeasureRequest> R) {
    return M.Meter->measure(R);
  });
}

std::vector<Timing> FarmMeter::time(ArrayRef<TimeRequest> Requests) {
  return together(
      Requests, Timing{std::nullopt, "nothing runs there"},
      [](Machine &M, ArrayRef<TimeRequest> R) { return M.time(R); });
}

} // namespace clrewrite::measure
