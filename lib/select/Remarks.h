// Comments that say why an edit is there, for who reads the code later.
#pragma once

#include "select/Evaluator.h"
#include "source/Arms.h"

namespace clrewrite::select {

/// Writes behind each edit of \p V that asks for it (Alternative::Remark) what
/// it gains there, or, where no figure says so, its own words. The search
/// itself sees no such comments, so that this comes after all that compares its
/// texts. Gives what it wrote, in offsets of the text before.
Edits addRemarks(Variant &V, const Evaluator &Eval);

/// The same words on the first edit of each step of \p V that \p Which names,
/// with its place in the text of \p V: the text is left as it is.
std::vector<Remark> remarksOn(const Variant &V, const Evaluator &Eval,
                              llvm::function_ref<bool(const Step &)> Which);

} // namespace clrewrite::select
