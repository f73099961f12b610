// Calls after which launches are over: the moments to take their times.
#include "Layer.h"
#include "Times.h"
#include <tuple>

namespace clrewrite::layer {

/// After each of these calls, the queue's times are taken.
static cl_int after(cl_int Code, cl_command_queue Handle, bool Waited = true) {
  Layer *S = state();
  if (S && Waited && Code == CL_SUCCESS)
    if (auto &Q = S->Queues.recent(Handle); Q && Q->UntimedCount > 0)
      harvest(*std::shared_ptr<Queue>(Q));
  return Code;
}

static void *after(void *Mapped, cl_command_queue Handle, bool Waited) {
  after(Mapped ? CL_SUCCESS : CL_INVALID_VALUE, Handle, Waited);
  return Mapped;
}

/// Replaces a function that has a queue first, and waits where its argument
/// \p Blocking says so.
template <auto Slot, size_t Blocking>
static void wrapWait(cl_icd_dispatch &Table) {
  if (Table.*Slot)
    Table.*Slot = [](auto... A) {
      std::tuple All(A...);
      return after((Next.*Slot)(A...), std::get<0>(All),
                   std::get<Blocking>(All));
    };
}

static cl_int CL_API_CALL finish(cl_command_queue Q) {
  return after(Next.clFinish(Q), Q);
}

static cl_int CL_API_CALL flush(cl_command_queue Q) {
  return after(Next.clFlush(Q), Q);
}

static cl_int CL_API_CALL waitForEvents(cl_uint Count, const cl_event *List) {
  cl_int Code = Next.clWaitForEvents(Count, List);
  if (state())
    harvestAll();
  return Code;
}

static cl_int CL_API_CALL releaseContext(cl_context C) {
  if (state())
    harvestAll();
  return Next.clReleaseContext(C);
}

static cl_event CL_API_CALL createUserEvent(cl_context C, cl_int *Error) {
  cl_event Event = Next.clCreateUserEvent(C, Error);
  if (Layer *S = state(); S && Event)
    ++S->OpenUserEvents;
  return Event;
}

static cl_int CL_API_CALL setUserEventStatus(cl_event Event, cl_int Status) {
  cl_int Code = Next.clSetUserEventStatus(Event, Status);
  if (Layer *S = state(); S && Code == CL_SUCCESS)
    --S->OpenUserEvents;
  return Code;
}

void wrapWaits(cl_icd_dispatch &Table) {
  wrap(Table.clFinish, finish);
  wrap(Table.clFlush, flush);
  wrap(Table.clWaitForEvents, waitForEvents);
  wrapWait<&cl_icd_dispatch::clEnqueueReadBuffer, 2>(Table);
  wrapWait<&cl_icd_dispatch::clEnqueueReadBufferRect, 2>(Table);
  wrapWait<&cl_icd_dispatch::clEnqueueReadImage, 2>(Table);
  wrapWait<&cl_icd_dispatch::clEnqueueMapBuffer, 2>(Table);
  wrapWait<&cl_icd_dispatch::clEnqueueMapImage, 2>(Table);
  wrapWait<&cl_icd_dispatch::clEnqueueSVMMap, 1>(Table);
  wrapWait<&cl_icd_dispatch::clEnqueueSVMMemcpy, 1>(Table);
  wrap(Table.clReleaseContext, releaseContext);
  wrap(Table.clCreateUserEvent, createUserEvent);
  wrap(Table.clSetUserEventStatus, setUserEventStatus);
}

} // namespace clrewrite::layer
