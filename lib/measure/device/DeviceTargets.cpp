// The name of a target is matched against the devices that clrewrite-device
// lists.
#include "measure/device/DeviceTargets.h"
#include "measure/Backend.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace clrewrite::measure {
namespace {

class DeviceFamily : public TargetFamily {
  Expected<std::optional<Target>> parse(StringRef Name) const override {
    if (Name != "device" && !Name.starts_with("device:"))
      return std::nullopt;
    return Target{Name.str(), Name.drop_front(6).ltrim(':').str(), this};
  }
  std::vector<StringRef> names() const override { return {"device"}; }
  bool isDevice() const override { return true; }

  // Only its driver knows what follows.
  frontend::Arch arch(StringRef) const override { return {}; }
  Expected<std::unique_ptr<Backend>>
  open(const BackendSettings &) const override {
    return createStringError("a driver compiles for devices");
  }
  std::vector<unsigned> waves(StringRef, ArrayRef<OccupancyNeeds>,
                              process::ChildLimits) const override {
    return {};
  }
  unsigned mostLds(StringRef) const override { return 0; }
  unsigned lanes(StringRef) const override { return 0; }
};

} // namespace

const TargetFamily &deviceFamily() {
  static const DeviceFamily Family;
  return Family;
}

static std::string nameOf(const json::Object &Device) {
  return Device.getString("name").value_or("unnamed device").trim().str();
}

static bool hasExtension(const json::Object &Device, StringRef Name) {
  const json::Array *List = Device.getArray("extensions");
  return List && is_contained(*List, json::Value(Name));
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
  std::string Why = "no such device (there are: " + Names + ")";
  if (Names.empty())
    Why = std::string("there is no OpenCL device: ") + opencl::NoDeviceRemedy +
          "; registers and waves need none, as with --target=gfx906";
  return createStringError("target '" + Twine(T.Name) + "': " + Why);
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
    if (!T.isDevice()) {
      Out.push_back(T);
      continue;
    }
    std::vector<unsigned> Meant = chosen(List, T.Cpu);
    if (Meant.empty())
      return noSuchDevice(T, List);
    for (unsigned I : Meant) {
      Target One = T;
      One.Device = unsigned(List[I]->getInteger("index").value_or(I));
      One.Name = One.Model = nameOf(*List[I]);
      One.IsCpu = List[I]->getString("type") == StringRef("cpu");
      One.TakesNvidiaOptions = hasExtension(*List[I], "cl_nv_compiler_options");
      One.Vendor = List[I]->getString("vendor").value_or("").str();
      One.Chip = chipOf(*List[I]);
      if (List[I]->getBoolean("runs_kernels").value_or(true))
        One.Sandbox = opencl::sandboxOf(*List[I]);
      if (count_if(List, [&](const json::Object *Other) {
            return nameOf(*Other) == One.Name;
          }) > 1)
        One.Name += (" #" + Twine(One.Device)).str();
      if (none_of(Out, [&](const Target &Other) {
            return Other.isDevice() && Other.Device == One.Device;
          }))
        Out.push_back(std::move(One));
    }
  }
  return Out;
}

} // namespace clrewrite::measure
