// Which arguments of a kernel must not become constants, since floating-point
// arithmetic would then be done by the compiler that rounds otherwise.
//
// With n a constant, `x / (float)n` may become a multiplication, and
// `sin(0.5f * n)` is computed by the library of the machine that compiles. Sums
// and differences round in one way everywhere, and integers do not round.
#pragma once

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace clrewrite::rewrite::specialise_arguments {

using ParameterSet = llvm::SmallPtrSet<const clang::ParmVarDecl *, 8>;

/// Those of \p Chosen, parameters of \p Kernel, that can become constants
/// together with bit-identical results. The answer is a lower bound: it follows
/// values through assignments without regard to their order, through calls of
/// functions of the program, and through conditions that decide which
/// assignment is executed or how often.
ParameterSet foldExactly(ParameterSet Chosen, const clang::FunctionDecl &Kernel,
                         const clang::ASTContext &Context);

} // namespace clrewrite::rewrite::specialise_arguments
