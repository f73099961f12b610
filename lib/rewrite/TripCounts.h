// Which of a kernel's integers by value say nothing but how often loops run.
#pragma once

namespace clang {
class ParmVarDecl;
class Stmt;
} // namespace clang

namespace clrewrite::rewrite {

/// Each mention of \p P, of which there are some, in \p Body, its kernel's, is
/// on a side of a comparison that is the whole condition of a loop which
/// nothing else ends, or in a comparison with an id of the work-item. So a
/// launch with a large one takes long, and a larger one only longer.
bool onlyCounts(const clang::ParmVarDecl &P, const clang::Stmt &Body);

} // namespace clrewrite::rewrite
