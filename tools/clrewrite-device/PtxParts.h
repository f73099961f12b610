// Programs of some of a program's kernels, of NVIDIA's PTX.
//
// The driver's build log has room for some thirteen kernels, and says nothing
// of those behind them. Programs of a few of them each have logs of their own.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace clrewrite::device {

/// \p Ptx without the kernels that \p Kept does not name. Functions and
/// variables stay. What is no PTX stays as it is.
std::string kernelsAlone(std::string_view Ptx,
                         const std::set<std::string> &Kept);

} // namespace clrewrite::device
