// A command's start and end are asked of its profiling event.
#include "Events.h"
#include <algorithm>

namespace clrewrite::device {

Problem launchProblem(const char *Where, cl_int Code) {
  Problem P = clProblem(Where, Code);
  P.Restart = Code == CL_OUT_OF_RESOURCES || Code == CL_INVALID_COMMAND_QUEUE ||
              Code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST ||
              Code < -1000;
  return P;
}

Status waitFor(Device &D, cl_event Done, const char *Where, uint64_t *Time) {
  cl_int Code = clFinish(D.TheQueue.get());
  if (Code != CL_SUCCESS)
    return launchProblem("clFinish", Code);
  cl_int State =
      query<cl_int>(clGetEventInfo, Done, CL_EVENT_COMMAND_EXECUTION_STATUS)
          .value_or(CL_COMPLETE);
  if (State < 0)
    return launchProblem(Where, State);
  if (!Time)
    return std::nullopt;
  auto Start = query<cl_ulong>(clGetEventProfilingInfo, Done,
                               CL_PROFILING_COMMAND_START);
  auto End =
      query<cl_ulong>(clGetEventProfilingInfo, Done, CL_PROFILING_COMMAND_END);
  if (!Start || !End)
    return clProblem("clGetEventProfilingInfo",
                     CL_PROFILING_INFO_NOT_AVAILABLE);
  *Time = *End - *Start;
  return std::nullopt;
}

Json timeSummary(const std::vector<uint64_t> &Samples) {
  std::vector<uint64_t> Sorted = Samples;
  std::sort(Sorted.begin(), Sorted.end());
  size_t Half = Sorted.size() / 2;
  uint64_t Median =
      Sorted.size() % 2
          ? Sorted[Half]
          : Sorted[Half - 1] + (Sorted[Half] - Sorted[Half - 1]) / 2;
  return {{"min_ns", Sorted.front()},
          {"median_ns", Median},
          {"samples_ns", Samples}};
}

} // namespace clrewrite::device
