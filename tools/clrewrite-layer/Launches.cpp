// Launches: recorded by shape, counted and timed.
#include "Data.h"
#include "Layer.h"
#include "Shapes.h"
#include "Times.h"

namespace clrewrite::layer {

namespace {

/// What the driver is to be called with: everything but the event.
using Enqueue = std::function<cl_int(cl_event *)>;

} // namespace

/// Whether this launch is one of those that are timed: the first of a shape,
/// and one of sixteen of the others, at no regular distance. Events and time
/// stamps cost a driver more than all else here.
static bool isSampled(const Launch &L) {
  constexpr uint64_t AlwaysTimed = 64;
  uint64_t Before =
      L.Count ? L.Count->Launches.load(std::memory_order_relaxed) : 0;
  return Before < AlwaysTimed || uint32_t(Before * 0x9e3779b1u) >> 28 == 0;
}

static void count(Launch &L, cl_int Code) {
  if (L.Count)
    ++(Code == CL_SUCCESS ? L.Count->Launches : L.Count->Refused);
}

/// Calls the driver, and keeps the launch's event where it can be timed. The
/// program's own event is retained; where it wants none the layer asks for one.
static cl_int timed(const Enqueue &Call, Queue &Q, cl_event *Event,
                    std::shared_ptr<Launch> L) {
  bool Wanted = Q.Profiled && isSampled(*L);
  bool Time = Wanted && canTime(Q);
  if (Wanted && !Time)
    state()->Out->drop("times", "too many launches at once that aren't over",
                       L->Id);
  cl_event Own = nullptr;
  cl_event *Asked = Event || !Time ? Event : &Own;
  cl_int Code = Call(Asked);
  count(*L, Code);
  if (Code != CL_SUCCESS || !Time)
    return Code;
  if (Event && Next.clRetainEvent(*Event) != CL_SUCCESS)
    return Code;
  addPending(Q, *Asked, std::move(L));
  return Code;
}

/// Records a launch of \p Handle and does it.
static cl_int launch(cl_command_queue QueueHandle, cl_kernel Handle,
                     const LaunchCall &C, cl_uint Waits,
                     const cl_event *WaitList, cl_event *Event,
                     const Enqueue &Call) {
  auto K = state()->Kernels.get(Handle);
  if (!K || !QueueHandle)
    return Call(Event);
  auto Q = queueOf(QueueHandle);
  std::shared_ptr<Launch> L = launchOf(*K, *Q, C);
  cl_int Code = CL_SUCCESS;
  auto Do = [&] { return Code = timed(Call, *Q, Event, L); };
  if (!wantsData(*L))
    return Do();
  DataLaunch D{QueueHandle, {}, {}, *L, Waits, WaitList};
  {
    std::lock_guard<std::mutex> Guard(K->Lock);
    D.Arguments = K->Arguments;
    D.SvmPointers = K->SvmPointers;
  }
  if (!launchWithData(D, Do))
    return Do();
  harvest(*Q);
  return Code;
}

static cl_int CL_API_CALL
enqueueNDRange(cl_command_queue Queue, cl_kernel Kernel, cl_uint Dimensions,
               const size_t *Offset, const size_t *Global, const size_t *Local,
               cl_uint Waits, const cl_event *WaitList, cl_event *Event) {
  auto Call = [&](cl_event *E) {
    return Next.clEnqueueNDRangeKernel(Queue, Kernel, Dimensions, Offset,
                                       Global, Local, Waits, WaitList, E);
  };
  // What is no launch is the driver's to refuse.
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
