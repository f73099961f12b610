// The condition under which a function can be defined before another one.
#pragma once

#include "rewrite/Rewrite.h"

namespace clrewrite::rewrite {

/// There is a place before the site's function: headOf() of text/Text.h.
bool hasPlainHead(const Site &S);

inline const Condition HeadIsPlain{
    "a directive other than #if stands in the function's head, or its braces "
    "do not pair",
    hasPlainHead, MoveDirective};

} // namespace clrewrite::rewrite
