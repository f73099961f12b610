// Where the bytes of buffers lie, for kernels of a plan that need buffers
// apart.
//
// Known are the buffers that clCreateBuffer makes with flags of OpenCL's own,
// and their sub-buffers. Others, such as those of OpenGL or of an extension for
// memory of other processes, may be the same bytes under two handles, which no
// call here would show; so they are apart from none.
#include "../Layer.h"
#include "Stage.h"

namespace clrewrite::layer::planned {

bool isApart(const Extent &A, const Extent &B) {
  return A.Allocation != B.Allocation || A.End <= B.Begin || B.End <= A.Begin;
}

static constexpr cl_mem_flags KnownFlags =
    CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY |
    CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR |
    CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

/// Enters a buffer that was made with these arguments.
static cl_mem entered(cl_mem Handle, cl_mem_flags Flags, size_t Size,
                      const void *Host) {
  // The host's own memory counts as one allocation, in which each place is its
  // address.
  static std::atomic<uint64_t> Allocations{1};
  if (!Handle || (Flags & ~KnownFlags))
    return Handle;
  size_t Begin = 0;
  uint64_t Allocation = 0;
  if (Flags & CL_MEM_USE_HOST_PTR)
    Begin = reinterpret_cast<uintptr_t>(Host);
  else
    Allocation = Allocations++;
  stage()->Extents.put(Handle, std::make_shared<Extent>(
                                   Extent{Allocation, Begin, Begin + Size}));
  return Handle;
}

static cl_mem CL_API_CALL createBuffer(cl_context C, cl_mem_flags Flags,
                                       size_t Size, void *Host, cl_int *Error) {
  return entered(Driver.clCreateBuffer(C, Flags, Size, Host, Error), Flags,
                 Size, Host);
}

static cl_mem CL_API_CALL createBufferWithProperties(
    cl_context C, const cl_mem_properties *Properties, cl_mem_flags Flags,
    size_t Size, void *Host, cl_int *Error) {
  cl_mem Made = Driver.clCreateBufferWithProperties(C, Properties, Flags, Size,
                                                    Host, Error);
  return Properties && *Properties ? Made : entered(Made, Flags, Size, Host);
}

static cl_mem CL_API_CALL createSubBuffer(cl_mem Parent, cl_mem_flags Flags,
                                          cl_buffer_create_type Type,
                                          const void *Info, cl_int *Error) {
  cl_mem Made = Driver.clCreateSubBuffer(Parent, Flags, Type, Info, Error);
  auto Of = Made && Type == CL_BUFFER_CREATE_TYPE_REGION
                ? stage()->Extents.get(Parent)
                : nullptr;
  if (!Of)
    return Made;
  const auto *Region = static_cast<const cl_buffer_region *>(Info);
  size_t Begin = Of->Begin + Region->origin;
  stage()->Extents.put(Made, std::make_shared<Extent>(Extent{
                                 Of->Allocation, Begin, Begin + Region->size}));
  return Made;
}

void wrapMemory(cl_icd_dispatch &Table) {
  wrap(Table.clCreateBuffer, createBuffer);
  wrap(Table.clCreateBufferWithProperties, createBufferWithProperties);
  wrap(Table.clCreateSubBuffer, createSubBuffer);
  wrapCounting<Driver, stage, &Stage::Extents,
               &cl_icd_dispatch::clRetainMemObject,
               &cl_icd_dispatch::clReleaseMemObject>(Table);
}

} // namespace clrewrite::layer::planned
