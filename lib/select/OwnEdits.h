// Edits for the GPUs of one family alone, beside those that suit all.
//
// First comes the search of a run without them. Then, for the targets of each
// family whose compilers a macro tells from others (Shelter.h), another
// search goes on from its result, with these targets and bystanders alone. It
// sees a plain text, as those compilers will; where its text does better there,
// the lines in which it differs are put into shelters. What compilers for other
// GPUs see no change in, such as fences, is written for all: the search of
// AMD's targets begins without it, since it comes after other edits there.
#pragma once

#include "select/Select.h"

namespace clrewrite::select {

/// As select() with SelectOptions::Variants.
llvm::Expected<Selection> selectWithOwn(const Source &S,
                                        const rewrite::Findings &First,
                                        const Finder &Find, measure::Meter &M,
                                        const SelectOptions &Options);

} // namespace clrewrite::select
