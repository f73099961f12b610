// A launch is checked before it runs, and its errors are named.
#include "LaunchChecks.h"
#include "Image.h"
#include <unistd.h>

namespace clrewrite::device {

Problem named(size_t Argument, Problem P) {
  P.Message = "args[" + std::to_string(Argument) + "]: " + P.Message;
  return P;
}

/// An image for an image, and of the same type.
static Status checkImageArgument(const Argument &A, const std::string &Name,
                                 bool IsImage, const std::string &Type) {
  // Drivers write "image2d_t" or "__read_only image2d_t"; one that has no
  // argument info says nothing.
  size_t At = Type.find("image");
  if (!IsImage && (Type.empty() || At == std::string::npos))
    return Type.empty() ? Status() : badRequest(Name + " is no image");
  if (IsImage && !Type.empty() && At == std::string::npos)
    return refused("UNSUPPORTED", Name + " is a pipe, which can't be given");
  std::string Word = At == std::string::npos ? "image" : Type.substr(At);
  if (A.What != Argument::Image)
    return badRequest(Name + " needs an " + Word);
  // "2d_array" makes "image2d_array_t".
  if (At != std::string::npos && Word != "image" + A.Shape.Type + "_t")
    return Type.find("depth") != std::string::npos ||
                   Type.find("msaa") != std::string::npos
               ? refused("UNSUPPORTED",
                         Name + " is an " + Word + ", which can't be given")
               : badRequest(Name + " needs an " + Word + ", not a " +
                            A.Shape.Type + " image");
  return std::nullopt;
}

/// Whether a pointer to global or constant memory leads nowhere with \p A. A
/// host may pass no buffer as it passes local memory, or a handle of zeros, and
/// a capture has what it passed.
static bool isNoBuffer(const Argument &A) {
  return A.What == Argument::NullBuffer ||
         (A.What == Argument::Local && A.Bytes == sizeof(cl_mem)) ||
         (A.What == Argument::Value &&
          A.Constant == std::vector<uint8_t>(sizeof(cl_mem)));
}

Status checkArguments(const LaunchRequest &L, size_t Version, cl_kernel K) {
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
    Argument::Kind Has = L.Arguments[I].What;
    if (Type == "sampler_t" || Has == Argument::Sampler) {
      if (Type == "sampler_t" && Has == Argument::Sampler)
        continue;
      if (!Type.empty())
        return badRequest(Name + (Has == Argument::Sampler
                                      ? " is no sampler"
                                      : " needs a sampler"));
    }
    bool IsImage = Access && *Access != CL_KERNEL_ARG_ACCESS_NONE;
    if (IsImage || Has == Argument::Image) {
      if (Status S = checkImageArgument(L.Arguments[I], Name, IsImage, Type))
        return S;
      continue;
    }
    if (!Address)
      continue;
    bool IsBuffer = Has == Argument::Buffer || Has == Argument::Alias ||
                    isNoBuffer(L.Arguments[I]);
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

Status checkSizes(Device &D, const LaunchRequest &L) {
  uint64_t Most =
      D.info<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE).value_or(UINT64_MAX);
  uint64_t OnDevice =
      D.info<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE).value_or(UINT64_MAX);
  uint64_t Sum = 0;
  for (size_t I = 0; I < L.Arguments.size(); ++I) {
    const Argument &A = L.Arguments[I];
    if (!A.isMemory())
      continue;
    if (A.What == Argument::Image)
      if (Status S = checkImage(D, A))
        return named(I, *S);
    // 16 KiB is more than the margins take that can't be left out.
    if (A.Bytes + 16384 > Most)
      return tooLarge("args[" + std::to_string(I) +
                      "]: " + std::to_string(A.Bytes) +
                      " bytes are more than the device allocates at once, " +
                      std::to_string(Most));
    Sum += A.Bytes;
  }
  if (Sum > OnDevice)
    return tooLarge("the arguments' " + std::to_string(Sum) +
                    " bytes exceed the device's " + std::to_string(OnDevice));
  // The host holds the initial contents, one result, and a staging copy; a
  // CPU device has its own copies in the same memory.
  uint64_t Host =
      uint64_t(::sysconf(_SC_PHYS_PAGES)) * uint64_t(::sysconf(_SC_PAGESIZE));
  uint64_t Need = Sum * (D.isCpu() ? 5 : 3);
  if (Need > Host)
    return tooLarge("the arguments need " + std::to_string(Need) +
                    " bytes of the host's " + std::to_string(Host));
  return std::nullopt;
}

} // namespace clrewrite::device
