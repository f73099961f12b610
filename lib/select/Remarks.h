// Comments that say why an edit is there, for who reads the code later.
#pragma once

#include "select/Evaluator.h"

namespace clrewrite::select {

/// Writes behind each edit of \p V that asks for it (Alternative::Remark) what
/// it gains there, or, where no figure says so, its own words. The search
/// itself sees no such comments, so that this comes after all that compares its
/// texts.
void addRemarks(Variant &V, const Evaluator &Eval);

} // namespace clrewrite::select
