// Kernels with mirrors: what is done with the one is done with the others.
#include "../Layer.h"
#include "Stage.h"
#include <cstring>

namespace clrewrite::layer::planned {

/// Sets one of \p Bits, whose number is \p Count.
static void flag(std::vector<bool> &Bits, unsigned &Count, size_t Index,
                 bool Value) {
  if (Bits[Index] != Value)
    Value ? ++Count : --Count;
  Bits[Index] = Value;
}

void MirrorFacts::prepare(size_t Arguments) {
  Refused.resize(Arguments + 1);
  Holds.resize(Plan->When.Arguments.size());
  AreApart.resize(Plan->When.Apart.size());
  if (!AreApart.empty())
    Extents.resize(Arguments);
}

void MirrorFacts::tookArgument(cl_uint Index, cl_int Code) {
  flag(Refused, RefusedCount, Index, Code != CL_SUCCESS);
}

void MirrorFacts::compare(cl_uint Index, size_t Size, const void *Value) {
  const auto &Wanted = Plan->When.Arguments;
  for (size_t I = 0; I < Wanted.size(); ++I)
    if (Wanted[I].Index == Index)
      flag(Holds, HoldCount, I,
           Value && Wanted[I].Bytes.size() == Size &&
               memcmp(Wanted[I].Bytes.data(), Value, Size) == 0);
  if (Extents.empty())
    return;
  cl_mem M = nullptr;
  if (Value && Size == sizeof M)
    memcpy(&M, Value, Size);
  Extents[Index] = M ? stage()->Extents.recent(M) : nullptr;
  for (size_t I = 0; I < AreApart.size(); ++I) {
    auto [A, B] = Plan->When.Apart[I];
    if ((A == Index || B == Index) && A < Extents.size() && B < Extents.size())
      flag(AreApart, ApartCount, I,
           Extents[A] && Extents[B] && isApart(*Extents[A], *Extents[B]));
  }
}

static cl_kernel CL_API_CALL createKernel(cl_program Program, const char *Name,
                                          cl_int *Error) {
  cl_kernel K = Driver.clCreateKernel(Program, Name, Error);
  if (K)
    addMirrors(Program, K, Name);
  return K;
}

static cl_int CL_API_CALL createKernels(cl_program Program, cl_uint Count,
                                        cl_kernel *Kernels, cl_uint *CountRet) {
  cl_uint Made = 0;
  cl_int Code = Driver.clCreateKernelsInProgram(Program, Count, Kernels, &Made);
  if (Code == CL_SUCCESS && CountRet)
    *CountRet = Made;
  for (cl_uint I = 0; Code == CL_SUCCESS && Kernels && I < Made; ++I)
    addMirrors(
        Program, Kernels[I],
        queryText(Driver.clGetKernelInfo, Kernels[I], CL_KERNEL_FUNCTION_NAME));
  return Code;
}

static cl_kernel CL_API_CALL cloneKernel(cl_kernel Handle, cl_int *Error) {
  cl_kernel Clone = Driver.clCloneKernel(Handle, Error);
  auto K = Clone ? stage()->Kernels.get(Handle) : nullptr;
  if (!K)
    return Clone;
  auto New = std::make_shared<Kernel>();
  New->Devices = K->Devices;
  for (const Mirror &M : K->Mirrors) {
    cl_int Code = CL_SUCCESS;
    OwnedKernel Made(Driver.clCloneKernel(M.Handle.get(), &Code));
    if (!Made)
      continue;
    New->Mirrors.push_back({M, std::move(Made)});
  }
  if (!New->Mirrors.empty())
    stage()->Kernels.put(Clone, std::move(New));
  return Clone;
}

static cl_int CL_API_CALL retainKernel(cl_kernel Handle) {
  cl_int Code = Driver.clRetainKernel(Handle);
  if (Code == CL_SUCCESS)
    stage()->Kernels.retain(Handle);
  return Code;
}

static cl_int CL_API_CALL releaseKernel(cl_kernel Handle) {
  // A thread may still remember the object, and must not keep the program and
  // its context alive by that.
  if (auto Gone = stage()->Kernels.release(Handle))
    Gone->Mirrors.clear();
  return Driver.clReleaseKernel(Handle);
}

/// Calls \p Each for the mirrors of a kernel.
template <class F> static void eachMirror(cl_kernel Handle, F Each) {
  if (const auto &K = stage()->Kernels.recent(Handle))
    for (Mirror &M : K->Mirrors)
      Each(M);
}

static cl_int CL_API_CALL setKernelArg(cl_kernel Handle, cl_uint Index,
                                       size_t Size, const void *Value) {
  cl_int Code = Driver.clSetKernelArg(Handle, Index, Size, Value);
  if (Code == CL_SUCCESS)
    eachMirror(Handle, [&](Mirror &M) {
      M.tookArgument(Index,
                     Driver.clSetKernelArg(M.Handle.get(), Index, Size, Value));
      M.compare(Index, Size, Value);
    });
  return Code;
}

static cl_int CL_API_CALL setKernelArgSvm(cl_kernel Handle, cl_uint Index,
                                          const void *Pointer) {
  cl_int Code = Driver.clSetKernelArgSVMPointer(Handle, Index, Pointer);
  if (Code == CL_SUCCESS)
    eachMirror(Handle, [&](Mirror &M) {
      M.tookArgument(Index, Driver.clSetKernelArgSVMPointer(M.Handle.get(),
                                                            Index, Pointer));
      M.compare(Index, 0, nullptr);
    });
  return Code;
}

static cl_int CL_API_CALL setKernelExecInfo(cl_kernel Handle,
                                            cl_kernel_exec_info What,
                                            size_t Size, const void *Value) {
  cl_int Code = Driver.clSetKernelExecInfo(Handle, What, Size, Value);
  if (Code == CL_SUCCESS)
    eachMirror(Handle, [&](Mirror &M) {
      M.tookArgument(
          cl_uint(M.Refused.size() - 1),
          Driver.clSetKernelExecInfo(M.Handle.get(), What, Size, Value));
    });
  return Code;
}

/// Functions of extensions that set arguments are called without the loader.
static void *CL_API_CALL extensionFunction(cl_platform_id Platform,
                                           const char *Name) {
  void *Found = Driver.clGetExtensionFunctionAddressForPlatform(Platform, Name);
  if (Found && Name && strncmp(Name, "clSetKernel", 11) == 0 &&
      !stage()->Off.exchange(true))
    tell("no more launches take the plan, since the program has got " +
         std::string(Name) + ", which sets arguments unseen");
  return Found;
}

void wrapKernels(cl_icd_dispatch &Table) {
  wrap(Table.clCreateKernel, createKernel);
  wrap(Table.clCreateKernelsInProgram, createKernels);
  wrap(Table.clCloneKernel, cloneKernel);
  wrap(Table.clRetainKernel, retainKernel);
  wrap(Table.clReleaseKernel, releaseKernel);
  wrap(Table.clSetKernelArg, setKernelArg);
  wrap(Table.clSetKernelArgSVMPointer, setKernelArgSvm);
  wrap(Table.clSetKernelExecInfo, setKernelExecInfo);
  wrap(Table.clGetExtensionFunctionAddressForPlatform, extensionFunction);
}

} // namespace clrewrite::layer::planned
