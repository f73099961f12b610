// Proof within the pipeline: two sources, compiled and compared in a child.
#pragma once

#include "prove/Prove.h"
#include "source/Source.h"

namespace clrewrite::pipeline {

/// Whether \p Kernel in \p After leaves the same as in \p Before, whatever its
/// inputs are. Both are compiled as verification does it, without contraction.
/// \p Standard is the -cl-std= for sources that choose none. It takes \p
/// Seconds at most.
prove::Proof prove(const Source &Before, const Source &After,
                   const std::string &Standard, const std::string &Kernel,
                   bool NoOverlap, unsigned Seconds);

/// The proof in words: "proved equal for all inputs", or why not.
std::string words(const prove::Proof &P);

} // namespace clrewrite::pipeline
