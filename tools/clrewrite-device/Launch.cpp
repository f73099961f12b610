// Running, comparing and timing versions of a kernel.
//
// All versions use the same buffers, one after the other, so that an address
// or a page can't favour one of them. Before each launch the buffers get their
// initial contents anew: written by the host for the launches that are
// compared, copied on the device for those that are timed.
#include "Launch.h"
#include "Base64.h"
#include "Buffer.h"
#include "Compare.h"
#include <algorithm>
#include <unistd.h>

namespace clrewrite::device {
namespace {

/// A buffer argument and what the first version left in it.
struct BoundBuffer {
  size_t Index;
  const Argument *What;
  Buffer Object;
  HostMemory Expected;
  std::vector<std::string> Hashes;
  bool Changed; // version 0 wrote other bytes than it found
  Json Contents = Json::array();
};

class Launcher {
  Device &D;
  const LaunchRequest &L;
  std::vector<Kernel> Kernels; // by version
  std::vector<BoundBuffer> Buffers;
  HostMemory Staging;
  Json Differences = Json::array(), Trespasses = Json::array();

public:
  Launcher(Device &D, const LaunchRequest &L) : D(D), L(L) {}
  Status build(Programs &Cache);
  Status checkArguments(size_t Version) const;
  Status checkSizes() const;
  Status allocate();
  Status bind();
  /// Runs \p Version once and waits; its time in ns goes to \p Time.
  Status launch(size_t Version, uint64_t *Time = nullptr);
  Status compare(size_t Version);
  Result<Json> measure();
  Result<Json> run();

private:
  Status collectTrespasses(size_t Version, BoundBuffer &B);
};

/// Errors of a launch after which a driver's context may be dead: the next
/// job needs a new process.
Problem launchProblem(const char *Where, cl_int Code) {
  Problem P = clProblem(Where, Code);
  P.Restart = Code == CL_OUT_OF_RESOURCES || Code == CL_INVALID_COMMAND_QUEUE ||
              Code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ||
              Code < -1000;
  return P;
}

Status Launcher::build(Programs &Cache) {
  for (size_t I = 0; I < L.Versions.size(); ++I) {
    const Version &V = L.Versions[I];
    std::string Which = "version " + std::to_string(I) + ": ";
    Result<Built *> B = Cache.get(D, V.Source, V.Options);
    if (!B) {
      B.problem().Message = Which + B.problem().Message;
      return B.problem();
    }
    cl_int Code = CL_SUCCESS;
    Kernels.emplace_back(
        clCreateKernel((*B)->TheProgram.get(), V.Kernel.c_str(), &Code));
    if (Code != CL_SUCCESS)
      return clProblem("clCreateKernel", Code,
                       Which + "cannot make the kernel '" + V.Kernel + "'");
    if (Status S = checkArguments(I))
      return S;
  }
  return std::nullopt;
}

/// Some drivers crash where an argument is of the wrong kind.
Status Launcher::checkArguments(size_t Version) const {
  cl_kernel K = Kernels[Version].get();
  std::string Which = "version " + std::to_string(Version) + ": ";
  auto Count = query<cl_uint>(clGetKernelInfo, K, CL_KERNEL_NUM_ARGS);
  if (Count && *Count != L.Arguments.size())
    return badRequest(Which + "the kernel has " + std::to_string(*Count) +
                      " arguments, the job gives " +
                      std::to_string(L.Arguments.size()));
  for (cl_uint I = 0; I < L.Arguments.size(); ++I) {
    auto Address = query<cl_kernel_arg_address_qualifier>(
        clGetKernelArgInfo, K, I, CL_KERNEL_ARG_ADDRESS_QUALIFIER);
    auto Access = query<cl_kernel_arg_access_qualifier>(
        clGetKernelArgInfo, K, I, CL_KERNEL_ARG_ACCESS_QUALIFIER);
    std::string Type =
        queryText(clGetKernelArgInfo, K, I, CL_KERNEL_ARG_TYPE_NAME)
            .value_or("");
    std::string Name = Which + "argument " + std::to_string(I);
    if ((Access && *Access != CL_KERNEL_ARG_ACCESS_NONE) || Type == "sampler_t")
      return refused("UNSUPPORTED",
                     Name + " is an image or a sampler, which protocol 1 "
                            "can't give");
    if (!Address)
      continue;
    Argument::Kind Has = L.Arguments[I].What;
    bool IsBuffer = Has == Argument::Buffer || Has == Argument::NullBuffer ||
                    Has == Argument::Alias;
    if (*Address == CL_KERNEL_ARG_ADDRESS_LOCAL && Has != Argument::Local)
      return badRequest(Name + " needs {\"local\": BYTES}");
    if ((*Address == CL_KERNEL_ARG_ADDRESS_GLOBAL ||
         *Address == CL_KERNEL_ARG_ADDRESS_CONSTANT) &&
        !IsBuffer)
      return badRequest(Name + " needs a buffer");
    if (*Address == CL_KERNEL_ARG_ADDRESS_PRIVATE && Has != Argument::Value)
      return badRequest(Name + " needs a scalar or bytes");
  }
  return std::nullopt;
}

Status Launcher::checkSizes() const {
  uint64_t Most =
      D.info<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE).value_or(UINT64_MAX);
  uint64_t OnDevice =
      D.info<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE).value_or(UINT64_MAX);
  uint64_t Sum = 0;
  for (size_t I = 0; I < L.Arguments.size(); ++I) {
    const Argument &A = L.Arguments[I];
    if (A.What != Argument::Buffer)
      continue;
    // 16 KiB is more than any margins take.
    if (A.Bytes + 16384 > Most)
      return tooLarge("args[" + std::to_string(I) +
                      "]: " + std::to_string(A.Bytes) +
                      " bytes are more than the device allocates at once, " +
                      std::to_string(Most));
    Sum += A.Bytes;
  }
  if (Sum > OnDevice)
    return tooLarge("the buffers' " + std::to_string(Sum) +
                    " bytes exceed the device's " + std::to_string(OnDevice));
  // The host holds the initial contents, one result, and a staging copy; a
  // CPU device has its own copies in the same memory.
  uint64_t Host =
      uint64_t(::sysconf(_SC_PHYS_PAGES)) * uint64_t(::sysconf(_SC_PAGESIZE));
  uint64_t Need = Sum * (D.isCpu() ? 5 : 3);
  if (Need > Host)
    return tooLarge("the buffers need " + std::to_string(Need) +
                    " bytes of the host's " + std::to_string(Host));
  return std::nullopt;
}

Status Launcher::allocate() {
  size_t Largest = 0;
  for (size_t I = 0; I < L.Arguments.size(); ++I) {
    const Argument &A = L.Arguments[I];
    if (A.What != Argument::Buffer)
      continue;
    Result<Buffer> B = Buffer::create(D, A, L.TheGuard);
    if (!B)
      return B.problem();
    Buffers.push_back(
        {I, &A, std::move(*B), HostMemory(A.Bytes), {}, false, Json::array()});
    if (!Buffers.back().Expected.data())
      return tooLarge("no host memory left");
    Largest = std::max(Largest, A.Bytes);
  }
  Staging = HostMemory(Largest);
  return Staging.data() ? Status() : tooLarge("no host memory left");
}

/// Sets every argument of every version's kernel.
Status Launcher::bind() {
  auto bufferOf = [&](size_t Index) {
    for (const BoundBuffer &B : Buffers)
      if (B.Index == Index)
        return B.Object.object();
    return cl_mem(nullptr);
  };
  for (const Kernel &K : Kernels) {
    for (cl_uint I = 0; I < L.Arguments.size(); ++I) {
      const Argument &A = L.Arguments[I];
      cl_mem Object = nullptr;
      size_t Size = sizeof Object;
      const void *Value = &Object;
      if (A.What == Argument::Buffer || A.What == Argument::Alias) {
        Object = bufferOf(A.What == Argument::Alias ? A.Of : I);
      } else if (A.What == Argument::Local) {
        Size = A.Bytes;
        Value = nullptr;
      } else if (A.What == Argument::Value) {
        Size = A.Constant.size();
        Value = A.Constant.data();
      }
      cl_int Code = clSetKernelArg(K.get(), I, Size, Value);
      if (Code != CL_SUCCESS)
        return clProblem("clSetKernelArg", Code,
                         "argument " + std::to_string(I) +
                             " is refused: " + errorName(Code));
    }
  }
  return std::nullopt;
}

Status Launcher::launch(size_t Version, uint64_t *Time) {
  cl_event Raw = nullptr;
  cl_int Code = CL_SUCCESS;
  // Between fences the launch waits until enqueuing it, which may compile the
  // kernel, is over and the fault handler is in place (HostMemory.h).
  Event Gate;
  if (hasFences(D, L.TheGuard)) {
    Gate = Event(clCreateUserEvent(D.TheContext.get(), &Code));
    if (Code != CL_SUCCESS)
      return clProblem("clCreateUserEvent", Code);
  }
  cl_event Before = Gate.get();
  Code = clEnqueueNDRangeKernel(
      D.TheQueue.get(), Kernels[Version].get(), cl_uint(L.Global.size()),
      L.Offset.empty() ? nullptr : L.Offset.data(), L.Global.data(),
      L.Local.empty() ? nullptr : L.Local.data(), Before ? 1 : 0,
      Before ? &Before : nullptr, &Raw);
  if (Code != CL_SUCCESS)
    return launchProblem("clEnqueueNDRangeKernel", Code);
  Event Done(Raw);
  if (Before) {
    installFaultHandler();
    clSetUserEventStatus(Before, CL_COMPLETE);
  }
  Code = clFinish(D.TheQueue.get());
  if (Code != CL_SUCCESS)
    return launchProblem("clFinish", Code);
  cl_int State =
      query<cl_int>(clGetEventInfo, Raw, CL_EVENT_COMMAND_EXECUTION_STATUS)
          .value_or(CL_COMPLETE);
  if (State < 0)
    return launchProblem("clEnqueueNDRangeKernel", State);
  if (!Time)
    return std::nullopt;
  auto Start =
      query<cl_ulong>(clGetEventProfilingInfo, Raw, CL_PROFILING_COMMAND_START);
  auto End =
      query<cl_ulong>(clGetEventProfilingInfo, Raw, CL_PROFILING_COMMAND_END);
  if (!Start || !End)
    return clProblem("clGetEventProfilingInfo",
                     CL_PROFILING_INFO_NOT_AVAILABLE);
  *Time = *End - *Start;
  return std::nullopt;
}

Status Launcher::collectTrespasses(size_t Version, BoundBuffer &B) {
  auto Found = B.Object.trespasses();
  if (!Found)
    return Found.problem();
  for (const Trespass &T : *Found)
    Trespasses.push_back({{"version", Version},
                          {"arg", B.Index},
                          {"offset", T.Offset},
                          {"bytes", B.What->Bytes},
                          {"kind", T.Kind}});
  return std::nullopt;
}

/// Runs \p Version on fresh inputs and compares with what version 0 left.
Status Launcher::compare(size_t Version) {
  for (BoundBuffer &B : Buffers)
    if (Status S = B.Object.reset())
      return S;
  if (Status S = launch(Version))
    return S;
  for (BoundBuffer &B : Buffers) {
    if (Status S = collectTrespasses(Version, B))
      return S;
    uint8_t *Into = Version ? Staging.data() : B.Expected.data();
    if (Status S = B.Object.read(Into))
      return S;
    if (Version == 0)
      B.Changed = B.Object.differsFromInitial(Into);
    B.Hashes.push_back(hashBytes(Into, B.What->Bytes));
    if (B.What->Return)
      B.Contents.push_back(encodeBase64(Into, B.What->Bytes));
    auto Differs = compareBytes(B.Expected.data(), Into, B.What->Bytes,
                                B.What->Contents.Type, L.AnyNan);
    if (!Differs)
      continue;
    Json J = Json::object();
    J["version"] = Version;
    J["arg"] = B.Index;
    J["offset"] = Differs->Offset;
    J["element"] = Differs->Element;
    J["expected"] = Differs->Expected;
    J["actual"] = Differs->Actual;
    J["bytes"] = Differs->Bytes;
    J["elements"] = Differs->Elements;
    J["max_ulps"] = Differs->MaxUlps ? Json(*Differs->MaxUlps) : Json(nullptr);
    Differences.push_back(std::move(J));
  }
  return std::nullopt;
}

Json summary(const std::vector<uint64_t> &Samples) {
  std::vector<uint64_t> Sorted = Samples;
  std::sort(Sorted.begin(), Sorted.end());
  size_t Half = Sorted.size() / 2;
  uint64_t Median =
      Sorted.size() % 2
          ? Sorted[Half]
          : Sorted[Half - 1] + (Sorted[Half] - Sorted[Half - 1]) / 2;
  return {{"min_ns", Sorted.front()},
          {"median_ns", Median},
          {"samples_ns", Samples}};
}

/// Times the versions in turn (A B A B ...), after the warm-up rounds.
Result<Json> Launcher::measure() {
  std::vector<std::vector<uint64_t>> Samples(Kernels.size());
  for (unsigned Round = 0; Round < L.Warmup + L.Repeat; ++Round)
    for (size_t V = 0; V < Kernels.size(); ++V) {
      for (BoundBuffer &B : Buffers)
        if (B.What->Access != "r")
          if (Status S = B.Object.restore())
            return *S;
      // The copies must not overlap the launch.
      if (cl_int Code = clFinish(D.TheQueue.get()))
        return launchProblem("clFinish", Code);
      uint64_t Time = 0;
      if (Status S = launch(V, &Time))
        return *S;
      if (Round >= L.Warmup)
        Samples[V].push_back(Time);
    }
  Json J = {{"versions", Json::array()}, {"ratios", Json::array()}};
  for (size_t V = 0; V < Samples.size(); ++V) {
    J["versions"].push_back(summary(Samples[V]));
    Json Ratios = Json::array();
    for (size_t I = 0; V && I < Samples[V].size(); ++I)
      Ratios.push_back(Samples[V][I]
                           ? Json(double(Samples[0][I]) / double(Samples[V][I]))
                           : Json(nullptr));
    J["ratios"].push_back(V ? std::move(Ratios) : Json(nullptr));
  }
  return J;
}

Result<Json> Launcher::run() {
  if (Status S = checkSizes())
    return *S;
  if (Status S = allocate())
    return *S;
  if (Status S = bind())
    return *S;
  bool Compared = L.Compare || L.TheGuard != Guard::Off;
  for (size_t V = 0; Compared && V < Kernels.size(); ++V)
    if (Status S = compare(V))
      return *S;
  if (!Compared)
    for (BoundBuffer &B : Buffers)
      if (Status S = B.Object.reset())
        return *S;

  Json J = Json::object();
  J["device"] = D.Name;
  J["same"] = Compared ? Json(Differences.empty()) : Json(nullptr);
  J["guard"] = L.TheGuard == Guard::Off   ? "off"
               : hasFences(D, L.TheGuard) ? "pages"
                                          : "margins";
  J["buffers"] = Json::array();
  for (BoundBuffer &B : Buffers) {
    Json Entry = {
        {"arg", B.Index}, {"bytes", B.What->Bytes}, {"hash", B.Hashes}};
    Entry["changed"] = Compared ? Json(B.Changed) : Json(nullptr);
    if (B.What->Return)
      Entry["contents"] = std::move(B.Contents);
    J["buffers"].push_back(std::move(Entry));
  }
  J["differences"] = std::move(Differences);
  J["out_of_bounds"] = std::move(Trespasses);
  J["time"] = nullptr;
  if (!L.Time)
    return J;
  Result<Json> Times = measure();
  if (!Times)
    return Times.problem();
  J["time"] = std::move(*Times);
  return J;
}

} // namespace

Result<Json> runLaunch(Device &D, Programs &Cache, Request &Job) {
  Result<LaunchRequest> L = parseLaunch(Job);
  if (!L)
    return L.problem();
  Launcher Launch(D, *L);
  if (Status S = Launch.build(Cache))
    return *S;
  return Launch.run();
}

} // namespace clrewrite::device
