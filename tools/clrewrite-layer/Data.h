// Data mode: the bytes of a launch's buffers and images, before and after it.
#pragma once

#include "Shapes.h"
#include <functional>

namespace clrewrite::layer {

struct DataLaunch {
  cl_command_queue Handle;
  /// The kernel's when it is launched.
  std::vector<Argument> Arguments;
  std::vector<const void *> SvmPointers;
  Launch &Of;
  cl_uint Waits;
  const cl_event *WaitList;
};

/// Another sample of \p L is wanted.
inline bool wantsData(const Launch &L) {
  return L.SamplesLeft && *L.SamplesLeft > 0;
}

/// Waits until the launch could start, reads, calls \p Do, waits until it is
/// over, and reads again. False, having called nothing, where waiting might
/// never end.
bool launchWithData(const DataLaunch &D, const std::function<cl_int()> &Do);

} // namespace clrewrite::layer
