// Which kernel a change of a text concerns, where it is but one: only that one
// is compiled then, so that figures come while somebody types.
//
// A kernel's code follows from its body, from what stands before it, and from
// functions that others may call too. So a change that keeps to one kernel's
// body, and can't change how the text around it reads, mostly leaves the code of
// the other kernels as it was. Where it has one call more or less of a function
// that they share, that may be inlined into them otherwise (llvm/OtherKernels.h),
// so the file is measured whole once nobody types.
#pragma once

#include "lsp/View.h"

namespace clrewrite::lsp {

/// The only kernel of \p Known, which is what is known of \p Before, whose code
/// \p After may change; none where that can't be told, or there are several
/// kernels of that name.
std::optional<std::string>
onlyChanged(const View &Known, llvm::StringRef Before, llvm::StringRef After);

/// \p Known with what \p Fresh says of \p Kernel, the only one that was
/// measured again; the others move as their lines do. All notes are of \p
/// Fresh.
View merged(View Known, View Fresh, llvm::StringRef Kernel,
            llvm::StringRef Before, llvm::StringRef After);

} // namespace clrewrite::lsp
