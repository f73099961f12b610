// A figure of a kernel, night after night, as a drawing.
#pragma once

#include "history/History.h"
#include "report/Markup.h"

namespace clrewrite::history {

/// Draws the registers (\p Waves: the waves) of \p C over the nights of \p S as
/// an svg element. \p Id must not occur twice in a document.
void drawCourse(report::Markup &M, const Summary &S, const Course &C,
                bool Waves, llvm::StringRef Id);

} // namespace clrewrite::history
