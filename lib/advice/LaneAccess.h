// What sorts of advice about the lanes' accesses share.
#pragma once

#include "advice/AdviceSort.h"
#include "lanes/Accesses.h"
#include "lanes/Strides.h"
#include <optional>
#include <string>

namespace clrewrite::advice {

/// The least size in dimension 0 that work-groups of the kernels that reach \p
/// F have, as they require it or the user says it; \p Unknown of those of which
/// neither is known.
uint64_t groupWidth(const clang::FunctionDecl &F, const Adviser &To,
                    uint64_t Unknown);

/// "the lanes of a wave are 32 elements apart here (...)", of \p A and how many
/// bytes it moves on from lane to lane; empty where these are no whole
/// elements.
std::string distanceOf(const Access &A, Stride Bytes);

/// Tells what \p Why finds wrong with the accesses of \p F to \p Space, where a
/// kernel comes to them: "writes of out" and its words, each message once, with
/// the number of accesses. Empty words are none.
void tellOfAccesses(
    const clang::FunctionDecl &F, clang::LangAS Space, const Adviser &To,
    llvm::function_ref<std::string(const Access &, const Frame *In)> Why);

} // namespace clrewrite::advice
