// Coverage within the pipeline: an original is parsed and instrumented in a
// child.
#pragma once

#include "rewrite/Candidate.h"
#include "verify/Verify.h"

namespace clrewrite::pipeline {

/// Has \p How ask which branches of \p Kernel the rounds take, and look for
/// launches that take others. \p Standard is the -cl-std= for sources that
/// choose none; it may be empty.
void cover(verify::VerifyOptions &How, const std::string &Standard,
           const rewrite::KernelInfo &Kernel);

} // namespace clrewrite::pipeline
