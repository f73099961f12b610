// Which of a kernel's integers by value say nothing but how often loops run.
#pragma once

#include <set>

namespace clang {
class FunctionDecl;
class ValueDecl;
} // namespace clang

namespace clrewrite::rewrite {

/// The parameters, and other variables, of which each mention in the body of
/// \p Kernel is on a side of a comparison that is the whole condition of a loop
/// which nothing else ends, or in a comparison with an id of the work-item. So
/// a launch with a large one takes long, and a larger one only longer.
std::set<const clang::ValueDecl *>
onlyCounting(const clang::FunctionDecl &Kernel);

} // namespace clrewrite::rewrite
