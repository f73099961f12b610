// Calls after which launches are over: the moments to take their times.
#include "Layer.h"
#include "Times.h"

namespace clrewrite::layer {

/// After each of these calls, the queue's times are taken.
static cl_int after(cl_int Code, cl_command_queue Handle, bool Waited = true) {
  Layer *S = state();
  if (S && Waited && Code == CL_SUCCESS)
    if (auto &Q = S->Queues.recent(Handle); Q && Q->UntimedCount > 0)
      harvest(*std::shared_ptr<Queue>(Q));
  return Code;
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

static cl_int CL_API_CALL readBuffer(cl_command_queue Q, cl_mem M,
                                     cl_bool Blocking, size_t Offset,
                                     size_t Size, void *To, cl_uint Waits,
                                     const cl_event *List, cl_event *Event) {
  return after(Next.clEnqueueReadBuffer(Q, M, Blocking, Offset, Size, To, Waits,
                                        List, Event),
               Q, Blocking);
}

static cl_int CL_API_CALL readBufferRect(
    cl_command_queue Q, cl_mem M, cl_bool Blocking, const size_t *Origin,
    const size_t *HostOrigin, const size_t *Region, size_t RowPitch,
    size_t SlicePitch, size_t HostRowPitch, size_t HostSlicePitch, void *To,
    cl_uint Waits, const cl_event *List, cl_event *Event) {
  return after(Next.clEnqueueReadBufferRect(Q, M, Blocking, Origin, HostOrigin,
                                            Region, RowPitch, SlicePitch,
                                            HostRowPitch, HostSlicePitch, To,
                                            Waits, List, Event),
               Q, Blocking);
}

static cl_int CL_API_CALL readImage(cl_command_queue Q, cl_mem M,
                                    cl_bool Blocking, const size_t *Origin,
                                    const size_t *Region, size_t RowPitch,
                                    size_t SlicePitch, void *To, cl_uint Waits,
                                    const cl_event *List, cl_event *Event) {
  return after(Next.clEnqueueReadImage(Q, M, Blocking, Origin, Region, RowPitch,
                                       SlicePitch, To, Waits, List, Event),
               Q, Blocking);
}

static void *CL_API_CALL mapBuffer(cl_command_queue Q, cl_mem M,
                                   cl_bool Blocking, cl_map_flags Flags,
                                   size_t Offset, size_t Size, cl_uint Waits,
                                   const cl_event *List, cl_event *Event,
                                   cl_int *Error) {
  void *P = Next.clEnqueueMapBuffer(Q, M, Blocking, Flags, Offset, Size, Waits,
                                    List, Event, Error);
  after(P ? CL_SUCCESS : CL_INVALID_VALUE, Q, Blocking);
  return P;
}

static void *CL_API_CALL mapImage(cl_command_queue Q, cl_mem M,
                                  cl_bool Blocking, cl_map_flags Flags,
                                  const size_t *Origin, const size_t *Region,
                                  size_t *RowPitch, size_t *SlicePitch,
                                  cl_uint Waits, const cl_event *List,
                                  cl_event *Event, cl_int *Error) {
  void *P =
      Next.clEnqueueMapImage(Q, M, Blocking, Flags, Origin, Region, RowPitch,
                             SlicePitch, Waits, List, Event, Error);
  after(P ? CL_SUCCESS : CL_INVALID_VALUE, Q, Blocking);
  return P;
}

static cl_int CL_API_CALL svmMap(cl_command_queue Q, cl_bool Blocking,
                                 cl_map_flags Flags, void *P, size_t Size,
                                 cl_uint Waits, const cl_event *List,
                                 cl_event *Event) {
  return after(
      Next.clEnqueueSVMMap(Q, Blocking, Flags, P, Size, Waits, List, Event), Q,
      Blocking);
}

static cl_int CL_API_CALL svmMemcpy(cl_command_queue Q, cl_bool Blocking,
                                    void *To, const void *From, size_t Size,
                                    cl_uint Waits, const cl_event *List,
                                    cl_event *Event) {
  return after(
      Next.clEnqueueSVMMemcpy(Q, Blocking, To, From, Size, Waits, List, Event),
      Q, Blocking);
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
  wrap(Table.clEnqueueReadBuffer, readBuffer);
  wrap(Table.clEnqueueReadBufferRect, readBufferRect);
  wrap(Table.clEnqueueReadImage, readImage);
  wrap(Table.clEnqueueMapBuffer, mapBuffer);
  wrap(Table.clEnqueueMapImage, mapImage);
  wrap(Table.clEnqueueSVMMap, svmMap);
  wrap(Table.clEnqueueSVMMemcpy, svmMemcpy);
  wrap(Table.clReleaseContext, releaseContext);
  wrap(Table.clCreateUserEvent, createUserEvent);
  wrap(Table.clSetUserEventStatus, setUserEventStatus);
}

} // namespace clrewrite::layer
