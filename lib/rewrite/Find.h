// The search for sites: it asks every rewrite at each node of a parsed source,
// and returns the candidates and the declined sites.
#pragma once

#include "frontend/Parse.h"
#include "rewrite/Candidate.h"

namespace clrewrite::rewrite {

struct Rewrite;

/// Runs the search of every one of \p Rewrites over the functions that stand
/// in the main file, and lists the kernels. \p D supplies uninitialised reads.
/// A kernel of which \p Launches has none is launched as its comments say.
/// Where \p Shelter names a macro, edits of MayShelter that add whole
/// lines are for compilers that define it.
Findings find(clang::ASTContext &Context,
              llvm::ArrayRef<const Rewrite *> Rewrites,
              const frontend::Diagnosis &D,
              llvm::ArrayRef<KnownLaunch> Launches = {},
              llvm::StringRef Shelter = "");

} // namespace clrewrite::rewrite
