// Launches: recorded by shape, counted and timed.
#include "Data.h"
#include "Layer.h"
#include "Shapes.h"
#include "Times.h"

namespace clrewrite::layer {

/// How many launches the next of \p L stands for, if it is timed; 0: it is not.
/// Timed are the first of a shape, and ever fewer of the others, at no regular
/// distance. Events and time stamps cost a driver more than all else here.
static unsigned weightOf(const Launch &L) {
  if (!L.Count)
    return 0;
  uint64_t Before = L.Count->Launches.load(std::memory_order_relaxed);
  if (Before < 64)
    return 1;
  unsigned Bits = Before < 1024 ? 4 : 6;
  return uint32_t(Before * 0x9e3779b1u) >> (32 - Bits) ? 0 : 1u << Bits;
}

static cl_int counted(Launch &L, cl_int Code) {
  if (L.Count)
    ++(Code == CL_SUCCESS ? L.Count->Launches : L.Count->Refused);
  return Code;
}

/// Calls the driver, and keeps the launch's event where it can be timed. The
/// program's own event is retained; where it wants none the layer asks for one.
/// The queue's object is kept: the driver may call the program back.
template <class Enqueue>
static cl_int timed(const Enqueue &Call, std::shared_ptr<Queue> Q,
                    cl_event *Event, Launch &L, unsigned Weight) {
  if (!canTime(*Q)) {
    state()->Out->drop("times", "too many launches at once that aren't over",
                       L.Id);
    return counted(L, Call(Event));
  }
  cl_event Own = nullptr;
  cl_event *Asked = Event ? Event : &Own;
  cl_int Code = counted(L, Call(Asked));
  if (Code != CL_SUCCESS || (Event && Next.clRetainEvent(*Event) != CL_SUCCESS))
    return Code;
  addPending(*Q, *Asked, L, Weight);
  return Code;
}

/// The launch with its data read before and after it.
template <class Enqueue>
static cl_int withData(cl_command_queue Handle, std::shared_ptr<Queue> Q,
                       Kernel &K, Launch &L, cl_uint Waits,
                       const cl_event *WaitList, const Enqueue &Do) {
  DataLaunch D{Handle, {}, {}, L, Waits, WaitList};
  {
    std::lock_guard<std::mutex> Guard(K.Lock);
    D.Arguments = K.Arguments;
    D.SvmPointers = K.SvmPointers;
  }
  cl_int Code = CL_SUCCESS;
  if (!launchWithData(D, [&] { return Code = Do(Q); }))
    return Do(Q);
  harvest(*Q);
  return Code;
}

/// Records a launch of \p Handle and does it.
template <class Enqueue>
static cl_int launch(cl_command_queue QueueHandle, cl_kernel Handle,
                     const LaunchCall &C, cl_uint Waits,
                     const cl_event *WaitList, cl_event *Event,
                     const Enqueue &Call) {
  Layer &S = *state();
  auto &K = S.Kernels.recent(Handle);
  if (!K || !QueueHandle)
    return Call(Event);
  auto *Q = &S.Queues.recent(QueueHandle);
  if (!*Q) {
    queueOf(QueueHandle);
    Q = &S.Queues.recent(QueueHandle);
  }
  Launch &L = launchOf(*K, **Q, C);
  auto Do = [&](const std::shared_ptr<Queue> &On) {
    unsigned Weight = On->Profiled ? weightOf(L) : 0;
    return Weight ? timed(Call, On, Event, L, Weight) : counted(L, Call(Event));
  };
  return wantsData(L) ? withData(QueueHandle, *Q, *K, L, Waits, WaitList, Do)
                      : Do(*Q);
}

static cl_int CL_API_CALL
enqueueNDRange(cl_command_queue Queue, cl_kernel Kernel, cl_uint Dimensions,
               const size_t *Offset, const size_t *Global, const size_t *Local,
               cl_uint Waits, const cl_event *WaitList, cl_event *Event) {
  auto Call = [&](cl_event *E) {
    return Next.clEnqueueNDRangeKernel(Queue, Kernel, Dimensions, Offset,
                                       Global, Local, Waits, WaitList, E);
  };
  // The driver refuses calls that are not launches.
  if (!state() || Dimensions < 1 || Dimensions > 3 || !Global)
    return Call(Event);
  LaunchCall C{"ndrange", Dimensions, Global, Local, Offset};
  return launch(Queue, Kernel, C, Waits, WaitList, Event, Call);
}

static cl_int CL_API_CALL enqueueTask(cl_command_queue Queue, cl_kernel Kernel,
                                      cl_uint Waits, const cl_event *WaitList,
                                      cl_event *Event) {
  auto Call = [&](cl_event *E) {
    return Next.clEnqueueTask(Queue, Kernel, Waits, WaitList, E);
  };
  if (!state())
    return Call(Event);
  const size_t One = 1;
  LaunchCall C{"task", 1, &One, &One, nullptr};
  return launch(Queue, Kernel, C, Waits, WaitList, Event, Call);
}

void wrapLaunches(cl_icd_dispatch &Table) {
  wrap(Table.clEnqueueNDRangeKernel, enqueueNDRange);
  wrap(Table.clEnqueueTask, enqueueTask);
}

} // namespace clrewrite::layer
