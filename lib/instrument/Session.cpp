// A device is chosen by its name, and jobs are sent to it within the budget.
#include "instrument/Session.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace llvm;

namespace clrewrite::instrument {

DeviceFacts factsOf(const json::Object &D) {
  DeviceFacts F;
  const json::Object Empty;
  auto inside = [&](StringRef Name) -> const json::Object & {
    const json::Object *O = D.getObject(Name);
    return O ? *O : Empty;
  };
  auto text = [](const json::Object &O, StringRef Name) {
    return O.getString(Name).value_or("").trim().str();
  };
  F.Index = unsigned(D.getInteger("index").value_or(0));
  F.Name = text(D, "name");
  F.Platform = text(inside("platform"), "name");
  F.Driver = text(D, "driver");
  F.Version = text(D, "version");
  F.Type = text(D, "type");
  F.ComputeUnits = D.getInteger("compute_units");
  F.ClockMHz = D.getInteger("max_clock_mhz");
  F.CacheBytes = D.getInteger("global_cache_bytes");
  F.MaxAllocBytes = D.getInteger("max_alloc_bytes");
  F.GlobalBytes = D.getInteger("global_mem_bytes");
  F.MaxGroup = D.getInteger("max_work_group_size");
  // A configuration alone does not make the type usable in kernels.
  const json::Array *Extensions = D.getArray("extensions");
  F.Half = inside("fp").getArray("half") && Extensions &&
           is_contained(*Extensions, json::Value("cl_khr_fp16"));
  F.Double = inside("fp").getArray("double");
  const json::Object &Width = inside("native_vector_width");
  for (auto [Name, Into] :
       {std::pair("half", &F.HalfWidth), std::pair("float", &F.FloatWidth),
        std::pair("double", &F.DoubleWidth), std::pair("int", &F.IntWidth)})
    *Into = unsigned(
        std::clamp<int64_t>(Width.getInteger(Name).value_or(1), 1, 16));
  const json::Object &Units = inside("vendor_units");
  F.ComputeCapability = text(Units, "compute_capability");
  F.Simds = Units.getInteger("simds");
  F.SimdWidth = Units.getInteger("simd_width");
  F.SimdInstructionWidth = Units.getInteger("simd_instruction_width");
  return F;
}

Expected<DeviceFacts> findDevice(opencl::DeviceChannel &Channel,
                                 StringRef Selector) {
  opencl::DeviceAnswer A = Channel.call(json::Object{{"job", "devices"}});
  if (!A.ok())
    return createStringError("the devices can't be listed: " +
                             opencl::reasonOf(A));
  std::vector<DeviceFacts> All;
  if (const json::Array *List = A.Body.getArray("devices"))
    for (const json::Value &V : *List)
      if (const json::Object *O = V.getAsObject())
        All.push_back(factsOf(*O));
  unsigned Index = 0;
  bool ByIndex = !Selector.empty() && !Selector.getAsInteger(10, Index);
  std::string Names;
  for (const DeviceFacts &D : All) {
    Names +=
        (Names.empty() ? "" : ", ") + std::to_string(D.Index) + ": " + D.Name;
    if (ByIndex ? D.Index == Index
        : Selector.empty()
            ? D.Type == "gpu"
            : D.Type == Selector.lower() ||
                  StringRef(D.Name).contains_insensitive(Selector) ||
                  StringRef(D.Platform).contains_insensitive(Selector))
      return D;
  }
  if (Selector.empty() && !All.empty())
    return All.front();
  return createStringError(
      All.empty()
          ? std::string("there is no OpenCL device: ") + opencl::NoDeviceRemedy
          : ("there is no device '" + Selector + "' (there are: " + Names + ")")
                .str());
}

json::Object deviceJson(const DeviceFacts &D) {
  return json::Object{{"name", json::fixUTF8(D.Name)},
                      {"platform", json::fixUTF8(D.Platform)},
                      {"driver", json::fixUTF8(D.Driver)},
                      {"version", json::fixUTF8(D.Version)},
                      {"type", D.Type},
                      {"compute_units", D.ComputeUnits},
                      {"max_clock_mhz", D.ClockMHz}};
}

std::string deviceLine(const DeviceFacts &D) {
  std::string Out = D.Name + " (" + D.Type;
  if (D.ComputeUnits)
    Out += formatv(", {0} compute units", *D.ComputeUnits);
  if (D.ClockMHz)
    Out += formatv(", {0} MHz", *D.ClockMHz);
  return Out + ", driver " + D.Driver + ")";
}

Session::Session(opencl::DeviceChannel &Channel, DeviceFacts Device,
                 unsigned Budget)
    : Channel(Channel),
      End(std::chrono::steady_clock::now() + std::chrono::seconds(Budget)),
      Budget(Budget), Device(std::move(Device)) {}

unsigned Session::left() const {
  double Seconds =
      std::chrono::duration<double>(End - std::chrono::steady_clock::now())
          .count();
  return Seconds <= 0 ? 0 : unsigned(std::ceil(Seconds));
}

opencl::DeviceAnswer Session::call(json::Object Job, unsigned Limit) {
  Job["device"] = Device.Index;
  bool Shortened = left() < Limit;
  Job["limit_s"] = std::max(1u, std::min(Limit, left()));
  opencl::DeviceAnswer A = Channel.call(std::move(Job));
  if (Shortened && A.Status == opencl::DeviceAnswer::TimedOut)
    A.Problem =
        "was stopped: the budget of " + std::to_string(Budget) + " s is spent";
  return A;
}

std::optional<SampledTime> sampledTime(const json::Value &V) {
  const json::Object *O = V.getAsObject();
  auto Min = O ? O->getNumber("min_ns") : std::nullopt;
  auto Median = O ? O->getNumber("median_ns") : std::nullopt;
  if (!Min || !Median || *Min <= 0)
    return std::nullopt;
  return SampledTime{*Min, *Median};
}

} // namespace clrewrite::instrument
