// Inputs that may tell two versions apart, or lead to a place, found by
// computing with numbers instead of terms.
//
// One work-item is looked at, in a launch of made-up sizes. Memory holds what
// is asked of it first; functions that are not known here give numbers that
// their operands alone decide. So what is found is a guess, and a device is
// asked before anything is said of it.
#pragma once

#include "prove/Execute.h"
#include "prove/Prove.h"

namespace clrewrite::prove {

/// Launches in which \p Before and \p After, of one graph, may leave other
/// memory, each by other conditions; a few at most. No more than \p Seconds are
/// spent.
std::vector<Suspect> suspects(const Behaviour &Before, const Behaviour &After,
                              double Seconds);

/// Launches in which a kernel may write to \p Words of \p Argument, each with
/// one that may write to another word.
std::vector<Suspect> reaching(const Behaviour &Of, unsigned Argument,
                              const std::vector<unsigned> &Words,
                              double Seconds);

} // namespace clrewrite::prove
