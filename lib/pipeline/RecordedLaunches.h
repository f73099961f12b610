// Launches of a capture as the device program takes them.
#pragma once

#include "capture/Capture.h"
#include "pipeline/Launches.h"

namespace clrewrite::pipeline {

/// \p L, with its data where all of its buffers have some. Fails, with the
/// reason, where it can't be repeated: an argument that was not told, SVM
/// pointers within data, parts of one buffer that overlap.
llvm::Expected<RecordedLaunch> recordedLaunch(const capture::Capture &C,
                                              const capture::CapturedLaunch &L);

} // namespace clrewrite::pipeline
