// A kernel's registers and spills from the .ze_info of an Intel binary.
#pragma once

#include "Figures.h"
#include <string_view>

namespace clrewrite::device {

/// Reads the text of a .ze_info section (YAML; the ZEBIN format that Intel's
/// compiler and compute runtime document): for each entry of `kernels:` its
/// name and, from execution_env and per_thread_memory_buffers, grf_count,
/// simd_size, slm_size, spill_size and private_size. Only the block style that
/// Intel's compiler writes is understood.
FiguresByKernel parseZeInfo(std::string_view Text);

/// The same for the first Intel GPU binary in \p Blob with such a section.
FiguresByKernel readZebin(std::string_view Blob);

} // namespace clrewrite::device
