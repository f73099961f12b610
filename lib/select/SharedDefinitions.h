// Functions that several edits define alike are defined once.
#pragma once

#include "select/Search.h"

namespace clrewrite::select {

/// Some rewrites write a function that a kernel calls, and name it after the
/// kernel (Edit::Defines). Where the edits of two kernels define the same but
/// for the name, the second calls the first one's function, if that is compiled
/// whenever the second is, and all kernels are the same machine code in the
/// end. Changes the text of \p S.Best and what its steps' outcomes have as
/// changes; it comes after all else that is done to them.
void shareDefinitions(Searched &S, const Evaluator &Eval);

} // namespace clrewrite::select
