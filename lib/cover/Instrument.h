// A copy of a kernel that notes which of its branches are taken.
//
// The kernel, and the functions of its file that it calls, get one more
// parameter: a buffer with a word for each branch, which a store at the head of
// the branch sets to 1. Nothing is inserted but within lines, so that lines
// keep their numbers. Branches are
//
//   - the arms of an `if`, also the one that is not there unless the other one
//     leaves at its end, the bodies of loops, what follows a label,
//   - what follows a statement that may leave (`if (x >= w) return;`),
//   - the arms of ?: and the right sides of && and ||,
//   - the functions that are called.
//
// A branch that the build's constants rule out is none. One whose ends come
// from a macro's body or from an included file can't be edited: it is counted
// as not looked at. So is one that an insertion could change the meaning of: a
// body behind a pragma, an arm of ?: whose type depends on its being a literal.
#pragma once

#include "verify/Coverage.h"

namespace clang {
class ASTContext;
} // namespace clang

namespace clrewrite::cover {

/// \p Kernel of the file that \p Context is of. Problem says where it can't be
/// instrumented at all.
verify::Instrumented instrument(clang::ASTContext &Context,
                                llvm::StringRef Kernel);

} // namespace clrewrite::cover
