// Devices are listed through the ICD loader, and their properties queried.
#include "Devices.h"
#include "Interpreter.h"
#include "opencl/ResultHash.h"
#include <CL/cl_ext.h>
#include <algorithm>
#include <array>

namespace clrewrite::device {

static Driver driverOf(const std::string &Platform) {
  auto Holds = [&](const char *Part) {
    return Platform.find(Part) != std::string::npos;
  };
  if (Holds("NVIDIA"))
    return Driver::Nvidia;
  if (Holds("AMD"))
    return Driver::Amd;
  if (Holds("Intel"))
    return Driver::Intel;
  return Holds("Portable Computing Language") ? Driver::Pocl : Driver::Other;
}

std::vector<Device> findDevices(const std::string &OfPlatform) {
  std::vector<Device> Found;
  cl_uint Count = 0;
  // The loader answers CL_PLATFORM_NOT_FOUND_KHR where no driver is installed.
  if (clGetPlatformIDs(0, nullptr, &Count) != CL_SUCCESS || Count == 0)
    return Found;
  std::vector<cl_platform_id> Platforms(Count);
  clGetPlatformIDs(Count, Platforms.data(), nullptr);
  for (cl_platform_id Platform : Platforms) {
    std::string Name =
        queryText(clGetPlatformInfo, Platform, CL_PLATFORM_NAME).value_or("");
    if (!OfPlatform.empty() && Name != OfPlatform)
      continue;
    Count = 0;
    if (clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &Count) !=
            CL_SUCCESS ||
        Count == 0)
      continue;
    std::vector<cl_device_id> Ids(Count);
    clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, Count, Ids.data(), nullptr);
    for (cl_device_id Id : Ids) {
      Device D;
      D.Platform = Platform;
      D.Interprets = Name == InterpreterPlatform;
      D.Id = Id;
      D.Kind = driverOf(Name);
      D.Name = D.text(CL_DEVICE_NAME).value_or("");
      std::string Version = D.text(CL_DEVICE_VERSION).value_or("");
      D.Has12 =
          Version.rfind("OpenCL 1.0", 0) && Version.rfind("OpenCL 1.1", 0);
      Found.push_back(std::move(D));
    }
  }
  return Found;
}

Status Device::open() {
  if (TheQueue)
    return std::nullopt;
  cl_int Code = CL_SUCCESS;
  TheContext =
      Context(clCreateContext(nullptr, 1, &Id, nullptr, nullptr, &Code));
  if (Code != CL_SUCCESS)
    return clProblem("clCreateContext", Code);
  TheQueue = Queue(clCreateCommandQueue(TheContext.get(), Id,
                                        CL_QUEUE_PROFILING_ENABLE, &Code));
  if (Code != CL_SUCCESS)
    return clProblem("clCreateCommandQueue", Code);
  return std::nullopt;
}

bool Device::isCpu() const {
  auto Type = info<cl_device_type>(CL_DEVICE_TYPE).value_or(0);
  return (Type & CL_DEVICE_TYPE_CPU) && !(Type & CL_DEVICE_TYPE_GPU);
}

/// A number from 1024 on, below 2^29, that stands for \p Bytes.
static uint32_t numberOf(const unsigned char *Bytes, size_t Count) {
  std::string Digits = opencl::hashBytes(Bytes, Count).substr(0, 7);
  return 1024 + uint32_t(std::stoul(Digits, nullptr, 16));
}

uint32_t Device::number(size_t Index) const {
  using Uuid = std::array<unsigned char, CL_UUID_SIZE_KHR>;
  if (auto Own = info<Uuid>(CL_DEVICE_UUID_KHR); Own && *Own != Uuid{})
    return numberOf(Own->data(), Own->size());
  // Domain, bus, device, function.
  using Place = std::array<unsigned char, 4 * sizeof(cl_uint)>;
  if (auto Pci = info<Place>(CL_DEVICE_PCI_BUS_INFO_KHR);
      Pci && *Pci != Place{})
    return numberOf(Pci->data(), Pci->size());
  return uint32_t(std::min<size_t>(Index, 1023));
}

size_t Device::baseAlign() const {
  size_t Bits = info<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN).value_or(1024);
  size_t Align = 128;
  while (Align < Bits / 8 && Align < 4096)
    Align *= 2;
  return Align;
}

static const char *typeName(cl_device_type Type) {
  if (Type & CL_DEVICE_TYPE_GPU)
    return "gpu";
  if (Type & CL_DEVICE_TYPE_CPU)
    return "cpu";
  return Type & CL_DEVICE_TYPE_ACCELERATOR ? "accelerator" : "custom";
}

/// The floating-point properties, or null where the device lacks the type.
static Json fpConfig(const Device &D, cl_device_info What) {
  auto Config = D.info<cl_device_fp_config>(What);
  if (!Config || !*Config)
    return nullptr;
  static constexpr std::pair<cl_device_fp_config, const char *> Names[] = {
      {CL_FP_DENORM, "denorm"},
      {CL_FP_INF_NAN, "inf_nan"},
      {CL_FP_ROUND_TO_NEAREST, "round_to_nearest"},
      {CL_FP_ROUND_TO_ZERO, "round_to_zero"},
      {CL_FP_ROUND_TO_INF, "round_to_inf"},
      {CL_FP_FMA, "fma"},
      {CL_FP_SOFT_FLOAT, "soft_float"},
      {CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, "correctly_rounded_divide_sqrt"}};
  Json List = Json::array();
  for (auto [Bit, Name] : Names)
    if (*Config & Bit)
      List.push_back(Name);
  return List;
}

static Json words(const std::string &Text) {
  Json List = Json::array();
  for (size_t At = 0; At < Text.size();) {
    size_t End = std::min(Text.find(' ', At), Text.size());
    if (End > At)
      List.push_back(Text.substr(At, End - At));
    At = End + 1;
  }
  return List;
}

/// Which figures a build's answer can hold for this driver, and their origin.
static Json readable(Driver Kind) {
  Json List = Json::array();
  auto Add = [&](const char *Figures, const char *From) {
    List.push_back({{"figures", Figures}, {"from", From}});
  };
  if (Kind == Driver::Nvidia)
    Add("vgprs spill_bytes spill_load_bytes stack_bytes lds_bytes",
        "ptxas's lines in the build log (-cl-nv-verbose)");
  if (Kind == Driver::Amd)
    Add("vgprs agprs sgprs vgpr_spills sgpr_spills scratch_bytes lds_bytes "
        "simd_width",
        "AMDGPU metadata note of the binary");
  if (Kind == Driver::Intel) {
    Add("spill_bytes", "CL_KERNEL_SPILL_MEM_SIZE_INTEL");
    Add("grf_count simd_width scratch_bytes", ".ze_info of the binary");
  }
  Add(Kind == Driver::Pocl ? "lds_bytes" : "private_bytes lds_bytes",
      Kind == Driver::Pocl ? "CL_KERNEL_LOCAL_MEM_SIZE"
                           : "CL_KERNEL_PRIVATE_MEM_SIZE, "
                             "CL_KERNEL_LOCAL_MEM_SIZE");
  Add("work_group_size_max preferred_multiple compile_work_group_size",
      "clGetKernelWorkGroupInfo");
  return List;
}

template <typename T> static Json orNull(const std::optional<T> &Value) {
  return Value ? Json(*Value) : Json(nullptr);
}

/// What the vendor's extension tells of a compute unit; null where the driver
/// has none of the two.
static Json vendorUnits(const Device &D) {
  if (auto Major = D.info<cl_uint>(CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV);
      Major && D.Kind == Driver::Nvidia)
    return {{"compute_capability",
             std::to_string(*Major) + "." +
                 std::to_string(
                     D.info<cl_uint>(CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV)
                         .value_or(0))}};
  auto Simds = D.info<cl_uint>(CL_DEVICE_SIMD_PER_COMPUTE_UNIT_AMD);
  if (!Simds || D.Kind != Driver::Amd)
    return nullptr;
  return {{"simds", *Simds},
          {"simd_width", orNull(D.info<cl_uint>(CL_DEVICE_SIMD_WIDTH_AMD))},
          {"simd_instruction_width",
           orNull(D.info<cl_uint>(CL_DEVICE_SIMD_INSTRUCTION_WIDTH_AMD))}};
}

static Json describe(const Device &D, size_t Index, const Sandbox &Held) {
  auto PlatformText = [&](cl_platform_info What) {
    return orNull(queryText(clGetPlatformInfo, D.Platform, What));
  };
  Json J = Json::object();
  J["index"] = Index;
  J["platform"] = {{"name", PlatformText(CL_PLATFORM_NAME)},
                   {"version", PlatformText(CL_PLATFORM_VERSION)},
                   {"vendor", PlatformText(CL_PLATFORM_VENDOR)}};
  J["name"] = D.Name;
  J["vendor"] = orNull(D.text(CL_DEVICE_VENDOR));
  J["driver"] = orNull(D.text(CL_DRIVER_VERSION));
  J["version"] = orNull(D.text(CL_DEVICE_VERSION));
  J["opencl_c"] = orNull(D.text(CL_DEVICE_OPENCL_C_VERSION));
  J["type"] = typeName(D.info<cl_device_type>(CL_DEVICE_TYPE).value_or(0));
  J["compute_units"] = orNull(D.info<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS));
  J["max_clock_mhz"] = orNull(D.info<cl_uint>(CL_DEVICE_MAX_CLOCK_FREQUENCY));
  J["global_mem_bytes"] = orNull(D.info<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE));
  J["local_mem_bytes"] = orNull(D.info<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE));
  J["max_alloc_bytes"] = orNull(D.info<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE));
  J["max_work_group_size"] =
      orNull(D.info<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE));
  J["global_cache_bytes"] =
      orNull(D.info<cl_ulong>(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE));
  J["native_vector_width"] = {
      {"half", orNull(D.info<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF))},
      {"float", orNull(D.info<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT))},
      {"double", orNull(D.info<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE))},
      {"int", orNull(D.info<cl_uint>(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT))}};
  J["vendor_units"] = vendorUnits(D);
  J["mem_base_align_bytes"] = D.baseAlign();
  J["part_align_bytes"] = D.isCpu() || D.Interprets ? 1 : D.baseAlign();
  J["images"] = D.info<cl_bool>(CL_DEVICE_IMAGE_SUPPORT).value_or(0) != 0;
  J["fp"] = {{"half", fpConfig(D, CL_DEVICE_HALF_FP_CONFIG)},
             {"single", fpConfig(D, CL_DEVICE_SINGLE_FP_CONFIG)},
             {"double", fpConfig(D, CL_DEVICE_DOUBLE_FP_CONFIG)}};
  J["guard"] = D.isCpu() ? "pages" : "margins";
  J["sandbox"] = Held.layers(D.isCpu());
  if (D.Interprets)
    J["sandbox"].insert(J["sandbox"].begin(), "interpreter (oclgrind)");
  J["runs_kernels"] = Held.runs(D.isCpu());
  J["readable"] = readable(D.Kind);
  J["extensions"] = words(D.text(CL_DEVICE_EXTENSIONS).value_or(""));
  return J;
}

Json describeDevices(const std::vector<Device> &Devices, const Sandbox &Held) {
  Json List = Json::array();
  for (size_t I = 0; I < Devices.size(); ++I)
    List.push_back(describe(Devices[I], I, Held));
  return List;
}

} // namespace clrewrite::device
