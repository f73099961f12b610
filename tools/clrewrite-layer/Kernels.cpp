// Calls that create kernels and set their arguments are recorded.
#include "Layer.h"
#include <cstring>

namespace clrewrite::layer {

namespace {

/// The facts that the driver tells about a parameter.
struct ParameterInfo {
  std::string Name, Type;
  const char *Address = "", *Access = "";
  std::vector<std::string> Qualifiers;
  Parameter::Sort Kind = Parameter::Unknown;
};

} // namespace

static std::string parameterText(cl_kernel K, cl_uint I,
                                 cl_kernel_arg_info What) {
  return queryText(Next.clGetKernelArgInfo, K, I, What);
}

static Parameter::Sort sortOf(cl_kernel_arg_address_qualifier Address,
                              const std::string &Type) {
  switch (Address) {
  case CL_KERNEL_ARG_ADDRESS_GLOBAL:
  case CL_KERNEL_ARG_ADDRESS_CONSTANT:
    return Parameter::Memory; // images too
  case CL_KERNEL_ARG_ADDRESS_LOCAL:
    return Parameter::Local;
  }
  // PoCL counts samplers as private.
  if (Type.find("sampler_t") != std::string::npos)
    return Parameter::Sampler;
  bool Opaque = Type.find("image") != std::string::npos ||
                Type.find("pipe") != std::string::npos ||
                Type.find("queue_t") != std::string::npos || Type.empty();
  return Opaque ? Parameter::Unknown : Parameter::Value;
}

/// Drivers of OpenCL 1.0 and 1.1 have no clGetKernelArgInfo, and a loader that
/// calls it all the same.
static bool tellsParameters(const Program &P) {
  if (!Next.clGetKernelArgInfo || P.Devices.empty())
    return false;
  std::string Version =
      queryText(Next.clGetDeviceInfo, P.Devices[0], CL_DEVICE_VERSION);
  return Version.rfind("OpenCL 1.0", 0) != 0 &&
         Version.rfind("OpenCL 1.1", 0) != 0;
}

/// False where the driver tells nothing.
static bool parameterInfo(cl_kernel K, cl_uint I, ParameterInfo &P) {
  auto Address = numberOf<cl_kernel_arg_address_qualifier>(
      Next.clGetKernelArgInfo, K, I, CL_KERNEL_ARG_ADDRESS_QUALIFIER);
  if (!Address)
    return false;
  P.Address = *Address == CL_KERNEL_ARG_ADDRESS_GLOBAL     ? "global"
              : *Address == CL_KERNEL_ARG_ADDRESS_CONSTANT ? "constant"
              : *Address == CL_KERNEL_ARG_ADDRESS_LOCAL    ? "local"
                                                           : "private";
  P.Name = parameterText(K, I, CL_KERNEL_ARG_NAME);
  P.Type = parameterText(K, I, CL_KERNEL_ARG_TYPE_NAME);
  auto Access = numberOf<cl_kernel_arg_access_qualifier>(
      Next.clGetKernelArgInfo, K, I, CL_KERNEL_ARG_ACCESS_QUALIFIER);
  P.Access = Access == CL_KERNEL_ARG_ACCESS_READ_ONLY    ? "read_only"
             : Access == CL_KERNEL_ARG_ACCESS_WRITE_ONLY ? "write_only"
             : Access == CL_KERNEL_ARG_ACCESS_READ_WRITE ? "read_write"
                                                         : "";
  auto Bits = numberOf<cl_kernel_arg_type_qualifier>(
                  Next.clGetKernelArgInfo, K, I, CL_KERNEL_ARG_TYPE_QUALIFIER)
                  .value_or(0);
  for (auto [Bit, Word] :
       {std::pair<cl_bitfield, const char *>{CL_KERNEL_ARG_TYPE_CONST, "const"},
        {CL_KERNEL_ARG_TYPE_RESTRICT, "restrict"},
        {CL_KERNEL_ARG_TYPE_VOLATILE, "volatile"},
        {CL_KERNEL_ARG_TYPE_PIPE, "pipe"}})
    if (Bits & Bit)
      P.Qualifiers.push_back(Word);
  P.Kind = sortOf(*Address, P.Type);
  return true;
}

static void describe(Line &L, const ParameterInfo &P) {
  L.openObject("")
      .textOrNull("name", P.Name)
      .textOrNull("type", P.Type)
      .textOrNull("address", P.Address)
      .textOrNull("access", P.Access)
      .texts("qualifiers", P.Qualifiers)
      .closeObject();
}

/// The record of a kernel of a build, made and logged when it is first met.
static std::shared_ptr<KernelRecord> recordOf(cl_kernel K, const Program &P,
                                              const std::string &Name) {
  Layer &S = *state();
  uint64_t Build = P.Build;
  std::string Key =
      std::to_string(P.Id) + " " + std::to_string(Build) + " " + Name;
  {
    std::lock_guard<std::mutex> Guard(S.KernelLock);
    if (auto It = S.KernelRecords.find(Key); It != S.KernelRecords.end())
      return It->second;
  }
  cl_uint Count = 0;
  Next.clGetKernelInfo(K, CL_KERNEL_NUM_ARGS, sizeof Count, &Count, nullptr);
  std::vector<ParameterInfo> Infos(Count);
  bool Known = false, Tells = tellsParameters(P);
  for (cl_uint I = 0; Tells && I < Count; ++I)
    Known |= parameterInfo(K, I, Infos[I]);

  std::lock_guard<std::mutex> Guard(S.KernelLock);
  std::shared_ptr<KernelRecord> &R = S.KernelRecords[Key];
  if (R)
    return R;
  R = std::make_shared<KernelRecord>();
  R->Id = S.NextKernel++;
  for (const ParameterInfo &I : Infos)
    R->Parameters.push_back({I.Kind});
  Line L("kernel");
  L.number("id", R->Id)
      .number("program", P.Id)
      .id("build", Build)
      .text("name", Name);
  if (Known) {
    L.openList("arguments");
    for (const ParameterInfo &I : Infos)
      describe(L, I);
    L.closeList();
  } else {
    L.null("arguments");
  }
  L.number("argument_count", Count);
  S.Out->write(std::move(L));
  return R;
}

static void enter(cl_kernel Handle, std::shared_ptr<KernelRecord> Of) {
  auto K = std::make_shared<Kernel>();
  K->Arguments.resize(Of->Parameters.size());
  K->Of = std::move(Of);
  state()->Kernels.put(Handle, std::move(K));
}

static cl_kernel CL_API_CALL createKernel(cl_program Program, const char *Name,
                                          cl_int *Error) {
  cl_kernel K = Next.clCreateKernel(Program, Name, Error);
  if (K && state())
    enter(K, recordOf(K, *programOf(Program), Name));
  return K;
}

static cl_int CL_API_CALL createKernels(cl_program Program, cl_uint Count,
                                        cl_kernel *Kernels, cl_uint *CountRet) {
  cl_uint Made = 0;
  cl_int Code = Next.clCreateKernelsInProgram(Program, Count, Kernels, &Made);
  if (Code == CL_SUCCESS && CountRet)
    *CountRet = Made;
  if (!state() || Code != CL_SUCCESS || !Kernels)
    return Code;
  auto P = programOf(Program);
  for (cl_uint I = 0; I < Made && I < Count; ++I) {
    std::string Name =
        queryText(Next.clGetKernelInfo, Kernels[I], CL_KERNEL_FUNCTION_NAME);
    enter(Kernels[I], recordOf(Kernels[I], *P, Name));
  }
  return Code;
}

static cl_kernel CL_API_CALL cloneKernel(cl_kernel Handle, cl_int *Error) {
  cl_kernel Clone = Next.clCloneKernel(Handle, Error);
  Layer *S = state();
  auto K = S && Clone ? S->Kernels.get(Handle) : nullptr;
  if (!K)
    return Clone;
  auto New = std::make_shared<Kernel>();
  New->Of = K->Of;
  {
    std::lock_guard<std::mutex> Guard(K->Lock);
    New->Arguments = K->Arguments;
    New->SvmPointers = K->SvmPointers;
  }
  S->Kernels.put(Clone, std::move(New));
  return Clone;
}

/// What an argument was set to, from the value and what is known about the
/// parameter.
static Argument argumentOf(Parameter P, size_t Size, const void *Value) {
  Layer &S = *state();
  Argument A;
  A.Size = Size;
  bool MayBeHandle = P.Kind != Parameter::Value && Size == sizeof(void *);
  if (!Value) {
    A.Kind = P.Kind == Parameter::Memory ? Argument::Null : Argument::Local;
    return A;
  }
  if (MayBeHandle) {
    void *Handle = nullptr;
    memcpy(&Handle, Value, sizeof Handle);
    if (!Handle && P.Kind == Parameter::Memory) {
      A.Kind = Argument::Null;
      return A;
    }
    if (P.Kind != Parameter::Sampler)
      A.Mem = memoryOf(static_cast<cl_mem>(Handle),
                       /*Adopt=*/P.Kind == Parameter::Memory);
    if (A.Mem) {
      A.Kind = Argument::Memory;
      A.Handle = static_cast<cl_mem>(Handle);
      return A;
    }
    A.Sam = S.Samplers.get(Handle);
    if (A.Sam) {
      A.Kind = Argument::Sampler;
      return A;
    }
  }
  A.Kind = P.Kind == Parameter::Unknown || P.Kind == Parameter::Value
               ? Argument::Bytes
               : Argument::Other;
  A.Value.assign(static_cast<const char *>(Value), Size);
  return A;
}

/// What argumentOf and an assignment do, for the usual: an argument that is set
/// to what it was, or to another of its sort. False where it is not that.
static bool setAgain(Kernel &K, cl_uint Index, size_t Size, const void *Value) {
  Parameter P = K.Of->Parameters[Index];
  std::lock_guard<std::mutex> Guard(K.Lock);
  Argument &A = K.Arguments[Index];
  if (!Value || A.Size != Size)
    return false;
  if (P.Kind == Parameter::Value || Size != sizeof(void *)) {
    if (A.Kind != Argument::Bytes)
      return false;
    if (memcmp(A.Value.data(), Value, Size) != 0) {
      memcpy(A.Value.data(), Value, Size);
      K.Changed = true;
    }
    return true;
  }
  if (A.Kind != Argument::Memory)
    return false;
  memcpy(&A.Handle, Value, sizeof A.Handle);
  auto &Mem = state()->Memories.recent(A.Handle);
  if (Mem && Mem != A.Mem) {
    A.Mem = Mem;
    K.Changed = true;
  }
  return Mem != nullptr;
}

/// The kernel, where the layer knows it and it has such an argument.
static Kernel *withArgument(cl_kernel Handle, cl_uint Index) {
  Layer *S = state();
  Kernel *K = S ? S->Kernels.recent(Handle).get() : nullptr;
  return K && Index < K->Arguments.size() ? K : nullptr;
}

static void set(Kernel &K, cl_uint Index, Argument A) {
  std::lock_guard<std::mutex> Guard(K.Lock);
  K.Arguments[Index] = std::move(A);
  K.Changed = true;
}

static cl_int CL_API_CALL setKernelArg(cl_kernel Handle, cl_uint Index,
                                       size_t Size, const void *Value) {
  cl_int Code = Next.clSetKernelArg(Handle, Index, Size, Value);
  if (Code != CL_SUCCESS)
    return Code;
  Kernel *K = withArgument(Handle, Index);
  if (K && !setAgain(*K, Index, Size, Value))
    set(*K, Index, argumentOf(K->Of->Parameters[Index], Size, Value));
  return Code;
}

static cl_int CL_API_CALL setKernelArgSvm(cl_kernel Handle, cl_uint Index,
                                          const void *Pointer) {
  cl_int Code = Next.clSetKernelArgSVMPointer(Handle, Index, Pointer);
  Kernel *K = Code == CL_SUCCESS ? withArgument(Handle, Index) : nullptr;
  if (!K)
    return Code;
  Argument A;
  A.Kind = Pointer ? Argument::Svm : Argument::Null;
  A.Pointer = Pointer;
  set(*K, Index, std::move(A));
  return Code;
}

static cl_int CL_API_CALL setKernelExecInfo(cl_kernel Handle,
                                            cl_kernel_exec_info What,
                                            size_t Size, const void *Value) {
  cl_int Code = Next.clSetKernelExecInfo(Handle, What, Size, Value);
  Layer *S = state();
  if (!S || Code != CL_SUCCESS || What != CL_KERNEL_EXEC_INFO_SVM_PTRS)
    return Code;
  if (auto K = S->Kernels.get(Handle)) {
    auto *Pointers = static_cast<const void *const *>(Value);
    std::lock_guard<std::mutex> Guard(K->Lock);
    K->SvmPointers.assign(Pointers, Pointers + Size / sizeof(void *));
    K->Changed = true;
  }
  return Code;
}

void wrapKernels(cl_icd_dispatch &Table) {
  wrap(Table.clCreateKernel, createKernel);
  wrap(Table.clCreateKernelsInProgram, createKernels);
  wrap(Table.clCloneKernel, cloneKernel);
  wrapCounting<Next, state, &Layer::Kernels, &cl_icd_dispatch::clRetainKernel,
               &cl_icd_dispatch::clReleaseKernel>(Table);
  wrap(Table.clSetKernelArg, setKernelArg);
  wrap(Table.clSetKernelArgSVMPointer, setKernelArgSvm);
  wrap(Table.clSetKernelExecInfo, setKernelExecInfo);
}

} // namespace clrewrite::layer
