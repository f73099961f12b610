// A kernel's figures in an editor: a line over it, and a table to hover on.
#pragma once

#include "lsp/View.h"

namespace clrewrite::lsp {

/// "VGPR 37 · 6 of 10 waves · next step at 36 (gfx600)"; spills in words, and,
/// where live registers are known, the line with most of them.
std::string lensText(const ViewFigures &F);

/// A Markdown table, a row a target: registers, spills, memory, occupancy and
/// what limits it, the estimate; and what the fixes would make of them.
std::string figuresTable(const ViewKernel &K);

} // namespace clrewrite::lsp
