// Calls that create samplers and SVM allocations are recorded.
#include "Layer.h"

namespace clrewrite::layer {

static cl_sampler entered(cl_sampler Handle) {
  Layer *S = state();
  if (!S || !Handle)
    return Handle;
  auto New = std::make_shared<Sampler>();
  New->Normalized = infoOf<cl_bool>(Next.clGetSamplerInfo, Handle,
                                    CL_SAMPLER_NORMALIZED_COORDS) != 0;
  New->Address = infoOf<cl_addressing_mode>(Next.clGetSamplerInfo, Handle,
                                            CL_SAMPLER_ADDRESSING_MODE);
  New->Filter = infoOf<cl_filter_mode>(Next.clGetSamplerInfo, Handle,
                                       CL_SAMPLER_FILTER_MODE);
  S->Samplers.put(Handle, std::move(New));
  return Handle;
}

void wrapSamplers(cl_icd_dispatch &Table) {
  wrapBehind<&cl_icd_dispatch::clCreateSampler, entered>(Table);
  wrapBehind<&cl_icd_dispatch::clCreateSamplerWithProperties, entered>(Table);
  wrapCounting<Next, state, &Layer::Samplers, &cl_icd_dispatch::clRetainSampler,
               &cl_icd_dispatch::clReleaseSampler>(Table);
}

std::optional<SvmTable::Found> SvmTable::find(const void *Address) const {
  std::shared_lock<std::shared_mutex> Guard(Lock);
  auto *A = static_cast<const char *>(Address);
  auto It = Allocations.upper_bound(A);
  if (It == Allocations.begin())
    return std::nullopt;
  --It;
  if (A >= It->first + It->second.Bytes)
    return std::nullopt;
  return Found{It->first, It->second};
}

static void *CL_API_CALL svmAlloc(cl_context C, cl_svm_mem_flags Flags,
                                  size_t Size, cl_uint Alignment) {
  void *Base = Next.clSVMAlloc(C, Flags, Size, Alignment);
  if (Layer *S = state(); S && Base)
    S->Svm.put(Base, {S->NextMemory++, Size, Flags});
  return Base;
}

static void CL_API_CALL svmFree(cl_context C, void *Base) {
  if (Layer *S = state(); S && Base)
    S->Svm.remove(Base);
  Next.clSVMFree(C, Base);
}

using SvmFreeFunction = void(CL_CALLBACK *)(cl_command_queue, cl_uint, void **,
                                            void *);

/// What is freed is gone from here on: the launches before it are recorded.
static cl_int CL_API_CALL enqueueSvmFree(cl_command_queue Queue, cl_uint Count,
                                         void *Pointers[], SvmFreeFunction Free,
                                         void *Data, cl_uint Waits,
                                         const cl_event *WaitList,
                                         cl_event *Event) {
  if (Layer *S = state())
    for (cl_uint I = 0; Pointers && I < Count; ++I)
      S->Svm.remove(Pointers[I]);
  return Next.clEnqueueSVMFree(Queue, Count, Pointers, Free, Data, Waits,
                               WaitList, Event);
}

void wrapSvm(cl_icd_dispatch &Table) {
  wrap(Table.clSVMAlloc, svmAlloc);
  wrap(Table.clSVMFree, svmFree);
  wrap(Table.clEnqueueSVMFree, enqueueSvmFree);
}

} // namespace clrewrite::layer
