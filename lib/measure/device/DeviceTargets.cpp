// Which devices a target means, and who measures for it.
#include "measure/device/DeviceMeter.h"

using namespace llvm;

namespace clrewrite::measure {

static std::string nameOf(const json::Object &Device) {
  return Device.getString("name").value_or("unnamed device").trim().str();
}

/// What the vendor's extension or the device's name tells of its processor;
/// empty where that is no target's name.
static std::string chipOf(const json::Object &Device) {
  std::string Chip;
  if (const json::Object *Units = Device.getObject("vendor_units"))
    if (auto Capability = Units->getString("compute_capability")) {
      auto [Major, Minor] = Capability->split('.');
      Chip = ("sm_" + Major + Minor).str();
    }
  std::string Name = nameOf(Device);
  if (StringRef(Name).starts_with("gfx")) // "gfx90a:sramecc+:xnack-"
    Chip = StringRef(Name).split(':').first.str();
  Expected<Target> Known = parseTarget(Chip);
  if (Known)
    return Chip;
  consumeError(Known.takeError());
  return "";
}

/// Whether the device or its platform is called like \p Part, or the device is
/// of that type ("cpu", "gpu").
static bool answersTo(const json::Object &Device, StringRef Part) {
  const json::Object *Platform = Device.getObject("platform");
  StringRef Of =
      Platform ? Platform->getString("name").value_or("") : StringRef();
  return Device.getString("type") == Part.lower() ||
         StringRef(nameOf(Device)).contains_insensitive(Part) ||
         Of.contains_insensitive(Part);
}

/// The indices in \p List that a target's selector means.
static std::vector<unsigned> chosen(ArrayRef<const json::Object *> List,
                                    StringRef Selector) {
  std::vector<unsigned> All;
  for (unsigned I = 0; I < List.size(); ++I)
    All.push_back(I);
  if (All.empty() || Selector == "all")
    return All;
  for (unsigned I : All)
    if (Selector.empty() ? List[I]->getString("type") == StringRef("gpu")
                         : answersTo(*List[I], Selector))
      return {I};
  return Selector.empty() ? std::vector<unsigned>{0} : std::vector<unsigned>();
}

static Error noSuchDevice(const Target &T,
                          ArrayRef<const json::Object *> List) {
  std::string Names;
  for (const json::Object *D : List)
    Names += (Names.empty() ? "" : ", ") + nameOf(*D);
  return createStringError(
      "target '%s': %s", T.Name.c_str(),
      Names.empty() ? "there is no OpenCL device (clrewrite devices lists them)"
                    : ("no such device (there are: " + Names + ")").c_str());
}

Expected<std::vector<Target>> resolveDevices(ArrayRef<Target> Targets,
                                             opencl::DeviceChannel &Channel) {
  opencl::DeviceAnswer A = Channel.call(json::Object{{"job", "devices"}});
  if (!A.ok())
    return createStringError(
        "the devices can't be listed: the device program " + A.Problem);
  std::vector<const json::Object *> List;
  if (const json::Array *Devices = A.Body.getArray("devices"))
    for (const json::Value &Each : *Devices)
      if (const json::Object *O = Each.getAsObject())
        List.push_back(O);
  std::vector<Target> Out;
  for (const Target &T : Targets) {
    if (T.Kind != TargetKind::Device) {
      Out.push_back(T);
      continue;
    }
    std::vector<unsigned> Meant = chosen(List, T.Cpu);
    if (Meant.empty())
      return noSuchDevice(T, List);
    for (unsigned I : Meant) {
      Target One = T;
      One.Device = unsigned(List[I]->getInteger("index").value_or(I));
      One.Name = nameOf(*List[I]);
      One.Vendor = List[I]->getString("vendor").value_or("").str();
      One.Chip = chipOf(*List[I]);
      if (count_if(List, [&](const json::Object *Other) {
            return nameOf(*Other) == One.Name;
          }) > 1)
        One.Name += (" #" + Twine(One.Device)).str();
      if (none_of(Out, [&](const Target &Other) {
            return Other.Kind == T.Kind && Other.Device == One.Device;
          }))
        Out.push_back(std::move(One));
    }
  }
  return Out;
}

Meter *MeterByKind::meterFor(const Target &On) const {
  return On.Kind == TargetKind::Device ? Devices : Offline;
}

/// Gives each meter its requests, all at once, and puts the results in order.
template <typename Request, typename Result, typename Ask>
static std::vector<Result> split(ArrayRef<Request> Requests,
                                 ArrayRef<Meter *> Meters,
                                 function_ref<Meter *(const Target &)> Whose,
                                 const Result &Nobody, Ask Do) {
  std::vector<Result> Out(Requests.size(), Nobody);
  for (Meter *M : Meters) {
    std::vector<Request> Mine;
    std::vector<size_t> Places;
    for (size_t I = 0; I < Requests.size(); ++I)
      if (M && Whose(Requests[I].On) == M) {
        Mine.push_back(Requests[I]);
        Places.push_back(I);
      }
    if (Mine.empty())
      continue;
    std::vector<Result> Results = Do(*M, Mine);
    for (size_t I = 0; I < Places.size(); ++I)
      Out[Places[I]] = std::move(Results[I]);
  }
  return Out;
}

std::vector<Measurement>
MeterByKind::measure(ArrayRef<MeasureRequest> Requests) {
  Measurement Nobody;
  Nobody.Problem = "nothing measures there";
  return split<MeasureRequest, Measurement>(
      Requests, {Offline, Devices},
      [&](const Target &T) { return meterFor(T); }, Nobody,
      [](Meter &M, ArrayRef<MeasureRequest> R) { return M.measure(R); });
}

std::vector<Timing> MeterByKind::time(ArrayRef<TimeRequest> Requests) {
  return split<TimeRequest, Timing>(
      Requests, {Offline, Devices},
      [&](const Target &T) { return meterFor(T); },
      Timing{std::nullopt, "nothing runs there"},
      [](Meter &M, ArrayRef<TimeRequest> R) { return M.time(R); });
}

std::vector<PressureReport>
MeterByKind::pressure(ArrayRef<MeasureRequest> Requests) {
  return split<MeasureRequest, PressureReport>(
      Requests, {Offline, Devices},
      [&](const Target &T) { return meterFor(T); },
      PressureReport{{}, "nothing measures there"},
      [](Meter &M, ArrayRef<MeasureRequest> R) { return M.pressure(R); });
}

} // namespace clrewrite::measure
