// Events of launches are kept per queue, and their times are read once they
// have completed.
#include "Times.h"
#include "Layer.h"

namespace clrewrite::layer {

/// How many events a queue may have pending: more would keep a driver's memory
/// from being freed.
static constexpr size_t MaxPending = 4096;
/// A launch looks for finished ones when this many are pending.
static constexpr size_t HarvestAt = 64;

/// How many events are kept for all queues together.
static std::atomic<size_t> UntimedInAll{0};

bool canTime(Queue &Q) {
  size_t Pending = Q.UntimedCount.load(std::memory_order_relaxed);
  if (Pending && Pending % HarvestAt == 0)
    harvest(Q);
  return Pending < MaxPending;
}

void addPending(Queue &Q, cl_event Event, Launch &Of, unsigned Weight) {
  ++Q.UntimedCount;
  ++UntimedInAll;
  std::lock_guard<std::mutex> Guard(Q.Lock);
  Q.Untimed.push_back({Event, &Of, Weight});
}

void tookUntimed(Queue &Q, size_t Count) {
  Q.UntimedCount -= Count;
  UntimedInAll -= Count;
}

static void takeTime(const Queue::Pending &P) {
  cl_ulong Start = 0, End = 0;
  if (P.Of->Count &&
      Next.clGetEventProfilingInfo(P.Event, CL_PROFILING_COMMAND_START,
                                   sizeof Start, &Start,
                                   nullptr) == CL_SUCCESS &&
      Next.clGetEventProfilingInfo(P.Event, CL_PROFILING_COMMAND_END,
                                   sizeof End, &End, nullptr) == CL_SUCCESS &&
      End >= Start)
    P.Of->Count->addTime(End - Start, P.Weight);
}

/// Whether the command is over: CL_COMPLETE, or an error.
static bool isOver(cl_event Event, bool &Good) {
  cl_int Status = CL_QUEUED;
  if (Next.clGetEventInfo(Event, CL_EVENT_COMMAND_EXECUTION_STATUS,
                          sizeof Status, &Status, nullptr) != CL_SUCCESS)
    Status = -1;
  Good = Status == CL_COMPLETE;
  return Status <= CL_COMPLETE;
}

void harvest(Queue &Q) {
  if (Q.UntimedCount.load(std::memory_order_relaxed) == 0)
    return;
  std::deque<Queue::Pending> List;
  {
    std::lock_guard<std::mutex> Guard(Q.Lock);
    if (Q.Harvesting || Q.Untimed.empty())
      return;
    Q.Harvesting = true;
    List.swap(Q.Untimed);
  }
  std::deque<Queue::Pending> Left;
  size_t Before = List.size();
  while (!List.empty()) {
    Queue::Pending P = List.front();
    List.pop_front();
    bool Good = false;
    if (isOver(P.Event, Good)) {
      if (Good)
        takeTime(P);
      Next.clReleaseEvent(P.Event);
      continue;
    }
    Left.push_back(P);
    if (!Q.OutOfOrder)
      break; // those after it are not over either
  }
  tookUntimed(Q, Before - List.size() - Left.size());
  std::lock_guard<std::mutex> Guard(Q.Lock);
  Q.Untimed.insert(Q.Untimed.begin(), List.begin(), List.end());
  Q.Untimed.insert(Q.Untimed.begin(), Left.begin(), Left.end());
  Q.Harvesting = false;
}

void harvestAll() {
  if (UntimedInAll.load(std::memory_order_relaxed) == 0)
    return;
  for (auto &[Handle, Q] : state()->Queues.all())
    harvest(*Q);
}

} // namespace clrewrite::layer
