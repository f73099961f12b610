// Devices, as they are recorded when the program first uses them.
#include "Layer.h"

namespace clrewrite::layer {

static std::string platformText(cl_platform_id P, cl_platform_info What) {
  return queryText(Next.clGetPlatformInfo, P, What);
}

static std::string deviceText(cl_device_id D, cl_device_info What) {
  return queryText(Next.clGetDeviceInfo, D, What);
}

template <class T>
static std::optional<T> deviceNumber(cl_device_id D, cl_device_info What) {
  return numberOf<T>(Next.clGetDeviceInfo, D, What);
}

static void number(Line &L, const char *Name, std::optional<uint64_t> Value) {
  Value ? L.number(Name, *Value) : L.null(Name);
}

static const char *typeName(cl_device_type Type) {
  return Type & CL_DEVICE_TYPE_GPU           ? "gpu"
         : Type & CL_DEVICE_TYPE_CPU         ? "cpu"
         : Type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator"
         : Type & CL_DEVICE_TYPE_CUSTOM      ? "custom"
                                             : "";
}

static std::vector<std::string> words(const std::string &Text) {
  std::vector<std::string> List;
  for (size_t At = 0; At < Text.size();) {
    size_t End = Text.find(' ', At);
    End = End == std::string::npos ? Text.size() : End;
    if (End > At)
      List.push_back(Text.substr(At, End - At));
    At = End + 1;
  }
  return List;
}

static Line describe(cl_device_id D, uint64_t Id) {
  auto Platform = deviceNumber<cl_platform_id>(D, CL_DEVICE_PLATFORM);
  cl_platform_id P = Platform.value_or(nullptr);
  Line L("device");
  L.number("id", Id)
      .openObject("platform")
      .text("name", platformText(P, CL_PLATFORM_NAME))
      .text("version", platformText(P, CL_PLATFORM_VERSION))
      .text("vendor", platformText(P, CL_PLATFORM_VENDOR))
      .closeObject()
      .text("name", deviceText(D, CL_DEVICE_NAME))
      .text("vendor", deviceText(D, CL_DEVICE_VENDOR))
      .text("driver", deviceText(D, CL_DRIVER_VERSION))
      .text("version", deviceText(D, CL_DEVICE_VERSION))
      .text("opencl_c", deviceText(D, CL_DEVICE_OPENCL_C_VERSION))
      .textOrNull(
          "type",
          typeName(
              deviceNumber<cl_device_type>(D, CL_DEVICE_TYPE).value_or(0)));
  number(L, "compute_units",
         deviceNumber<cl_uint>(D, CL_DEVICE_MAX_COMPUTE_UNITS));
  number(L, "max_clock_mhz",
         deviceNumber<cl_uint>(D, CL_DEVICE_MAX_CLOCK_FREQUENCY));
  number(L, "global_mem_bytes",
         deviceNumber<cl_ulong>(D, CL_DEVICE_GLOBAL_MEM_SIZE));
  number(L, "local_mem_bytes",
         deviceNumber<cl_ulong>(D, CL_DEVICE_LOCAL_MEM_SIZE));
  number(L, "max_alloc_bytes",
         deviceNumber<cl_ulong>(D, CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  number(L, "max_work_group_size",
         deviceNumber<size_t>(D, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  auto AlignBits = deviceNumber<cl_uint>(D, CL_DEVICE_MEM_BASE_ADDR_ALIGN);
  number(L, "mem_base_align_bytes",
         AlignBits ? std::optional<uint64_t>(*AlignBits / 8) : std::nullopt);
  L.boolean("images",
            deviceNumber<cl_bool>(D, CL_DEVICE_IMAGE_SUPPORT).value_or(0));
  L.texts("extensions", words(deviceText(D, CL_DEVICE_EXTENSIONS)));
  return L;
}

std::shared_ptr<Device> deviceOf(cl_device_id Handle) {
  Layer &S = *state();
  if (auto Known = S.Devices.get(Handle))
    return Known;
  // Two threads may both describe a device: the second line is of no use, but
  // does no harm.
  auto New = std::make_shared<Device>();
  New->Id = S.NextDevice++;
  S.Out->write(describe(Handle, New->Id));
  return S.Devices.adopt(Handle, New);
}

} // namespace clrewrite::layer
