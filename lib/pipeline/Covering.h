// Coverage within the pipeline: an original is parsed and instrumented in a
// child.
#pragma once

#include "source/Source.h"
#include "verify/Coverage.h"
#include <functional>

namespace clrewrite::pipeline {

/// For VerifyOptions::Instrument: gives the copy of a source that notes which
/// branches of \p Kernel are taken. \p Standard is the -cl-std= for sources
/// that choose none; it may be empty.
std::function<verify::Instrumented(const Source &)>
instrumenter(std::string Standard, std::string Kernel);

} // namespace clrewrite::pipeline
