// Queues: the layer has them profiled, and answers as if it had not.
#include "Layer.h"
#include "Times.h"

namespace clrewrite::layer {

static std::shared_ptr<Queue> describe(cl_command_queue Handle) {
  auto Q = std::make_shared<Queue>();
  Q->On = deviceOf(infoOf<cl_device_id>(Next.clGetCommandQueueInfo, Handle,
                                        CL_QUEUE_DEVICE));
  auto Properties = infoOf<cl_command_queue_properties>(
      Next.clGetCommandQueueInfo, Handle, CL_QUEUE_PROPERTIES);
  Q->OutOfOrder = Properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  Q->Profiled = Properties & CL_QUEUE_PROFILING_ENABLE;
  return Q;
}

std::shared_ptr<Queue> queueOf(cl_command_queue Handle) {
  Layer &S = *state();
  auto Known = S.Queues.get(Handle);
  return Known ? Known : S.Queues.adopt(Handle, describe(Handle));
}

static cl_command_queue CL_API_CALL
createQueue(cl_context C, cl_device_id D,
            cl_command_queue_properties Properties, cl_int *Error) {
  Layer *S = state();
  bool Asks = Properties & CL_QUEUE_PROFILING_ENABLE;
  cl_command_queue Handle = nullptr;
  bool Ours = false;
  if (S && !Asks) {
    Handle = Next.clCreateCommandQueue(
        C, D, Properties | CL_QUEUE_PROFILING_ENABLE, nullptr);
    Ours = Handle != nullptr;
  }
  if (Handle && Error)
    *Error = CL_SUCCESS;
  if (!Handle)
    Handle = Next.clCreateCommandQueue(C, D, Properties, Error);
  if (!S || !Handle)
    return Handle;
  auto Q = describe(Handle);
  Q->ProfilingIsOurs = Ours;
  S->Queues.put(Handle, std::move(Q));
  return Handle;
}

/// The list with profiling added; what the program asked for goes to \p Asked,
/// with its final 0. Empty where there is nothing to add.
static std::vector<cl_queue_properties>
withProfiling(const cl_queue_properties *Given,
              std::vector<cl_queue_properties> &Asked) {
  std::vector<cl_queue_properties> List;
  bool Found = false;
  for (const cl_queue_properties *P = Given; P && *P; P += 2) {
    Asked.insert(Asked.end(), {P[0], P[1]});
    cl_queue_properties Value = P[1];
    if (P[0] == CL_QUEUE_PROPERTIES) {
      if (Value & (CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_ON_DEVICE))
        return {};
      Value |= CL_QUEUE_PROFILING_ENABLE;
      Found = true;
    }
    List.insert(List.end(), {P[0], Value});
  }
  if (Given)
    Asked.push_back(0);
  if (!Found)
    List.insert(List.end(), {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE});
  List.push_back(0);
  return List;
}

static cl_command_queue CL_API_CALL
createQueueWithProperties(cl_context C, cl_device_id D,
                          const cl_queue_properties *Given, cl_int *Error) {
  Layer *S = state();
  std::vector<cl_queue_properties> Asked, List;
  if (S)
    List = withProfiling(Given, Asked);
  cl_command_queue Handle = nullptr;
  if (!List.empty())
    Handle =
        Next.clCreateCommandQueueWithProperties(C, D, List.data(), nullptr);
  bool Ours = Handle != nullptr;
  if (Handle && Error)
    *Error = CL_SUCCESS;
  if (!Handle)
    Handle = Next.clCreateCommandQueueWithProperties(C, D, Given, Error);
  if (!S || !Handle)
    return Handle;
  auto Q = describe(Handle);
  Q->ProfilingIsOurs = Q->HasArray = Ours;
  Q->Asked = std::move(Asked);
  S->Queues.put(Handle, std::move(Q));
  return Handle;
}

static cl_int CL_API_CALL retainQueue(cl_command_queue Handle) {
  cl_int Code = Next.clRetainCommandQueue(Handle);
  if (Layer *S = state(); S && Code == CL_SUCCESS)
    S->Queues.retain(Handle);
  return Code;
}

static cl_int CL_API_CALL releaseQueue(cl_command_queue Handle) {
  if (Layer *S = state())
    if (auto Gone = S->Queues.release(Handle)) {
      harvest(*Gone);
      // Those that still run stay untimed: nobody will ask for them again.
      std::deque<Queue::Pending> Left;
      {
        std::lock_guard<std::mutex> Guard(Gone->Lock);
        Left.swap(Gone->Untimed);
      }
      for (const Queue::Pending &P : Left)
        Next.clReleaseEvent(P.Event);
      tookUntimed(*Gone, Left.size());
    }
  return Next.clReleaseCommandQueue(Handle);
}

/// What the driver would say of a queue as the program asked for it. Drivers
/// differ in that, so it is asked, of a queue that is made for it.
static cl_int arrayAsAsked(cl_command_queue Handle, const Queue &Q, size_t Size,
                           void *Value, size_t *Ret) {
  cl_int Code = CL_SUCCESS;
  cl_command_queue Plain = Next.clCreateCommandQueueWithProperties(
      infoOf<cl_context>(Next.clGetCommandQueueInfo, Handle, CL_QUEUE_CONTEXT),
      infoOf<cl_device_id>(Next.clGetCommandQueueInfo, Handle, CL_QUEUE_DEVICE),
      Q.Asked.empty() ? nullptr : Q.Asked.data(), &Code);
  if (!Plain)
    return Code;
  Code = Next.clGetCommandQueueInfo(Plain, CL_QUEUE_PROPERTIES_ARRAY, Size,
                                    Value, Ret);
  Next.clReleaseCommandQueue(Plain);
  return Code;
}

static cl_int CL_API_CALL getQueueInfo(cl_command_queue Handle,
                                       cl_command_queue_info What, size_t Size,
                                       void *Value, size_t *Ret) {
  Layer *S = state();
  auto Q = S ? S->Queues.get(Handle) : nullptr;
  if (Q && Q->ProfilingIsOurs && What == CL_QUEUE_PROPERTIES) {
    auto Properties =
        infoOf<cl_command_queue_properties>(Next.clGetCommandQueueInfo, Handle,
                                            CL_QUEUE_PROPERTIES) &
        ~cl_command_queue_properties(CL_QUEUE_PROFILING_ENABLE);
    return answer(&Properties, sizeof Properties, Size, Value, Ret);
  }
  if (Q && Q->HasArray && What == CL_QUEUE_PROPERTIES_ARRAY)
    return arrayAsAsked(Handle, *Q, Size, Value, Ret);
  return Next.clGetCommandQueueInfo(Handle, What, Size, Value, Ret);
}

static cl_int CL_API_CALL eventProfilingInfo(cl_event Event,
                                             cl_profiling_info What,
                                             size_t Size, void *Value,
                                             size_t *Ret) {
  if (Layer *S = state()) {
    cl_command_queue Handle = nullptr;
    if (Next.clGetEventInfo(Event, CL_EVENT_COMMAND_QUEUE, sizeof Handle,
                            &Handle, nullptr) == CL_SUCCESS &&
        Handle)
      if (auto Q = S->Queues.get(Handle); Q && Q->ProfilingIsOurs)
        return CL_PROFILING_INFO_NOT_AVAILABLE;
  }
  return Next.clGetEventProfilingInfo(Event, What, Size, Value, Ret);
}

void wrapQueues(cl_icd_dispatch &Table) {
  wrap(Table.clCreateCommandQueue, createQueue);
  wrap(Table.clCreateCommandQueueWithProperties, createQueueWithProperties);
  wrap(Table.clRetainCommandQueue, retainQueue);
  wrap(Table.clReleaseCommandQueue, releaseQueue);
  wrap(Table.clGetCommandQueueInfo, getQueueInfo);
  wrap(Table.clGetEventProfilingInfo, eventProfilingInfo);
}

} // namespace clrewrite::layer
