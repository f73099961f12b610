// A source as a device job takes it: for the exact comparison, and as the
// user builds it.
//
// Compilers contract a*b+c to one rounding or don't, depending on the shape of
// the code around it, so an exact rewrite may change the last bit of a program
// that allows contraction. The exact comparison therefore builds both sources
// without contraction and without the options that let the compiler change
// results; what the user's own options give is compared beside it.
#pragma once

#include "source/Source.h"
#include "llvm/Support/JSON.h"

namespace clrewrite::verify {

enum class Arithmetic {
  Exact, ///< no contraction, none of the -cl-...-math options
  Given, ///< as the user's options have it
};

/// \p S as it is built for \p How. Lines keep their numbers.
Source withArithmetic(const Source &S, Arithmetic How);

/// The members "source" and "options" of a job for \p S. A source that is not
/// UTF-8 goes as "source_base64".
llvm::json::Object deviceProgram(const Source &S, Arithmetic How);

/// True where no floating-point type is named in \p S: then both arithmetics
/// are the same.
bool isIntegerOnly(const Source &S);

/// The lines that \p After has and \p Before has not may depend on how the
/// NDRange is cut into work-groups, by their words. That a line newly calls a
/// function of \p Before which does is not seen: no edit does that.
bool mayAddGroupUse(const Source &Before, const Source &After);

} // namespace clrewrite::verify
